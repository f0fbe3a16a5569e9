import type { Output, OutputFile } from '../output/output.ts';
import type { DocumentRecord } from './document-record.ts';
import type { FullTextPlace } from './file-places.ts';

/** `llms-full.txt` of one language, in parts that keep to a budget. */
export interface FullText {
  /**
   * Adds the text of one article, whole where it fits into a part of its own.
   * @returns where it lies; `null` where it was cut, since how much fits depends on the part
   */
  add(article: FullTextArticle): Promise<FullTextPlace | null>;
  /** Adds the text of an article as it is, uncut, in the previous feed. @param chars UTF-16 units of it */
  repeat(place: FullTextPlace, chars: number): Promise<FullTextPlace>;
  close(): Promise<void>;
}

/** Text of one article, uncut: its head, then its Markdown. */
interface FullTextArticle {
  readonly text: string | Uint8Array;
  /** UTF-16 units of the head. */
  readonly headChars: number;
  /** UTF-16 units of the text. */
  readonly chars: number;
  /** Where the whole Markdown is. */
  readonly markdownUrl: string;
}

export interface FullTextOptions {
  /** First lines of every part. */
  readonly head: (part: number) => string;
  /** Where a part lies; a part may lie in two places. */
  readonly paths: (part: number) => readonly string[];
  /** Address of a part. */
  readonly url: (part: number) => string;
  /** Most characters of a part. */
  readonly chars: number;
}

/** Room for the line that tells where the text goes on. */
const tailChars = 200;

/** What stands above the Markdown of an article. */
export function fullTextHead({
  title,
  url,
  updated_at,
}: Pick<DocumentRecord, 'title' | 'url' | 'updated_at'>): string {
  return [
    '\n---\n',
    `# ${title}\n`,
    `URL: ${url}`,
    ...(updated_at === undefined ? [] : [`Updated: ${updated_at}`]),
    '\n',
  ].join('\n');
}

/** Opens the first part. */
export async function openFullText(
  output: Pick<Output, 'open'>,
  options: FullTextOptions,
): Promise<FullText> {
  let part = 1;
  let files = await openPart(output, options, part);
  let used = options.head(part).length;
  const write = async (text: string | Uint8Array, chars: number) => {
    for (const file of files) await file.write(text);
    used += chars;
  };
  const position = () => files[0]?.position() ?? 0;
  const makeRoom = async (chars: number) => {
    if (used + chars > options.chars - tailChars && used > options.head(part).length) await nextPart();
  };
  const nextPart = async () => {
    part += 1;
    const tail = `\n---\n\nContinued in ${options.url(part)}\n`;
    await write(tail, tail.length);
    for (const file of files) await file.close();
    files = await openPart(output, options, part);
    used = options.head(part).length;
  };
  return {
    async add(article) {
      const room = options.chars - tailChars - options.head(part).length;
      const isWhole = article.chars <= room;
      const { text, chars } = isWhole ? article : cutArticle(article, room);
      await makeRoom(chars);
      const start = position();
      await write(text, chars);
      return isWhole ? { part, span: [start, position() - start] } : null;
    },
    async repeat({ part: earlier, span }, chars) {
      await makeRoom(chars);
      const start = position();
      const paths = options.paths(earlier);
      for (const [at, file] of files.entries()) await file.repeat(paths[at] ?? paths[0] ?? '', ...span);
      used += chars;
      return { part, span: [start, span[1]] };
    },
    async close() {
      for (const file of files) await file.close();
    },
  };
}

async function openPart(
  output: Pick<Output, 'open'>,
  options: FullTextOptions,
  part: number,
): Promise<readonly OutputFile[]> {
  const files: OutputFile[] = [];
  for (const path of options.paths(part)) {
    const file = await output.open(path);
    await file.write(options.head(part));
    files.push(file);
  }
  return files;
}

/** An article that is over the budget by itself ends at a line, with the address of the rest. */
function cutArticle({ text, headChars, markdownUrl }: FullTextArticle, room: number) {
  const whole = typeof text === 'string' ? text : new TextDecoder().decode(text);
  const tail = `\n\nThe rest of this article: ${markdownUrl}\n`;
  const fitting = whole.slice(headChars, Math.max(headChars, room - tail.length));
  const cut = whole.slice(0, headChars) + fitting.slice(0, fitting.lastIndexOf('\n') + 1).trimEnd() + tail;
  return { text: cut, chars: cut.length };
}
