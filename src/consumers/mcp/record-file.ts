import { LecternError } from '../../core/errors.ts';
import type { ReadRange } from '../../core/file-system.ts';
import type { ManifestFile } from '../../feed/read/manifest.ts';
import { invalidFeed, readFeedFile } from '../../feed/read/read-feed.ts';

/** A file of records, of which ranges can be read again. */
export interface RecordFile {
  readonly read: ReadRange;
  /** All bytes, compared with the hash of the manifest. Throws FEED_BUSY if it is another file by now. */
  readonly whole: () => Promise<Buffer>;
}

/** A file that the manifest lists, by what reads its ranges. It is compared with its hash when it is read whole. */
export function recordFileOf(read: ReadRange, file: ManifestFile): RecordFile {
  return {
    read,
    async whole() {
      const bytes = await readFeedFile(async (_, size = 0) => read(0, size + 1), file);
      if (bytes === null) throw busyFeed();
      return bytes as Buffer;
    },
  };
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

/** The error for a file that is missing, or is not the one that the manifest lists. */
export function busyFeed(): LecternError {
  return new LecternError('FEED_BUSY', 'files of the feed differ from its manifest', {
    hint: 'the site is probably being uploaded; try again in a few minutes',
  });
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
