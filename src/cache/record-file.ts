import { createHash, hash } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder, openFile, writeFileAtomically } from '../foundation/file-system.ts';
import type { StoredRange } from '../output/output.ts';

/** First word of every record. Raise the number when the layout changes: another version is never read. */
const format = 'lectern-record/1';

/** Decimal digits of the length of the head. */
const lengthDigits = 10;
const hashDigits = 64;
/** Format, length and SHA-256 of the head, separated by spaces, and a line feed. */
const prefixBytes = format.length + 1 + lengthDigits + 1 + hashDigits + 1;

/** A record of the cache that was read: a JSON head, and blobs that are read when they are asked for. */
export interface RecordFile {
  /** The value passed to {@link writeRecord}; its checksum is verified, and only this program writes records. */
  readonly head: unknown;
  /** The blob of a name. @throws RecordDamaged when its checksum is wrong or it is missing */
  blob(name: string): Buffer;
  /** Byte range of the blob of a name; its checksum is not verified. @throws RecordDamaged when it is missing */
  locate: LocateBlob;
  /** Whether every blob, or every one of these, is as it was written; reads them one by one. */
  isSound(isAsked?: (name: string) => boolean): boolean;
}

/** @throws RecordDamaged */
export type LocateBlob = (name: string) => StoredRange;

/** A blob of a record is damaged; the caller creates the content again. */
export class RecordDamaged extends Error {}

interface BlobEntry {
  readonly offset: number;
  readonly length: number;
  readonly sha256: string;
}

/**
 * Writes a record whole: a JSON head and named blobs, each with its checksum, atomically. Throws the error of the file system.
 * @returns where its blobs are
 */
export function writeRecord(path: string, head: unknown, blobs: ReadonlyMap<string, Uint8Array>): LocateBlob {
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
  return createLocator(path, prefixBytes + json.length, entries);
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
    const locate = createLocator(path, prefixBytes + json.length, blobs);
    return {
      head,
      locate,
      blob(name) {
        const bytes = readRange(locate(name));
        if (hash('sha256', bytes) !== blobs[name]?.sha256) throw new RecordDamaged(`${path} is damaged`);
        return bytes;
      },
      isSound: (isAsked = () => true) =>
        Object.entries(blobs).every(
          ([name, { sha256 }]) => !isAsked(name) || hashRange(locate(name)) === sha256,
        ),
    };
  } catch {
    return null;
  }
}

/** Finds blobs without holding the head in memory. @param start of the first one in the file */
function createLocator(path: string, start: number, blobs: Readonly<Record<string, BlobEntry>>): LocateBlob {
  return (name) => {
    const entry = blobs[name];
    if (entry === undefined) throw new RecordDamaged(`${path} has no blob ${name}`);
    const { offset, length, sha256 } = entry;
    return { file: path, offset: start + offset, length, sha256 };
  };
}

/** The bytes of a blob that was located, in memory of their own. @throws RecordDamaged when the file ends before */
export function readRange({ file, offset, length }: StoredRange): Buffer {
  try {
    return readAt(file, offset, length);
  } catch (cause) {
    throw new RecordDamaged(`${file} is damaged`, { cause });
  }
}

/** Memory that ranges are hashed in, one after the other. */
const block = Buffer.allocUnsafeSlow(256 * 1024);

/** SHA-256, hex; `null` where it cannot be read. */
function hashRange({ file, offset, length }: StoredRange): string | null {
  try {
    const digest = createHash('sha256');
    const descriptor = openFile(file);
    try {
      for (let at = 0; at < length; ) {
        const read = readSync(descriptor, block, 0, Math.min(block.length, length - at), offset + at);
        if (read === 0) return null;
        digest.update(block.subarray(0, read));
        at += read;
      }
    } finally {
      closeSync(descriptor);
    }
    return digest.digest('hex');
  } catch {
    return null;
  }
}

function readAt(path: string, offset: number, length: number): Buffer {
  const descriptor = openFile(path);
  try {
    // A damaged length must not allocate memory.
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
