import { hash } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder, openFile, writeFileAtomically } from '../foundation/file-system.ts';

/** First word of every record. Raise the number when the layout changes: another version is never read. */
const format = 'lectern-record/1';

/** Decimal digits of the length of the head. */
const lengthDigits = 10;
const hashDigits = 64;
/** Format, length and SHA-256 of the head, separated by spaces, and a line feed. */
const prefixBytes = format.length + 1 + lengthDigits + 1 + hashDigits + 1;

/** A record of the cache that was read: a JSON head, and blobs that are read when they are asked for. */
export interface RecordFile {
  /** What {@link writeRecord} was given; its checksum is right, and only this program writes records. */
  readonly head: unknown;
  /** The blob of a name. @throws RecordDamaged when its checksum is wrong or it is missing */
  blob(name: string): Buffer;
  /** Whether every blob is as it was written; reads all of them. */
  isSound(): boolean;
}

/** A blob of a record that is not what was written; the caller makes the content again. */
export class RecordDamaged extends Error {}

interface BlobEntry {
  readonly offset: number;
  readonly length: number;
  readonly sha256: string;
}

/**
 * Writes a record whole: a JSON head and named blobs, each with its checksum, atomically. Throws the error of the file system.
 * @returns what reads its blobs
 */
export function writeRecord(
  path: string,
  head: unknown,
  blobs: ReadonlyMap<string, Uint8Array>,
): RecordFile['blob'] {
  let offset = 0;
  const entries: Record<string, BlobEntry> = {};
  for (const [name, bytes] of blobs) {
    entries[name] = { offset, length: bytes.length, sha256: hash('sha256', bytes) };
    offset += bytes.length;
  }
  const json = Buffer.from(JSON.stringify({ head, blobs: entries }));
  const length = String(json.length).padStart(lengthDigits, '0');
  makeFolder(dirname(path));
  writeFileAtomically(path, [`${format} ${length} ${hash('sha256', json)}\n`, json, ...blobs.values()]);
  return createBlobReader(path, prefixBytes + json.length, entries);
}

/** Reads the head of a record; `null` when there is none, or it is damaged or of another version. */
export function readRecord(path: string): RecordFile | null {
  try {
    const prefix = readAt(path, 0, prefixBytes).toString('latin1');
    const [name, length, sha256] = prefix.trimEnd().split(' ');
    if (name !== format) return null;
    const json = readAt(path, prefixBytes, Number(length));
    if (hash('sha256', json) !== sha256) return null;
    const { head, blobs } = JSON.parse(json.toString()) as {
      readonly head: unknown;
      readonly blobs: Readonly<Record<string, BlobEntry>>;
    };
    const blob = createBlobReader(path, prefixBytes + json.length, blobs);
    return { head, blob, isSound: () => Object.keys(blobs).every((name) => isReadable(blob, name)) };
  } catch {
    return null;
  }
}

/** Reads blobs without keeping the head in memory. @param start of the first one in the file */
function createBlobReader(
  path: string,
  start: number,
  blobs: Readonly<Record<string, BlobEntry>>,
): RecordFile['blob'] {
  return (name) => {
    const entry = blobs[name];
    if (entry === undefined) throw new RecordDamaged(`${path} has no blob ${name}`);
    const bytes = readBlob(path, start + entry.offset, entry.length);
    if (hash('sha256', bytes) !== entry.sha256) throw new RecordDamaged(`${path} is damaged`);
    return bytes;
  };
}

function isReadable(blob: RecordFile['blob'], name: string): boolean {
  try {
    blob(name);
    return true;
  } catch {
    return false;
  }
}

function readBlob(path: string, offset: number, length: number): Buffer {
  try {
    return readAt(path, offset, length);
  } catch (cause) {
    throw new RecordDamaged(`${path} is damaged`, { cause });
  }
}

function readAt(path: string, offset: number, length: number): Buffer {
  const descriptor = openFile(path);
  try {
    // A damaged length must not ask for memory.
    if (!(offset + length <= fstatSync(descriptor).size)) {
      throw new RangeError(`${path} ends before ${offset + length}`);
    }
    // Memory of its own, which another thread may be given.
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let at = 0; at < length; ) {
      const read = readSync(descriptor, bytes, at, length - at, offset + at);
      if (read === 0) throw new RangeError(`${path} ends before ${offset + length}`);
      at += read;
    }
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}
