import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileListPath, formatFileList, isFileList, readFileList } from '../../src/output/file-list.ts';
import { createKeptFiles } from '../../src/output/foreign-files.ts';
import { stepOf, writeUploadPlan } from '../../src/output/upload-plan.ts';

type Files = Readonly<Record<string, string>>;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-upload-plan-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = (name: string) => join(folder, name);
const hashOf = (text: string) => text.padEnd(64, '0');

/** Writes files into `dist`, and their list; the text of a file is used as its hash. */
function writeOutput(files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(path(`dist/${name}`)), { recursive: true });
    writeFileSync(path(`dist/${name}`), text);
  }
  writeList('dist', files);
}

function writeList(name: string, files: Files): void {
  mkdirSync(path(name), { recursive: true });
  const listed = Object.keys(files)
    .sort()
    .map((file) => ({ path: file, sha256: hashOf(files[file] as string) }));
  writeFileSync(path(`${name}/${fileListPath}`), [...formatFileList(listed)].join(''));
}

/** Plans an upload; gives the paths of each step. */
function plan({ link = false, keep = [] as string[] } = {}) {
  rmSync(path('plan'), { recursive: true, force: true });
  mkdirSync(path('plan'));
  const result = writeUploadPlan(path('plan'), {
    output: path('dist'),
    targetList: path(`target/${fileListPath}`),
    kept: createKeptFiles(keep),
    link,
  });
  const lists = Object.keys(result.steps).map((step) => [step, linesOf(`plan/${step}.txt`)] as const);
  return { ...result, lists: Object.fromEntries(lists.filter(([, lines]) => lines.length > 0)) };
}

const linesOf = (name: string) => readFileSync(path(name), 'utf8').split('\n').slice(0, -1);
const begin = () => path(`plan/0-begin/${fileListPath}`);

