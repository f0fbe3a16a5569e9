import {
  existsSync,
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
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { hashFile } from '../../src/core/file-system.ts';
import type { PublishedFile } from '../../src/output/output.ts';
import { openStaging } from '../../src/output/staging.ts';

/** So many that the replaced output is kept as the spare. */
const pages = Array.from({ length: 2_050 }, (_, at) => `en/${at % 50}/page-${at}.html`);
const parent = mkdtempSync(join(tmpdir(), 'lectern-spare-'));
const out = join(parent, 'dist');
const spare = join(parent, '.dist.spare');
afterAll(() => rmSync(parent, { recursive: true }));

let last: { readonly files: readonly PublishedFile[]; readonly finishedMs: number } | null = null;

/** Publishes some texts beside the pages of the last output, without those at some paths. */
async function publish(texts: Readonly<Record<string, string>>, without: readonly string[] = []) {
  const before = last === null ? null : new Map(last.files.map((file) => [file.path, file]));
  const staging = await openStaging(out, () =>
    before === null || last === null ? null : { files: before, finishedMs: last.finishedMs },
  );
  let files: readonly PublishedFile[] = [];
  const all = { 'feed/manifest.json': '{}', ...texts };
  for (const [path, text] of Object.entries(all)) await staging.write(path, text);
  for (const path of [...(before?.keys() ?? pages)]) {
    if (path in all || without.includes(path)) continue;
    if ((await staging.reuseAll([path])) === null) await staging.write(path, `text of ${path}`);
  }
  const finishedMs = await staging.commit((published) => {
    files = published;
  });
  last = { files, finishedMs };
}

const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

/** Every file of the output is what its run published, and there are no others. */
function expectWhole(...added: readonly string[]): void {
  const published = last?.files ?? [];
  expect(listFiles(out)).toEqual([...published.map(({ path }) => path), ...added].sort());
  for (const { path, sha256 } of published) expect(hashFile(join(out, path))).toBe(sha256);
}

beforeEach(async () => {
  if (last === null) await publish({ 'en/first.html': 'first' });
});

describe('the spare of a large output', () => {
  it('is linked to the output, so that unchanged files stay the same and what was withdrawn is on the disk no more', async () => {
    const { ino } = statSync(join(out, 'en/7/page-7.html'));
    await publish({ 'en/first.html': 'edited', 'en/new/deep/page.html': 'new' }, ['en/8/page-8.html']);
    expectWhole();
    expect(listFiles(spare)).toEqual(['.gitignore', ...listFiles(out)]);
    expect(readFileSync(join(spare, 'en/first.html'), 'utf8')).toBe('edited');
    await publish({ 'en/first.html': 'again' }, ['en/new/deep/page.html']);
    expectWhole();
    expect(existsSync(join(out, 'en/new'))).toBe(false);
    expect(existsSync(join(spare, 'en/new'))).toBe(false);
    expect(statSync(join(out, 'en/7/page-7.html')).ino).toBe(ino);
    expect(statSync(join(spare, 'en/7/page-7.html')).ino).toBe(ino);
  });

  it('publishes nothing that is not in the output, whatever was done to it', async () => {
    rmSync(join(spare, 'en/1'), { recursive: true });
    rmSync(join(spare, 'en/2/page-2.html'));
    writeFileSync(join(spare, 'en/2/page-2.html'), 'text of en/2/page-2.htmL');
    writeFileSync(join(spare, 'en/secret.html'), 'secret');
    mkdirSync(join(spare, 'empty/folder'), { recursive: true });
    await publish({ 'en/first.html': 'after' });
    expectWhole();
    expect(existsSync(join(out, 'empty'))).toBe(false);
  });

  it('gives way to files where it has folders, and to folders where it has files', async () => {
    await publish({ 'odd/a': 'a file', 'odd/b/c': 'a file in a folder' });
    await publish({ 'odd/a/b': 'now a folder', 'odd/b': 'now a file' }, ['odd/a', 'odd/b/c']);
    expectWhole();
    await publish({}, ['odd/a/b', 'odd/b']);
    expectWhole();
  });

  it('frees the paths that another thread writes', async () => {
    const staging = await openStaging(out);
    const path = 'en/3/page-3.html';
    const { folder } = staging.workspace();
    expect(existsSync(join(folder, path))).toBe(true);
    staging.handOver([path]);
    expect(existsSync(join(folder, path))).toBe(false);
    await staging.discard();
    expect(existsSync(spare)).toBe(false);
  });

  it('has no repository', async () => {
    mkdirSync(join(out, '.git'));
    writeFileSync(join(out, '.git/HEAD'), 'main');
    await publish({ 'en/first.html': 'in a repository' });
    expectWhole('.git/HEAD');
    await publish({ 'en/first.html': 'and again' });
    expectWhole('.git/HEAD');
    expect(existsSync(join(spare, '.git'))).toBe(false);
  });

  it('goes with the output', async () => {
    rmSync(out, { recursive: true });
    await (await openStaging(out)).discard();
    expect(readdirSync(parent)).toEqual([]);
  });
});
