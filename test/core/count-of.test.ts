import { expect, it } from 'vitest';
import { countOf, countProblems } from '../../src/core/count-of.ts';

it('gives a noun the form of its number', () => {
  expect([countOf(0, 'page'), countOf(1, 'page'), countOf(1200, 'page')]).toEqual([
    '0 pages',
    '1 page',
    '1,200 pages',
  ]);
  expect([countOf(1, 'category', 'categories'), countOf(2, 'category', 'categories')]).toEqual([
    '1 category',
    '2 categories',
  ]);
});

it('names no severity that has no problem', () => {
  expect(countProblems({ error: 0, warning: 2, info: 0 })).toBe('2 warnings');
  expect(countProblems({ error: 1, warning: 0, info: 3 })).toBe('1 error, 3 info');
  expect(countProblems({ error: 0, warning: 0, info: 0 })).toBe('');
});
