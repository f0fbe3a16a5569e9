import { createBlockBuffer } from './block-buffer.ts';
import { type FilePart, type NextVersionOptions, startNextVersion } from './next-version.ts';
import type { OutputFile } from './output.ts';
import type { WrittenFile } from './written-files.ts';

export interface StagedFile extends OutputFile {
  /** Gives the file up without writing what is waiting. Safe after `close`. */
  abandon(): void;
}

export interface StagedFileOptions extends NextVersionOptions {
  /** Absolute path of a file of the previous output. */
  readonly previousPath: (path: string) => string;
  /** Turns errors of the file system into errors for the user. */
  readonly guarded: <T>(act: () => T) => T;
  /** Makes the record of a file that is closed. */
  readonly onClose: (closed: Omit<WrittenFile, 'path'>) => WrittenFile;
}

/**
 * Opens a file that is written piece by piece, gathered into large blocks. Where it turns out the same as the previous
 * one, nothing is written and that one is linked in its place.
 */
export function openStagedFile(file: string, options: StagedFileOptions): StagedFile {
  const { previousPath, guarded, onClose } = options;
  const version = startNextVersion(file, options);
  const buffer = createBlockBuffer(version.append);
  /** Parts that follow one another in a file are repeated as one. */
  let waiting: FilePart | null = null;
  let repeated = 0;

  const flushParts = (): void => {
    if (waiting !== null) version.repeat(waiting);
    waiting = null;
  };
  const repeat = (from: string, offset: number, length: number): void => {
    repeated += length;
    if (waiting?.file === from && waiting.offset + waiting.length === offset) {
      waiting = { ...waiting, length: waiting.length + length };
      return;
    }
    buffer.flush();
    flushParts();
    waiting = { file: from, offset, length };
  };

  return {
    position: () => buffer.added() + repeated,
    async write(piece) {
      guarded(() => {
        flushParts();
        buffer.add(piece);
      });
    },
    async repeat(path, offset, length) {
      guarded(() => repeat(previousPath(path), offset, length));
    },
    async close() {
      return onClose(
        guarded(() => {
          flushParts();
          buffer.flush();
          return version.finish();
        }),
      );
    },
    abandon: version.abandon,
  };
}
