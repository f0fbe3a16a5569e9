import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { chunkDocument } from '../../src/feed/chunks/chunk-document.ts';
import { chunkText } from '../../src/feed/chunks/chunk-text.ts';
import { feedLimits } from '../../src/feed/feed-limits.ts';
import { loadTokenCounter } from '../../src/feed/tokens/count-tokens.ts';
import { settings } from '../content/settings.ts';
import { fc, runs } from '../support/properties.ts';

const countTokens = await loadTokenCounter();

function textsOf(html: string): readonly string[] {
  const document = transform(html, settings());
  return chunkDocument(document, feedLimits.chunks, countTokens).chunks.map((cut) =>
    chunkText(document.markdown, { ...cut, title: 'T' }),
  );
}

const long = 'The locker opens when the code on the screen is the code of the parcel. '.repeat(20);

describe('headings in the text of chunks', () => {
  it.each([
    ['steps that are only headings', '<h2>A</h2><h2>B</h2><h2>C</h2>', ['T\n\n## A\n\n## B\n\n## C']],
    ['one heading', '<h2>A</h2>', ['T\n\n## A']],
    ['headings above the text', '<h2>A</h2><h3>B</h3><p>x</p>', ['T › A › B\n\nx']],
    [
      'headings before another section',
      '<h2>A</h2><h3>B</h3><h2>C</h2><p>x</p>',
      ['T\n\n## A\n\n### B\n\n## C\n\nx'],
    ],
    [
      'a heading before a section at its level',
      '<h2>A</h2><h3>B</h3><h3>C</h3><p>x</p>',
      ['T › A\n\n### B\n\n### C\n\nx'],
    ],
    [
      'a heading at the end',
      `<h2>A</h2><p>${long}</p><h2>B</h2>`,
      [expect.stringMatching(/^T › A\n\nThe.*\n\n## B$/s)],
    ],
  ])('are in its first line or in it: %s', (_what, html, texts) => {
    expect(textsOf(html)).toEqual(texts);
  });

  it('are all in some chunk', { tags: 'property' }, () => {
    const block = fc.oneof(
      fc.constantFrom(2, 3, 4).map((level) => ({ level })),
      fc.constantFrom('<p>x</p>', `<p>${long}</p>`, '<ul><li>y</li></ul>').map((html) => ({ html })),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 12 }), (blocks) => {
        const html = blocks
          .map((one, at) => ('html' in one ? one.html : `<h${one.level}>Heading${at}.</h${one.level}>`))
          .join('');
        const all = textsOf(html).join('\n');
        for (const [heading] of html.matchAll(/Heading\d+\./g)) expect(all).toContain(heading);
      }),
      { numRuns: runs(500) },
    );
  });
});
