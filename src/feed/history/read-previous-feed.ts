import { createHash } from 'node:crypto';
import { LecternError } from '../../foundation/errors.ts';
import { createLineCutter } from '../../output/blocks.ts';
import { type FeedReader, manifestPath, type ReadFeedFile } from '../feed-reader.ts';
import { type Manifest, type ManifestFile, manifestSchema, recordFiles } from '../manifest.ts';
import { createLineParser, parseJsonLines } from '../records/json-lines.ts';
import { documentRecord, type TombstoneRecord, tombstoneRecord } from '../records/record-schemas.ts';
import { type DocumentState, stateOf } from './track-changes.ts';

/** The state a run starts from. */
export interface PreviousFeed {
  readonly manifest: Manifest;
  readonly tombstones: readonly TombstoneRecord[];
  /** Reads all its documents, by document id. Throws `FEED_PREVIOUS_INVALID`. */
  readStates(): Promise<ReadonlyMap<string, DocumentState>>;
}

/**
 * Opens the feed of the previous run; `null` if there is none. Throws `FEED_PREVIOUS_INVALID` if it is damaged or incomplete: treating it
 * as empty would decrease `seq`.
 */
export async function readPreviousFeed(reader: FeedReader): Promise<PreviousFeed | null> {
  const manifest = await readManifest(reader.read);
  if (manifest === null) return null;
  expectAllDocuments(manifest);
  const path = 'feed/tombstones.jsonl';
  const tombstones = parseTombstones(await readListed(reader.read, manifest, path), path);
  return {
    manifest,
    tombstones,
    async readStates() {
      const states = new Map<string, DocumentState>();
      for (const { language } of manifest.languages) {
        for (const { path } of recordFiles(manifest, language, 'documents')) {
          for (const state of await readDocuments(reader, manifest, path)) states.set(state.id, state);
        }
      }
      return states;
    },
  };
}

/**
 * Checks that the manifest lists every file of documents: the articles of an unlisted file would count as new. Throws
 * `FEED_PREVIOUS_INVALID`.
 */
function expectAllDocuments(manifest: Manifest): void {
  for (const { language, documents } of manifest.languages) {
    const listed = recordFiles(manifest, language, 'documents').reduce(
      (sum, file) => sum + (file.records ?? 0),
      0,
    );
    if (listed === documents) continue;
    throw invalid(
      manifestPath,
      `it counts ${documents} documents in ${language}, and its files have ${listed}`,
    );
  }
}

/** Reads a file the manifest lists and checks its hash. Throws `FEED_PREVIOUS_INVALID`. */
export async function readListed(read: ReadFeedFile, manifest: Manifest, path: string): Promise<Uint8Array> {
  const listed = findListed(manifest, path);
  const bytes = listed === null ? null : await read(path, listed.bytes);
  if (bytes === null) throw invalid(path, 'it is missing');
  if (createHash('sha256').update(bytes).digest('hex') !== listed?.sha256) throw invalid(path, isAnother);
  return bytes;
}

/** Like {@link readListed}, in blocks. Use nothing of it before the last block arrived. Throws `FEED_PREVIOUS_INVALID`. */
export async function* openListed(
  { open }: Pick<FeedReader, 'open'>,
  manifest: Manifest,
  path: string,
): AsyncGenerator<Uint8Array> {
  const listed = findListed(manifest, path);
  const blocks = listed === null ? null : await open(path);
  if (blocks === null) throw invalid(path, 'it is missing');
  const digest = createHash('sha256');
  for await (const block of blocks) {
    digest.update(block);
    yield block;
  }
  if (digest.digest('hex') !== listed?.sha256) throw invalid(path, isAnother);
}

/** Reads and checks the manifest; `null` if there is none. Throws `FEED_PREVIOUS_INVALID`. */
export async function readManifest(read: ReadFeedFile): Promise<Manifest | null> {
  const bytes = await read(manifestPath);
  if (bytes === null) return null;
  try {
    return manifestSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw invalid(manifestPath, 'it is not a manifest of this version', cause);
  }
}

/** Earlier versions of Lectern do not write `chunks_hash`. */
const previousDocument = documentRecord.partial({ chunks_hash: true });

const isAnother = 'its hash is not the one the manifest lists';
const isNoRecord = 'a line of it is no record of this version';

/** Cached, because the manifest of a large site lists tens of thousands of files. */
const listedFiles = new WeakMap<Manifest, ReadonlyMap<string, ManifestFile>>();

function findListed(manifest: Manifest, path: string): ManifestFile | null {
  const files = listedFiles.get(manifest) ?? new Map(manifest.files.map((file) => [file.path, file]));
  listedFiles.set(manifest, files);
  return files.get(path) ?? null;
}

/** The states in a file of documents. Checks the hash first, because a wrong hash is a clearer message than a broken line. */
async function readDocuments(
  reader: FeedReader,
  manifest: Manifest,
  path: string,
): Promise<readonly DocumentState[]> {
  const cutter = createLineCutter();
  const parse = createLineParser();
  const states: DocumentState[] = [];
  let failure: LecternError | null = null;
  const addAll = (lines: Iterable<Uint8Array>): void => {
    try {
      for (const line of lines) {
        const value = failure === null ? parse(line) : undefined;
        if (value !== undefined) states.push(stateOf(previousDocument.parse(value)));
      }
    } catch (cause) {
      failure = invalid(path, isNoRecord, cause);
    }
  };
  for await (const block of openListed(reader, manifest, path)) addAll(cutter.cut(block));
  addAll(cutter.end());
  if (failure !== null) throw failure;
  return states;
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
      hint: 'restore the previous feed, or delete it (consumers then read the snapshot again)',
      cause,
    },
  );
}
