import { beforeEach, describe, expect, it } from 'vitest';
import { findSources, parseSource } from '../../../src/core/config/find-source.ts';
import { writeTree } from '../../support/folder-layouts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

describe('parseSource', () => {
  it.each([
    ['Markdown', { 'x/guide/a.md': '# A' }, 'folder'],
    ['Markdown with a page among it', { 'x/a.md': '# A', 'x/b.html': '<p>B' }, 'folder'],
    [
      'a page that loads Markdown in the browser',
      { 'x/index.html': '<p>', 'x/README.md': '# A', 'x/guide/b.md': '# B' },
      'folder',
    ],
    ['a site that lies in a repository', { 'x/index.html': '<p>', 'x/README.md': '# About' }, 'site'],
    ['nothing', { 'other/a.md': '# A' }, 'folder'],
    ['a site', { 'x/index.html': '<p>', 'x/a/index.html': '<p>' }, 'site'],
    ['a site with Markdown copies', { 'x/index.html': '<p>', 'x/index.md': '# A' }, 'site'],
    ['a site without a home page', { 'x/en/a.html': '<p>A' }, 'site'],
  ])('tells by its content what a folder is: %s', (_name, files, kind) => {
    writeTree(folder, files);
    expect(parseSource('x', folder)).toEqual({ kind, path: 'x' });
  });

  it('takes folder: and site: as the last word', () => {
    writeTree(folder, { 'x/a.md': '# A' });
    expect(parseSource('site:x', folder)).toEqual({ kind: 'site', path: 'x' });
    expect(parseSource('folder:./y', folder)).toEqual({ kind: 'folder', path: './y' });
  });

  it('takes api and zendesk as kinds, and every other word as a path, such as the folder that MkDocs writes', () => {
    writeTree(folder, { 'site/index.html': '<p>', 'api/a.md': '# A' });
    expect(parseSource('api', folder)).toEqual({ kind: 'api' });
    expect(parseSource('zendesk', folder)).toEqual({ kind: 'zendesk' });
    expect(parseSource('site', folder)).toEqual({ kind: 'site', path: 'site' });
    expect(parseSource('./api', folder)).toEqual({ kind: 'folder', path: './api' });
  });
});

describe('findSources', () => {
  it('finds folders of Markdown and built sites, the usual name first, and not what Lectern published', () => {
    writeTree(folder, {
      'build/index.html': '<p>',
      'docs/a.md': '# A',
      'docs/b/c.md': '# C',
      'dist/index.html': '<p>',
      'dist/feed/manifest.json': '{}',
      'dist/output-files.txt': '',
      'node_modules/x/README.md': '# X',
      '.git/a.md': '# A',
      'images/a.png': '',
      'README.md': '# R',
    });
    expect(findSources(folder)).toEqual([
      { path: 'docs', content: '2 Markdown files' },
      { path: 'build', content: 'a built site' },
    ]);
  });

  it('finds the folder itself, if it has pages or is what pull writes', () => {
    writeTree(folder, { 'docs/a.md': '# A', 'notes.md': '# N', 'CHANGELOG.md': '# C' });
    expect(findSources(folder).map(({ path }) => path)).toEqual(['docs', '.']);
    writeTree(folder, { 'articles/a/en.md': '# A', 'categories/b/en.md': '# B' });
    expect(findSources(folder)).toEqual([{ path: '.', content: '5 Markdown files' }]);
  });
});
