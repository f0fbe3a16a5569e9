import { describe, expect, it } from 'vitest';
import { createMkDocsMarkup } from '../../../src/source/folder/markup/mkdocs.ts';
import { starlightMarkup } from '../../../src/source/folder/markup/starlight.ts';
import { vitepressMarkup } from '../../../src/source/folder/markup/vitepress.ts';
import { readPage } from '../../support/read-page.ts';

/** Without empty lines. */
const dense = (text: string): string => text.replace(/\n{2,}/g, '\n').trim();
const lines = (...all: readonly string[]): string => all.join('\n');

describe('a page of VitePress', () => {
  const read = (text: string, files = {}, data = {}) =>
    readPage(vitepressMarkup, text, files, 'docs/page.md', data);

  it('has containers, code groups, and no table of contents of its own', () => {
    const page = lines(
      '[[toc]]',
      '::: danger STOP',
      'No.',
      ':::',
      ':::: details More',
      '::: tip',
      'Yes.',
      ':::',
      '::::',
      '::: code-group',
      '```js{1,3} [config.js]',
      'a {{ b }}',
      '```',
      '<<< @/snippets/b.ts#part{1} [config.ts]',
      ':::',
      '## Size <Badge type="tip" text="new" /> {#größe}',
      'A [link](https://a.test){target="_blank"}.',
    );
    const files = { 'docs/snippets/b.ts': 'x\n// #region part\n  y\n  z\n// #endregion part\n' };
    const { text, unknown } = read(page, files);
    expect(unknown).toEqual([]);
    expect(dense(text)).toBe(
      lines(
        '> [!CAUTION]',
        '> **STOP**',
        '>',
        '> No.',
        '<details>',
        '<summary>More</summary>',
        '> [!TIP]',
        '> Yes.',
        '</details>',
        '<details open>',
        '<summary>config.js</summary>',
        '```js',
        'a {{ b }}',
        '```',
        '</details>',
        '<details>',
        '<summary>config.ts</summary>',
        '```ts',
        'y',
        'z',
        '```',
        '</details>',
        '## Size <small>new</small> {#größe}',
        'A [link](https://a.test).',
      ),
    );
  });

  it('includes parts of the project, also of parts, and reports others', () => {
    const files = {
      'docs/parts/a.md': '---\nx: 1\n---\nA\n<!--@include: ./b.md#usage{2,}-->\n',
      'docs/parts/b.md': '# B\n## Usage\nB\n## Other\nSECRET',
      'docs/loop.md': 'L\n<!--@include: ./loop.md-->',
    };
    expect(dense(read('<!--@include: ./parts/a.md-->', files).text)).toBe('A\nB');
    const { text, unknown, parts } = read(
      '<!--@include: ../../etc/passwd-->\n\n<!--@include: @/none.md-->',
      files,
    );
    expect(text.trim()).toBe('');
    expect(parts).toEqual([]);
    expect(unknown.map(({ line }) => line)).toEqual([1, 3]);
    expect(read('<!--@include: ./loop.md-->', files).unknown).toHaveLength(1);
  });

  it('is published without code and what a component or a directive might hide', () => {
    const page = lines(
      '<script setup>',
      'const a = "SECRET"',
      '',
      '</script>',
      '{{ SECRET }} <T>SECRET</T>',
      '<div v-if="staff"><div>SECRET</div>SECRET</div>',
      '::: v-pre',
      '{{ shown }}',
      ':::',
      'Last `{{ code }}`.',
    );
    const { text, unknown } = read(page);
    expect(text).not.toContain('SECRET');
    expect(text).toContain('&#123;&#123; shown');
    expect(text).toContain('Last `{{ code }}`.');
    expect(unknown).toEqual([
      { what: '{{…}}', line: 5 },
      { what: '<T>', line: 5 },
      { what: '<div>', line: 6 },
    ]);
  });

  it('may be a home page in its front matter', () => {
    const data = {
      layout: 'home',
      hero: { text: 'Bikes', tagline: 'For all', actions: [{ text: 'Start', link: '/start' }] },
      features: [{ title: 'Fast', details: 'Very', link: '/fast' }, { title: 'Safe' }],
    };
    expect(read('', {}, data).text.trim()).toBe(
      'Bikes\n\nFor all\n\n- [Start](/start)\n\n- **[Fast](/fast)**: Very\n- **Safe**',
    );
  });
});

