import { expect } from 'vitest';
import type { Store } from '../../../src/service/store/store.ts';

const article = {
  article_id: 'aaaaaaaaaa',
  account_id: 'oldaccount',
  category_id: 'cccccccccc',
  title: 'Old printers',
  slug: 'old-printers',
  description: 'About ink',
  short_version: null,
  tags: ['basics'],
  is_published: true,
  is_private: false,
  permission_groups: null,
  is_featured: false,
  show_toc: true,
  sort_order: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-02T00:00:00.000Z',
};
const translation = {
  language_code: 'de',
  title: 'Alte Drucker',
  slug: 'alte-drucker',
  description: null,
  is_live: true,
};
const restricted = {
  ...article,
  article_id: 'bbbbbbbbbb',
  title: 'Restricted',
  permission_groups: ['staff'],
};

function rowOf(record: typeof article | typeof restricted, body: string) {
  return {
    article_id: record.article_id,
    status: 'published',
    slug: record.slug,
    updated_at: record.updated_at,
    meta: JSON.stringify({ ...record, multilingual: [translation] }),
    record: JSON.stringify({ ...record, body, multilingual: [{ ...translation, body: '<p>Tinte</p>' }] }),
  };
}

/** Articles as versions before schedules stored them. */
export const oldRows = [rowOf(article, '<p>Replacing cartridges</p>'), rowOf(restricted, '<p>Secret</p>')];

/** Id and record of a category. */
export const oldCategory = [
  'cccccccccc',
  JSON.stringify({ category_id: 'cccccccccc', account_id: 'oldaccount', title: 'Shop', multilingual: [] }),
] as const;

/** Checks that a store has all of it, and can be searched and changed. */
export async function expectOldContent(store: Store): Promise<void> {
  const page = { includeBody: true, after: 0, skip: 0, limit: 10, maxBytes: 1e9 };
  const listed = async (filter: Parameters<Store['listArticles']>[0]) =>
    (await store.listArticles(filter, page)).map(({ articleId }) => articleId);
  expect(await listed({})).toEqual(['aaaaaaaaaa', 'bbbbbbbbbb']);
  expect(await listed({ tag: 'basics', language: 'de', status: 'published' })).toHaveLength(2);
  expect(await listed({ permissionGroupId: 'staff' })).toEqual(['bbbbbbbbbb']);
  const none = { publish_at: null, unpublish_at: null };
  expect(JSON.parse((await store.readArticle('aaaaaaaaaa'))?.json ?? '')).toEqual({
    ...article,
    ...none,
    body: '<p>Replacing cartridges</p>',
    multilingual: [{ ...translation, ...none, body: '<p>Tinte</p>' }],
  });
  const find = async (text: string) => {
    const { hits } = await store.search({ text, limit: 10, includeDraft: false, includePrivate: false });
    return hits.map(({ title }) => title);
  };
  expect([await find('cartridge'), await find('tinte'), await find('secret')]).toEqual([
    ['Old printers'],
    ['Alte Drucker'],
    [],
  ]);
  expect((await store.listSources({ after: null, limit: 10 })).map(({ text }) => text)).toEqual([
    'Replacing cartridges',
    'Tinte',
  ]);
  expect(await store.listCategories()).toEqual([oldCategory[1]]);
  const days = { from: '2026-01-01', to: '2026-01-31', limit: 10 };
  expect(await store.listTopArticles(days)).toEqual([
    { article_id: 'aaaaaaaaaa', count: 7, title: 'Old printers' },
  ]);
  expect(store.accountId).toBe('oldaccount');
}
