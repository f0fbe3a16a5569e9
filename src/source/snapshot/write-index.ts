import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { renameOver, syncFile } from '../../core/file-system.ts';
import { cacheFault } from './body-store.ts';
import {
  bodiesFilePattern,
  indexFile,
  type SnapshotContent,
  type SnapshotHeader,
  type SnapshotLine,
} from './format.ts';

const batchLength = 1024 * 1024;
const abandonedAfterMs = 24 * 3_600_000;

/**
 * Writes the index next to the last one and renames it over that one. From then on it is the last snapshot, and files of older ones are
 * deleted.
 * @returns the checksum in its last line
 * @throws CACHE_UNWRITABLE
 */
export async function writeIndex(
  folder: string,
  header: SnapshotHeader,
  content: SnapshotContent,
): Promise<string> {
  const partial = join(folder, `snapshot-${randomBytes(8).toString('hex')}.jsonl.${process.pid}.partial`);
  try {
    const sha256 = await writeLines(partial, header, content);
    const replaced = await readBodiesFile(folder);
    renameOver(partial, join(folder, indexFile));
    await cleanUp(folder, header.bodiesFile, replaced);
    return sha256;
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    throw cacheFault(error, folder);
  }
}

async function writeLines(path: string, header: SnapshotHeader, content: SnapshotContent): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(path, 'wx');
  try {
    let batch = `${JSON.stringify(header)}\n`;
    for (const line of contentLines(content)) {
      batch += `${JSON.stringify(line)}\n`;
      if (batch.length < batchLength) continue;
      hash.update(batch);
      await handle.appendFile(batch);
      batch = '';
    }
    hash.update(batch);
    const sha256 = hash.digest('hex');
    await handle.appendFile(`${batch}${JSON.stringify({ sha256 })}\n`);
    await syncFile(handle.fd);
    return sha256;
  } finally {
    await handle.close();
  }
}

function* contentLines(content: SnapshotContent): Generator<SnapshotLine> {
  for (const a of content.articles) yield { a };
  for (const c of content.categories) yield { c };
  for (const [id, reason] of content.excluded) {
    const file = content.excludedFiles.get(id);
    const names = content.hiddenNames.get(id) ?? [];
    yield { x: file === undefined ? [id, reason, names] : [id, reason, names, file] };
  }
  for (const t of content.topArticles) yield { t };
  for (const p of content.listingProblems) yield { p };
  for (const o of content.otherProblems) yield { o };
}

/** The file of bodies that the last index names, or `null` if there is none or it cannot be read. */
async function readBodiesFile(folder: string): Promise<string | null> {
  const path = join(folder, indexFile);
  const isFile = await stat(path)
    .then((stats) => stats.isFile())
    .catch(() => false);
  if (!isFile) return null;
  try {
    let text = '';
    for await (const block of createReadStream(path, 'utf8')) {
      text += block;
      if (text.includes('\n')) break;
    }
    const { bodiesFile } = JSON.parse(text.slice(0, text.indexOf('\n'))) as { readonly bodiesFile?: unknown };
    return typeof bodiesFile === 'string' ? bodiesFile : null;
  } catch {
    // The index is damaged; a later run removes its unused file of bodies after a day.
    return null;
  }
}

/**
 * Deletes the bodies of the replaced snapshot, and files of killed runs. Other bodies may belong to a run that is about to write its index;
 * they are deleted after a day.
 */
async function cleanUp(folder: string, current: string, replaced: string | null): Promise<void> {
  for (const name of await readdir(folder)) {
    const isBodies = bodiesFilePattern.test(name) && name !== current;
    const isOver = isBodies && (name === replaced || (await isDayOld(folder, name)));
    if (isOver || (await isAbandoned(folder, name)))
      await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function isDayOld(folder: string, name: string): Promise<boolean> {
  const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return Date.now() - mtimeMs > abandonedAfterMs;
}

/** Whether the process of a partial file has ended; a file of another machine counts as abandoned after a day. */
async function isAbandoned(folder: string, name: string): Promise<boolean> {
  const owner = /^snapshot-.*\.(\d+)\.partial$/.exec(name)?.[1];
  if (owner === undefined) return false;
  try {
    process.kill(Number(owner), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
  }
  return isDayOld(folder, name);
}
