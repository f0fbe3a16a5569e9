import { createHash } from 'node:crypto';
import { LecternError } from '../errors.ts';
import type { z } from '../schema.ts';
import { type TombstoneRecord, tombstoneRecord } from './change-record.ts';
import { type DocumentRecord, documentRecord } from './document-record.ts';
import type { ReadFeedFile } from './feed-reader.ts';
import { type FieldMarks, markFields } from './field-marks.ts';
import { parseJsonLines } from './json-lines.ts';
import { type Manifest, manifestPath, manifestSchema } from './manifest.ts';

/** What is kept of a document to compare it with that of another run. */
export interface DocumentState {
  readonly articleId: string;
  readonly language: string;
  readonly url: string;
  readonly hash: string;
  readonly metaHash: string;
  readonly marks: FieldMarks;
  readonly translation: DocumentRecord['translation'];
}

/** The state a run starts from. */
export interface PreviousFeed {
  readonly manifest: Manifest;
  /** By document id. */
  readonly documents: ReadonlyMap<string, DocumentState>;
  readonly tombstones: readonly TombstoneRecord[];
}

/**
 * Reads the state of the previous run; `null` when there was none.
 * Throws `FEED_PREVIOUS_INVALID` when it is damaged or half uploaded: taking it for empty would make `seq` go back.
 */
export async function readPreviousFeed(read: ReadFeedFile): Promise<PreviousFeed | null> {
  const manifest = await readManifest(read);
  if (manifest === null) return null;
  const documents = new Map<string, DocumentState>();
  for (const { language } of manifest.languages) {
    for await (const record of readRecords(
      read,
      manifest,
      `feed/${language}/documents.jsonl`,
      documentRecord,
    )) {
      documents.set(record.id, rememberDocument(record));
    }
  }
  const tombstones: TombstoneRecord[] = [];
  for await (const record of readRecords(read, manifest, 'feed/tombstones.jsonl', tombstoneRecord)) {
    tombstones.push(record);
  }
  return { manifest, documents, tombstones };
}

/** Reads a file the manifest lists and checks its hash. Throws `FEED_PREVIOUS_INVALID`. */
export async function readListed(read: ReadFeedFile, manifest: Manifest, path: string): Promise<Uint8Array> {
  const listed = manifest.files.find((file) => file.path === path);
  const bytes = listed === undefined ? null : await read(path);
  if (bytes === null) throw invalid(path, 'it is missing');
  if (createHash('sha256').update(bytes).digest('hex') !== listed?.sha256) {
    throw invalid(path, 'its hash is not the one the manifest lists');
  }
  return bytes;
}

/** Reads and checks the manifest; `null` when there is none. Throws `FEED_PREVIOUS_INVALID`. */
export async function readManifest(read: ReadFeedFile): Promise<Manifest | null> {
  const bytes = await read(manifestPath);
  if (bytes === null) return null;
  try {
    return manifestSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw invalid(manifestPath, 'it is no manifest of this version', cause);
  }
}

async function* readRecords<Schema extends z.ZodType>(
  read: ReadFeedFile,
  manifest: Manifest,
  path: string,
  schema: Schema,
): AsyncGenerator<z.output<Schema>> {
  const bytes = await readListed(read, manifest, path);
  try {
    for (const line of parseJsonLines(bytes)) yield schema.parse(line);
  } catch (cause) {
    throw invalid(path, 'a line of it is no record of this version', cause);
  }
}

function rememberDocument(record: DocumentRecord): DocumentState {
  return {
    articleId: record.article_id,
    language: record.language,
    url: record.url,
    hash: record.hash,
    metaHash: record.meta_hash,
    marks: markFields(record),
    translation: record.translation,
  };
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
