import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runLecternProcess } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
const page = () => join(folder, 'dist/a/index.html');

beforeEach(async () => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/a.md'), '# One\n\nPay to account 123.\n');
  writeFileSync(join(folder, 'docs/b.md'), '# Two\n\nAnother text.\n');
  await build();
});

async function build(): Promise<string> {
  const args = ['build', '--source', 'docs', '--site-url', 'https://help.example.com'];
  const { code, stdout, stderr } = await runLecternProcess(args, { cwd: folder });
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
  return stdout + stderr;
}

/** Runs `touch -r`, which copies times with all their digits. */
function edit(path: string): void {
  const copy = join(folder, 'before');
  execFileSync('cp', ['-p', path, copy]);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('account 123', 'account 666'));
  execFileSync('touch', ['-r', copy, path]);
  expect(statSync(path, { bigint: true }).mtimeNs).toBe(statSync(copy, { bigint: true }).mtimeNs);
  rmSync(copy);
}

/** Restores output and cache as a CI job does, with the times of all files. */
function restore(): void {
  for (const name of ['dist', '.lectern']) {
    renameSync(join(folder, name), join(folder, `${name}-cached`));
    execFileSync('cp', ['-a', join(folder, `${name}-cached`), join(folder, name)]);
    rmSync(join(folder, `${name}-cached`), { recursive: true });
  }
}

describe('a page in the output that somebody edited without a trace in its size and time', () => {
  it('is replaced by the next build', async () => {
    edit(page());
    await build();
    expect(readFileSync(page(), 'utf8')).toContain('account 123');
  });

  it('is replaced in an output that was restored from a cache', async () => {
    edit(page());
    restore();
    await build();
    expect(readFileSync(page(), 'utf8')).toContain('account 123');
  });
});

describe('an output that was restored from a cache', () => {
  it('is up to date if nothing changed, also when somebody edits it later', async () => {
    restore();
    expect(await build()).toContain('nothing since the last build');
    expect(await build()).toContain('nothing since the last build');
    edit(page());
    await build();
    expect(readFileSync(page(), 'utf8')).toContain('account 123');
  });
});
