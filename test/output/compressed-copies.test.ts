import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { withCompressedCopies } from '../../src/output/compressed-copies.ts';
import type { Output } from '../../src/output/output.ts';
import { openStaging, type Staging } from '../../src/output/staging.ts';

function memoryOutput(files: Map<string, Buffer>): Output & Pick<Staging, 'readStaged'> {
  const write = async (path: string, content: string | Uint8Array) => {
    const bytes = Buffer.from(content);
    files.set(path, bytes);
    return { path, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length };
  };
  return {
    write,
    async open(path) {
      const pieces: Buffer[] = [];
      return {
        write: async (piece) => {
          pieces.push(Buffer.from(piece as string | Uint8Array));
        },
        copy: async () => {},
        position: () => Buffer.concat(pieces).length,
        close: () => write(path, Buffer.concat(pieces)),
      };
    },
    has: (path) => files.has(path),
    files: () =>
      [...files]
        .map(([path, bytes]) => ({ path, sha256: '', bytes: bytes.length }))
        .sort((a, b) => (a.path < b.path ? -1 : 1)),
    reuse: () => null,
    reuseDerived: () => null,
    reuseAll: async () => null,
    adopt: (adopted) => adopted,
    readPrevious: async () => null,
    readStaged: (path) => Readable.from([files.get(path)]),
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
  expect([...output.files()].map(({ path }) => path)).toEqual([
    'en/index.html',
    'feed/source.json',
    'picture.png',
    'short.txt',
  ]);
});

it('lists files that look like copies, but are not', async () => {
  const output = withCompressedCopies(memoryOutput(new Map()), ['br']);
  const paths = [
    'a.html',
    'a.html-b/c.html',
    'a.html.a.css',
    'a.html.gz',
    'only.html.br',
    'short.html',
    'short.html.br',
  ];
  for (const path of paths) await output.write(path, path.startsWith('short') ? 'short' : text);
  expect([...output.files()].map(({ path }) => path)).toEqual(paths);
});

it('does not change an output without formats', () => {
  const output = memoryOutput(new Map());
  expect(withCompressedCopies(output, [])).toBe(output);
});

it('gives a file of many pieces the copies it would have whole', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-copies-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const lines = Array.from({ length: 40_000 }, (_, line) => `{"id":${line * line},"text":"${line ** 3}"}\n`);
  const staging = await openStaging(join(folder, 'dist'));
  const output = withCompressedCopies(staging, ['br', 'gz']);
  await output.write('whole.jsonl', lines.join(''));
  const pieces = await output.open('pieces.jsonl');
  for (const line of lines) await pieces.write(line);
  const written = await pieces.close();
  await output.write('feed/manifest.json', '{}');
  await staging.commit();
  const read = (name: string) => readFile(join(folder, 'dist', name));
  for (const format of ['br', 'gz']) {
    expect((await read(`pieces.jsonl.${format}`)).equals(await read(`whole.jsonl.${format}`))).toBe(true);
  }
  expect(gunzipSync(await read('pieces.jsonl.gz')).length).toBe(written.bytes);
});
