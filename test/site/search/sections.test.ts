import { expect, test } from 'vitest';
import { splitSections } from '../../../src/site/search/sections.ts';
import { document } from '../support/fixture.ts';

const headings = [
  { level: 2, id: 'one', text: 'One' },
  { level: 3, id: 'two', text: 'Two' },
];

test('A text is cut at its headings', () => {
  expect(splitSections(document('', { headings, text: 'Intro\nOne\nfirst\nmore\nTwo\nsecond' }))).toEqual([
    { id: '', heading: '', text: 'Intro' },
    { id: 'one', heading: 'One', text: 'first\nmore' },
    { id: 'two', heading: 'Two', text: 'second' },
  ]);
});

test('A line that only reads like a later heading does not cut', () => {
  const sections = splitSections(document('', { headings, text: 'Two\nOne\nTwo\nTwo' }));
  expect(sections.map(({ text }) => text)).toEqual(['Two', '', 'Two']);
});

test('A heading in a list item is found behind its marker', () => {
  const sections = splitSections(document('', { headings, text: '- One\nfirst\n2. Two\nsecond' }));
  expect(sections.map(({ id }) => id)).toEqual(['', 'one', 'two']);
});
