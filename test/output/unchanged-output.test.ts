import {
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isIgnoredFile } from '../../src/output/foreign-files.ts';
import type { PublishedFile } from '../../src/output/output.ts';
import { openPreviousOutput, type PublishedOutput } from '../../src/output/previous-output.ts';
import { openStaging } from '../../src/output/staging.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const paths = ['en/article/one/index.html', 'en/article/two/index.html', 'en/index.html', 'index.html'];
let folder: string;
let last: PublishedOutput;
const out = (path = '') => join(folder, 'dist', path);
const kept = (path = '') => join(folder, 'kept', path);
const reopen = (output = last) => openPreviousOutput(out(), output, isIgnoredFile);

/** A copy of the output with the times of its files, and of a file that the output does not have. */
function keepCopy(path: string, more: string): void {
  cpSync(out(path), kept(path), { recursive: true, preserveTimestamps: true });
  writeFileSync(kept(more), 'mine');
}

async function publish(): Promise<void> {
  const staging = await openStaging(out(), () => last ?? null);
  await staging.write('feed/manifest.json', '{}');
  for (const path of paths) await staging.write(path, `page ${path}`);
  let files: readonly PublishedFile[] = [];
  const finishedMs = await staging.commit((published) => {
    files = published;
  });
  last = { files: new Map(files.map((file) => [file.path, file])), finishedMs };
}

beforeEach(async () => {
  folder = temporaryFolder();
  await publish();
  // Programs can only set times of microseconds.
  for (const path of last.files.keys()) utimesSync(out(path), 1000, 1000);
  await publish();
});

describe('an output that nobody touched', () => {
  it('is unchanged, also after a second build', async () => {
    expect(reopen().isUnchanged()).toBe(true);
    await publish();
    expect(reopen().isUnchanged()).toBe(true);
    expect(reopen().touchedMs()).toBeNull();
  });

  it('is found without listing its folders', () => {
    writeFileSync(out('en/mine.html'), 'mine');
    expect(reopen({ ...last, finishedMs: Date.now() + 60_000 }).foreign()).toEqual([]);
  });
});

describe('a file of somebody else', () => {
  it.each<[string, string, () => void]>([
    ['at the root', 'mine.html', () => writeFileSync(out('mine.html'), 'mine')],
    ['beside a page', 'en/mine.html', () => writeFileSync(out('en/mine.html'), 'mine')],
    ['in a folder that only has folders', 'en/article/a', () => writeFileSync(out('en/article/a'), '')],
    [
      'in new folders',
      'en/a/b/mine.html',
      () => [mkdirSync(out('en/a/b'), { recursive: true }), writeFileSync(out('en/a/b/mine.html'), 'mine')],
    ],
    [
      'in a folder that was given its old times again',
      'en/mine.html',
      () => {
        const { atime, mtime } = statSync(out('en'));
        writeFileSync(out('en/mine.html'), 'mine');
        utimesSync(out('en'), atime, mtime);
      },
    ],
    ['that is a link', 'en/mine.html', () => symlinkSync('index.html', out('en/mine.html'))],
    [
      'that is a page under another name',
      'en/Index.html',
      () => renameSync(out('en/index.html'), out('en/Index.html')),
    ],
  ])('is found %s', (_where, path, add) => {
    add();
    expect(reopen().foreign()).toEqual([path]);
    expect(reopen().isUnchanged()).toBe(false);
  });

  it('is found deep in a folder that was moved there, whose folders are older than the output', async () => {
    keepCopy('en', 'en/article/one/mine.html');
    await publish();
    renameSync(out('en'), kept('replaced'));
    renameSync(kept('en'), out('en'));
    expect(statSync(out('en/article/one')).ctimeMs).toBeLessThan(last.finishedMs);
    expect(reopen().foreign()).toEqual(['en/article/one/mine.html']);
  });

  it('is a link in place of a folder, whatever it leads to', () => {
    renameSync(out('en'), join(folder, 'en'));
    symlinkSync(join(folder, 'en'), out('en'));
    expect(reopen().foreign()).toEqual(['en']);
    expect(reopen().isUnchanged()).toBe(false);
  });

  it('is found in a folder that was empty when the output was looked at last', () => {
    mkdirSync(out('en/more'));
    const previous = reopen();
    expect(previous.isUnchanged()).toBe(true);
    const touchedMs = previous.touchedMs();
    if (touchedMs !== null) last = { ...last, finishedMs: touchedMs + 1 };
    writeFileSync(out('en/more/mine.html'), 'mine');
    expect(reopen().foreign()).toEqual(['en/more/mine.html']);
  });
});

describe('a file of the output', () => {
  it.each<[string, () => void]>([
    ['is gone', () => rmSync(out('en/index.html'))],
    ['is gone with its folder', () => rmSync(out('en/article'), { recursive: true })],
    ['became a folder', () => [rmSync(out('index.html')), mkdirSync(out('index.html'))]],
    [
      'was replaced by one of the same size and time',
      () => {
        writeFileSync(join(folder, 'new'), 'Page en/index.html');
        utimesSync(join(folder, 'new'), 1000, 1000);
        renameSync(join(folder, 'new'), out('en/index.html'));
      },
    ],
  ])('that %s is found', (_what, change) => {
    change();
    expect(reopen().isUnchanged()).toBe(false);
  });
});

describe('an output whose change times are all new', () => {
  beforeEach(() => {
    cpSync(out(), kept(), { recursive: true, preserveTimestamps: true });
    rmSync(out(), { recursive: true });
    renameSync(kept(), out());
  });

  it('is unchanged, and is not read again after that was found', () => {
    const previous = reopen();
    expect(previous.isUnchanged()).toBe(true);
    const touchedMs = previous.touchedMs() ?? 0;
    expect(touchedMs).toBeGreaterThanOrEqual(last.finishedMs);
    last = { ...last, finishedMs: touchedMs + 1 };
    expect(reopen().isUnchanged()).toBe(true);
    expect(reopen().touchedMs()).toBeNull();
  });

  it('is changed if a file of it is another', () => {
    writeFileSync(out('index.html'), 'Page index.html');
    utimesSync(out('index.html'), 1000, 1000);
    expect(reopen().isUnchanged()).toBe(false);
  });
});
