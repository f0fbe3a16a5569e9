import { hash } from 'node:crypto';
import { readRange } from '../cache/record-file.ts';
import type { BuildRecord, FileGroup } from '../cache/records.ts';
import type { LanguageTag } from '../foundation/model.ts';
import type { Output, StoredRange, WrittenFile } from '../output/output.ts';
import type { Partitions } from '../plan/partitions.ts';
import {
  renderSearchIndex,
  type SearchIndexOptions,
  type SearchPartition,
} from '../site/search/search-index.ts';
import type { TermRunSummary } from '../site/search/term-run.ts';
import type { Site } from '../site/site.ts';
import { reuseGroup } from './reuse.ts';

/** The search run of one partition in one language, and the location of its terms (UTF-8, see `TermRun`). Plain data. */
export interface StoredRun extends TermRunSummary {
  readonly partition: number;
  readonly terms: Uint8Array | StoredRange;
}

/** The search index of one language, which any thread can write. Plain data. */
export interface SearchTask {
  readonly runs: readonly StoredRun[];
  readonly searchIndex: SearchIndexOptions;
}

/** Files that a thread wrote to the staging folder. */
export interface ThreadFiles {
  readonly files: readonly WrittenFile[];
  readonly reusedFiles: number;
}

/**
 * Publishes the search index of every language; reuses it if none of its runs changed.
 * @param inputs hash of program, settings and templates
 * @param writeInThread writes an index in a thread; `null` if there is none
 * @returns groups that the next build may reuse
 */
export async function publishSearch(
  site: Pick<Site, 'searchIndexOptions'>,
  { bits }: Partitions,
  runs: ReadonlyMap<LanguageTag, readonly StoredRun[]>,
  inputs: string,
  last: BuildRecord | null,
  output: Pick<Output, 'reuseAll' | 'write' | 'adopt'>,
  writeInThread: ((task: SearchTask) => Promise<ThreadFiles>) | null,
): Promise<Record<string, FileGroup>> {
  const groups: Record<string, FileGroup> = {};
  // Only this thread has the records of the previous files.
  const writesHere = writeInThread === null || last !== null;
  const publishLanguage = async (language: LanguageTag, ofLanguage: readonly StoredRun[]): Promise<void> => {
    const described = ofLanguage.map(({ partition, hash: run }) => [partition, run]);
    const key = hash('sha256', JSON.stringify([inputs, bits, described]));
    const name = `search ${language}`;
    const { group } = await reuseGroup(last, name, key, output, async () => {
      const task: SearchTask = { runs: ofLanguage, searchIndex: site.searchIndexOptions(language, bits) };
      if (writesHere) return { files: await writeSearch(task, output), problems: [] };
      const { files, reusedFiles } = await writeInThread(task);
      // Without compressed copies: a build that reuses the files also finds their copies.
      return { files: output.adopt(files, reusedFiles), problems: [] };
    });
    if (group !== null) groups[name] = group;
  };
  const publishing: Promise<void>[] = [];
  const charsOf = (ofLanguage: readonly StoredRun[]) =>
    ofLanguage.reduce((sum, { termChars }) => sum + termChars, 0);
  // The largest first, so that the threads end at about the same time.
  const inOrder = [...runs].sort(([, a], [, b]) => charsOf(b) - charsOf(a));
  for (const [language, ofLanguage] of inOrder) {
    publishing.push(publishLanguage(language, ofLanguage));
    // In one thread, only one index at a time is in memory.
    if (writesHere) await publishing.at(-1);
  }
  await Promise.all(publishing);
  return Object.fromEntries(Object.entries(groups).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A block of every run is in memory at a time: together about this much, or 4 KB each with more than 512 runs. */
const blocksBytes = 2 * 1024 * 1024;
const leastBlockBytes = 4 * 1024;
const mostBlockBytes = 16 * 1024;
/** Memory for blocks that are read, used during one call. */
const readBlock = Buffer.allocUnsafeSlow(mostBlockBytes);
const newline = 10;

/** The lines of a text in blocks of whole lines. */
function* readLines(text: Uint8Array | StoredRange, blockBytes: number): Generator<string> {
  for (let at = 0, most = blockBytes; at < text.length; ) {
    const length = Math.min(most, text.length - at);
    const bytes =
      text instanceof Uint8Array
        ? Buffer.from(text.buffer, text.byteOffset + at, length)
        : readRange({ file: text.file, offset: text.offset + at, length }, readBlock);
    const end = bytes.lastIndexOf(newline) + 1;
    // For a line longer than a block. The last line also ends with a line feed.
    most = end === 0 ? 2 * most : blockBytes;
    if (end > 0) yield bytes.toString('utf8', 0, end);
    else if (at + length === text.length) throw new Error('a run ends within a line');
    at += end;
  }
}

/** Writes a search index. */
export async function writeSearch(
  { runs, searchIndex }: SearchTask,
  output: Pick<Output, 'write'>,
): Promise<readonly Pick<WrittenFile, 'path'>[]> {
  const blockBytes = Math.max(leastBlockBytes, Math.min(mostBlockBytes, blocksBytes / runs.length));
  const partitions = runs.map(
    ({ terms, ...run }): SearchPartition => ({
      ...run,
      readTerms: () => readLines(terms, Math.floor(blockBytes)),
    }),
  );
  const paths = new Set<string>();
  for (const { path, content } of renderSearchIndex(partitions, searchIndex)) {
    if (!paths.has(path)) await output.write(path, content);
    paths.add(path);
  }
  return [...paths].map((path) => ({ path }));
}
