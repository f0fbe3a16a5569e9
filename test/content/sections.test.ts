import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { fc, runs } from '../support/properties.ts';
import { arbitraryBody, arbitraryText } from './arbitrary-body.ts';
import { settings } from './settings.ts';

/** Heading id (`''` before the first) and text of each section. */
function sectionsOf(body: string): readonly (readonly [id: string, text: string])[] {
  const { text, sections } = transform(body, settings());
  return sections.map(({ heading, start, end }) => [heading?.id ?? '', text.slice(start, end)]);
}

describe('the sections of a text', () => {
  it('go from heading to heading', () => {
    expect(sectionsOf('<p>Intro</p><h2>One</h2><p>a</p><p>b</p><h3>Two</h3><ul><li>c</ul>')).toEqual([
      ['', 'Intro'],
      ['one', 'a\nb'],
      ['two', '- c'],
    ]);
  });

  it('are not cut at a line with the text of a heading', () => {
    const list = '<p>In this article:</p><ul><li>One</li><li>Two</li></ul>';
    expect(sectionsOf(`${list}<h2>One</h2><p>Two</p><h2>Two</h2><p>One</p>`)).toEqual([
      ['', 'In this article:\n- One\n- Two'],
      ['one', 'Two'],
      ['two', 'One'],
    ]);
  });

  it.each([
    ['starts with a number', '<h2>1. Open it</h2>', '1-open-it'],
    ['has a line break', '<h2>Open<br>it</h2>', 'open-it'],
    ['is in a list', '<ol><li>x<ul><li><h2>Open it</h2></li></ul></li></ol>', 'open-it'],
    ['is in a quotation', '<blockquote><h2>Open it</h2></blockquote>', 'open-it'],
    ['shows an image alone', '<h2><img src=/a.png alt="Open it"></h2>', 'open-it'],
    ['shows a player alone', '<h2><video src=/a.mp4 title="Open it"></video></h2>', 'open-it'],
    [
      'is the label of a section that opens',
      '<details><summary><h2>Open it</h2></summary></details>',
      'open-it',
    ],
  ])('start at a heading that %s', (_, heading, id) => {
    const sections = sectionsOf(`${heading}<p>after</p><h2>Next</h2><p>last</p>`);
    expect(sections.slice(1)).toEqual([
      [id, 'after'],
      ['next', 'last'],
    ]);
  });

  it('contain the headings in tables as text, because a row has many cells', () => {
    const table = '<table><tr><td><h2>A</h2>a</td><td><h2>B</h2>b</td></tr></table>';
    expect(sectionsOf(`<p>x</p>${table}<h2>C</h2><p>y</p>`)).toEqual([
      ['', 'x\nA a | B b'],
      ['c', 'y'],
    ]);
  });

  it('are one section if there is no text', () => {
    expect(sectionsOf('')).toEqual([['', '']]);
    expect(sectionsOf('<h2>One</h2>')).toEqual([
      ['', ''],
      ['one', ''],
    ]);
  });

  it('contain all the text except its headings, whatever the body', { tags: 'property' }, () => {
    const anyBody = fc.oneof(arbitraryBody, arbitraryText);
    fc.assert(
      fc.property(anyBody, (body) => {
        const { text, sections, headings } = transform(body, settings());
        // Items of lists put a marker before a heading; pictures are words of a heading and none of the text.
        const words = (value: string) => value.replaceAll(/\s/g, '').replace(/^(?:-?\d+\.|-|[a-z]+\.)*/, '');
        const hasPictures = /<(?:img|image|iframe|video|audio)/i.test(body);
        let at = 0;
        for (const { heading, start, end } of sections) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThanOrEqual(start);
          const between = words(text.slice(at, start));
          if (heading === null) expect(start).toBe(0);
          else {
            expect(headings).toContain(heading);
            if (!hasPictures) expect(between).toBe(words(heading.text));
          }
          at = end;
        }
        expect(at).toBe(text.length);
      }),
      { numRuns: runs(400) },
    );
  });
});
