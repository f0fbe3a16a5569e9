import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, removeQuietly, writeAll } from './file-system.ts';
import { lowerBound } from './lower-bound.ts';

/**
 * Data of a run that would need too much memory: whatever grows with the number of pages. It can be added, and read by its position, but
 * not changed.
 */
export interface SpillFile {
  /** @returns the position of the text */
  addText(text: string): number;
  /** @param position result of {@link addText} */
  readText(position: number): string;
  /** @returns the position of the first byte */
  addBytes(bytes: Uint8Array): number;
  /** Fills `into` with the bytes from a position; all of them must be from one call of {@link addBytes}. */
  readBytes(position: number, into: Uint8Array): void;
  /** Releases memory and file; every other call throws afterwards. Safe to call twice. */
  close(): void;
}

/** Data stays in memory until it fills a block, so that a small site needs no file. */
const blockBytes = 256 * 1024;
const firstBlockBytes = 4 * 1024;

/** The file is read in windows that start at multiples of `stepBytes` and overlap, so that a short text is within one. */
const stepBytes = 8 * 1024;
const windowBytes = stepBytes + 4 * 1024;
/** Number of windows in memory, 1.5 MB together. */
const windowCount = 128;

/** A text follows two times its number of bytes, plus one if it is UTF-16. V8 stores texts as Latin-1 or UTF-16, so reading only copies. */
const headBytes = 4;
const beyondLatin1 = /[\u0100-\uffff]/;

/**
 * Creates a spill file. The file itself is created when there is more than a block of data, and has no name, so that it ends with the
 * process.
 * @param folder absolute path of its folder; `null`: all data stays in memory, like the rest of the data if the file cannot be written
 */
export function createSpillFile(folder: string | null): SpillFile {
  return new BlockSpillFile(folder);
}

/** Does work with a spill file, which is closed afterwards. @param folder as in {@link createSpillFile} */
export async function withSpillFile<T>(folder: string, work: (spill: SpillFile) => Promise<T>): Promise<T> {
  const spill = createSpillFile(folder);
  try {
    return await work(spill);
  } finally {
    spill.close();
  }
}

/**
 * Moves blocks to a spill file.
 * @param blocks each may be valid only until the next one is requested
 * @returns the same, for any number of iterations
 */
export function storeBlocks(spill: SpillFile, blocks: Iterable<Uint8Array>): Iterable<Uint8Array> {
  const stored = Array.from(blocks, (block) => ({ position: spill.addBytes(block), length: block.length }));
  return {
    *[Symbol.iterator]() {
      let memory = Buffer.alloc(0);
      for (const { position, length } of stored) {
        if (length > memory.length) memory = Buffer.allocUnsafeSlow(length);
        const block = memory.subarray(0, length);
        spill.readBytes(position, block);
        yield block;
      }
    },
  };
}

/** A part of the file in memory. */
interface Window {
  readonly bytes: Buffer;
  /** Position of its first byte, and after its last. */
  start: number;
  end: number;
}

class BlockSpillFile implements SpillFile {
  private readonly folder: string | null;
  /** `undefined`: no block was full yet; `null`: there is no file. */
  private descriptor: number | null | undefined;
  /** Position after the last block in the file. */
  private fileEnd = 0;
  /** The later blocks, before the last one: without a file, or since it could not be written. */
  private readonly blocks: { readonly start: number; readonly bytes: Buffer }[] = [];
  /** The last block. */
  private tail = Buffer.allocUnsafeSlow(firstBlockBytes);
  private tailStart = 0;
  /** Position of the next byte. */
  private end = 0;
  private isClosed = false;
  private readonly windows: (Window | undefined)[] = [];
  /** Contains the bytes that {@link seek} was called for. */
  private found: Buffer = this.tail;

  constructor(folder: string | null) {
    this.folder = folder;
  }

  addText(text: string): number {
    const isWide = beyondLatin1.test(text);
    const length = isWide ? 2 * text.length : text.length;
    const at = this.reserve(headBytes + length);
    this.tail.writeUInt32LE(2 * length + Number(isWide), at);
    this.tail.write(text, at + headBytes, isWide ? 'utf16le' : 'latin1');
    return this.advance(headBytes + length);
  }

  readText(position: number): string {
    const headAt = this.seek(position, headBytes);
    const head = this.found.readUInt32LE(headAt);
    const length = head >>> 1;
    const at = this.seek(position + headBytes, length);
    return this.found.toString(head % 2 === 0 ? 'latin1' : 'utf16le', at, at + length);
  }

  addBytes(bytes: Uint8Array): number {
    const at = this.reserve(bytes.length);
    this.tail.set(bytes, at);
    return this.advance(bytes.length);
  }

