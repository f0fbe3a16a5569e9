import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { withCompressedCopies } from '../../src/output/compressed-copies.ts';
import type { Output } from '../../src/output/output.ts';

function memoryOutput(files: Map<string, Buffer>): Output {
  const write = async (path: string, content: string | Uint8Array) => {
    const bytes = Buffer.from(content);
    files.set(path, bytes);
    return { path, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length };
  };
  return {
    write,
    async open(path) {
      let text = '';
      return {
        write: async (piece) => {
          text += Buffer.from(piece).toString();
        },
        close: () => write(path, text),
      };
    },
    files: () => [...files].map(([path, bytes]) => ({ path, sha256: '', bytes: bytes.length })),
    keep: () => null,
    keepDerived: () => null,
    readPrevious: async () => null,
  };
}

const text = 'The same line again.\n'.repeat(200);

it('writes copies beside text files that are worth it, and keeps silent about them', async () => {
  const files = new Map<string, Buffer>();
  const output = withCompressedCopies(memoryOutput(files), ['br', 'gz']);
  await output.write('en/index.html', text);
  await output.write('short.txt', 'short');
  await output.write('picture.png', text);
  const stream = await output.open('feed/source.json');
  await stream.write(text.slice(0, 50));
  await stream.write(text.slice(50));
  await stream.close();
  expect([...files.keys()].sort()).toEqual([
    'en/index.html',
    'en/index.html.br',
    'en/index.html.gz',
    'feed/source.json',
    'feed/source.json.br',
    'feed/source.json.gz',
    'picture.png',
    'short.txt',
  ]);
  expect(brotliDecompressSync(files.get('en/index.html.br') ?? '').toString()).toBe(text);
  expect(gunzipSync(files.get('feed/source.json.gz') ?? '').toString()).toBe(text);
  expect(
    output
      .files()
      .map(({ path }) => path)
      .sort(),
  ).toEqual(['en/index.html', 'feed/source.json', 'picture.png', 'short.txt']);
});

it('leaves an output without formats as it is', () => {
  const output = memoryOutput(new Map());
  expect(withCompressedCopies(output, [])).toBe(output);
});
