import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { everyCell, linesOfCode, renderMarkdown } from '../../../src/source/folder/render-markdown.ts';
import { fc, runs } from '../../support/properties.ts';

describe('renderMarkdown', () => {
  it.each(['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION'])(
    'turns a %s block quote into a callout',
    (kind) => {
      expect(renderMarkdown(`> [!${kind}]\n> Mind *this*.\n>\n> And this.`)).toBe(
        `<div class="${kind.toLowerCase()}-callout">\n<p>Mind <em>this</em>.</p>\n<p>And this.</p>\n</div>`,
      );
    },
  );

  it('leaves no empty paragraph when the marker is alone', () => {
    expect(renderMarkdown('> [!NOTE]\n>\n> - one')).toBe(
      '<div class="note-callout">\n<ul>\n<li>one</li>\n</ul>\n</div>',
    );
  });

  it('writes callouts within lists and other quotes', () => {
    const html = renderMarkdown('- item\n\n  > [!TIP]\n  > Inner\n\n> Outer\n>\n> > [!NOTE]\n> > Deep');
    expect(html).toContain('<li>\n<p>item</p>\n<div class="tip-callout">\n<p>Inner</p>\n</div>\n</li>');
    expect(html).toContain(
      '<blockquote>\n<p>Outer</p>\n<div class="note-callout">\n<p>Deep</p>\n</div>\n</blockquote>',
    );
  });

  it.each([
    ['> Quote', '<blockquote>\n<p>Quote</p>\n</blockquote>'],
    ['> [link](a.md)\n> x', '<blockquote>\n<p><a href="a.md">link</a>\nx</p>\n</blockquote>'],
    [
      '> [!TIP] A *title*\n> Text',
      '<div class="tip-callout">\n<p><strong>A <em>title</em></strong></p>\n<p>Text</p>\n</div>',
    ],
    ['> [!info]\n> Text', '<div class="note-callout">\n<p>Text</p>\n</div>'],
    [
      '> [!constructor]\n> Text',
      '<div class="note-callout">\n<p><strong>Constructor</strong></p>\n<p>Text</p>\n</div>',
    ],
    [
      '> [!Example]\n> Text',
      '<div class="note-callout">\n<p><strong>Example</strong></p>\n<p>Text</p>\n</div>',
    ],
    [
      '> [!faq]- Is it foldable?\n> Yes.',
      '<div class="note-callout">\n<details>\n<summary>Is it foldable?</summary>\n<p>Yes.</p>\n</details>\n</div>',
    ],
    [
      '> [!danger]+\n> Hot',
      '<div class="caution-callout">\n<details open>\n<summary>Danger</summary>\n<p>Hot</p>\n</details>\n</div>',
    ],
    [
      '> [!note|wide] T\n>\n> - a',
      '<div class="note-callout">\n<p><strong>T</strong></p>\n<ul>\n<li>a</li>\n</ul>\n</div>',
    ],
  ])('%j is %j', (markdown, html) => {
    expect(renderMarkdown(markdown)).toBe(html);
  });

  it.each([
    ['code', '```\na\n\nb\n```', '<pre><code>a\n\nb\n</code></pre>'],
    ['code of a tilde', '~~~ js\na\nb\n~~~', '<pre><code class="language-js">a\nb\n</code></pre>'],
    ['HTML', '<div>\na\nb\n</div>', '<div>\na\nb\n</div>'],
    [
      'a box',
      '<details>\n<summary>a</summary>\nb\nc\n</details>',
      '<details>\n<summary>a</summary>\nb\nc\n</details>',
    ],
    ['a table', '| a |\n|---|\n| b |', '<td>b</td>'],
  ])('keeps the lines of %s below the text of an item', (_what, block, html) => {
    for (const [before, indent] of [
      ['- item\n', '  '],
      ['1. x\n2. item\n', '   '],
      ['- x\n  - item\n', '    '],
      ['> - item\n', '>   '],
    ] as const) {
      const rendered = renderMarkdown(`${before}${block.replace(/^/gm, indent)}\n`);
      expect(rendered).toContain('item');
      expect(rendered).toContain(html);
      expect(
        renderMarkdown(`${before}${block.replace(/^/gm, indent)}\n${indent.slice(0, -2)}- next\n`),
      ).toContain(html);
    }
    // Code by its indentation needs a blank line, which makes a list loose, but not that of an item before it.
    expect(renderMarkdown('- item\n\n      a\n      b\n')).toContain('<pre><code>a\nb\n</code></pre>');
  });

  it('separates footnotes from the text by a line, which needs no translation', () => {
    expect(renderMarkdown('Text[^1]\n\n[^1]: Note')).toContain(
      '<section data-footnotes="" class="footnotes"><hr />\n<ol>\n<li id="user-content-fn-1">',
    );
  });

  it('keeps the cells of a row beyond the header, which a bar in code makes', () => {
    const html = renderMarkdown('| a |\n|:-:|\n| `b | c` |  |\n| d |  |');
    expect(html).toContain(
      '<td align="center">`b</td>\n<td>c`</td>\n</tr>\n<tr>\n<td align="center">d</td>\n</tr>',
    );
  });

  it('renders tables, strikethrough and task lists', () => {
    const html = renderMarkdown('| a |\n|---|\n| ~~1~~ |\n\n- [x] done');
    expect(html).toContain('<td><del>1</del></td>');
    expect(html).toContain('type="checkbox"');
  });

  it('keeps nothing of an earlier text, such as its footnotes and definitions', () => {
    const first = 'One[^1] [a].\n\n[^1]: Note\n\n[a]: b.md';
    const html = renderMarkdown(first);
    expect(renderMarkdown('Two[^1] [a].')).toBe('<p>Two[^1] [a].</p>');
    expect(renderMarkdown('')).toBe('');
    expect(renderMarkdown(first)).toBe(html);
  });

  it('passes raw HTML and links of the knowledge base through', () => {
    expect(
      renderMarkdown(
        '<details><summary>More</summary>\n\nText [here](/article/4fq8d7s2ka-x#y)\n\n</details>',
      ),
    ).toBe(
      '<details><summary>More</summary>\n<p>Text <a href="/article/4fq8d7s2ka-x#y">here</a></p>\n</details>',
    );
  });
});

