import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeptFiles } from '../../src/output/foreign-files.ts';
import { openStaging } from '../../src/output/staging.ts';
import { readTree } from '../support/read-tree.ts';
import { type RememberedOutputs, rememberOutputs } from './support/remember-outputs.ts';

let parent: string;
let remembered: RememberedOutputs;
const out = () => join(parent, 'dist');
const spare = () => join(parent, '.dist.spare');

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'lectern-spare-'));
  remembered = rememberOutputs(out);
});
afterEach(() => rmSync(parent, { recursive: true }));

type Files = Readonly<Record<string, string>>;

/** Enough files that an edit changes less than half of them. */
const same: Files = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`en/${at}/index.html`, 'same']));

let builds = 0;

async function publish(files: Files, keep: readonly string[] = []): Promise<void> {
  const staging = await openStaging(out(), remembered.readPublished, { kept: createKeptFiles(keep) });
  builds += 1;
  await staging.write('feed/manifest.json', `{"build":${builds}}`);
  for (const [path, content] of Object.entries(files)) await staging.write(path, content);
  await remembered.commit(staging);
}

/** The output, without the manifest. */
async function published(): Promise<Files> {
  const files = Object.entries(Object.fromEntries(await readTree(out())));
  return Object.fromEntries(
    files.filter(([path]) => path !== 'feed/manifest.json').map(([path, content]) => [path, String(content)]),
  );
}

describe('the spare', () => {
  it('has the same files as the output, and no other', async () => {
    await publish({ ...same, 'en/old.html': 'old', 'en/edited.html': 'old' });
    expect(existsSync(spare())).toBe(false);
    await publish({ ...same, 'en/edited.html': 'new' });
    const files = [...(await readTree(spare())).keys()].map(String);
    expect(files.sort()).toEqual(Object.keys(same).sort());
    for (const path of files) {
      expect(statSync(join(spare(), path)).ino).toBe(statSync(join(out(), path)).ino);
    }
    expect(statSync(spare()).mode & 0o777).toBe(0o700);
    expect(statSync(out()).mode & 0o777).toBe(0o755);
  });

  it('becomes the next output', async () => {
    await publish(same);
    await publish(same);
    const folder = statSync(join(spare(), 'en/3')).ino;
    await publish({ ...same, 'en/4/index.html': 'edited' });
    expect(statSync(join(out(), 'en/3')).ino).toBe(folder);
    expect(await published()).toEqual({ ...same, 'en/4/index.html': 'edited' });
  });

  it.each<[what: string, change: () => void]>([
    ['has a file of somebody else', () => writeFileSync(join(spare(), 'en/own.html'), 'own')],
    ['has a folder of somebody else', () => mkdirSync(join(spare(), 'own'))],
    ['has another file instead of a published one', () => replace(join(spare(), 'en/3/index.html'))],
    ['lacks a file', () => rmSync(join(spare(), 'en/3/index.html'))],
    ['lacks a folder', () => rmSync(join(spare(), 'en/3'), { recursive: true })],
    ['was edited, and the output with it', () => appendFileSync(join(spare(), 'en/3/index.html'), '!')],
    ['has a folder instead of a file', () => replaceByFolder(join(spare(), 'en/3/index.html'))],
    ['has an empty folder instead of a file', () => replaceByEmptyFolder(join(spare(), 'en/3/index.html'))],
    [
      'is as before, but the output has an empty folder',
      () => replaceByEmptyFolder(join(out(), 'en/3/index.html')),
    ],
    ['is a file', () => replace(spare())],
    ['is gone', () => rmSync(spare(), { recursive: true })],
    ['is as before, but the output lacks a file', () => rmSync(join(out(), 'en/3/index.html'))],
    ['is as before, but a file of the output was replaced', () => replace(join(out(), 'en/3/index.html'))],
  ])('changes nothing about the output if it %s', async (_what, change) => {
    await publish(same);
    await publish(same);
    change();
    await publish({ ...same, 'en/new.html': 'new' });
    expect(await published()).toEqual({ ...same, 'en/new.html': 'new' });
    await publish(same);
    expect(await published()).toEqual(same);
    await publish(same);
    expect(await published()).toEqual(same);
  });

  it('is not used for another output', async () => {
    await publish(same);
    await publish(same);
    rmSync(out(), { recursive: true });
    await publish({ 'en/new.html': 'new' });
    expect(await published()).toEqual({ 'en/new.html': 'new' });
    expect(readdirSync(parent)).toEqual(['dist']);
  });

  it('gives way to files where it has folders, and the other way round', async () => {
    const before = { ...same, 'en/a/b/index.html': 'a', 'en/a/c.html': 'b', 'en/d': 'c' };
    await publish(before);
    await publish(before);
    const after = { 'en/a': 'a', 'en/d/e/index.html': 'b', ...same };
    await publish(after);
    expect(await published()).toEqual(after);
  });

  it('has no file of the user', async () => {
    const own = ['CNAME', 'own/**'];
    await publish(same);
    mkdirSync(join(out(), 'own/empty'), { recursive: true });
    writeFileSync(join(out(), 'CNAME'), 'help.example.com');
    await publish(same, own);
    expect(readdirSync(spare())).toEqual(['en']);
    writeFileSync(join(out(), 'CNAME'), 'docs.example.com');
    await publish(same, own);
    expect(await published()).toEqual({ ...same, CNAME: 'docs.example.com' });
    expect(readdirSync(join(out(), 'own'))).toEqual(['empty']);
  });

  it('is not left by a run that changed most files', async () => {
    await publish(same);
    await publish(same);
    await publish(Object.fromEntries(Object.keys(same).map((path) => [path, 'new'])));
    expect(readdirSync(parent)).toEqual(['dist']);
  });

  it('is removed by a failed run, and the output is unchanged', async () => {
    await publish(same);
    await publish(same);
    const staging = await openStaging(out(), remembered.readPublished);
    await staging.write('en/3/index.html', 'new');
    await staging.discard();
    expect(readdirSync(parent)).toEqual(['dist']);
    expect(await published()).toEqual(same);
  });

  it('makes room for files that other threads write', async () => {
    await publish(same);
    await publish(same);
    const staging = await openStaging(out(), remembered.readPublished);
    const path = 'en/3/index.html';
    expect([...staging.makeRoom([path, 'en/none.html']).keys()]).toEqual([path]);
    expect(existsSync(join(staging.workspace().folder, path))).toBe(false);
    expect(readFileSync(join(out(), path), 'utf8')).toBe('same');
    await staging.discard();
  });
});

/** Replaces a file or folder with another file of the same size and time. */
function replace(path: string): void {
  const aside = join(dirname(path), 'aside');
  writeFileSync(aside, 'Same');
  rmSync(path, { recursive: true });
  renameSync(aside, path);
}

function replaceByEmptyFolder(path: string): void {
  rmSync(path);
  mkdirSync(join(path, 'inside'), { recursive: true });
}

function replaceByFolder(path: string): void {
  rmSync(path);
  mkdirSync(path);
  writeFileSync(join(path, 'own'), 'own');
}
