import { createHash } from 'node:crypto';
import { closeSync, fstatSync, linkSync, lstatSync, openSync, readSync, rmSync, type Stats } from 'node:fs';
import { LecternError } from '../foundation/errors.ts';
import { openFile, writeAll } from '../foundation/file-system.ts';
import { createBlockBuffer } from './blocks.ts';
import type { RecordedFile } from './last-output.ts';
import type { OutputFile, StoredRange, WrittenFile } from './output.ts';

export interface StagedFile extends OutputFile {
  /** Closes the file without writing buffered data. Safe after `close`. */
  abandon(): void;
}

export interface StagedFileOptions {
  /** Path within the output. */
  readonly path: string;
  /** Absolute path of a file of the previous output; `null`: there is no previous output. */
  readonly previousPath: (path: string) => string | null;
  /** Record of the previous output's file; `null` if unknown. */
  readonly recorded: RecordedFile | null;
  /** Memory to compare blocks in, used only during a call. */
  readonly scratch: Buffer;
  /** Turns errors of the file system into errors for the user. */
  readonly guarded: <T>(act: () => T) => T;
  /** Creates the record of a closed file. */
  readonly onClose: (closed: Omit<WrittenFile, 'path'>) => WrittenFile;
}

/**
 * Opens a file for sequential writing in large blocks. Copy on write: nothing is written as long as the content equals the previous
 * output's file, and a file that is equal to its end becomes a hard link to it.
 * @param file absolute path; no file exists there yet
 */
export function openStagedFile(file: string, options: StagedFileOptions): StagedFile {
  const { guarded, onClose } = options;
  const target = new CopyOnWriteFile(file, options);
  const buffer = createBlockBuffer((block) => target.append(block));
  let copied = 0;
  return {
    position: () => buffer.added() + copied,
    async write(piece) {
      if (typeof piece === 'string' || piece instanceof Uint8Array) {
        guarded(() => buffer.add(piece));
        return;
      }
      guarded(() => {
        buffer.flush();
        target.appendStored(piece);
      });
      copied += piece.length;
    },
    async copy({ path, offset, length }) {
      guarded(() => {
        buffer.flush();
        target.copy(path, offset, length);
      });
      copied += length;
    },
    async close() {
      const closed = guarded(() => {
        buffer.flush();
        return target.finish();
      });
      return onClose(closed);
    },
    abandon: () => target.close(),
  };
}

/** Memory of a thread for blocks of a range, used during one call: allocated for each file, it would be freed late. */
const rangeBlock = Buffer.allocUnsafeSlow(256 * 1024);

class CopyOnWriteFile {
  private readonly file: string;
  private readonly options: StagedFileOptions;
  private readonly digest = createHash('sha256');
  /** The previous file, as long as the content is equal. */
  private same: PreviousFile | null;
  /** Another file of the previous output, from which the last range was copied. */
  private source: PreviousFile | null = null;
  /** Of the new file, if the content differs. */
  private descriptor: number | null = null;
  private bytes = 0;

  constructor(file: string, options: StagedFileOptions) {
    this.file = file;
    this.options = options;
    this.same = openPrevious(options.previousPath(options.path));
  }

  append(block: Uint8Array): void {
    if (this.same !== null && !isAt(this.same, this.bytes, block, this.options.scratch)) this.diverge();
    if (this.same === null) this.write(block);
    this.bytes += block.length;
  }

  /** Appends a byte range of the previous output; a range with the same offset in the same file is not read. */
  copy(path: string, offset: number, length: number): void {
    const { same, options } = this;
    const isInPlace = same !== null && path === options.path && offset === this.bytes;
    if (isInPlace && this.isKnown(same) && offset + length <= same.stats.size) {
      this.bytes += length;
      return;
    }
    const from = this.openSource(path);
    for (const block of readBlocks(from, offset, length, rangeBlock)) this.append(block);
    assertUnchanged(from);
  }

  appendStored({ file, offset, length }: StoredRange): void {
    const from = openPrevious(file);
    if (from === null) throw storedChanged(file);
    try {
      for (const block of readBlocks(from, offset, length, rangeBlock, storedChanged)) this.append(block);
    } finally {
      closeSync(from.descriptor);
    }
  }

  finish(): Omit<WrittenFile, 'path'> {
    if (this.same !== null && !(this.same.stats.size === this.bytes && this.link(this.same))) this.diverge();
    if (this.same === null) this.create();
    const sha256 =
      this.same === null ? this.digest.digest('hex') : (this.knownHash(this.same) ?? this.hashOf(this.same));
    this.close();
    return { sha256, bytes: this.bytes };
  }

