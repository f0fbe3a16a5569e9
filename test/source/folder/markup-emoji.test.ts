import { describe, expect, it } from 'vitest';
import { withEmoji } from '../../../src/source/folder/markup/emoji.ts';
import { vitepressMarkup } from '../../../src/source/folder/markup/vitepress.ts';
import { findPages } from '../../../src/source/folder/project/find-pages.ts';
import { readPage } from '../../support/read-page.ts';
import { openFolderProject } from '../support/folder-source.ts';

const read = (text: string): string => readPage(withEmoji(vitepressMarkup), text).text.trim();

describe('short names of emoji', () => {
  it.each([
    ['Done :tada:', 'Done 🎉'],
    [':+1: (:100:) **:arrow_left:**', '👍 (💯) **⬅️**'],
    [':man_raising_hand: :woman_in_lotus_position:', '🙋‍♂️ 🧘‍♀️'],
    ['`:tada:` and\n\n```\n:tada:\n```', '`:tada:` and\n\n```\n:tada:\n```'],
    [
      ':nobody: 10:30:45 a:tada:b http://a:tada: :constructor:',
      ':nobody: 10:30:45 a:tada:b http://a:tada: :constructor:',
    ],
  ])('%j is %j', (text, shown) => {
    expect(read(text)).toBe(shown);
  });

  it.each([
    ['.vitepress/config.ts', 'export default {}', 'a.md', true],
    ['docusaurus.config.js', 'module.exports = {}', 'docs/a.md', true],
    ['docusaurus.config.js', 'module.exports = { markdown: { emoji: false } }', 'docs/a.md', false],
    ['mkdocs.yml', 'markdown_extensions:\n  - pymdownx.emoji\n', 'docs/a.md', true],
    ['mkdocs.yml', 'site_name: Help', 'docs/a.md', false],
    ['hugo.toml', 'enableEmoji = true', 'content/a.md', true],
    ['hugo.toml', "title = 'Help'", 'content/a.md', false],
    ['_config.yml', 'plugins: [jemoji]', 'a.md', true],
    ['_config.yml', 'title: Help', 'a.md', false],
    ['astro.config.mjs', 'export default {}', 'src/content/docs/a.md', false],
  ])('are read where the generator reads them: %s, %s', (mark, config, file, isRead) => {
    const { root } = openFolderProject({ [mark]: config, [file]: '---\ntitle: A\n---\n\nB' });
    const { markup } = findPages(root);
    expect(readPage(markup, 'Done :tada:').text.trim()).toBe(isRead ? 'Done 🎉' : 'Done :tada:');
  });
});

describe('notes in a line of VitePress', () => {
  it('are footnotes', () => {
    expect(read('One^[See [this](a.md).] and two^[Two.].')).toBe(
      'One[^inline-1] and two[^inline-2].\n\n[^inline-1]: See [this](a.md).\n\n[^inline-2]: Two.',
    );
  });
});