describe('a page of Material for MkDocs', () => {
  const syntax = { appended: [], snippetFolders: ['.'], variables: null };
  const read = (text: string, files = {}, other = {}) =>
    readPage(createMkDocsMarkup({ ...syntax, ...other }), text, files);

  it('has tabs, admonitions and sections, also in lists', () => {
    const page = lines(
      '- Item',
      '',
      '    === ":octicons-file-16: `a.md`"',
      '',
      '        ``` { .yaml title="a" }',
      '        x:',
      '          y: { .z }',
      '        ```',
      '',
      '    === "B <small>old</small>"',
      '        Text',
      '',
      '!!! my-note inline end "Mine"',
      '    Inside',
      '',
      '???+ tip',
      '    Open',
    );
    expect(dense(read(page).text)).toBe(
      lines(
        '- Item',
        '    <details open>',
        '    <summary><code>a.md</code></summary>',
        '    **a**',
        '    ```yaml',
        '    x:',
        '      y: { .z }',
        '    ```',
        '    </details>',
        '    <details>',
        '    <summary>B old</summary>',
        '    Text',
        '    </details>',
        '> [!NOTE]',
        '> **Mine**',
        '>',
        '> Inside',
        '<details open>',
        '<summary>Tip</summary>',
        'Open',
        '</details>',
      ),
    );
  });

  it.each([
    ['[Go](a.md){ .md-button .md-button--primary }', '[Go](a.md)'],
    ['## Size { #size .x data-a="b" }', '## Size {#size}'],
    ['Text\n{: .lead }', 'Text\n'],
    ['Press ++ctrl+c++, i++, C++', 'Press <kbd>Ctrl</kbd>+<kbd>C</kbd>, i++, C++'],
    [':material-check:{ .green } done', 'done'],
    // Three blanks and the one after the icon would be more than the indentation of the lines below.
    ['-   :material-a: :octicons-b-16: __Bold__\n\n    Below', '-   __Bold__\n\n    Below'],
    ['a :material-a:, b:material-b: c', 'a , b c'],
    ['The [`key`]\n[set] and [a]\n[b](c.md) [^1]\n[d]', 'The [`key`][set] and [a]\n[b](c.md) [^1]\n[d]'],
    ['  [^1]:\n    A note', '  [^1]: A note'],
    [
      '==m== ^^i^^ H~2~O x^2^ ~~d~~ a == b',
      '<mark>m</mark> <ins>i</ins> H<sub>2</sub>O x<sup>2</sup> ~~d~~ a == b',
    ],
    ['`#!js a` and `{{ b }}`', '`a` and `{{ b }}`'],
    ['{{ text }}', '{{ text }}'],
    ['Term\n:   !!! tip\n        In\n', 'Term\n\n\n> [!TIP]\n> In\n\n\n'],
    ['HTML\n\n*[HTML]: "Hyper"', '<abbr title="&quot;Hyper&quot;">HTML</abbr>\n\n'],
    [
      '# HTML\n[HTML](HTML.md) `HTML` HTML5 https://HTML <b class="HTML">\n\n*[HTML]: Hyper',
      '# HTML\n[<abbr title="Hyper">HTML</abbr>](HTML.md) `HTML` HTML5 https://HTML <b class="HTML">\n\n',
    ],
    ['Set { .x } as { a: 1 }', 'Set as { a: 1 }'],
  ])('shows %j', (markdown, shown) => {
    expect(read(markdown)).toMatchObject({ text: shown, unknown: [] });
  });

  it('inserts snippets, also into code, and appends files', () => {
    const files = { 'a.md': 'One\n# --8<-- [start:x]\nTwo\n# --8<-- [end:x]', 'links.md': '[b]: c.md' };
    const page = '```\n--8<-- "a.md:x"\n```\n--8<-- "none.md"\n;--8<-- "a.md"';
    const { text, unknown } = read(page, files, { appended: ['links.md'] });
    expect(dense(text)).toBe('```\nTwo\n```\n--8<-- "a.md"\n[b]: c.md');
    expect(unknown).toEqual([{ what: '--8<-- "none.md"', line: 4 }]);
  });

  it('resolves plain variables and files of macros, and removes the rest', () => {
    const page = lines(
      '{% set app = "R" %}',
      '{{ app }} {{ version }} {{ secret() }}',
      '{% include "a.md" %}',
      '{% if staff %}SECRET{% if x %}SECRET{% endif %}SECRET{% endif %}',
      '{% raw %}{{ kept }}{% endraw %}',
    );
    const { text, unknown } = read(page, { 'a.md': 'Part' }, { variables: { version: '9' } });
    expect(dense(text)).toBe('R 9 \nPart\n{{ kept }}');
    expect(unknown).toEqual([
      { what: '{{…}}', line: 2 },
      { what: '{%…%}', line: 4 },
    ]);
  });
});

describe('a page of Starlight', () => {
  const read = (text: string, data = {}) => readPage(starlightMarkup, text, {}, 'docs/page.mdx', data);

  it('has the built-in components with literal attributes', () => {
    const page = lines(
      "import { Card } from '@astrojs/starlight/components';",
      '',
      '<CardGrid stagger>',
      '\t<Card title="One" icon="star">',
      '\t\tText <Badge text="new" />',
      '\t</Card>',
      '</CardGrid>',
      '<LinkCard title="Two" href="/two/" description={"More"} />',
      '<LinkButton href="/go/">Go</LinkButton>',
      '<Code code={`a {b}`} lang="js" title="a.js" />',
      '<FileTree>',
      '- src/',
      '  - **a.ts** main',
      '</FileTree>',
      ':::note[Mind]{icon="star"}',
      'This.',
      ':::',
      '<Code code={file} />',
    );
    const { text, unknown } = read(page);
    expect(dense(text)).toBe(
      lines(
        '**One**',
        'Text <small>new</small>',
        '**[Two](/two/)**',
        'More',
        '[Go](/go/)',
        '**a.js**',
        '```js',
        'a {b}',
        '```',
        '- src/',
        '  - **a.ts** main',
        '> [!NOTE]',
        '> **Mind**',
        '>',
        '> This.',
      ),
    );
    expect(unknown).toEqual([{ what: '<Code>', line: 10 }]);
  });

  it('begins with its hero', () => {
    expect(read('Text', { hero: { tagline: 'T', actions: [{ text: 'Go', link: '/go/' }] } }).text).toBe(
      'T\n\n- [Go](/go/)\n\nText',
    );
  });
});
