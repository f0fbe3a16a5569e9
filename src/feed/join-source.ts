import { hash } from 'node:crypto';
import type { Output } from '../output/output.ts';
import type { Plan } from '../site/plan/plan.ts';
import type { FileKeys } from './feed-files.ts';
import { sourceHead, sourceTail } from './source-pages.ts';

/**
 * Joins the source pages of all languages into one: the staged files are copied one after the other, so an edit in one language does not
 * read the texts of the others.
 * @param keys of the files of each language
 * @param last keys of the previous output's files
 * @returns keys for the next run; none if there is only one language, whose source page is the one of the site
 */
export async function joinSourceFiles(
  plan: Plan,
  keys: FileKeys,
  last: FileKeys,
  output: Pick<Output, 'open' | 'reuseAll' | 'readStaged'>,
): Promise<FileKeys> {
  if (plan.languages.length === 1) return {};
  const head = sourceHead(plan, plan.languages);
  const json = plan.languages
    .filter(({ articleIds }) => articleIds.length > 0)
    .map((language) => ({
      path: `feed/${language.tag}/source.json`,
      skip: Buffer.byteLength(sourceHead(plan, [language])),
    }));
  const text = plan.languages.map(({ tag }) => ({ path: `feed/${tag}/source.txt`, skip: 0 }));
  return {
    ...(await join(output, 'feed/source.json', json, {
      keys,
      last,
      head,
      separator: ',\n',
      tail: sourceTail,
    })),
    ...(await join(output, 'feed/source.txt', text, { keys, last, head: '', separator: '', tail: '' })),
  };
}

/** A part of a joined file. */
interface Part {
  readonly path: string;
  /** Bytes of its own head. */
  readonly skip: number;
}

interface Joining {
  readonly keys: FileKeys;
  readonly last: FileKeys;
  readonly head: string;
  readonly separator: string;
  /** End of the file, with which every part ends, too; it is cut off there. */
  readonly tail: string;
}

async function join(
  output: Pick<Output, 'open' | 'reuseAll' | 'readStaged'>,
  path: string,
  parts: readonly Part[],
  { keys, last, head, separator, tail }: Joining,
): Promise<FileKeys> {
  const key = hash('sha256', JSON.stringify([head, ...parts.map((part) => keys[part.path])]));
  if (last[path] === key && (await output.reuseAll([path])) !== null) return { [path]: key };
  const file = await output.open(path);
  await file.write(head);
  for (const [at, part] of parts.entries()) {
    if (at > 0) await file.write(separator);
    for await (const block of between(output.readStaged(part.path), part.skip, Buffer.byteLength(tail))) {
      await file.write(block);
    }
  }
  await file.write(tail);
  await file.close();
  return { [path]: key };
}

/** Omits bytes at the start and at the end. */
async function* between(
  blocks: AsyncIterable<Uint8Array>,
  atStart: number,
  atEnd: number,
): AsyncGenerator<Uint8Array> {
  let left = atStart;
  let held = Buffer.alloc(0);
  for await (const block of blocks) {
    const wanted = Buffer.concat([held, block.subarray(left)]);
    left -= Math.min(left, block.length);
    const end = Math.max(0, wanted.length - atEnd);
    held = wanted.subarray(end);
    yield wanted.subarray(0, end);
  }
}