describe('GitHub syntax that is tried only in texts that may have it', () => {
  const parts = [
    ...[
      '| a | b |',
      '|',
      '-',
      '|-|-|',
      ':-',
      '-:',
      '| - |',
      ' | ',
      'www.',
      'WWW.a.de',
      'http://',
      'https://a.de/b',
      'a.b@c.de',
    ],
    ...[
      '@',
      'x@',
      '> ',
      '- ',
      '1. ',
      '    ',
      '\n',
      '\n\n',
      '\r\n',
      '\t',
      '`',
      '*',
      '_',
      '[',
      '](',
      '<a@b.de>',
      '\\',
      '===',
      '---',
      'a',
      ' b',
    ],
    ...['~~', '[^1]', '\n[^1]: x\n', '&#124;', '\u00a0'],
  ];

  it('gives the same HTML as all of it', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 25 }), (texts) => {
        const markdown = texts.join('');
        const expected = micromark(markdown, {
          allowDangerousHtml: true,
          allowDangerousProtocol: true,
          extensions: [gfm()],
          htmlExtensions: [gfmHtml(), linesOfCode, everyCell],
        });
        const withoutBlank = (html: string): string => html.replace(/[\r\n]+/g, '\n');
        expect(withoutBlank(renderMarkdown(markdown))).toBe(
          withoutBlank(expected).replace('<h2 id="footnote-label" class="sr-only">Footnotes</h2>', '<hr />'),
        );
      }),
      { numRuns: runs(20_000) },
    );
  });

  it.each([
    ['a\n:-', '<table>'],
    ['> a\n> -:', '<table>'],
    ['- x\n\n  | a |\n  |---|', '<table>'],
    ['1. | a | b |\n   |:-:|---|\n   | c | d |', '<table>'],
    ['see a.b+c@example.com', '<a href="mailto:a.b+c@example.com">'],
    ['Write to_me@x-y.de.', '<a href="mailto:to_me@x-y.de">'],
    ['see WWW.example.com', '<a href="http://WWW.example.com">'],
    ['(HTTPS://example.com)', '<a href="HTTPS://example.com">'],
  ])('finds it in %j', (markdown, html) => {
    expect(renderMarkdown(markdown)).toContain(html);
  });
});
