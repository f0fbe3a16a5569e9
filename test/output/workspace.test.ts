import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Compression, withCompressedCopies } from '../../src/output/compressed-copies.ts';
import { openStaging, openWorkspace, type Staging, type WorkspaceOutput } from '../../src/output/staging.ts';
import { type RememberedOutputs, rememberOutputs } from './support/remember-outputs.ts';

let folder: string;
const out = () => join(folder, 'dist');
const inOut = (path: string) => join(out(), path);
let remembered: RememberedOutputs;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-workspace-'));
  remembered = rememberOutputs(out);
});
afterEach(() => rmSync(folder, { recursive: true }));

const page = 'en/index.html';
const text = 'The same line again.\n'.repeat(200);

/** The workspace as another thread gets it: a copy of plain data. */
function openThread(
  staging: Staging,
  paths: readonly string[],
  compress: readonly Compression[],
): WorkspaceOutput {
  const { workspace, files } = structuredClone({
    workspace: staging.workspace(),
    files: staging.makeRoom(paths),
  });
  return openWorkspace(workspace, files, compress);
}

interface Build {
  readonly builtAt?: string;
  readonly compress?: readonly Compression[];
}

/** A build whose files but the manifest are written by another thread; returns what that thread reported. */
async function build(files: Readonly<Record<string, string>>, { builtAt = '1', compress = [] }: Build = {}) {
  const staging = await openStaging(out(), remembered.readPublished);
  const output = withCompressedCopies(staging, compress);
  const thread = openThread(staging, Object.keys(files), compress);
  for (const [path, content] of Object.entries(files)) await thread.write(path, content);
  const finished = thread.finish();
  output.adopt(finished.files, finished.reusedFiles);
  await staging.write('feed/manifest.json', `{"built_at":${builtAt}}`);
  const listed = [...output.files()].map(({ path }) => path);
  await remembered.commit(staging);
  return { ...finished, listed };
}

describe('files that another thread writes', () => {
  it('are published with those of this one', async () => {
    const { files, reusedFiles, listed } = await build({ [page]: text, 'de/größe.txt': 'Größe' });
    expect(readFileSync(inOut(page), 'utf8')).toBe(text);
    expect(readFileSync(inOut('de/größe.txt'), 'utf8')).toBe('Größe');
    expect([files.map(({ path }) => path), reusedFiles]).toEqual([['de/größe.txt', page], 0]);
    expect(listed).toEqual(['de/größe.txt', page, 'feed/manifest.json']);
  });

  it('are those of the previous output if they are equal', async () => {
    await build({ [page]: text, 'a.txt': '1' });
    const inode = statSync(inOut(page)).ino;
    const { reusedFiles } = await build({ [page]: text, 'a.txt': '2' }, { builtAt: '2' });
    expect(reusedFiles).toBe(1);
    expect(statSync(inOut(page)).ino).toBe(inode);
    expect(readFileSync(inOut('a.txt'), 'utf8')).toBe('2');
  });

  it('are not read if they are known to be unchanged since the last build', async () => {
    await build({ [page]: text });
    utimesSync(inOut(page), 1000, 1000);
    await build({ [page]: text });
    // Somebody who reads the file finds other content.
    writeFileSync(inOut(page), text.replace('T', 'X'));
    utimesSync(inOut(page), 1000, 1000);
    expect((await build({ [page]: text })).reusedFiles).toBe(1);
    expect(readFileSync(inOut(page), 'utf8')).toContain('Xhe same');
  });

  it('cannot be outside of the output', async () => {
    const staging = await openStaging(out(), remembered.readPublished);
    const thread = openThread(staging, [], []);
    await expect(thread.write('../x', 'x')).rejects.toMatchObject({ code: 'OUTPUT_PATH_INVALID' });
    await staging.discard();
  });
});

describe('two files of one path', () => {
  const conflict = { code: 'OUTPUT_CONFLICT' };

  it('are refused when this thread and another one write them', async () => {
    const staging = await openStaging(out(), remembered.readPublished);
    await staging.write('a.txt', '1');
    expect(() => staging.adopt([{ path: 'a.txt', sha256: '', bytes: 1 }], 0)).toThrow(
      expect.objectContaining(conflict),
    );
    staging.adopt([{ path: 'b.txt', sha256: '', bytes: 1 }], 0);
    await expect(staging.write('b.txt', '2')).rejects.toMatchObject(conflict);
    await staging.discard();
  });

  it('are refused when two threads write them', async () => {
    const staging = await openStaging(out(), remembered.readPublished);
    const publish = async (content: string) => {
      const thread = openThread(staging, ['new.txt'], []);
      await thread.write('new.txt', content);
      const { files, reusedFiles } = thread.finish();
      staging.adopt(files, reusedFiles);
    };
    await publish('1');
    await expect(publish('2')).rejects.toMatchObject(conflict);
    await staging.discard();
  });
});

describe('compressed copies of files that another thread writes', () => {
  const compress = ['br', 'gz'] as const;

  it('are published and not listed', async () => {
    const { files, listed } = await build({ [page]: text }, { compress });
    expect(files.map(({ path }) => path)).toEqual([page, `${page}.br`, `${page}.gz`]);
    expect(listed).toEqual([page, 'feed/manifest.json']);
    expect(brotliDecompressSync(readFileSync(inOut(`${page}.br`))).toString()).toBe(text);
  });

  it('are kept with the file', async () => {
    await build({ [page]: text }, { compress });
    const inodes = () => [page, `${page}.br`, `${page}.gz`].map((path) => statSync(inOut(path)).ino);
    const before = inodes();
    const staging = await openStaging(out(), remembered.readPublished);
    const thread = openThread(staging, [page, `${page}.br`, `${page}.gz`], compress);
    await thread.write(page, text);
    const { files, reusedFiles } = thread.finish();
    expect(reusedFiles).toBe(3);
    withCompressedCopies(staging, compress).adopt(files, reusedFiles);
    await staging.write('feed/manifest.json', '{}');
    await remembered.commit(staging);
    expect(inodes()).toEqual(before);
  });
});
