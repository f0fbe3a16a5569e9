import { createHash, type Hash } from 'node:crypto';
import { LecternError } from '../../foundation/errors.ts';
import { createLineCutter } from '../../output/blocks.ts';
import { type FeedReader, manifestPath, type ReadFeedFile } from '../feed-reader.ts';
import { findListed, type Manifest, manifestSchema, recordFiles } from '../manifest.ts';
import { createLineParser, parseJsonLines } from '../records/json-lines.ts';
import {
  chunkRecord,
  documentRecord,
  type TombstoneRecord,
  tombstoneRecord,
} from '../records/record-schemas.ts';
import { type DocumentState, stateOf } from './track-changes.ts';

/** The state a run starts from. */
export interface PreviousFeed {
  readonly manifest: Manifest;
  readonly tombstones: readonly TombstoneRecord[];
  /** Number of its documents. */
  readonly documents: number;
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
  const path = 'feed/tombstones.jsonl';
  const tombstones = parseTombstones(await readListed(reader.read, manifest, path), path);
  return {
    manifest,
    tombstones,
    documents: manifest.languages.reduce((sum, { documents }) => sum + documents, 0),
    async readStates() {
      const states = new Map<string, DocumentState>();
      for (const { language, documents } of manifest.languages) {
        const ofLanguage = await readLanguage(reader, manifest, language);
        if (ofLanguage.length !== documents) {
          const found = `it counts ${documents} documents in ${language}, and its files have ${ofLanguage.length}`;
          // The articles of an unlisted file would count as new.
          throw invalid(manifestPath, found);
        }
        for (const state of ofLanguage) states.set(state.id, state);
      }
      return states;
    },
  };
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

const isAnother = 'its hash is not the one the manifest lists';
const isNoRecord = 'a line of it is no record of this version';

/** The states of the documents of a language. */
async function readLanguage(
  reader: FeedReader,
  manifest: Manifest,
  language: string,
): Promise<readonly DocumentState[]> {
  const found = new Map<string, { readonly state: DocumentState; readonly digest: Hash }>();
  for (const { path } of recordFiles(manifest, language, 'documents')) {
    await readLines(reader, manifest, path, (value, line) => {
      const record = documentRecord.parse(value);
      found.set(record.id, {
        state: stateOf(record, ''),
        digest: createHash('sha256').update(line).update('\n'),
      });
    });
  }
  for (const { path } of recordFiles(manifest, language, 'chunks')) {
    await readLines(reader, manifest, path, (value, line) => {
      const { document_id } = chunkOwner.parse(value);
      found.get(document_id)?.digest.update(line).update('\n');
    });
  }
  return [...found.values()].map(({ state, digest }) => ({ ...state, hash: digest.digest('hex') }));
}

const chunkOwner = chunkRecord.pick({ document_id: true });

/** Reads the lines of a file. Reports a wrong hash rather than a broken line, because it is the clearer message. */
async function readLines(
  reader: FeedReader,
  manifest: Manifest,
  path: string,
  onLine: (value: unknown, line: Uint8Array) => void,
): Promise<void> {
  const cutter = createLineCutter();
  const parse = createLineParser();
  let failure: LecternError | null = null;
  const readAll = (lines: Iterable<Uint8Array>): void => {
    try {
      for (const line of lines) {
        const value = failure === null ? parse(line) : undefined;
        if (value !== undefined) onLine(value, line);
      }
    } catch (cause) {
      failure = invalid(path, isNoRecord, cause);
    }
  };
  for await (const block of openListed(reader, manifest, path)) readAll(cutter.cut(block));
  readAll(cutter.end());
  if (failure !== null) throw failure;
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
