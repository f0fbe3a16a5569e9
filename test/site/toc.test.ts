import { describe, expect, it } from 'vitest';
import { tableOfContents } from '../../src/site/pages/render-article.ts';

const heading = (level: number, text: string) => ({ level, id: text.toLowerCase(), text });

describe('tableOfContents', () => {
  it('lists the two topmost levels a body uses as a tree', () => {
    const toc = tableOfContents([heading(3, 'A'), heading(4, 'B'), heading(5, 'C'), heading(3, 'D')]);
    expect(toc).toEqual([
      { id: 'a', text: 'A', children: [{ id: 'b', text: 'B', children: [] }] },
      { id: 'd', text: 'D', children: [] },
    ]);
  });

  it('lists nothing if there is only one heading, or none with text', () => {
    expect(tableOfContents([heading(2, 'Only')])).toEqual([]);
    expect(tableOfContents([heading(2, ' '), heading(2, '')])).toEqual([]);
  });

  it('lists the headings of a body that has 300,000 of them', () => {
    const many = Array.from({ length: 300_000 }, (_, index) => heading(2, `H${index}`));
    expect(tableOfContents(many)).toHaveLength(300_000);
  });
});
