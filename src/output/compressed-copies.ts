import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { inParallel } from '../core/concurrency.ts';
import type { Output } from './output.ts';

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

/** Level 9. Node writes a header without time and operating system, so that the bytes are the same everywhere. */
const compressors: Readonly<Record<Compression, (data: Uint8Array) => Promise<Uint8Array>>> = {
  br: (data) => promisify(brotliCompress)(data, brotliOptions(data.length)),
  gz: (data) => promisify(gzip)(data, { level: 9 }),
};

/** Number of files that are compressed at once: Node compresses in four threads. */
const filesAtOnce = 4;

/**
 * Writes compressed copies of the text files that are staged. Those of a file that is the same in the previous output are taken from there,
 * because their bytes depend on the version of zlib.
 */
export async function writeCompressedCopies(
  output: Pick<Output, 'files' | 'reuseDerived' | 'readStaged' | 'write'>,
  formats: readonly Compression[],
): Promise<void> {
  if (formats.length === 0) return;
  await inParallel([...output.files()], filesAtOnce, async (file) => {
    if (file.bytes < smallestBytes || !compressible.has(extname(file.path))) return;
    const copyPath = (format: Compression): string => `${file.path}.${format}`;
    const missing = formats.filter((format) => output.reuseDerived(copyPath(format), file) === null);
    if (missing.length === 0) return;
    const content = await buffer(output.readStaged(file.path));
    for (const format of missing) await output.write(copyPath(format), await compressors[format](content));
  });
}
