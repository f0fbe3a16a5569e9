import { createHash } from 'node:crypto';
import type { ReadFeedFile } from '../../../src/feed/read/feed-reader.ts';
import type { FileRange, Output, WrittenFile } from '../../../src/output/output.ts';
import { recordsIn } from '../../support/feed-records.ts';

/** An {@link Output} in memory, with its content by path. */
export interface MemoryOutput extends Output {
  /** Keeps the texts of a page, as threads do. */
  keepAside(bytes: Uint8Array): FileRange;
  text(path: string): string;
  paths(): readonly string[];
  /** Texts of the files whose paths begin so, by path. */
  texts(start?: string): Readonly<Record<string, string>>;
}

/** The records of a language. */
export function recordsOf<T>(
  output: MemoryOutput,
  language: string,
  kind: 'documents' | 'chunks',
): readonly T[] {
  return recordsIn(output.text(`feed/${language}/${kind}.jsonl`));
}

/** The text of a file, or `null` if it was not written. */
export function findText(output: MemoryOutput, path: string): string | null {
  return output.has(path) ? output.text(path) : null;
}

/** Reads a published output. */
export function readerOf(output: MemoryOutput | null): ReadFeedFile {
  return async (path) => (output?.has(path) ? Buffer.from(output.text(path)) : null);
}

/** Starts an empty output that replaces `previous`. */
export function createMemoryOutput(previous: MemoryOutput | null = null): MemoryOutput {
  const contents = new Map<string, string>();
  const open = new Set<string>();
  const aside: Buffer[] = [];
  const bytesOf = ({ file, start, bytes }: FileRange) =>
    (aside[Number(file)] ?? Buffer.alloc(0)).subarray(start, start + bytes);

  function claim(path: string): void {
    if (contents.has(path) || open.has(path)) throw new Error(`${path} is written twice`);
  }

  function written(path: string): WrittenFile {
    const bytes = Buffer.from(contents.get(path) ?? '');
    return { path, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length };
  }

  return {
    async write(path, content) {
      claim(path);
      contents.set(path, typeof content === 'string' ? content : Buffer.from(content).toString());
      return written(path);
    },
    async open(path) {
      claim(path);
      open.add(path);
      const pieces: Buffer[] = [];
      return {
        async write(piece) {
          if (!open.has(path)) throw new Error(`${path} is closed`);
          pieces.push(Buffer.from(piece as string));
        },
        async copy(range) {
          pieces.push(bytesOf(range));
        },
        async close() {
          open.delete(path);
          contents.set(path, Buffer.concat(pieces).toString());
          return written(path);
        },
      };
    },
    has: (path) => contents.has(path),
    paths: () => [...contents.keys()].sort(),
    texts: (start = '') =>
      Object.fromEntries([...contents].filter(([path]) => path.startsWith(start)).sort()),
    reuseAll: async () => null,
    adopt: (files) => files,
    files: () => [...contents.keys()].sort().map(written),
    readPrevious: readerOf(previous),
    findPrevious: () => null,
    readRange: (range) => Buffer.from(bytesOf(range)),
    keepAside: (bytes) => ({
      file: `${aside.push(Buffer.from(bytes)) - 1}`,
      start: 0,
      bytes: bytes.length,
    }),
    text(path) {
      const content = contents.get(path);
      if (content === undefined) throw new Error(`${path} was not written`);
      return content;
    },
  };
}
