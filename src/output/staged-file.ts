import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { openFile, writeAll } from '../core/file-system.ts';
import { getOrMake } from '../core/group-by.ts';
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

/** Text that is collected before it is encoded, in UTF-16 units. */
const textChars = 64 * 1024;

/** Bytes that are collected before they are written. */
const blockBytes = 256 * 1024;

/** Creates a file that is written from start to end, in large blocks. @param file absolute path; no file exists there yet */
export function openStagedFile(file: string, { guarded, onClose }: StagedFileOptions): StagedFile {
  const digest = createHash('sha256');
  let descriptor: number | null = guarded(() => openSync(file, 'wx'));
  let text = '';
  let bytes = 0;
  const block = Buffer.allocUnsafe(blockBytes);
  let used = 0;
  /** Open files that parts are copied from, by path. */
  const sources = new Map<string, number>();
  const append = (piece: Uint8Array): void => {
    if (descriptor === null) throw new Error(`${file} is closed`);
    digest.update(piece);
    bytes += piece.length;
    writeAll(descriptor, piece);
  };
  const flush = (): void => {
    append(block.subarray(0, used));
    used = 0;
  };
  const add = (piece: Uint8Array): void => {
    if (piece.length > blockBytes - used) flush();
    if (piece.length > blockBytes) append(piece);
    else {
      block.set(piece, used);
      used += piece.length;
    }
  };
  const addText = (): void => {
    if (text === '') return;
    add(Buffer.from(text));
    text = '';
  };
  const abandon = (): void => {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
    for (const source of sources.values()) closeSync(source);
    sources.clear();
  };
  return {
    async write(piece) {
      guarded(() => {
        if (typeof piece === 'string') {
          text += piece;
          if (text.length >= textChars && !endsInPair(text)) addText();
        } else {
          addText();
          add(piece);
        }
      });
    },
    async copy(range) {
      guarded(() => {
        if (descriptor === null) throw new Error(`${file} is closed`);
        addText();
        const source = getOrMake(sources, range.file, () => openFile(range.file));
        for (let copied = 0; copied < range.bytes; ) {
          if (used === blockBytes) flush();
          const room = Math.min(range.bytes - copied, blockBytes - used);
          const read = readSync(source, block, used, room, range.start + copied);
          if (read === 0) throw new Error(`${range.file} was cut while it was copied`);
          copied += read;
          used += read;
        }
      });
    },
    async close() {
      guarded(() => {
        addText();
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
