import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { LecternError } from '../../core/errors.ts';
import type { z } from '../../core/schema.ts';
import { linesOf } from '../records/json-lines.ts';
import {
  type ChangeRecord,
  type ChunkRecord,
  changeRecord,
  chunkRecord,
  type DocumentRecord,
  documentRecord,
  type SynonymRecord,
  synonymRecord,
} from '../records/record-schemas.ts';
import { manifestPath, type ReadFeedFile } from './feed-reader.ts';
import { type Manifest, type ManifestFile, manifestSchema } from './manifest.ts';

/** @throws FEED_INVALID, also if it names a file that is not of a feed, or no language */
export function parseManifest(bytes: Uint8Array): Manifest {
  let manifest: Manifest;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    manifest = manifestSchema.parse(parseJson(text));
  } catch (cause) {
    throw invalidFeed(`${manifestPath} does not match its schema`, cause);
  }
  if (manifest.languages.length === 0) throw invalidFeed(`${manifestPath} names no languages`);
  return manifest;
}

/** Levels of lists and objects in a record; a feed has six. */
const maxLevels = 32;

/** Parses JSON. Throws also if it is nested deeper than anything that is published: writing it again would overflow the stack. */
function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!isShallow(value, maxLevels)) throw new Error('it is nested too deeply');
  return value;
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isShallow(item, levels - 1));
}

/** Reads a file that the manifest lists; `null` if an upload is in progress, so that it is missing or has another hash. @throws FEED_INVALID */
export async function readFeedFile(read: ReadFeedFile, file: ManifestFile): Promise<Uint8Array | null> {
  const { path, bytes: size } = file;
  if (size > maxFileBytes) throw invalidFeed(`${path} is larger than ${maxFileBytes} bytes`);
  const bytes = await read(path, size);
  if (bytes === null || !isListedFile(bytes, file)) return null;
  if (!isUtf8(bytes)) throw invalidFeed(`${path} is not text in UTF-8`);
  return bytes;
}

/** Whether bytes are those of a file that the manifest lists. */
export function isListedFile(bytes: Uint8Array, { bytes: size, sha256 }: ManifestFile): boolean {
  return bytes.length === size && hash('sha256', bytes) === sha256;
}

/** The largest help centres have files of some 50 MB; a hostile manifest may claim any size. */
const maxFileBytes = 2 ** 28;

/** Parses a line of a file of chunks. @throws FEED_INVALID */
export function readChunkLine(line: string, path: string): ChunkRecord {
  return readLine<ChunkRecord>(line, path, chunkRecord, 'chunk');
}

/** The documents of a file, in its order. @throws FEED_INVALID */
export function* readDocuments(bytes: Uint8Array, path: string): Generator<DocumentRecord> {
  for (const line of linesOf(bytes)) yield readLine<DocumentRecord>(line, path, documentRecord, 'document');
}

/** Parses a line of a file of changes. @throws FEED_INVALID */
export function readChangeLine(line: string, path: string): ChangeRecord {
  const change = readLine<ChangeRecord>(line, path, changeRecord, 'change');
  const isOwn =
    change.op === 'delete' || change.chunks.every((chunk) => chunk.document_id === change.document.id);
  if (!isOwn) throw invalidFeed(`${path} has chunks of another document`);
  return change;
}

/** Parses a line of the file of synonyms. @throws FEED_INVALID */
export function readSynonymLine(line: string, path: string): SynonymRecord {
  return readLine<SynonymRecord>(line, path, synonymRecord, 'group of synonyms');
}

/** The record as published: the schema would drop fields of later versions. */
function readLine<T>(line: string, path: string, schema: z.ZodType<T>, what: string): T {
  try {
    const record = parseJson(line) as T;
    schema.parse(record);
    return record;
  } catch (cause) {
    throw invalidFeed(`${path} contains a line that is not a ${what}`, cause);
  }
}

/** The error for a feed that cannot be applied. */
export function invalidFeed(message: string, cause?: unknown): LecternError {
  return new LecternError('FEED_INVALID', message, {
    hint: 'if the site is being uploaded, try again later; else check that Lectern published it, and run lectern verify on it',
    cause,
  });
}

/** The error for a file that is missing, or is not the one that the manifest lists. */
export function busyFeed(): LecternError {
  return new LecternError('FEED_BUSY', 'files of the feed differ from its manifest', {
    hint: 'the site is probably being uploaded: try again in a few minutes; lectern verify lists the files that differ or are missing',
  });
}
