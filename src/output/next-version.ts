import { createHash } from 'node:crypto';
import { closeSync, linkSync, lstatSync, openSync, rmSync } from 'node:fs';
import type { RecordedFile } from './last-output.ts';
import { openPreviousFile, type PreviousFile } from './previous-file.ts';
import { writeAll } from './write-all.ts';

/** A file that takes the place of a previous one, written front to back. */
export interface NextVersion {
  append(block: Uint8Array): void;
  /**
   * Appends a part of a file of the previous output; of this file's own, at the same place, it is not even read.
   * @throws OUTPUT_CHANGED when the part is not there, or somebody wrote to that file meanwhile
   */
  repeat(part: FilePart): void;
  /** Ends it: a file that is the same as the previous one to its end becomes a second name of it (a hard link). */
  finish(): { readonly sha256: string; readonly bytes: number };
  /** Gives it up. Safe after `finish`. */
  abandon(): void;
}

/** A part of a file, in bytes. */
export interface FilePart {
  /** Absolute. */
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

export interface NextVersionOptions {
  /** Absolute path of the file that is replaced; it may be `null`, missing, or anything but a file. */
  readonly previous: string | null;
  /** What is known of the previous file; `null`: nothing. */
  readonly recorded: RecordedFile | null;
  /** Memory to read into while a call lasts. */
  readonly scratch: Buffer;
}

const readBytes = 256 * 1024;

/**
 * Starts the next version of a file. As long as it is the same as the previous one, it is compared and not written; at
 * the first block that differs what is before it is copied.
 * @param file nothing stands there yet
 */
export function startNextVersion(file: string, options: NextVersionOptions): NextVersion {
  const { previous, recorded, scratch } = options;
  const digest = createHash('sha256');
  /** While the next version is the same so far. */
  let old = previous === null ? null : openPreviousFile(previous);
  /** The other file that was read last. */
  let other: PreviousFile | null = null;
  /** Memory for it; a block of it is compared with the old version. */
  let reading: Buffer | null = null;
  let next: number | null = null;
  let bytes = 0;
  /** So many of them are hashed; the rest is in the old version and was not read. */
  let hashed = 0;
  const known = old !== null && recorded !== null && old.isAsRecorded(recorded) ? recorded : null;

  const create = (): number => {
    next ??= openSync(file, 'wx');
    return next;
  };
  const write = (block: Uint8Array): void => writeAll(create(), block);
  /** From here on the next version stands on its own. */
  const part = (from: PreviousFile): void => {
    create();
    from.read(0, hashed, scratch, write);
    from.read(hashed, bytes - hashed, scratch, (block) => {
      digest.update(block);
      write(block);
    });
    hashed = bytes;
    from.close();
    old = null;
  };
  const append = (block: Uint8Array): void => {
    if (old !== null && !old.isAt(bytes, block, scratch)) part(old);
    if (old === null) write(block);
    if (hashed === bytes) {
      digest.update(block);
      hashed += block.length;
    }
    bytes += block.length;
  };
  const openOther = (path: string): PreviousFile | null => {
    if (other?.path === path) return other;
    other?.close();
    other = openPreviousFile(path);
    return other;
  };
  const close = (): void => {
    old?.close();
    other?.close();
    if (next !== null) closeSync(next);
    old = other = next = null;
  };

  return {
    append,
    repeat({ file: from, offset, length }) {
      if (length === 0) return;
      const isHere = old !== null && known !== null && from === old.path && offset === bytes;
      if (isHere && bytes + length <= known.bytes) {
        bytes += length;
        return;
      }
      reading ??= Buffer.allocUnsafeSlow(readBytes);
      (openOther(from) ?? missing(from)).read(offset, length, reading, append);
    },
    finish() {
      if (old !== null && (old.bytes !== bytes || !link(file, old))) part(old);
      if (old === null) create();
      const sha256 = hashed === bytes ? digest.digest('hex') : (known?.sha256 ?? missing(file));
      close();
      return { sha256, bytes };
    },
    abandon: close,
  };
}

/** `false`, with nothing left behind, where the disk has no hard links or the path leads elsewhere by now. */
function link(file: string, old: PreviousFile): boolean {
  try {
    linkSync(old.path, file);
    if (old.isStill(lstatSync(file))) return true;
  } catch {
    // Without a link the file is written like any other.
  }
  rmSync(file, { force: true });
  return false;
}

function missing(path: string): never {
  throw new Error(`${path} is to be repeated and is not known`);
}
