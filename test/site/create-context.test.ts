import { expect, test } from 'vitest';
import type { Article } from '../../src/core/model.ts';
import { recentIds } from '../../src/site/pages/create-context.ts';
import { article, article as englishArticle, translation } from '../support/knowledge-base.ts';
import { planOf } from './support/fixture.ts';

const day = (number: number): string => `2026-01-0${number}T00:00:00.000Z`;

/** Ids and days, as `a3:5`. */
function recentOf(articles: readonly Article[], count: number, language = 'en'): readonly string[] {
  const plan = planOf(articles);
  const planned = plan.languageByTag.get(language);
  if (planned === undefined) throw new Error('no such language');
  return recentIds(plan, planned, count).map(
    ({ id, updatedAt }) => `${id.slice(-1)}:${updatedAt.slice(9, 10)}`,
  );
}

const dated = (
  id: number,
  updatedAt: string | null,
  titles: Readonly<Record<string, string>> = { en: 'One' },
) => article(`aaaaaaaaa${id}`, titles, { updatedAt });

test('The most recently updated articles are listed newest first, those of the same date by id', () => {
  const articles = [dated(1, day(2)), dated(2, day(4)), dated(3, day(2)), dated(4, day(5)), dated(5, day(4))];
  expect(recentOf(articles, 9)).toEqual(['4:5', '2:4', '5:4', '1:2', '3:2']);
});

test('No more than the count are listed, and of those with the oldest date the first by id', () => {
  const articles = [dated(1, day(2)), dated(2, day(3)), dated(3, day(2)), dated(4, day(1)), dated(5, day(4))];
  expect(recentOf(articles, 3)).toEqual(['5:4', '2:3', '1:2']);
  expect(recentOf(articles, 1)).toEqual(['5:4']);
});

test('Articles without a date are not listed', () => {
  expect(recentOf([dated(1, null), dated(2, day(1)), dated(3, null)], 2)).toEqual(['2:1']);
  expect(recentOf([dated(1, null)], 2)).toEqual([]);
});

test('Each language lists its own articles, by the date of the translation if it has one', () => {
  const both = { en: 'One', de: 'Eins' };
  const articles = [
    englishArticle(
      'aaaaaaaaa1',
      [translation('en', 'One', { updatedAt: day(1) }), translation('de', 'Eins', { updatedAt: day(6) })],
      { updatedAt: day(6) },
    ),
    dated(2, day(3), both),
    dated(3, day(9)),
    englishArticle('aaaaaaaaa4', [
      translation('en', 'Four'),
      translation('de', 'Vier', { updatedAt: day(4) }),
    ]),
  ];
  expect(recentOf(articles, 9)).toEqual(['3:9', '2:3', '1:1']);
  expect(recentOf(articles, 9, 'de')).toEqual(['1:6', '4:4', '2:3']);
});