describe('a plan of an upload', () => {
  it('lists new files, then changed files, the manifest, and deleted files', () => {
    writeOutput({
      'assets/new.css': '1',
      'en/new/index.html': '2',
      'en/old/index.html': '3',
      'en/same/index.html': '4',
      'feed/en/chunks.jsonl': '5',
      'feed/manifest.json': '6',
      'sitemap.xml': '7',
    });
    writeList('target', {
      'en/gone/index.html': '1',
      'en/old/index.html': '1',
      'en/same/index.html': '4',
      'feed/en/chunks.jsonl': '1',
      'feed/manifest.json': '1',
      'zz.txt': '1',
    });
    const { lists, unchanged, target, steps } = plan();
    expect(lists).toEqual({
      '1-assets': ['assets/new.css'],
      '2-new-pages': ['en/new/index.html'],
      '3-changed-files': ['sitemap.xml'],
      '4-changed-pages': ['en/old/index.html'],
      '5-feed': ['feed/en/chunks.jsonl'],
      '6-manifest': ['feed/manifest.json'],
      '7-delete': ['en/gone/index.html', 'zz.txt'],
    });
    expect({ unchanged, target, first: steps['1-assets'] }).toEqual({
      unchanged: 1,
      target: 'listed',
      first: { files: 1, bytes: 1 },
    });
    expect(linesOf('plan/8-end.txt')).toEqual([fileListPath]);
  });

  it.each([
    ['feed/manifest.json.minisig', true, '6-manifest'],
    ['feed/manifest.json.br', true, '6-manifest'],
    ['feed/changes/7.jsonl', true, '1-assets'],
    ['feed/changes/7.jsonl', false, '5-feed'],
    ['en/llms-full-2.txt.gz', false, '5-feed'],
    ['llms.txt', true, '3-changed-files'],
    ['index.html', true, '4-changed-pages'],
    ['en/index.html.br', true, '2-new-pages'],
    ['en/index.html.md', false, '3-changed-files'],
  ])('has %s (new: %s) in %s', (file, isNew, step) => {
    expect(stepOf(file, isNew)).toBe(step);
  });

  it('considers, after an interrupted upload, the files it may have uploaded', () => {
    writeList('target', { 'a.html': '1', 'b.html': '1' });
    writeOutput({ 'a.html': '2', 'b.html': '1', 'c.html': '1' });
    plan();
    expect([...readFileList(begin())]).toEqual([
      { path: 'a.html', sha256: null },
      { path: 'b.html', sha256: hashOf('1') },
      { path: 'c.html', sha256: null },
    ]);
    // The list of the beginning is uploaded first. Then the knowledge base is as it was.
    writeFileSync(path(`target/${fileListPath}`), readFileSync(begin()));
    rmSync(path('dist'), { recursive: true });
    writeOutput({ 'a.html': '1', 'b.html': '1' });
    expect(plan().lists).toEqual({ '4-changed-pages': ['a.html'], '7-delete': ['c.html'] });
  });

  it.each<[string, 'not listed' | 'damaged list', () => void]>([
    ['has no list', 'not listed', () => {}],
    [
      'has a list that was cut',
      'damaged list',
      () => {
        writeList('target', { 'a.html': '1', 'gone.html': '1' });
        const list = path(`target/${fileListPath}`);
        writeFileSync(list, readFileSync(list).subarray(0, -3));
      },
    ],
    [
      'has a list that leads outside',
      'damaged list',
      () => writeList('target', { '../gone.html': '1', 'a.html': '1' }),
    ],
  ])('uploads everything and deletes nothing where the target %s', (_name, target, prepare) => {
    writeOutput({ 'a.html': '1' });
    prepare();
    expect(plan()).toMatchObject({ target, unchanged: 0, lists: { '4-changed-pages': ['a.html'] } });
    expect([...readFileList(begin())]).toEqual([{ path: 'a.html', sha256: null }]);
  });

  it('uploads files of the user, but no repository, and never deletes them', () => {
    writeOutput({ 'a.html': '1' });
    for (const file of ['CNAME', '.git/HEAD', '.well-known/x/y.txt']) {
      mkdirSync(dirname(path(`dist/${file}`)), { recursive: true });
      writeFileSync(path(`dist/${file}`), '');
    }
    writeList('target', { '.well-known/old.txt': '1', CNAME: '1', 'a.html': '1' });
    expect(plan({ keep: ['CNAME', '.well-known/**'] }).lists).toEqual({
      '3-changed-files': ['CNAME', '.well-known/x/y.txt'],
    });
  });

  it('has a folder for each step and requests to S3 of a thousand keys', () => {
    writeOutput({ 'a b/#x.css': '1', 'index.html': '2' });
    const gone = Array.from({ length: 1001 }, (_, at) => `gone/${String(at).padStart(4, '0')}`);
    writeList('target', Object.fromEntries(gone.map((file) => [file, '1'])));
    plan({ link: true });
    expect(readFileSync(path('plan/1-assets/a b/#x.css'), 'utf8')).toBe('1');
    expect(readFileSync(path('plan/4-changed-pages/index.html'), 'utf8')).toBe('2');
    expect(isFileList(path(`plan/8-end/${fileListPath}`))).toBe(true);
    const requests = readdirSync(path('plan/7-delete')).sort();
    const keys = requests.map((name) => {
      const { Objects } = JSON.parse(readFileSync(path(`plan/7-delete/${name}`), 'utf8')) as {
        readonly Objects: readonly { readonly Key: string }[];
      };
      return Objects.map(({ Key }) => Key);
    });
    expect(keys.map(({ length }) => length)).toEqual([1000, 1]);
    expect(keys.flat()).toEqual(gone);
  });

  it('reads a list of any length', () => {
    const files = Array.from({ length: 5000 }, (_, at) => `en/article-${at}/index.html`).sort();
    writeList('dist', Object.fromEntries(files.map((file) => [file, hash('sha256', file)])));
    const list = path(`dist/${fileListPath}`);
    expect(isFileList(list)).toBe(true);
    expect(Array.from(readFileList(list), (file) => file.path)).toEqual(files);
  });

  it('is refused for a path that no list can name, a missing file and a missing list', () => {
    expect(plan).toThrow(expect.objectContaining({ code: 'UPLOAD_LIST_MISSING' }));
    writeOutput({ 'a\nb.txt': '1' });
    expect(isFileList(path(`dist/${fileListPath}`))).toBe(true);
    expect(plan).toThrow(expect.objectContaining({ code: 'UPLOAD_PATH_INVALID' }));
    writeOutput({ 'a.html': '1' });
    rmSync(path('dist/a.html'));
    expect(plan).toThrow(expect.objectContaining({ code: 'UPLOAD_FILE_MISSING' }));
  });
});

it('reads the lists of earlier versions, which have no hashes and name themselves', () => {
  writeOutput({ 'a.html': '1' });
  mkdirSync(path('target'));
  const lines = `a.html\ngone.html\n${fileListPath}`;
  writeFileSync(path(`target/${fileListPath}`), `${lines}\n\n${hash('sha256', lines)}\n`);
  expect(plan()).toMatchObject({
    target: 'listed',
    lists: { '4-changed-pages': ['a.html'], '7-delete': ['gone.html'] },
  });
  expect([...readFileList(begin())].map((file) => file.path)).toEqual(['a.html', 'gone.html']);
});
