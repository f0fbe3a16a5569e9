import { extname } from 'node:path';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Output, OutputFile, WrittenFile } from './output.ts';

/** Extension of a compressed copy: `index.html.br`. */
export type Compression = 'br' | 'gz';

/** Text files. Images and archives are already compressed. */
const compressible = new Set(
  '.html .css .js .mjs .json .jsonl .xml .svg .txt .md .atom .webmanifest .ico'.split(' '),
);

/** Smaller files are not worth a compressed copy. */
const smallestBytes = 1024;

/** Almost as small as at the highest quality, in a tenth of the time. */
const brotliQuality = 9;

const brotliOptions = (bytes: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
});

/** Writes a header without time and operating system, so that the bytes are the same everywhere. */
const gzipOptions = { level: 9 };

const compressors: Readonly<Record<Compression, (data: Uint8Array) => Promise<Uint8Array>>> = {
  br: (data) => promisify(brotliCompress)(data, brotliOptions(data.length)),
  gz: (data) => promisify(gzip)(data, gzipOptions),
};

/** Stream versions with the same result, for content of a known size. */
const streamCompressors: Readonly<Record<Compression, (bytes: number) => Transform>> = {
  br: (bytes) => createBrotliCompress(brotliOptions(bytes)),
  gz: () => createGzip(gzipOptions),
};

/**
 * An output that also writes compressed copies of its text files. `files()` does not list them: they are derived from the files, and their
 * bytes depend on the version of zlib. A file written in pieces is read again for copies that cannot be reused, so it is never completely
 * in memory.
 */
export function withCompressedCopies<T extends CompressibleOutput>(
  output: T,
  formats: readonly Compression[],
): T {
  if (formats.length === 0) return output;
  /** Copies that were reused before their file is written. */
  const early = new Set<string>();
  /** Reuses copies of the same content from the previous output; returns the missing ones. */
  const reuseCopies = (file: WrittenFile): readonly MissingCopy[] =>
    copiesOf(file, formats).filter(
      ({ path }) => !early.delete(path) && output.reuseDerived(path, file) === null,
    );
  const writeCopies = async (missing: readonly MissingCopy[], content: Uint8Array): Promise<void> => {
    await Promise.all(
      missing.map(async ({ path, format }) => output.write(path, await compressors[format](content))),
    );
  };
  const streamCopy = async ({ path, format }: MissingCopy, from: WrittenFile): Promise<void> => {
    const copy = await output.open(path);
    await pipeline(
      output.readStaged(from.path),
      streamCompressors[format](from.bytes),
      async (blocks: AsyncIterable<Uint8Array>) => {
        for await (const block of blocks) await copy.write(block);
      },
    );
    await copy.close();
  };
  return {
    ...output,
    async write(path: string, content: string | Uint8Array, sha256?: string): Promise<WrittenFile> {
      const written = await output.write(path, content, sha256);
      const missing = reuseCopies(written);
      if (missing.length > 0) await writeCopies(missing, asBytes(content));
      return written;
    },
    async open(path: string): Promise<OutputFile> {
      const file = await output.open(path);
      return {
        ...file,
        async close() {
          const written = await file.close();
          await Promise.all(reuseCopies(written).map((copy) => streamCopy(copy, written)));
          return written;
        },
      };
    },
    reuse(path: string, content: Omit<WrittenFile, 'path'>) {
      const file = { path, ...content };
      const missing = reuseCopies(file);
      const reused = missing.length > 0 ? null : output.reuse(path, content);
      // If not all copies of a file can be reused, the file is written again with its copies.
      if (reused === null) {
        for (const copy of copiesOf(file, formats)) early.add(copy.path);
        for (const copy of missing) early.delete(copy.path);
      }
      return reused;
    },
    async reuseAll(paths: readonly string[]) {
      const reused = await output.reuseAll(paths);
      for (const file of reused ?? []) for (const copy of reuseCopies(file)) await streamCopy(copy, file);
      return reused;
    },
    adopt(files: readonly WrittenFile[], reused: number) {
      const copies = new Set(files.flatMap((file) => copiesOf(file, formats).map(({ path }) => path)));
      return output.adopt(files, reused).filter(({ path }) => !copies.has(path));
    },
    files: () => ({ [Symbol.iterator]: () => withoutCopies(output.files(), formats) }),
  };
}

function copiesOf(
  { path, bytes }: Pick<WrittenFile, 'path' | 'bytes'>,
  formats: readonly Compression[],
): readonly MissingCopy[] {
  if (bytes < smallestBytes || !compressible.has(extname(path))) return [];
  return formats.map((format) => ({ path: `${path}.${format}`, format }));
}

/** Omits compressed copies. @param files sorted by path */
function* withoutCopies(
  files: Iterable<WrittenFile>,
  formats: readonly Compression[],
): Generator<WrittenFile> {
  /** Copies of the files whose paths are the start of the last path. Other files may be between a file and its copies. */
  let expected: readonly { readonly copies: readonly string[]; readonly of: string }[] = [];
  for (const file of files) {
    const { path } = file;
    expected = expected.filter(({ of }) => path.startsWith(of));
    if (expected.some(({ copies }) => copies.includes(path))) continue;
    const copies = copiesOf(file, formats).map((copy) => copy.path);
    if (copies.length > 0) expected = [...expected, { copies, of: path }];
    yield file;
  }
}

/** These paths and those of their compressed copies. */
export function* withCopyPaths(paths: Iterable<string>, formats: readonly Compression[]): Generator<string> {
  for (const path of paths) {
    yield path;
    for (const format of formats) yield `${path}.${format}`;
  }
}

/** The wrapped part of an output. */
type CompressibleOutput = Pick<
  Output,
  'write' | 'open' | 'reuse' | 'reuseDerived' | 'reuseAll' | 'adopt' | 'files' | 'readStaged'
>;

interface MissingCopy {
  readonly path: string;
  readonly format: Compression;
}

function asBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : content;
}
