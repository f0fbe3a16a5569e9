import { describe, expect, it } from 'vitest';
import { countUnread } from '../../../src/source/folder/unread-files.ts';

const nothing = { pages: [], problems: [] };

describe('countUnread', () => {
  it('counts files of other formats, and those whose name or folder begins with an underscore, the most first', () => {
    const paths = [
      '_posts/a.md',
      '_posts/2026/b.md',
      'docs/_parts/c.md',
      '_d.md',
      'x/_e.md',
      'f.rst',
      'g.RST',
    ];
    expect(Object.entries(countUnread(paths, nothing))).toEqual([
      ['*.rst', 2],
      ['_*', 2],
      ['_posts/**', 2],
      ['docs/_parts/**', 1],
    ]);
  });

  it('names a format that the source does not read', () => {
    expect(countUnread(['guide/a.md', 'guide/b.html'], nothing, /\.html$/)).toEqual({
      '*.md': 1,
      'guide/*': 1,
    });
  });

  it('does not count files that were read, have a problem, or are no documents', () => {
    const problems = [{ file: 'b.md' }] as never;
    expect(countUnread(['a.md', 'b.md', 'c.png', 'd.js'], { pages: ['a.md'], problems })).toEqual({});
  });
});
