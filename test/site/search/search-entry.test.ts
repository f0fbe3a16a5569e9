import { expect, test } from 'vitest';
import { transform } from '../../../src/content/transform.ts';
import * as tokens from '../../../src/core/search/language-words.ts';
import { sectionOf } from '../../../src/site/search/posting.ts';
import { createSearchEntryMaker } from '../../../src/site/search/search-entry.ts';
import { settings } from '../../content/settings.ts';

const makeSearchEntry = createSearchEntryMaker(tokens);

/** Ids and headings of the sections a hit can lead to, and per term the numbers of those it is in. */
function entryOf(body: string) {
  const head = { href: '/a/', title: 'Title', category: '', tags: [] };
  const { article, terms, postings } = makeSearchEntry(head, transform(body, settings()), 'en');
  const sections: Record<string, number[]> = {};
  const names = String.fromCharCode(...terms).split('\n');
  for (let at = 0; at < postings.length; at += 2) {
    const term = names[postings[at] as number] as string;
    const found = sections[term] ?? [];
    const section = sectionOf(postings[at + 1] as number);
    if (found.at(-1) !== section) found.push(section);
    sections[term] = found;
  }
  const parts = (JSON.parse(article) as string[]).slice(4);
  return {
    headings: parts.filter((_, at) => at % 3 < 2),
    texts: parts.filter((_, at) => at % 3 === 2),
    sections,
  };
}

test('A word is found under its heading if a paragraph above says the same as the heading', () => {
  const { headings, texts, sections } = entryOf('<p>Setup</p><p>before</p><h2>Setup</h2><p>after</p>');
  expect(headings).toEqual(['setup', 'Setup']);
  expect(texts).toEqual(['after']);
  expect(sections).toMatchObject({ before: [0], after: [1] });
});

test('A word is found under its heading if a heading has a line break, is in a list or shows an image', () => {
  const { headings, sections } = entryOf(
    '<h2>Two<br>lines</h2><p>first</p><ul><li>x<ul><li><h3>Deep</h3>second</li></ul></li></ul>' +
      '<h2><img src=/a.png alt=Logo></h2><p>third</p>',
  );
  expect(headings).toEqual(['two-lines', 'Two lines', 'deep', 'Deep', 'logo', 'Logo']);
  expect(sections).toMatchObject({ first: [1], second: [2], third: [3] });
});

test('The text of a section is cut at the end of a word for excerpts, but searched as a whole', () => {
  const { texts, sections } = entryOf(`<h2>Long</h2><p>${'word '.repeat(2000)}last</p>`);
  expect(texts[0]).toMatch(/^(?:word )+word$/);
  expect(texts[0]?.length).toBeGreaterThan(3900);
  expect(texts[0]?.length).toBeLessThanOrEqual(4000);
  expect(sections).toMatchObject({ last: [1] });
});

test('Text after 4,095 headings is found at the last of them', () => {
  const { headings, sections } = entryOf(`${'<h2>Same</h2>'.repeat(5000)}<p>last</p>`);
  expect(headings).toHaveLength(2 * 4095);
  expect(sections).toMatchObject({ last: [4095] });
});
