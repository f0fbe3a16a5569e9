import { createHash } from 'node:crypto';
import { createBlockBuffer } from './block-buffer.ts';
import { startNextVersion } from './next-version.ts';
import type { OutputFile, WrittenFile } from './output.ts';

export interface StagedFile extends OutputFile {
  /** Gives the file up without writing what is waiting. Safe after `close`. */
  abandon(): void;
}

export interface StagedFileOptions {
  /** The file that is replaced; it need not exist. */
  readonly previous: string;
  /** Memory to read into while a call lasts. */
  readonly scratch: Buffer;
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
  const { previous, scratch, guarded, onClose } = options;
  const digest = createHash('sha256');
  const version = startNextVersion(file, previous, scratch);
  let bytes = 0;
  const buffer = createBlockBuffer((block) => {
    digest.update(block);
    bytes += block.length;
    version.append(block);
  });
  return {
    async write(piece) {
      guarded(() => buffer.add(piece));
    },
    async close() {
      guarded(() => {
        buffer.flush();
        version.finish();
      });
      return onClose({ sha256: digest.digest('hex'), bytes });
    },
    abandon: version.abandon,
  };
}
