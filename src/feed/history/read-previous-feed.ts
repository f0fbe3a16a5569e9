import { createHash, type Hash } from 'node:crypto';
import { LecternError } from '../../core/errors.ts';
import type { z } from '../../core/schema.ts';
import { manifestPath, type ReadFeedFile } from '../read/feed-reader.ts';
import { findListed, type Manifest, recordPath } from '../read/manifest.ts';
import { parseManifest, readFeedFile } from '../read/read-feed.ts';
import { linesOf } from '../records/json-lines.ts';
import { changeRecord, chunkRecord, documentRecord } from '../records/record-schemas.ts';
import { type DocumentState, stateOf } from './track-changes.ts';

/** The state a run starts from. */
export interface PreviousFeed {
  readonly manifest: Manifest;
  /** Reads all its documents, by document id. Throws `FEED_PREVIOUS_INVALID`. */
  readStates(): Promise<ReadonlyMap<string, DocumentState>>;
  /** Reads the ids of the documents that its published changes delete. Throws `FEED_PREVIOUS_INVALID`. */
  readDeleted(): Promise<readonly string[]>;
}

/**
 * Opens the feed of the previous run; `null` if there is none. Throws `FEED_PREVIOUS_INVALID` if it is damaged or incomplete: treating it
 * as empty would decrease `seq`.
 */
export async function readPreviousFeed(read: ReadFeedFile): Promise<PreviousFeed | null> {
  const manifest = await readManifest(read);
  if (manifest === null) return null;
  return {
    manifest,
    async readStates() {
      const states = new Map<string, DocumentState>();
      for (const { language, documents } of manifest.languages) {
        const ofLanguage = await readLanguage(read, manifest, language);
        if (ofLanguage.length !== documents) {
          const found = `it counts ${documents} documents in ${language}, and its files have ${ofLanguage.length}`;
          // The articles of an unlisted file would count as new.
          throw invalid(manifestPath, found);
        }
        for (const state of ofLanguage) states.set(state.id, state);
      }
      return states;
    },
    async readDeleted() {
      const ids: string[] = [];
      for (const { path } of manifest.files.filter(({ kind }) => kind === 'changes'))
        for await (const [change] of readRecords(read, manifest, path, changeRecord))
          if (change.op === 'delete') ids.push(change.id);
      return ids;
    },
  };
}

/** Reads a file the manifest lists and checks its hash. Throws `FEED_PREVIOUS_INVALID`. */
export async function readListed(read: ReadFeedFile, manifest: Manifest, path: string): Promise<Uint8Array> {
  const listed = findListed(manifest, path);
  const bytes = listed === null ? null : await readFeedFile(read, listed);
  if (bytes === null) throw invalid(path, 'it is missing, or is not the file that the manifest lists');
  return bytes;
}

/** Reads and checks the manifest; `null` if there is none. Throws `FEED_PREVIOUS_INVALID`. */
export async function readManifest(read: ReadFeedFile): Promise<Manifest | null> {
  const bytes = await read(manifestPath);
  if (bytes === null) return null;
  return parsed(manifestPath, 'it is not a manifest of this version', () => parseManifest(bytes));
}

/** The states of the documents of a language. */
async function readLanguage(
  read: ReadFeedFile,
  manifest: Manifest,
  language: string,
): Promise<readonly DocumentState[]> {
  const found = new Map<string, { readonly state: DocumentState; readonly digest: Hash }>();
  const documents = recordPath(language, 'documents');
  for await (const [record, line] of readRecords(read, manifest, documents, documentRecord))
    found.set(record.id, { state: stateOf(record, ''), digest: createHash('sha256').update(`${line}\n`) });
  const chunks = recordPath(language, 'chunks');
  for await (const [{ document_id }, line] of readRecords(read, manifest, chunks, chunkOwner))
    found.get(document_id)?.digest.update(`${line}\n`);
  return [...found.values()].map(({ state, digest }) => ({ ...state, hash: digest.digest('hex') }));
}

const chunkOwner = chunkRecord.pick({ document_id: true });

/** The records of a listed file, with their lines. Throws `FEED_PREVIOUS_INVALID`. */
export async function* readRecords<T>(
  read: ReadFeedFile,
  manifest: Manifest,
  path: string,
  schema: z.ZodType<T>,
): AsyncGenerator<readonly [record: T, line: string]> {
  const bytes = await readListed(read, manifest, path);
  const parse = (line: string): T =>
    parsed(path, 'a line of it is no record of this version', () => schema.parse(JSON.parse(line)));
  for (const line of linesOf(bytes)) yield [parse(line), line];
}

function parsed<T>(path: string, why: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw invalid(path, why, cause);
  }
}

function invalid(path: string, why: string, cause?: unknown): LecternError {
  const message = `${path} of the previous feed cannot be continued: ${why}`;
  const hint = 'restore the previous feed, or delete it (consumers then read the snapshot again)';
  return new LecternError('FEED_PREVIOUS_INVALID', message, { hint, cause });
}
