import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../src/core/file-system.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder();

describe('making a folder', () => {
  it('also creates its parents, and does not change existing ones', () => {
    makeFolder(join(root, 'a/b/c'), 0o700);
    makeFolder(join(root, 'a/b/c'));
    expect(statSync(join(root, 'a/b/c')).isDirectory()).toBe(true);
    expect(statSync(join(root, 'a/b')).mode & 0o777).toBe(0o700);
  });

  it('says what is in the way', () => {
    writeFileSync(join(root, 'file'), '');
    expect(() => makeFolder(join(root, 'file'))).toThrow('EEXIST');
    expect(() => makeFolder(join(root, 'file/below'))).toThrow(/EEXIST|ENOTDIR/);
  });

  it.runIf(process.platform === 'linux')('ends where the file system makes no folders', () => {
    expect(() => makeFolder('/proc/lectern/a')).toThrow('ENOENT');
  });
});
