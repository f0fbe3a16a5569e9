import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { everyCell, linesOfCode, renderMarkdown } from '../../../src/source/folder/render-markdown.ts';
import { fc, runs } from '../../support/properties.ts';

function render(markdown: string): { readonly html: string; readonly isLiteral: boolean } {
  let isLiteral = false;
  const html = renderMarkdown(markdown, () => {
    isLiteral = true;
  });
  return { html, isLiteral };
}

/** Without the bounds, each of these takes from seconds to days. */
const hang = { timeout: 120_000 };

describe('Markdown that would take quadratic time', () => {
  it.each([
    ['stars', '**a*'.repeat(30_000)],
    ['stars between words', 'a**b'.repeat(30_000)],
    ['closed tildes', '~~a~~ b'.repeat(15_000)],
    ['closing brackets', ']'.repeat(100_000)],
    ['nested images', `${'!['.repeat(20_000)}x${'](a)'.repeat(20_000)}`],
    ['links with an open title', '[a](b "'.repeat(15_000)],
    ['open comments', 'a<!--'.repeat(30_000)],
    ['open sections', 'x<![CDATA['.repeat(20_000)],
    ['growing runs of backticks', backticks(1200)],
    ['escapes beside open brackets', 'a\\*b<c '.repeat(20_000)],
    ['lines with words that begin like a host', `www.x.example\n${'a wide b\n'.repeat(40_000)}`],
    ['calls of footnotes', '[^a]'.repeat(30_000)],
    ['underlined headings', 'x\n===\n'.repeat(20_000)],
    ['nested quotations', `${'> '.repeat(20_000)}x`],
    ['nested items', `${'- '.repeat(20_000)}x`],
    ['nested numbered items', `${'1. '.repeat(20_000)}x`],
    ['lines without the mark of their quotation', `> x\n${'y\n'.repeat(100_000)}`],
    ['a wide table with short rows', `${'|a'.repeat(5000)}|\n${'|-'.repeat(5000)}|\n${'|b|\n'.repeat(5000)}`],
  ])('is shown as it is written, and reported: %s', hang, (_what, markdown) => {
    const { html, isLiteral } = render(`A *word* & more.\n\n${markdown}`);
    expect(isLiteral).toBe(true);
    const text = markdown.trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const lines = text.replaceAll('"', '&quot;').replaceAll('\n', '<br />\n');
    expect(html === `<p>A *word* &amp; more.</p>\n<p>${lines}</p>`).toBe(true);
  });
});

describe('other Markdown', () => {
  const reference = (markdown: string): string =>
    micromark(markdown, {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml(), linesOfCode, everyCell],
    }).replace('<h2 id="footnote-label" class="sr-only">Footnotes</h2>', '<hr />');

  it.each([
    ['1,000 bold words in one paragraph', 'A **bold** word and\n'.repeat(1000)],
    ['500 links in one paragraph', 'See [the page](https://x.example/a_b) and `code`.\n'.repeat(500)],
    ['a list of three levels', '- x\n  1. *y*\n     - z\n'.repeat(400)],
    ['a list of 5,000 items with 5,000 others', '- x\n  - y\n'.repeat(5000)],
    ['1,000 underlined headings', 'x\n===\ny\n\n'.repeat(1000)],
    ['100 quotations in each other', `${'> '.repeat(100)}x\n`],
    [
      'a table of 200 × 100 cells',
      `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${`${'|*b*'.repeat(100)}|\n`.repeat(200)}`,
    ],
    ['10,000 lines of stars in code', `\`\`\`\n${'**a*\n'.repeat(10_000)}\`\`\`\n`],
  ])('is rendered completely: %s', hang, (_what, markdown) => {
    expect(render(markdown)).toEqual({ html: reference(markdown), isLiteral: false });
  });

  it('is rendered as without bounds', { tags: 'property' }, () => {
    const part = fc.constantFrom(
      ...[
        'a',
        'word ',
        '*',
        '**',
        '_',
        '~~',
        '`',
        '``',
        '[',
        ']',
        '](',
        ')',
        '[a]',
        '[a]: b\n',
        '[^a]',
        '[^a]: ',
        '![',
      ],
      ...[
        '<b>',
        '</b>',
        '<!--',
        '-->',
        '<',
        '&amp;',
        '\\',
        '- ',
        '1. ',
        '  ',
        '    ',
        '\n',
        '\n\n',
        '  \n',
        '\t',
      ],
      ...[
        '| a | b |\n|---|---|\n',
        '|',
        '---\n',
        '===\n',
        '# ',
        '```\n',
        'www.x.test',
        'http://x.test/a&b;',
        'a@b.test',
        '[x] ',
      ],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const markdown = parts.join('');
        expect(render(markdown)).toEqual({ html: reference(markdown), isLiteral: false });
      }),
      { numRuns: runs(1000) },
    );
  });
});

/** Runs of 1 to `count` backticks, none of which another one closes. */
function backticks(count: number): string {
  return Array.from({ length: count }, (_, at) => `${'`'.repeat(at + 1)}a`).join('');
}
