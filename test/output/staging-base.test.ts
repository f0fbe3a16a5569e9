import { hash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileListPath, writeFileList } from '../../src/output/file-list.ts';
import { createKeptFiles } from '../../src/output/foreign-files.ts';
import { openStaging, type Staging } from '../../src/output/staging.ts';
import { fc } from '../support/properties.ts';
import { rememberOutputs } from './support/remember-outputs.ts';

let folder: string;
const out = () => join(folder, 'dist');
const base = () => join(folder, 'cache/staging-base');
const remembered = () => rememberOutputs(out(), join(folder, 'cache'));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-base-'));
  mkdirSync(join(folder, 'cache'));
});
afterEach(() => rmSync(folder, { recursive: true }));

type Files = Readonly<Record<string, string>>;

/** Ten pages that never change, so that most files are the same in any two runs. */
const steady: Files = Object.fromEntries(
  Array.from({ length: 10 }, (_none, at) => [`steady/${at}/index.html`, `page ${at}`]),
);

async function stage(files: Files, kept: readonly string[] = []): Promise<Staging> {
  const staging = await openStaging(out(), remembered().readHistory, { kept: createKeptFiles(kept) });
  await staging.write('feed/manifest.json', JSON.stringify(files));
  for (const [path, content] of Object.entries({ ...steady, ...files })) await staging.write(path, content);
  await writeFileList(staging);
  return staging;
}

async function run(files: Files, kept: readonly string[] = []): Promise<void> {
  const staging = await stage(files, kept);
  await remembered().commit(staging).finally(staging.discard);
}

