import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { writeAll } from '../core/file-system.ts';
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

/** Text that is collected before it is written, in UTF-16 units. */
const blockChars = 256 * 1024;

/** Creates a file that is written from start to end, in large blocks of text. @param file absolute path; no file exists there yet */
export function openStagedFile(file: string, { guarded, onClose }: StagedFileOptions): StagedFile {
  const digest = createHash('sha256');
  let descriptor: number | null = guarded(() => openSync(file, 'wx'));
  let text = '';
  let bytes = 0;
  const append = (block: Uint8Array): void => {
    if (descriptor === null) throw new Error(`${file} is closed`);
    digest.update(block);
    bytes += block.length;
    writeAll(descriptor, block);
  };
  const flush = (): void => {
    append(Buffer.from(text));
    text = '';
  };
  const abandon = (): void => {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
  };
  return {
    async write(piece) {
      guarded(() => {
        if (typeof piece === 'string') {
          text += piece;
          if (text.length >= blockChars && !endsInPair(text)) flush();
        } else {
          flush();
          append(piece);
        }
      });
    },
    async close() {
      guarded(() => {
        flush();
        abandon();
      });
      return onClose({ sha256: digest.digest('hex'), bytes });
    },
    abandon,
  };
}

/** Whether a text ends with the first half of a surrogate pair, whose second half may be at the start of the next piece. */
function endsInPair(text: string): boolean {
  const unit = text.charCodeAt(text.length - 1);
  return unit >= 0xd800 && unit <= 0xdbff;
}
