import { expect, test } from 'vitest';
import type { Article } from '../../src/core/model.ts';
import { createRelatedArticles } from '../../src/site/pages/related.ts';
import { article, category } from '../support/knowledge-base.ts';
import { planOf } from './support/fixture.ts';

function relatedTo(id: string, articles: readonly Article[], language = 'en'): readonly string[] {
  const plan = planOf(articles, [category('ccccccccc1', { en: 'Shelf' })]);
  const planned = plan.languageByTag.get(language);
  if (planned === undefined) throw new Error('no such language');
  return createRelatedArticles(plan, planned)(id);
}

test('An article is related to those that share its tags, the rarest tag first', () => {
  const articles = [
    article('aaaaaaaaa1', { en: 'One' }, { tags: ['common', 'rare'] }),
    article('aaaaaaaaa2', { en: 'Two' }, { tags: ['common'] }),
    article('aaaaaaaaa3', { en: 'Three' }, { tags: ['rare'] }),
    article('aaaaaaaaa4', { en: 'Four' }, { tags: ['common'] }),
    article('aaaaaaaaa5', { en: 'Five' }, { tags: ['other'] }),
  ];
  expect(relatedTo('aaaaaaaaa1', articles)).toEqual(['aaaaaaaaa3', 'aaaaaaaaa2', 'aaaaaaaaa4']);
});

test('Words of the title and the category count, too', () => {
  const articles = [
    article('aaaaaaaaa1', { en: 'Reset a password' }, { categoryId: 'ccccccccc1' }),
    article('aaaaaaaaa2', { en: 'Choose a password' }),
    article('aaaaaaaaa3', { en: 'Invoices' }, { categoryId: 'ccccccccc1' }),
    article('aaaaaaaaa4', { en: 'Weather' }),
  ];
  expect(relatedTo('aaaaaaaaa1', articles)).toEqual(['aaaaaaaaa3', 'aaaaaaaaa2']);
});

test('Only articles with a page in the language are related', () => {
  const articles = [
    article('aaaaaaaaa1', { en: 'One', ja: '一' }, { tags: ['x'] }),
    article('aaaaaaaaa2', { en: 'Two' }, { tags: ['x'] }),
    article('aaaaaaaaa3', { en: 'Three', ja: '三' }, { tags: ['x'] }),
  ];
  expect(relatedTo('aaaaaaaaa1', articles, 'ja')).toEqual(['aaaaaaaaa3']);
});

test('There are at most four, and an article alone has none', () => {
  const many = Array.from({ length: 9 }, (_, index) =>
    article(`aaaaaaaaa${index}`, { en: `Page ${index}` }, { tags: ['x'] }),
  );
  expect(relatedTo('aaaaaaaaa0', many)).toEqual(['aaaaaaaaa1', 'aaaaaaaaa2', 'aaaaaaaaa3', 'aaaaaaaaa4']);
  expect(relatedTo('aaaaaaaaa1', [article('aaaaaaaaa1', { en: 'Alone' })])).toEqual([]);
});
