import { createHash } from 'node:crypto';
import { LecternError } from '../errors.ts';
import { createLineCutter } from '../output/cut-lines.ts';
import { RecordLog, type Scratch } from '../output/record-log.ts';
import { type TombstoneRecord, tombstoneRecord } from './change-record.ts';
import { documentRecord } from './document-record.ts';
import { readStates, stateLine, stateOf } from './document-state.ts';
import type { FeedMemory } from './feed-memory.ts';
import type { FeedReader, ReadFeedFile } from './feed-reader.ts';
import { createLineParser, parseJsonLines } from './json-lines.ts';
import { type Manifest, manifestPath, manifestSchema } from './manifest.ts';
import { PreviousStates } from './previous-states.ts';

/** The state a run starts from. */
export interface PreviousFeed {
  readonly manifest: Manifest;
  readonly documents: PreviousStates;
  readonly tombstones: readonly TombstoneRecord[];
}

/**
 * Reads the state of the previous run; `null` when there was none. Documents are not parsed again where those
 * remembered are of the very bytes that are there.
 * @param scratch takes what is read of documents; `null`: it stays in memory
 * Throws `FEED_PREVIOUS_INVALID` when it is damaged or half uploaded: taking it for empty would make `seq` go back.
 */
export async function readPreviousFeed(
  reader: FeedReader,
  memory: Pick<FeedMemory, 'recall'> | null,
  scratch: Scratch | null,
): Promise<PreviousFeed | null> {
  const manifest = await readManifest(reader.read);
  if (manifest === null) return null;
  const recalled = new RecordLog(scratch);
  const known = memory?.recall(recalled) ?? new Map<string, string>();
  const unchanged = new Set<string>();
  const read: RecordLog[] = [];
  for (const { language } of manifest.languages) {
    const path = documentsPath(language);
    if (known.get(language) === listedHash(manifest, path)) {
      await checkListed(reader, manifest, path);
      unchanged.add(language);
    } else read.push(await readDocuments(reader, manifest, path, new RecordLog(scratch)));
  }
  const sources = read.map((log) => readStates(log));
  if (unchanged.size > 0) sources.push(readStates(recalled, unchanged));
  const path = 'feed/tombstones.jsonl';
  const tombstones = parseTombstones(await readListed(reader.read, manifest, path), path);
  return { manifest, documents: new PreviousStates(sources), tombstones };
}

/** Where the documents of a language lie. */
export function documentsPath(language: string): string {
  return `feed/${language}/documents.jsonl`;
}

/** Reads a file the manifest lists and checks its hash. Throws `FEED_PREVIOUS_INVALID`. */
export async function readListed(read: ReadFeedFile, manifest: Manifest, path: string): Promise<Uint8Array> {
  const listed = listedHash(manifest, path);
  const bytes = listed === null ? null : await read(path);
  if (bytes === null) throw invalid(path, 'it is missing');
  if (createHash('sha256').update(bytes).digest('hex') !== listed) throw invalid(path, isAnother);
  return bytes;
}

/** Reads a listed file for its hash alone, where that is not known without. Throws `FEED_PREVIOUS_INVALID`. */
async function checkListed(reader: FeedReader, manifest: Manifest, path: string): Promise<void> {
  const listed = manifest.files.find((file) => file.path === path);
  if (listed !== undefined && reader.has?.(listed)) return;
  for await (const _ of openListed(reader, manifest, path));
}

/** The same in blocks: nothing of it may be believed before the last one has come. Throws `FEED_PREVIOUS_INVALID`. */
export async function* openListed(
  { open }: Pick<FeedReader, 'open'>,
  manifest: Manifest,
  path: string,
): AsyncGenerator<Uint8Array> {
  const listed = listedHash(manifest, path);
  const blocks = listed === null ? null : await open(path);
  if (blocks === null) throw invalid(path, 'it is missing');
  const digest = createHash('sha256');
  for await (const block of blocks) {
    digest.update(block);
    yield block;
  }
  if (digest.digest('hex') !== listed) throw invalid(path, isAnother);
}

/** Reads and checks the manifest; `null` when there is none. Throws `FEED_PREVIOUS_INVALID`. */
export async function readManifest(read: ReadFeedFile): Promise<Manifest | null> {
  const bytes = await read(manifestPath);
  if (bytes === null) return null;
  try {
    return manifestSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw invalid(manifestPath, 'it is not a manifest of this version', cause);
  }
}

const isAnother = 'its hash is not the one the manifest lists';
const isNoRecord = 'a line of it is no record of this version';

function listedHash(manifest: Manifest, path: string): string | null {
  return manifest.files.find((file) => file.path === path)?.sha256 ?? null;
}

/** Appends the states of a `documents.jsonl`. A wrong hash says more than the line it broke, so it comes first. */
async function readDocuments(
  reader: FeedReader,
  manifest: Manifest,
  path: string,
  log: RecordLog,
): Promise<RecordLog> {
  const cutter = createLineCutter();
  const parse = createLineParser();
  let last = '';
  let failure: LecternError | null = null;
  const addAll = (lines: Iterable<Uint8Array>): void => {
    try {
      for (const line of lines) {
        const value = failure === null ? parse(line) : undefined;
        if (value === undefined) continue;
        const state = stateOf(documentRecord.parse(value));
        if (state.articleId < last) failure = invalid(path, 'it is not sorted by article');
        last = state.articleId;
        log.append(stateLine(state));
      }
    } catch (cause) {
      failure = invalid(path, isNoRecord, cause);
    }
  };
  for await (const block of openListed(reader, manifest, path)) addAll(cutter.cut(block));
  addAll(cutter.end());
  if (failure !== null) throw failure;
  return log;
}

function parseTombstones(bytes: Uint8Array, path: string): readonly TombstoneRecord[] {
  try {
    return [...parseJsonLines(bytes)].map((line) => tombstoneRecord.parse(line));
  } catch (cause) {
    throw invalid(path, isNoRecord, cause);
  }
}

function invalid(path: string, why: string, cause?: unknown): LecternError {
  return new LecternError(
    'FEED_PREVIOUS_INVALID',
    `${path} of the previous feed cannot be continued: ${why}`,
    {
      hint: 'restore the previous feed, or delete it: consumers then have to start again from a snapshot',
      cause,
    },
  );
}
