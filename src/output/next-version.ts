import { closeSync, fstatSync, linkSync, lstatSync, openSync, readSync, rmSync } from 'node:fs';
import { LecternError } from '../errors.ts';
import { writeAll } from './write-all.ts';

/** A file that takes the place of a previous one, written front to back. */
export interface NextVersion {
  append(block: Uint8Array): void;
  /** Ends it: a file that is the same as the previous one to its end becomes a second name of it (a hard link). */
  finish(): void;
  /** Gives it up. Safe after `finish`. */
  abandon(): void;
}

interface PreviousVersion {
  readonly descriptor: number;
  readonly inode: number;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/**
 * Starts the next version of a file. As long as it is the same as the previous one, it is compared and not written; at
 * the first block that differs what is before it is copied.
 * @param previous may be missing, or anything but a file: then there is nothing to compare with
 * @param scratch memory to read into while a call lasts
 * @throws OUTPUT_CHANGED when somebody wrote to the previous file meanwhile
 */
export function startNextVersion(file: string, previous: string, scratch: Buffer): NextVersion {
  let old = openPrevious(previous);
  let next: number | null = null;
  let bytes = 0;

  const closeOld = (): void => {
    if (old !== null) closeSync(old.descriptor);
    old = null;
  };
  const create = (): number => {
    next ??= openSync(file, 'w');
    return next;
  };
  /** From here on the next version stands on its own. */
  const part = (from: PreviousVersion): void => {
    copy(from.descriptor, create(), bytes, scratch);
    const { size, mtimeMs } = fstatSync(from.descriptor);
    if (size !== from.bytes || mtimeMs !== from.mtimeMs) throw changedMeanwhile(previous);
    closeOld();
  };

  return {
    append(block) {
      if (old === null || !isAt(old, bytes, block, scratch)) {
        if (old !== null) part(old);
        writeAll(create(), block);
      }
      bytes += block.length;
    },
    finish() {
      if (old !== null && (old.bytes !== bytes || !link(previous, file, old))) part(old);
      if (old === null) closeSync(create());
      closeOld();
      next = null;
    },
    abandon() {
      closeOld();
      if (next !== null) closeSync(next);
      next = null;
    },
  };
}

function openPrevious(path: string): PreviousVersion | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return null;
  }
  const stats = fstatSync(descriptor);
  if (stats.isFile()) return { descriptor, inode: stats.ino, bytes: stats.size, mtimeMs: stats.mtimeMs };
  closeSync(descriptor);
  return null;
}

/** Whether the previous version goes on with this block. */
function isAt(old: PreviousVersion, offset: number, block: Uint8Array, scratch: Buffer): boolean {
  if (offset + block.length > old.bytes) return false;
  for (let at = 0; at < block.length; ) {
    const wanted = Math.min(scratch.length, block.length - at);
    const read = readSync(old.descriptor, scratch, 0, wanted, offset + at);
    if (read === 0 || scratch.compare(block, at, at + read, 0, read) !== 0) return false;
    at += read;
  }
  return true;
}

/** `false`, with nothing left behind, where the disk has no hard links or the path leads elsewhere by now. */
function link(previous: string, file: string, old: PreviousVersion): boolean {
  try {
    linkSync(previous, file);
    const { ino, size, mtimeMs } = lstatSync(file);
    if (ino === old.inode && size === old.bytes && mtimeMs === old.mtimeMs) return true;
  } catch {
    // Without a link the file is written like any other.
  }
  rmSync(file, { force: true });
  return false;
}

function copy(from: number, to: number, bytes: number, scratch: Buffer): void {
  for (let at = 0; at < bytes; ) {
    const read = readSync(from, scratch, 0, Math.min(scratch.length, bytes - at), at);
    if (read === 0) return;
    writeAll(to, scratch.subarray(0, read));
    at += read;
  }
}

function changedMeanwhile(path: string): LecternError {
  return new LecternError('OUTPUT_CHANGED', `somebody wrote to ${path} while it was being replaced`, {
    hint: 'run again; the output is made anew from its sources, so edit those instead',
  });
}
