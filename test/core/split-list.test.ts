import { expect, it } from 'vitest';
import { splitList } from '../../src/core/split-list.ts';

it('splits a list at commas, without blanks and empty items', () => {
  expect(splitList('en, de,,fr ,')).toEqual(['en', 'de', 'fr']);
  expect(splitList('')).toEqual([]);
});
