import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { LecternError } from '../errors.ts';
import type { RecordedFile } from './last-output.ts';

/** A file of the previous output, open for reading. */
export interface PreviousFile {
  readonly path: string;
  readonly bytes: number;
  /** Whether it goes on with this block. @param scratch memory to read into while the call lasts */
  isAt(offset: number, block: Uint8Array, scratch: Buffer): boolean;
  /**
   * Reads a part block by block.
   * @param take may not keep a block
   * @throws OUTPUT_CHANGED when the part is not there, or somebody wrote to the file meanwhile
   */
  read(offset: number, length: number, scratch: Buffer, take: (block: Uint8Array) => void): void;
  /** Whether size and time are those a run recorded. */
  isAsRecorded(file: RecordedFile): boolean;
  /** Whether this is the file, and it is as it was when it was opened. */
  isStill(stats: Stats): boolean;
  close(): void;
}

/** Opens what is there; `null` where it is missing or anything but a file. */
export function openPreviousFile(path: string): PreviousFile | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return null;
  }
  const opened = fstatSync(descriptor);
  if (!opened.isFile()) {
    closeSync(descriptor);
    return null;
  }
  const isStill = ({ ino, size, mtimeMs }: Stats): boolean =>
    ino === opened.ino && size === opened.size && mtimeMs === opened.mtimeMs;
  return {
    path,
    bytes: opened.size,
    isAt(offset, block, scratch) {
      if (offset + block.length > opened.size) return false;
      for (let at = 0; at < block.length; ) {
        const wanted = Math.min(scratch.length, block.length - at);
        const read = readSync(descriptor, scratch, 0, wanted, offset + at);
        if (read === 0 || scratch.compare(block, at, at + read, 0, read) !== 0) return false;
        at += read;
      }
      return true;
    },
    read(offset, length, scratch, take) {
      for (let at = 0; at < length; ) {
        const read = readSync(descriptor, scratch, 0, Math.min(scratch.length, length - at), offset + at);
        if (read === 0) throw changedMeanwhile(path);
        take(scratch.subarray(0, read));
        at += read;
      }
      if (!isStill(fstatSync(descriptor))) throw changedMeanwhile(path);
    },
    isAsRecorded: ({ bytes, mtimeMs }) => opened.size === bytes && opened.mtimeMs === mtimeMs,
    isStill,
    close: () => closeSync(descriptor),
  };
}

function changedMeanwhile(path: string): LecternError {
  return new LecternError('OUTPUT_CHANGED', `somebody wrote to ${path} while it was being replaced`, {
    hint: 'run again; the output is made anew from its sources, so edit those instead',
  });
}