/** Every file below a folder, with its content. */
function read(root: string): Files {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  const files = paths.filter((path) => path !== fileListPath && lstatSync(join(root, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Every folder below a folder that nothing is in. */
function emptyFolders(root: string): readonly string[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return paths.filter(
    (path) => lstatSync(join(root, path)).isDirectory() && readdirSync(join(root, path)).length === 0,
  );
}

const published = (files: Files) => ({ 'feed/manifest.json': JSON.stringify(files), ...steady, ...files });
const inodeOf = (path: string) => statSync(path).ino;

describe('the tree of the run before the last one', () => {
  it('becomes the staging folder of the next one, so that unchanged pages are not touched', async () => {
    await run({ a: '1' });
    const folderInode = inodeOf(join(out(), 'steady/0'));
    const fileInode = inodeOf(join(out(), 'steady/0/index.html'));
    await run({ a: '2' });
    expect(inodeOf(join(out(), 'steady/0'))).not.toBe(folderInode);
    expect(inodeOf(join(base(), 'steady/0'))).toBe(folderInode);
    await run({ a: '3' });
    expect(inodeOf(join(out(), 'steady/0'))).toBe(folderInode);
    expect(inodeOf(join(out(), 'steady/0/index.html'))).toBe(fileInode);
    expect(read(out())).toEqual(published({ a: '3' }));
  });

  it('contains only its marker and files that are also in the output', async () => {
    for (const a of ['1', '2', '3']) {
      await run({ a, 'b/c': a, same: 'x' });
      if (a === '1') continue;
      const { 'feed/manifest.json': _marker, ...files } = read(base());
      expect(Object.keys(files)).toHaveLength(11);
      for (const path of Object.keys(files))
        expect(inodeOf(join(base(), path))).toBe(inodeOf(join(out(), path)));
    }
  });

  it('leaves nothing next to the output', async () => {
    for (const a of ['1', '2', '3']) await run({ a });
    expect(readdirSync(folder).sort()).toEqual(['cache', 'dist']);
  });

  it('grows without a change to the published output', async () => {
    for (const a of ['1', '2']) await run({ a, 'b/c': a, same: 'x' });
    const before = read(out());
    const staging = await stage({ a: '3', b: '3', same: 'x' });
    expect(read(out())).toEqual(before);
    await staging.discard();
    expect(read(out())).toEqual(before);
  });

  it('leaves no empty folder of a page that changed before it was removed', async () => {
    await run({ 'old/page/index.html': '1' });
    await run({ 'old/page/index.html': '2' });
    await run({ 'new/page/index.html': '2' });
    expect(read(out())).toEqual(published({ 'new/page/index.html': '2' }));
    expect(emptyFolders(out())).toEqual([]);
  });

  it('does not take a file of the user for the page that was there in that run', async () => {
    const kept = ['own.txt', 'own'];
    await run({ 'own.txt': 'page', 'own/a/b': 'page' });
    await run({ x: '2' });
    writeFileSync(join(out(), 'own.txt'), 'of the user');
    mkdirSync(join(out(), 'own/a'), { recursive: true });
    await run({ x: '3' }, kept);
    expect(read(out())).toEqual({ ...published({ x: '3' }), 'own.txt': 'of the user' });
    expect(emptyFolders(out())).toEqual(['own/a']);
  });

  it('refuses a file that makes way for another, as an empty folder does', async () => {
    for (const a of ['1', '2']) await run({ a });
    const before = read(out());
    const staging = await stage({ 'steady/0/index.html/more': 'x' });
    await expect(remembered().commit(staging)).rejects.toMatchObject({ code: 'OUTPUT_CONFLICT' });
    await staging.discard();
    expect(read(out())).toEqual(before);
  });

  it('gives every output exactly its files, whatever came and went before', {
    tags: 'property',
  }, async () => {
    const anyFiles = fc.dictionary(fc.constantFrom('a', 'b/c', 'b/d/e', 'f'), fc.constantFrom('1', '2', '3'));
    const others = fc.constantFrom<Files>({}, { b: 'a file where a folder was' }, { 'a/x': 'a folder, too' });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(anyFiles, others), { minLength: 2, maxLength: 6 }),
        async (sequence) => {
          rmSync(out(), { recursive: true, force: true });
          for (const files of sequence) {
            await run(files);
            expect(read(out())).toEqual(published(files));
            expect(emptyFolders(out())).toEqual([]);
          }
        },
      ),
    );
  });

  it.each<[string, () => void]>([
    ['a file is added to', () => writeFileSync(join(base(), 'steady/stranger'), 'x')],
    ['a folder is added to', () => mkdirSync(join(base(), 'strange/folder'), { recursive: true })],
    ['a file is missing from', () => rmSync(join(base(), 'steady/3'), { recursive: true })],
    [
      'a file is another in',
      () => {
        rmSync(join(base(), 'steady/3/index.html'));
        writeFileSync(join(base(), 'steady/3/index.html'), 'page X');
      },
    ],
    ['everything is missing from', () => rmSync(base(), { recursive: true })],
    [
      'a file takes the place of',
      () => {
        rmSync(base(), { recursive: true });
        writeFileSync(base(), 'x');
      },
    ],
  ])('is repaired where %s it', async (_what, tamper) => {
    for (const a of ['1', '2']) await run({ a });
    tamper();
    for (const a of ['3', '4', '5']) {
      await run({ a });
      expect(read(out())).toEqual(published({ a }));
    }
  });

  it('never provides a file that was edited in the output through a hard link', async () => {
    for (const a of ['1', '2']) await run({ a });
    writeFileSync(join(out(), 'steady/3/index.html'), 'page 3, edited');
    await run({ a: '3' });
    expect(read(out())).toEqual(published({ a: '3' }));
  });

  it('is not kept if little of it is unchanged', async () => {
    await run({ a: '1' });
    await run(Object.fromEntries(Array.from({ length: 30 }, (_none, at) => [`new/${at}`, 'x'])));
    expect(readdirSync(join(folder, 'cache'))).toEqual(['builds']);
  });

  it('goes with a run that is given up', async () => {
    for (const a of ['1', '2']) await run({ a });
    await (await stage({ a: '3' })).discard();
    expect(readdirSync(join(folder, 'cache'))).toEqual(['builds']);
    await run({ a: '3' });
    expect(read(out())).toEqual(published({ a: '3' }));
  });

  it('stays with a run that has nothing to write', async () => {
    for (const a of ['1', '2']) await run({ a });
    await (await openStaging(out(), remembered().readHistory)).discard();
    expect(readdirSync(join(folder, 'cache')).sort()).toEqual(['builds', 'staging-base']);
  });
});

describe('an output of more files than are in memory', () => {
  /** Three runs of the table of files. */
  const numbers = Array.from({ length: 4200 }, (_none, at) => (at * 1009) % 4200);
  const pagesOf = (number: number) => [
    `en/${number}/index.html`,
    `en/${number}/index.md`,
    `en-${number}.txt`,
  ];
  const paths = numbers.flatMap(pagesOf);

  async function write(staging: Staging, wanted: readonly string[], contentOf: (path: string) => string) {
    for (const path of wanted) await staging.write(path, contentOf(path));
    await staging.write('feed/manifest.json', hash('sha256', wanted.map(contentOf).join()));
    await writeFileList(staging);
  }

  it('is listed in order, reused, and rid of pages that are gone', async () => {
    const first = await openStaging(out(), remembered().readHistory);
    await write(first, paths, (path) => path);
    expect(Array.from(first.files(), ({ path }) => path)).toEqual(
      [...paths, 'feed/manifest.json', fileListPath].sort(),
    );
    await remembered().commit(first).finally(first.discard);
    const inode = (path: string) => lstatSync(join(out(), path)).ino;
    const isGone = (path: string) => path.includes('9/');
    const rest = paths.filter((path) => !isGone(path)).reverse();
    const changed = rest.find((path) => path.endsWith('.md')) as string;
    const kept = rest.filter((path) => path !== changed);
    const inodes = kept.map(inode);
    for (let times = 0; times < 2; times += 1) {
      const next = await openStaging(out(), remembered().readHistory);
      await write(next, rest, (path) => (path === changed ? `changed ${times}` : path));
      await remembered().commit(next).finally(next.discard);
      expect(kept.map(inode)).toEqual(inodes);
      expect(readFileSync(join(out(), changed), 'utf8')).toBe(`changed ${times}`);
      expect(paths.filter((path) => existsSync(join(out(), path)))).toEqual(
        paths.filter((path) => !isGone(path)),
      );
      expect(emptyFolders(out())).toEqual([]);
    }
    expect(Array.from(remembered().readHistory().last?.paths() ?? [])).toEqual(
      [...rest, 'feed/manifest.json', fileListPath].sort(),
    );
    expect(readdirSync(base()).length).toBeGreaterThan(1000);
  });

  it('has no two files of one path, and no file with the path of a folder', async () => {
    const staging = await openStaging(out(), remembered().readHistory);
    const written = await Promise.all(paths.map((path) => staging.write(path, path)));
    for (const path of [paths[0], paths.at(-1)] as string[]) {
      await expect(staging.write(path, '')).rejects.toMatchObject({ code: 'OUTPUT_CONFLICT' });
      expect(() => staging.adopt(written.slice(0, 1), 0)).toThrow('two files have the path');
    }
    staging.adopt([{ path: 'en/7', sha256: hash('sha256', ''), bytes: 0 }], 0);
    await staging.write('feed/manifest.json', '');
    await expect(staging.commit(() => {})).rejects.toMatchObject({
      code: 'OUTPUT_CONFLICT',
      message: 'en/7 would be both a file and a folder',
    });
    await staging.discard();
  });
});
