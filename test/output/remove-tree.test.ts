import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTree } from '../../src/output/swap.ts';

describe('removing a tree', () => {
  let parent: string;
  let tree: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'lectern-tree-'));
    tree = join(parent, 'tree');
    mkdirSync(join(tree, 'a/b'), { recursive: true });
    mkdirSync(join(parent, 'other'));
    for (const path of ['tree/page', 'tree/a/b/page', 'other/page']) writeFileSync(join(parent, path), 'x');
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  it('removes a folder with its content, but not the targets of its links', async () => {
    symlinkSync(join(parent, 'other'), join(tree, 'a/folder'));
    symlinkSync(join(parent, 'other/page'), join(tree, 'a/file'));
    await removeTree(tree);
    expect(existsSync(tree)).toBe(false);
    expect(readdirSync(join(parent, 'other'))).toEqual(['page']);
  });

  it('takes a link to a folder away, not the folder', async () => {
    const link = join(parent, 'link');
    symlinkSync(join(parent, 'other'), link);
    await removeTree(link);
    expect(readdirSync(parent).sort()).toEqual(['other', 'tree']);
    expect(readdirSync(join(parent, 'other'))).toEqual(['page']);
  });

  it('does nothing if nothing exists', async () => {
    await removeTree(join(parent, 'none'));
    expect(readdirSync(parent).sort()).toEqual(['other', 'tree']);
  });
});
