import { expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { tokenize } from '../../src/core/search/language-words.ts';
import { hyphenate } from '../../src/core/slug.ts';
import { fc } from '../support/properties.ts';
import { settings } from './settings.ts';

const body = [
  '<h2>Hand&shy;book</h2><p>Pass\u00adword <b>re&shy;set</b> <img src="https://x.example/a.png" alt="pic&shy;ture"></p>',
  '<pre><code>np&shy;m</code></pre>',
  '<table><caption>Pri&shy;ces</caption><tr><th>Pl&shy;an</th></tr><tr><td>ba&shy;sic</td></tr></table>',
].join('');

it('are in the page, but not in the text and Markdown that programs compare', () => {
  const document = transform(body, settings());
  expect(document.html.match(/\u00ad/g)).toHaveLength(9);
  expect(document.text).toBe('Handbook\nPassword reset\nnpm\nPrices\nPlan\nbasic');
  expect(document.markdown).not.toContain('\u00ad');
  for (const { start, end, heading } of document.sections) {
    expect(document.text.slice(start, end)).not.toMatch(/^\n|\n$/);
    expect(heading?.text ?? '').not.toContain('\u00ad');
  }
  for (const { start, end } of document.blocks)
    expect(document.markdown.slice(start, end)).not.toMatch(/^\n/);
});

it('change nothing in text and Markdown, wherever they are', { tags: 'property' }, () => {
  const parts = [
    '<h2>',
    'A b',
    '</h2><p>',
    'c ',
    '<b>',
    ' d',
    '</b>',
    ' ',
    '<br>',
    '.',
    '</p><p>',
    ' ',
    '</p><ul><li>',
  ];
  const pieces = [
    ...parts,
    '- e 1. f',
    '</li></ul><table><tr><td>',
    ' g',
    '</td></tr></table><h2>',
    '',
    '</h2>',
  ];
  const anyTexts = fc.array(fc.stringMatching(/^[\u00ad ]{0,4}$/), { minLength: 80, maxLength: 80 });
  fc.assert(
    fc.property(anyTexts, (inserted) => {
      const next = inserted.values();
      const between = () => next.next().value ?? '';
      const text = pieces
        .map((piece) =>
          piece.startsWith('<') ? piece : [...piece, ''].map((sign) => between() + sign).join(''),
        )
        .join('');
      const { markdown, text: plain, headings, blocks } = transform(text, settings());
      const without = transform(text.replaceAll('\u00ad', ''), settings());
      expect({ markdown, plain, blocks: blocks.length }).toEqual({
        markdown: without.markdown,
        plain: without.text,
        blocks: without.blocks.length,
      });
      expect(headings).toHaveLength(without.headings.length);
    }),
  );
});

it('do not divide a word in the search', () => {
  expect(tokenize('Pass\u00adword zurück\u00adsetzen')).toEqual(['password', 'zurucksetzen']);
});

it('do not divide a word in ids of headings and in slugs', () => {
  const { headings } = transform('<h2>Hand&shy;book zurück&shy;setzen</h2>', settings());
  expect(headings.map(({ id }) => id)).toEqual(['handbook-zurucksetzen']);
  expect(hyphenate('Pass\u00adword \u00ad reset')).toBe('password-reset');
});
