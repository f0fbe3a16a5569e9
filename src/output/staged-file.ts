import { createHash } from 'node:crypto';
import { closeSync, linkSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import type { OutputFile } from './output.ts';

/** What is known of a file once it is closed. */
interface ClosedFile {
  readonly sha256: string;
  readonly bytes: number;
}

export interface StagedFile extends OutputFile {
  /** Gives the file up without writing what is waiting. Safe after `close`. */
  abandon(): void;
}

const bufferChars = 512 * 1024;
const compareBytes = 1024 * 1024;

/**
 * Opens a file that is written piece by piece, gathered into large writes. When it turns out the same as the previous
 * one, that one is linked in its place.
 * @param guarded turns errors of the file system into errors for the user
 */
export function openStagedFile(
  file: string,
  previous: string,
  guarded: <T>(act: () => T) => T,
  onClose: (closed: ClosedFile) => void,
): StagedFile {
  const descriptor = openSync(file, 'w');
  const digest = createHash('sha256');
  let pieces: string[] = [];
  let chars = 0;
  let bytes = 0;
  let isOpen = true;
  const release = (): void => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  const flush = (): void => {
    const chunk = Buffer.from(pieces.join(''));
    [pieces, chars] = [[], 0];
    digest.update(chunk);
    bytes += chunk.length;
    writeAll(descriptor, chunk);
  };
  return {
    async write(piece) {
      pieces.push(piece);
      chars += piece.length;
      if (chars >= bufferChars) guarded(flush);
    },
    async close() {
      guarded(() => {
        flush();
        release();
      });
      keepPrevious(previous, file, bytes);
      onClose({ sha256: digest.digest('hex'), bytes });
    },
    abandon: release,
  };
}

function writeAll(descriptor: number, chunk: Buffer): void {
  for (let at = 0; at < chunk.length; ) at += writeSync(descriptor, chunk, at);
}

/** Puts the previous file in the place of one with the same content. */
function keepPrevious(previous: string, file: string, bytes: number): void {
  const link = `${file}.link`;
  try {
    if (statSync(previous).size !== bytes || !isSame(previous, file)) return;
    linkSync(previous, link);
    renameSync(link, file);
  } catch {
    rmSync(link, { force: true });
  }
}

function isSame(one: string, other: string): boolean {
  const descriptors = [openSync(one, 'r'), openSync(other, 'r')] as const;
  const [a, b] = [Buffer.allocUnsafe(compareBytes), Buffer.allocUnsafe(compareBytes)];
  try {
    for (;;) {
      const [readA, readB] = [readSync(descriptors[0], a), readSync(descriptors[1], b)];
      if (readA !== readB || a.compare(b, 0, readB, 0, readA) !== 0) return false;
      if (readA === 0) return true;
    }
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}
