import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Output, OutputFile, WrittenFile } from './output.ts';

/** Ending of a compressed copy: `index.html.br`. */
export type Compression = 'br' | 'gz';

/** Text files; pictures and archives are compressed already. */
const compressible = new Set(
  '.html .css .js .mjs .json .jsonl .xml .svg .txt .md .atom .webmanifest .ico'.split(' '),
);

/** Below this a compressed copy saves nothing worth a file. */
const smallestBytes = 1024;

/** Nearly the size of the highest quality, at a tenth of its time. */
const brotliQuality = 9;

const compressors: Readonly<Record<Compression, (data: Uint8Array) => Promise<Uint8Array>>> = {
  br: (data) =>
    promisify(brotliCompress)(data, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
      },
    }),
  // Header without time and system: the same bytes everywhere.
  gz: (data) => promisify(gzip)(data, { level: 9 }),
};

/**
 * An output that writes compressed copies beside its text files. `files()` keeps silent about them: they follow from
 * the files, and their bytes depend on the version of zlib.
 */
export function withCompressedCopies<T extends Output>(output: T, formats: readonly Compression[]): T {
  if (formats.length === 0) return output;
  const copies = new Set<string>();
  const writeCopies = async (path: string, content: Uint8Array): Promise<void> => {
    if (content.length < smallestBytes || !compressible.has(extname(path))) return;
    await Promise.all(
      formats.map(async (format) => {
        const copy = `${path}.${format}`;
        copies.add(copy);
        await output.write(copy, await compressors[format](content));
      }),
    );
  };
  return {
    ...output,
    async write(path: string, content: string | Uint8Array): Promise<WrittenFile> {
      const written = await output.write(path, content);
      await writeCopies(path, typeof content === 'string' ? Buffer.from(content) : content);
      return written;
    },
    async open(path: string): Promise<OutputFile> {
      const file = await output.open(path);
      const pieces: Buffer[] = [];
      return {
        async write(piece) {
          pieces.push(Buffer.from(piece));
          await file.write(piece);
        },
        async close() {
          await file.close();
          await writeCopies(path, Buffer.concat(pieces));
        },
      };
    },
    files: () => output.files().filter(({ path }) => !copies.has(path)),
  };
}
