import type { ReadRange } from '../../core/file-system.ts';
import { invalidFeed } from '../../feed/read/read-feed.ts';

/** A file of records, of which ranges can be read again. */
export interface RecordFile {
  /** Size of the file. */
  readonly bytes: number;
  readonly read: ReadRange;
}

/** Start and end of each line that is not empty. */
export function findLines(bytes: Buffer): readonly number[] {
  const ranges: number[] = [];
  for (let start = 0; start < bytes.length; ) {
    const next = bytes.indexOf(10, start);
    const end = next === -1 ? bytes.length : next;
    if (end > start) ranges.push(start, end);
    start = end + 1;
  }
  return ranges;
}

export function changed(): Error {
  return invalidFeed('a file of records was overwritten while it was read');
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
