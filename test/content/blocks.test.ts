import { describe, expect, it } from 'vitest';
import type { BlockType, Document, Heading } from '../../src/content/document.ts';
import { transform } from '../../src/content/transform.ts';
import { fc, runs } from '../support/properties.ts';
import { arbitraryBody, arbitraryText } from './arbitrary-body.ts';
import { findBlocks, parseBlocks } from './common-mark-blocks.ts';
import { settings } from './settings.ts';

const documentOf = (body: string): Document => transform(body, settings());

/** Type and text of each block. */
function blocksOf(body: string): readonly (readonly [BlockType, string])[] {
  const { markdown, blocks } = documentOf(body);
  return blocks.map(({ type, start, end }) => [type, markdown.slice(start, end)]);
}

describe('the blocks of a document', () => {
  it('are the top-level blocks of its Markdown', () => {
    expect(
      blocksOf(
        '<h3>One</h3><p>a<br>b</p><p><b>Label</b></p><ul><li>c<p>d</p></li><li>e</li></ul><ol><li>f</li></ol>' +
          '<table><caption>g</caption><tr><th>h</th></tr><tr><td>i</td></tr></table><pre>j\n\nk</pre>' +
          '<div class="callout">l<p>m</p></div><blockquote><h2>n</h2></blockquote><p><img src=o alt=p></p><hr>',
      ),
    ).toEqual([
      ['heading', '## One'],
      ['paragraph', 'a  \nb'],
      ['label', '**Label**'],
      ['list', '- c\n\n  d\n\n- e'],
      ['steps', '1. f'],
      ['paragraph', 'g'],
      ['table', '| h |\n| --- |\n| i |'],
      ['code', '```\nj\n\nk\n```'],
      ['callout', '> [!NOTE]\n> l\n>\n> m'],
      ['quote', '> ## n'],
      ['image', 'p'],
      ['rule', '___'],
    ]);
  });

  it.each([
    ['<p><a href=/x><img src=a></a> <img src=b></p>', 'image'],
    ['<p><img src=a> Then press <a href=/x>OK</a></p>', 'paragraph'],
    ['<p><span><strong>Why?</strong></span></p>', 'label'],
    ['<p><b>Mind <i>this</i></b></p>', 'paragraph'],
    ['<p><b>a</b> b <b>c</b></p>', 'paragraph'],
    ['<p>1.&nbsp;Open it</p>', 'paragraph'],
    ['<p>&lt; 5</p>', 'paragraph'],

    ['<details><summary>Sum</summary></details>', 'label'],
    ['<iframe src="https://www.youtube.com/embed/x" title=t></iframe>', 'paragraph'],
  ])('%s is one of type %s', (body, type) => {
    expect(blocksOf(body).map(([found]) => found)).toEqual([type]);
  });

  it('are labels if a list of terms has its terms', () => {
    expect(blocksOf('<dl><dt>Term</dt><dd>Meaning</dd></dl>')).toEqual([
      ['label', '**Term**'],
      ['paragraph', 'Meaning'],
    ]);
  });

  it('have the start of the content of tables and code, and of the items of lists', () => {
    const { markdown, blocks } = documentOf(
      '<table><tr><th>a</th></tr><tr><td>b</td></tr></table><pre>c\nd</pre><ul><li>e<ul><li>f</li></ul></li><li>g</li></ul>',
    );
    const [table, code, list] = blocks;
    expect(markdown.slice(table?.bodyStart, table?.end)).toBe('| b |');
    expect(markdown.slice(code?.bodyStart, code?.end)).toBe('c\nd\n```');
    expect(list?.items.map((start) => markdown.slice(start, start + 3))).toEqual(['- e', '- g']);
  });

  it('name each heading, even if several have the same text', () => {
    const { blocks } = documentOf('<ul><li><h2>Same</h2></li></ul><h2>Same</h2><p>x</p><h3>Same</h3>');
    expect(blocks.map(({ heading }) => heading?.id)).toEqual([undefined, 'same-2', undefined, 'same-3']);
  });
});

const anyBody = fc.oneof(arbitraryBody, arbitraryText);

describe('whatever the body', () => {
  it('blocks contain everything in the Markdown except blank lines, in order', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const { markdown, blocks } = documentOf(body);
        let at = 0;
        for (const { start, end, bodyStart, items } of blocks) {
          expect(markdown.slice(at, start).trim()).toBe('');
          expect(start === 0 || markdown[start - 1] === '\n').toBe(true);
          expect(markdown[end]).toBe('\n');
          expect(end).toBeGreaterThan(start);
          expect(bodyStart).toBeGreaterThanOrEqual(start);
          expect(bodyStart).toBeLessThanOrEqual(end);
          expect([...items].sort((a, b) => a - b)).toEqual(items);
          expect(items.every((item) => item >= start && item < end)).toBe(true);
          at = end;
        }
        expect(markdown.slice(at).trim()).toBe('');
      }),
      { numRuns: runs(400) },
    );
  });

  it('blocks are those that a CommonMark parser finds', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const document = documentOf(body);
        expect(findBlocks(document)).toEqual(parseBlocks(document.markdown));
      }),
      { numRuns: runs(400) },
    );
  });

  it('every heading that is not in a list, quotation or table has its block', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const { html, headings, blocks } = documentOf(body);
        const found = blocks.flatMap(({ heading }) => heading ?? []);
        expect(found.every((heading) => headings.includes(heading))).toBe(true);
        expect(found.map((heading) => headings.indexOf(heading))).toEqual(
          found.map((heading) => headings.indexOf(heading)).sort((a, b) => a - b),
        );
        if (!/<(?:li|blockquote|td|th|caption)\b|class="callout/.test(html)) {
          const says = ({ text }: Heading) => text !== '';
          expect(found.filter(says)).toEqual(headings.filter(says));
        }
      }),
      { numRuns: runs(400) },
    );
  });
});
