import type { Output } from '../../output/output.ts';
import type { BatchFormat, EntryWriter } from './target.ts';

interface Entry {
  readonly entry: string;
}

/**
 * Divides entries into batches within the limits of a format.
 * @param onBatch called with each batch when it is full, and at the end
 */
export function createBatches<T extends Entry>(
  format: BatchFormat,
  onBatch: (entries: readonly T[]) => Promise<void>,
) {
  const { separator = '', maxEntries, maxBytes } = format;
  let entries: T[] = [];
  let bytes = 0;

  async function close(): Promise<void> {
    const batch = entries;
    entries = [];
    if (batch.length > 0) await onBatch(batch);
  }

  return {
    async add(item: T): Promise<void> {
      const added = Buffer.byteLength(separator) + Buffer.byteLength(item.entry);
      if (entries.length === maxEntries || bytes + added > maxBytes) await close();
      bytes = entries.length === 0 ? batchBytes(format, item.entry) : bytes + added;
      entries.push(item);
    },
    close,
  };
}

/** Size of a batch with one entry. */
export function batchBytes({ head = '', tail = '' }: Omit<BatchFormat, 'extension'>, entry: string): number {
  return Buffer.byteLength(head) + Buffer.byteLength(entry) + Buffer.byteLength(tail);
}

/** The text of a batch. */
export function joinEntries(
  { head = '', separator = '', tail = '' }: Pick<BatchFormat, 'head' | 'separator' | 'tail'>,
  entries: readonly Entry[],
): string {
  return head + entries.map(({ entry }) => entry).join(separator) + tail;
}

/** Writes entries into numbered files within the limits of a format. */
export function openBatchFiles(output: Pick<Output, 'write'>, format: BatchFormat): EntryWriter {
  const paths: string[] = [];
  const batches = createBatches(format, async (entries) => {
    const path = `upserts/${String(paths.length + 1).padStart(5, '0')}.${format.extension}`;
    paths.push(path);
    await output.write(path, joinEntries(format, entries));
  });
  return {
    add: (entry) => batches.add({ entry }),
    async close() {
      await batches.close();
      return paths;
    },
  };
}
