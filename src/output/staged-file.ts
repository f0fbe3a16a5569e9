import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { writeAll } from '../foundation/file-system.ts';
import { createBlockBuffer } from './blocks.ts';
import type { OutputFile, WrittenFile } from './output.ts';

/** A file of the staging folder that is being written. */
export interface StagedFile extends OutputFile {
  /** Closes the file without writing buffered data. Safe after `close`. */
  abandon(): void;
}

interface StagedFileOptions {
  /** Turns errors of the file system into errors for the user. */
  readonly guarded: <T>(act: () => T) => T;
  /** Creates the record of a closed file. */
  readonly onClose: (closed: Omit<WrittenFile, 'path'>) => WrittenFile;
}

/** Creates a file that is written in large blocks, from start to end. @param file absolute path; no file exists there yet */
export function openStagedFile(file: string, { guarded, onClose }: StagedFileOptions): StagedFile {
  const digest = createHash('sha256');
  let descriptor: number | null = guarded(() => openSync(file, 'wx'));
  const buffer = createBlockBuffer((block) => {
    if (descriptor === null) throw new Error(`${file} is closed`);
    digest.update(block);
    writeAll(descriptor, block);
  });
  const abandon = (): void => {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
  };
  return {
    position: buffer.added,
    write: async (piece) => guarded(() => buffer.add(piece)),
    async close() {
      guarded(() => {
        buffer.flush();
        abandon();
      });
      return onClose({ sha256: digest.digest('hex'), bytes: buffer.added() });
    },
    abandon,
  };
}
