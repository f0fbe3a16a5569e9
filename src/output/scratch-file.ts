import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { outputFault } from './output-fault.ts';
import type { Siblings } from './siblings.ts';

/** A file for what need not stay in memory during a run. */
export interface ScratchFile {
  /** Puts bytes at the end; gives where they begin. @throws OUTPUT_UNWRITABLE */
  append(bytes: Uint8Array): number;
  /** @throws RangeError when so much was never written there */
  read(position: number, length: number): Uint8Array;
  /** Gives the room back. Safe to call twice. */
  close(): void;
}

/**
 * Makes a scratch file with the first byte it takes. Its name is taken away at once, so that it is gone with the
 * process, however that ends; where a system leaves it behind, the next run removes it with other staging.
 */
export function createScratchFile({ out, parent, stagingPrefix }: Siblings): ScratchFile {
  let descriptor: number | null = null;
  let size = 0;

  const open = (): number => {
    const file = join(parent, `${stagingPrefix}scratch-${randomBytes(8).toString('hex')}`);
    const opened = openSync(file, 'wx+');
    rmSync(file, { force: true });
    return opened;
  };

  return {
    append(bytes) {
      try {
        descriptor ??= open();
        for (let at = 0; at < bytes.length; )
          at += writeSync(descriptor, bytes, at, bytes.length - at, size + at);
      } catch (error) {
        throw outputFault(error, out);
      }
      size += bytes.length;
      return size - bytes.length;
    },
    read(position, length) {
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; ) {
        const read = descriptor === null ? 0 : readSync(descriptor, bytes, at, length - at, position + at);
        if (read === 0) throw new RangeError(`the scratch file ends before ${position + length}`);
        at += read;
      }
      return bytes;
    },
    close() {
      if (descriptor !== null) closeSync(descriptor);
      descriptor = null;
      size = 0;
    },
  };
}