  close(): void {
    for (const previous of [this.same, this.source]) if (previous !== null) closeSync(previous.descriptor);
    if (this.descriptor !== null) closeSync(this.descriptor);
    this.same = this.source = this.descriptor = null;
  }

  /** The content differs from here: copies the equal part. */
  private diverge(): void {
    const { same } = this;
    if (same === null) return;
    this.create();
    for (const block of readBlocks(same, 0, this.bytes, this.options.scratch)) this.write(block);
    assertUnchanged(same);
    closeSync(same.descriptor);
    this.same = null;
  }

  private create(): number {
    this.descriptor ??= openSync(this.file, 'wx');
    return this.descriptor;
  }

  private write(block: Uint8Array): void {
    this.digest.update(block);
    writeAll(this.create(), block);
  }

  private openSource(path: string): PreviousFile {
    const absolute = this.options.previousPath(path);
    if (this.source !== null && this.source.path === absolute) return this.source;
    if (this.source !== null) closeSync(this.source.descriptor);
    this.source = openPrevious(absolute);
    if (this.source === null) throw changedMeanwhile(path);
    return this.source;
  }

  /** Returns `false`, without leaving a file, if the disk has no hard links or the path now leads to another file. */
  private link(same: PreviousFile): boolean {
    try {
      linkSync(same.path, this.file);
      if (isUnchanged(same, lstatSync(this.file))) return true;
    } catch {
      // Without a link, the file is written normally.
    }
    rmSync(this.file, { force: true });
    return false;
  }

  private isKnown(same: PreviousFile): boolean {
    return this.knownHash(same) !== null;
  }

  private knownHash({ stats }: PreviousFile): string | null {
    const { recorded } = this.options;
    const isRecorded =
      recorded !== null && stats.size === recorded.bytes && stats.mtimeMs === recorded.mtimeMs;
    return isRecorded ? recorded.sha256 : null;
  }

  private hashOf(same: PreviousFile): string {
    const digest = createHash('sha256');
    for (const block of readBlocks(same, 0, this.bytes, this.options.scratch)) digest.update(block);
    return digest.digest('hex');
  }
}

/** A file of the previous output, open for reading. */
interface PreviousFile {
  readonly path: string;
  readonly descriptor: number;
  /** Status when it was opened. */
  readonly stats: Stats;
}

/** `null` if nothing or something other than a file is there. */
function openPrevious(path: string | null): PreviousFile | null {
  if (path === null) return null;
  try {
    const descriptor = openFile(path);
    return { path, descriptor, stats: fstatSync(descriptor) };
  } catch {
    return null;
  }
}

/** Whether the file continues with this block. */
function isAt(
  { descriptor, stats }: PreviousFile,
  offset: number,
  block: Uint8Array,
  scratch: Buffer,
): boolean {
  if (offset + block.length > stats.size) return false;
  for (let at = 0; at < block.length; ) {
    const wanted = Math.min(scratch.length, block.length - at);
    const read = readSync(descriptor, scratch, 0, wanted, offset + at);
    if (read === 0 || scratch.compare(block, at, at + read, 0, read) !== 0) return false;
    at += read;
  }
  return true;
}

/**
 * @param into memory of every block; the next block overwrites it
 * @param ended creates the error for a file that ends too early
 */
function* readBlocks(
  file: PreviousFile,
  offset: number,
  length: number,
  into: Buffer,
  ended = changedMeanwhile,
): Generator<Uint8Array> {
  for (let at = 0; at < length; ) {
    const read = readSync(file.descriptor, into, 0, Math.min(into.length, length - at), offset + at);
    if (read === 0) throw ended(file.path);
    yield into.subarray(0, read);
    at += read;
  }
}

function assertUnchanged(file: PreviousFile): void {
  if (!isUnchanged(file, fstatSync(file.descriptor))) throw changedMeanwhile(file.path);
}

function isUnchanged({ stats }: PreviousFile, { ino, size, mtimeMs }: Stats): boolean {
  return ino === stats.ino && size === stats.size && mtimeMs === stats.mtimeMs;
}

function changedMeanwhile(path: string): LecternError {
  return new LecternError('OUTPUT_CHANGED', `${path} was changed while the build was replacing it`, {
    hint: 'run the build again, and edit the sources instead of the output',
  });
}

/** The same error for a file that belongs to the cache or a shard. */
function storedChanged(path: string): LecternError {
  return new LecternError('OUTPUT_CHANGED', `${path} is missing or was changed while the build read it`, {
    hint: 'run the build again while nothing else writes to the cache and the shards; if it is of a shard, build that shard again',
  });
}