  readBytes(position: number, into: Uint8Array): void {
    // Otherwise, each block would be read to new memory, which is freed late.
    if (typeof this.descriptor === 'number' && position < this.fileEnd && into.length > stepBytes) {
      readFully(this.descriptor, into, position, into.length);
      return;
    }
    const at = this.seek(position, into.length);
    this.found.copy(into, 0, at, at + into.length);
  }

  close(): void {
    if (typeof this.descriptor === 'number') closeSync(this.descriptor);
    this.isClosed = true;
    this.descriptor = null;
    this.blocks.length = 0;
    this.windows.length = 0;
    this.tail = Buffer.alloc(0);
    this.found = this.tail;
  }

  /** An aborted build may still run for a moment. Its data must not be read from other memory. */
  private assertOpen(): void {
    if (this.isClosed) throw new Error('the spill file is closed');
  }

  /** Makes room in the tail. @returns the offset in the tail of the next byte */
  private reserve(bytes: number): number {
    this.assertOpen();
    const used = this.end - this.tailStart;
    if (used + bytes <= this.tail.length) return used;
    if (used + bytes <= blockBytes) {
      const larger = Buffer.allocUnsafeSlow(Math.min(blockBytes, 2 * (used + bytes)));
      this.tail.copy(larger, 0, 0, used);
      this.tail = larger;
      return used;
    }
    this.store(this.tail.subarray(0, used));
    this.tailStart = this.end;
    // Only a block in the file may be overwritten.
    if (this.tail.length !== blockBytes || bytes > blockBytes || this.fileEnd !== this.end) {
      this.tail = Buffer.allocUnsafeSlow(Math.max(blockBytes, bytes));
    }
    return 0;
  }

  /** @returns the position of the bytes that were added */
  private advance(bytes: number): number {
    this.end += bytes;
    return this.end - bytes;
  }

  private store(bytes: Buffer): void {
    if (this.descriptor === undefined) {
      this.descriptor = this.folder === null ? null : createHiddenFile(this.folder);
    }
    if (this.descriptor !== null && this.fileEnd === this.tailStart) {
      try {
        writeAll(this.descriptor, bytes);
        this.fileEnd += bytes.length;
        return;
      } catch {
        // The disk is full. The file may end with a part of this block, so no other block is written.
      }
    }
    this.blocks.push({ start: this.tailStart, bytes });
  }

  /** Loads the bytes at a position into `found`. @returns their offset in it, valid until the next call of any method */
  private seek(position: number, length: number): number {
    this.assertOpen();
    if (position >= this.tailStart) {
      this.found = this.tail;
      return position - this.tailStart;
    }
    if (typeof this.descriptor === 'number' && position < this.fileEnd) {
      return this.seekFile(this.descriptor, position, length);
    }
    const after = lowerBound(this.blocks.length, (at) => (this.blocks[at]?.start ?? 0) <= position);
    const block = this.blocks[after - 1] as (typeof this.blocks)[number];
    this.found = block.bytes;
    return position - block.start;
  }

  private seekFile(descriptor: number, position: number, length: number): number {
    const step = Math.floor(position / stepBytes);
    const start = step * stepBytes;
    if (position + length > start + windowBytes) {
      this.found = Buffer.allocUnsafe(length);
      readFully(descriptor, this.found, position, length);
      return 0;
    }
    const slot = step % windowCount;
    const window = this.windows[slot] ?? { bytes: Buffer.allocUnsafeSlow(windowBytes), start: -1, end: -1 };
    this.windows[slot] = window;
    if (window.start !== start || position + length > window.end) {
      window.start = start;
      window.end = Math.min(start + windowBytes, this.fileEnd);
      readFully(descriptor, window.bytes, start, window.end - start);
    }
    this.found = window.bytes;
    return position - start;
  }
}

function readFully(descriptor: number, into: Uint8Array, position: number, length: number): void {
  for (let at = 0; at < length; ) {
    const read = readSync(descriptor, into, at, length - at, position + at);
    if (read === 0) throw new Error('the spill file ends too early');
    at += read;
  }
}

/** @returns the descriptor of a new file that has no name any more; `null` if it cannot be created */
function createHiddenFile(folder: string): number | null {
  // Named like the partial files of a snapshot, so that the next one removes what a killed process left.
  const path = join(folder, `snapshot-spill-${createdFiles}.${process.pid}.partial`);
  createdFiles += 1;
  try {
    makeFolder(folder);
    return openSync(path, 'wx+', 0o600);
  } catch {
    return null;
  } finally {
    // On Windows, an open file cannot be removed.
    removeQuietly(path);
  }
}

/** For their names. */
let createdFiles = 0;
