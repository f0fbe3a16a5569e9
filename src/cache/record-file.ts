import { createHash, hash } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder, openFile, writeFileAtomically } from '../foundation/file-system.ts';
import type { StoredRange } from '../output/output.ts';

/** First word of every record. Increase the number if the format changes: records of other versions are never read. */
const format = 'lectern-record/1';

/** Decimal digits of the length of the head. */
const lengthDigits = 10;
const hashDigits = 64;
/** Format, length and SHA-256 of the head, separated by spaces, and a line feed. */
const prefixBytes = format.length + 1 + lengthDigits + 1 + hashDigits + 1;

/** A record read from the cache: a JSON head, and blobs that are read on demand. */
export interface RecordFile {
  /** The value passed to {@link writeRecord}; its checksum is verified, and only this program writes records. */
  readonly head: unknown;
  /** The blob with this name. @throws RecordDamaged if its checksum is wrong or it is missing */
  blob(name: string): Buffer;
  /**
   * The blob with this name in blocks, each of which is valid only until the next read of any record.
   * @throws RecordDamaged after the last block if its checksum is wrong, and the error of the file system
   */
  blocks(name: string): Iterable<Uint8Array>;
  /** Byte range of the blob with this name, without verifying its checksum. @throws RecordDamaged if it is missing */
  locate: LocateBlob;
  /** Whether all blobs, or those selected by `isAsked`, are undamaged; reads them one by one. */
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
 * Writes a record atomically: a JSON head and named blobs with their checksums. Throws the error of the file system.
 * @param blobs each as bytes, or in pieces, which are read twice
 * @returns the byte ranges of the blobs
 */
export function writeRecord(
  path: string,
  head: unknown,
  blobs: ReadonlyMap<string, Uint8Array | Iterable<Uint8Array>>,
): LocateBlob {
  let offset = 0;
  const entries: Record<string, BlobEntry> = {};
  const pieces = Array.from(blobs, ([name, blob]): Iterable<Uint8Array> => {
    const ofBlob = blob instanceof Uint8Array ? [blob] : blob;
    const digest = createHash('sha256');
    let length = 0;
    for (const bytes of ofBlob) {
      digest.update(bytes);
      length += bytes.length;
    }
    entries[name] = { offset, length, sha256: digest.digest('hex') };
    offset += length;
    return ofBlob;
  });
  const json = Buffer.from(JSON.stringify({ head, blobs: entries }));
  const length = String(json.length).padStart(lengthDigits, '0');
  makeFolder(dirname(path));
  function* parts(): Generator<string | Uint8Array> {
    yield `${format} ${length} ${hash('sha256', json)}\n`;
    yield json;
    for (const ofBlob of pieces) yield* ofBlob;
  }
  writeFileAtomically(path, parts());
  return createLocator(path, prefixBytes + json.length, entries);
}

/** Reads the head of a record; `null` if it is missing, damaged or of another version. */
export function readRecord(path: string): RecordFile | null {
  try {
    const prefix = readAt(path, 0, prefixBytes, block).toString('latin1');
    const [name, length, sha256] = prefix.trimEnd().split(' ');
    if (name !== format) return null;
    const json = readAt(path, prefixBytes, Number(length), block);
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
      *blocks(name) {
        const digest = createHash('sha256');
        for (const bytes of readBlocks(locate(name))) {
          digest.update(bytes);
          yield bytes;
        }
        if (digest.digest('hex') !== blobs[name]?.sha256) throw new RecordDamaged(`${path} is damaged`);
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

/** Creates a function that finds blobs without keeping the head in memory. @param start offset of the first blob in the file */
function createLocator(path: string, start: number, blobs: Readonly<Record<string, BlobEntry>>): LocateBlob {
  return (name) => {
    const entry = blobs[name];
    if (entry === undefined) throw new RecordDamaged(`${path} has no blob ${name}`);
    const { offset, length, sha256 } = entry;
    return { file: path, offset: start + offset, length, sha256 };
  };
}

/**
 * The bytes of a located blob.
 * @param into memory for them, if they fit; absent: separate memory, which can be transferred to another thread
 * @throws RecordDamaged if the file ends too early
 */
export function readRange({ file, offset, length }: StoredRange, into?: Buffer): Buffer {
  try {
    return readAt(file, offset, length, into);
  } catch (cause) {
    throw new RecordDamaged(`${file} is damaged`, { cause });
  }
}

/** The bytes of a text in memory or in a file. @throws RecordDamaged if the file ends early */
export function bytesOf(text: Uint8Array | StoredRange): Uint8Array {
  return text instanceof Uint8Array ? text : readRange(text);
}

/** Memory for heads and for hashing ranges, used during one call: allocated for each record, it would be freed late. */
const block = Buffer.allocUnsafeSlow(256 * 1024);

/** SHA-256, hex; `null` if the range cannot be read. */
function hashRange(range: StoredRange): string | null {
  try {
    const digest = createHash('sha256');
    for (const bytes of readBlocks(range)) digest.update(bytes);
    return digest.digest('hex');
  } catch {
    return null;
  }
}

/** A range in blocks, all in {@link block}. Throws if the file cannot be read or ends too early. */
function* readBlocks({ file, offset, length }: StoredRange): Generator<Uint8Array> {
  const descriptor = openFile(file);
  try {
    for (let at = 0; at < length; ) {
      const read = readSync(descriptor, block, 0, Math.min(block.length, length - at), offset + at);
      if (read === 0) throw new RangeError(`${file} ends before ${offset + length}`);
      yield block.subarray(0, read);
      at += read;
    }
  } finally {
    closeSync(descriptor);
  }
}

function readAt(path: string, offset: number, length: number, into?: Buffer): Buffer {
  const descriptor = openFile(path);
  try {
    // A damaged length must not allocate memory.
    if (!(offset + length <= fstatSync(descriptor).size)) {
      throw new RangeError(`${path} ends before ${offset + length}`);
    }
    const fits = into !== undefined && length <= into.length;
    const bytes = fits ? into.subarray(0, length) : Buffer.allocUnsafeSlow(length);
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
