import { describe, expect, it } from 'vitest';
import type { StoredArticle } from '../../../src/source/snapshot/format.ts';
import { packArticles } from '../../../src/source/snapshot/packed-articles.ts';

const english = {
  language: 'en',
  title: 'Reset',
  slug: 'reset',
  description: 'How to reset it',
  updatedAt: null,
  bodyHash: '0a'.repeat(32),
  callouts: ['2811f2ebca23b9ab', 'ad2bd87ddafeb2f6'],
};
const japanese = {
  language: 'ja',
  title: 'リセット',
  slug: null,
  description: '',
  updatedAt: '2026-01-02T00:00:00.000Z',
  bodyHash: 'ff'.repeat(32),
  callouts: [],
};
const stored: StoredArticle = {
  article: {
    id: '4fq8d7s2ka',
    categoryId: 'basics',
    tags: ['router', 'two words'],
    createdAt: null,
    updatedAt: '2026-01-01T00:00:00.000Z',
    isFeatured: true,
    sortOrder: -1.5,
    showToc: false,
    translations: [english, japanese],
  },
  bodyRange: { offset: 12, lengths: [3, 4] },
  hidden: ['de'],
  fingerprint: 'f',
  problems: [],
};

function packOne() {
  const [packed] = packArticles([stored]);
  if (packed === undefined) throw new Error('nothing was packed');
  return packed;
}

describe('a packed article', () => {
  it('has every field of the article', () => {
    const { article, bodyRange, hidden, fingerprint, problems } = packOne();
    const { id, categoryId, tags, createdAt, updatedAt, isFeatured, sortOrder, showToc } = article;
    const translations = article.translations.map(
      ({ language, title, slug, description, updatedAt: editedAt, bodyHash, callouts }) => {
        return { language, title, slug, description, updatedAt: editedAt, bodyHash, callouts };
      },
    );
    const own = { id, categoryId, tags, createdAt, updatedAt, isFeatured, sortOrder, showToc, translations };
    expect({ article: own, bodyRange, hidden, fingerprint, problems }).toEqual(stored);
  });

  it('has the same JSON, which becomes the next snapshot', () => {
    expect(JSON.stringify(packOne())).toBe(JSON.stringify(stored));
  });

  it('leaves out languages and a lost category, and spells the others anew', () => {
    const { categoryId, translations } = packOne().article.with([null, 'ja-JP'], false);
    expect(categoryId).toBeNull();
    expect(translations.map(({ language, title }) => [language, title])).toEqual([['ja-JP', 'リセット']]);
  });

  it('is packed only once', () => {
    const packed = packArticles([stored]);
    expect(packArticles(packed)).toBe(packed);
  });
});
