import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStaging, openWorkspace, type Staging, type WorkspaceOutput } from '../../src/output/staging.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type RememberedOutputs, rememberOutputs } from './support/remember-outputs.ts';

let folder: string;
const out = () => join(folder, 'dist');
const inOut = (path: string) => join(out(), path);
let remembered: RememberedOutputs;

beforeEach(() => {
  folder = temporaryFolder();
  remembered = rememberOutputs(out);
});

const page = 'en/index.html';
const text = 'The same line again.\n'.repeat(200);

/** The workspace as another thread gets it: a copy of plain data. */
function openThread(staging: Staging, paths: readonly string[]): WorkspaceOutput {
  const { workspace, files } = structuredClone({
    workspace: staging.workspace(),
    files: staging.findUnchanged(paths),
  });
  return openWorkspace(workspace, files);
}

/** A build whose files but the manifest are written by another thread; returns the paths that it reported. */
async function build(files: Readonly<Record<string, string>>, builtAt = '1') {
  const staging = await openStaging(out(), remembered.readPublished);
  const thread = openThread(staging, Object.keys(files));
  for (const [path, content] of Object.entries(files)) thread.write(path, content);
  staging.adopt([...thread.files()]);
  await staging.write('feed/manifest.json', `{"built_at":${builtAt}}`);
  await remembered.commit(staging);
  return [...thread.files()].map(({ path }) => path);
}

describe('files that another thread writes', () => {
  it('are published with those of this one', async () => {
    const paths = await build({ [page]: text, 'de/größe.txt': 'Größe' });
    expect(readFileSync(inOut(page), 'utf8')).toBe(text);
    expect(readFileSync(inOut('de/größe.txt'), 'utf8')).toBe('Größe');
    expect(paths).toEqual(['de/größe.txt', page]);
  });

  it('are those of the previous output if they are equal', async () => {
    await build({ [page]: text, 'a.txt': '1' });
    const inode = statSync(inOut(page)).ino;
    await build({ [page]: text, 'a.txt': '2' }, '2');
    expect(statSync(inOut(page)).ino).toBe(inode);
    expect(readFileSync(inOut('a.txt'), 'utf8')).toBe('2');
  });

  it('cannot be outside of the output', async () => {
    const staging = await openStaging(out(), remembered.readPublished);
    const thread = openThread(staging, []);
    expect(() => thread.write('../x', 'x')).toThrow(expect.objectContaining({ code: 'SITE_FILE_MISSING' }));
    await staging.discard();
  });
});

describe('two files of one path', () => {
  const conflict = { code: 'OUTPUT_CONFLICT' };

  it('are refused when this thread and another one write them', async () => {
    const staging = await openStaging(out(), remembered.readPublished);
    await staging.write('a.txt', '1');
    expect(() => staging.adopt([{ path: 'a.txt', sha256: '', bytes: 1 }])).toThrow(
      expect.objectContaining(conflict),
    );
    staging.adopt([{ path: 'b.txt', sha256: '', bytes: 1 }]);
    await expect(staging.write('b.txt', '2')).rejects.toMatchObject(conflict);
    await staging.discard();
  });

  it('are refused when two threads write them', async () => {
    const staging = await openStaging(out(), remembered.readPublished);
    const publish = async (content: string) => {
      const thread = openThread(staging, ['new.txt']);
      thread.write('new.txt', content);
      staging.adopt([...thread.files()]);
    };
    await publish('1');
    await expect(publish('2')).rejects.toMatchObject(conflict);
    await staging.discard();
  });
});
