import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { removeTree } from '../../src/output/swap.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('removing a tree', () => {
  let parent: string;
  let tree: string;
  beforeEach(() => {
    parent = temporaryFolder();
    tree = join(parent, 'tree');
    mkdirSync(join(tree, 'a/b'), { recursive: true });
    mkdirSync(join(parent, 'other'));
    for (const path of ['tree/page', 'tree/a/b/page', 'other/page']) writeFileSync(join(parent, path), 'x');
  });

  it('removes a folder with its content, but not the targets of its links', () => {
    symlinkSync(join(parent, 'other'), join(tree, 'a/folder'));
    symlinkSync(join(parent, 'other/page'), join(tree, 'a/file'));
    removeTree(tree);
    expect(existsSync(tree)).toBe(false);
    expect(readdirSync(join(parent, 'other'))).toEqual(['page']);
  });

  it('takes a link to a folder away, not the folder', () => {
    const link = join(parent, 'link');
    symlinkSync(join(parent, 'other'), link);
    removeTree(link);
    expect(readdirSync(parent).sort()).toEqual(['other', 'tree']);
    expect(readdirSync(join(parent, 'other'))).toEqual(['page']);
  });

  it.each<[string, readonly string[]]>([
    ['all', ['page', 'a/b/page']],
    ['some', ['page']],
    ['more than it has', ['gone', 'a/gone/page', 'page']],
  ])('removes all of it if %s of its files are named', (_which, files) => {
    removeTree(tree, files);
    expect(readdirSync(parent)).toEqual(['other']);
  });

  it('does nothing if nothing exists', () => {
    removeTree(join(parent, 'none'));
    expect(readdirSync(parent).sort()).toEqual(['other', 'tree']);
  });
});
