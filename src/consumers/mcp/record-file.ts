import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { ReadRange } from '../../core/file-system.ts';
import type { ManifestFile } from '../../feed/read/manifest.ts';
import { busyFeed, invalidFeed } from '../../feed/read/read-feed.ts';

/** A file of records, of which lines can be read again. */
export interface RecordFile {
  /**
   * Calls `visit` with a block of the file and where a line that is not empty starts and ends in it, line by line, and `onTurn` between two blocks.
   * @returns a function that reads the line with a number again, from 0
   * @throws FEED_BUSY if it is another file by now than the manifest lists, FEED_INVALID, what `visit` and `onTurn` throw
   */
  readonly eachLine: (
    visit: (block: Buffer, start: number, end: number) => void,
    onTurn: () => Promise<void>,
  ) => Promise<(number: number) => string>;
}

/** Large files are read in blocks: a buffer for all of one costs more time than its bytes. */
const blockBytes = 1 << 20;

/** A file that the manifest lists, by what reads its ranges. It is compared with its hash when its lines are read. */
export function recordFileOf(read: ReadRange, { path, bytes, sha256 }: ManifestFile): RecordFile {
  return {
    async eachLine(visit, onTurn) {
      const digest = createHash('sha256');
      const ranges: number[] = [];
      let block = Buffer.allocUnsafe(Math.min(bytes + 1, blockBytes));
      /** Where the block begins in the file, and how much of the file it has. */
      let base = 0;
      let filled = 0;
      // A file that is being replaced may have anything.
      let failure: unknown = null;
      for (let isEnd = false; !isEnd; ) {
        const added = read(base + filled, base + block.length, block.subarray(filled));
        isEnd = added.length === 0 || base + filled + added.length > bytes;
        digest.update(added);
        filled += added.length;
        const end = isEnd ? filled : block.lastIndexOf(10, filled - 1) + 1;
        try {
          if (failure === null) visitLines(end);
        } catch (error) {
          failure = error;
        }
        block.copyWithin(0, end, filled);
        base += end;
        filled -= end;
        if (filled === block.length) block = Buffer.concat([block, Buffer.allocUnsafe(block.length)]);
        await onTurn();
      }
      if (base !== bytes || digest.digest('hex') !== sha256) throw busyFeed();
      if (failure !== null) throw failure;
      return (number) => read(ranges[2 * number] ?? 0, ranges[2 * number + 1] ?? 0).toString();

      function visitLines(last: number): void {
        if (!isUtf8(block.subarray(0, last))) throw invalidFeed(`${path} is not text in UTF-8`);
        for (let start = 0; start < last; ) {
          const next = block.indexOf(10, start);
          const end = next === -1 || next > last ? last : next;
          if (end > start) {
            visit(block, start, end);
            ranges.push(base + start, base + end);
          }
          start = end + 1;
        }
      }
    },
  };
}

export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) ?? {};
  } catch (cause) {
    throw invalidFeed('a file of records contains a line that is not JSON', cause);
  }
}

export function isText(value: unknown): boolean {
  return typeof value === 'string';
}
