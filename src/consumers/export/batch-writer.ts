import { type BatchFormat, type BatchWriter, type ItemFile, type ItemFiles, utf8Bytes } from './target.ts';

/** Opens a file when its first entry arrives. */
export function openBatches(output: Pick<ItemFiles, 'open'>, format: BatchFormat): BatchWriter {
  const { path, head = '', separator = '', tail = '', maxEntries, maxBytes } = format;
  const isOneFile = !path.includes('{n}');
  const paths: string[] = [];
  let file: ItemFile | null = null;
  let entries = 0;
  /** Size of the open file, without its tail. */
  let bytes = 0;

  async function end(): Promise<void> {
    if (file === null) return;
    await file.write(tail);
    await file.close();
    file = null;
  }

  return {
    async add(entry) {
      const added = utf8Bytes(separator) + utf8Bytes(entry);
      const isFull = entries === maxEntries || bytes + added + utf8Bytes(tail) > maxBytes;
      if (isFull && !isOneFile) await end();
      if (file === null) {
        const name = path.replace('{n}', String(paths.length + 1).padStart(5, '0'));
        paths.push(name);
        file = await output.open(name);
        entries = 0;
        bytes = utf8Bytes(head);
        await file.write(head);
      }
      await file.write(entries === 0 ? entry : separator + entry);
      bytes += entries === 0 ? utf8Bytes(entry) : added;
      entries += 1;
    },
    async close() {
      await end();
      return paths;
    },
  };
}

/** Size in bytes of a batch with one entry. */
export function loneBytes({ head = '', tail = '' }: BatchFormat, entry: string): number {
  return utf8Bytes(head) + utf8Bytes(entry) + utf8Bytes(tail);
}
