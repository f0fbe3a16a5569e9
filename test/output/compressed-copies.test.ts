import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Compression, writeCompressedCopies } from '../../src/output/compressed-copies.ts';
import { openStaging, type Staging } from '../../src/output/staging.ts';
import { type RememberedOutputs, rememberOutputs } from './support/remember-outputs.ts';

let folder: string;
let remembered: RememberedOutputs;
const out = () => join(folder, 'dist');
const read = (path: string) => readFileSync(join(out(), path));
const inodeOf = (path: string) => statSync(join(out(), path)).ino;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-copies-'));
  remembered = rememberOutputs(out);
});
afterEach(() => rmSync(folder, { recursive: true }));

const text = 'The same line again.\n'.repeat(200);

/** A run; returns the paths of its files. */
async function run(
  write: (staging: Staging) => Promise<unknown>,
  formats: readonly Compression[],
): Promise<readonly string[]> {
  const staging = await openStaging(out(), remembered.readPublished);
  try {
    await staging.write('feed/manifest.json', '{}');
    await write(staging);
    await writeCompressedCopies(staging, formats);
    const paths = [...staging.files()].map(({ path }) => path);
    await remembered.commit(staging);
    return paths;
  } finally {
    await staging.discard();
  }
}

it('writes copies beside text files that are worth it', async () => {
  const write = async (staging: Staging) => {
    await staging.write('en/index.html', text);
    await staging.write('short.txt', 'short');
    await staging.write('picture.png', text);
    const file = await staging.open('feed/source.json');
    await file.write(text.slice(0, 50));
    await file.write(text.slice(50));
    await file.close();
  };
  expect(await run(write, ['br', 'gz'])).toEqual([
    'en/index.html',
    'en/index.html.br',
    'en/index.html.gz',
    'feed/manifest.json',
    'feed/source.json',
    'feed/source.json.br',
    'feed/source.json.gz',
    'picture.png',
    'short.txt',
  ]);
  expect(brotliDecompressSync(read('en/index.html.br')).toString()).toBe(text);
  expect(gunzipSync(read('feed/source.json.gz')).toString()).toBe(text);
});

it('writes none unless they are wanted', async () => {
  const paths = await run((staging) => staging.write('en/index.html', text), []);
  expect(paths).toEqual(['en/index.html', 'feed/manifest.json']);
});

it('takes the copies of a file that has not changed, and makes those that are missing', async () => {
  const write = (changed: string) => async (staging: Staging) => {
    await staging.write('same.html', text);
    await staging.write('changed.html', changed);
  };
  await run(write(text), ['br', 'gz']);
  const before = ['same.html.br', 'same.html.gz'].map(inodeOf);
  const gz = read('same.html.gz');
  rmSync(join(out(), 'same.html.gz'));
  await run(write(`${text}!`), ['br', 'gz']);
  expect(inodeOf('same.html.br')).toBe(before[0]);
  expect(read('same.html.gz')).toEqual(gz);
  expect(gunzipSync(read('changed.html.gz')).toString()).toBe(`${text}!`);
});

it('refuses a file at the path of a copy', async () => {
  const write = async (staging: Staging) => {
    await staging.write('en/index.html', text);
    await staging.write('en/index.html.gz', 'of the user');
  };
  await expect(run(write, ['gz'])).rejects.toMatchObject({ code: 'OUTPUT_CONFLICT' });
});
