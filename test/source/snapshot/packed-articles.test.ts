import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSpillFile } from '../../../src/foundation/spill-file.ts';
import type { StoredArticle } from '../../../src/source/snapshot/format.ts';
import { packArticles } from '../../../src/source/snapshot/packed-articles.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-packed-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

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

  describe.each([
    ['in memory', () => createSpillFile(null)],
    ['in a file', () => createSpillFile(folder)],
  ])('%s', (_, create) => {
    it('has unpaired surrogates and empty texts as they were', () => {
      const odd = { ...english, title: '\ud83d x \ude00', slug: '', description: '\0ÿĀ😀' };
      const article = { ...stored.article, tags: ['\udfff', ''], translations: [odd, japanese] };
      const spill = create();
      const [packed] = packArticles([{ ...stored, article }], spill);
      expect(packed?.article.tags).toEqual(article.tags);
      expect(packed?.article.toJSON().translations.map(({ title }) => title)).toEqual([
        odd.title,
        japanese.title,
      ]);
      expect(JSON.stringify(packed)).toBe(JSON.stringify({ ...stored, article }));
      spill.close();
    });

    it('has a thousand translations', () => {
      const translations = Array.from({ length: 1000 }, (_one, at) => ({
        ...english,
        language: `en-x-${at}`,
        title: `Title ${at} ${'ä'.repeat(at)}`,
      }));
      const article = { ...stored.article, translations };
      const spill = create();
      const [packed] = packArticles([{ ...stored, article }], spill);
      expect(JSON.stringify(packed)).toBe(JSON.stringify({ ...stored, article }));
      expect(packed?.article.translations[777]?.title).toBe(translations[777]?.title);
      spill.close();
    });

    it('has its own fields after others were read, in any order', () => {
      const many = Array.from({ length: 2000 }, (_one, at): StoredArticle => {
        const translations = [
          { ...english, title: `English ${at}` },
          { ...japanese, title: `日本語 ${at}` },
        ];
        return { ...stored, article: { ...stored.article, id: `a${at}`, tags: [`${at}`], translations } };
      });
      const spill = create();
      const packed = packArticles(many, spill);
      const order = many.map((_one, at) => (at * 769) % many.length);
      for (const at of order) {
        const other = packed[(at + 64) % packed.length]?.article.translations[1];
        const [first, second] = packed[at]?.article.translations ?? [];
        expect([first?.title, other?.title, second?.title, packed[at]?.article.tags]).toEqual([
          `English ${at}`,
          `日本語 ${(at + 64) % packed.length}`,
          `日本語 ${at}`,
          [`${at}`],
        ]);
      }
      spill.close();
    });
  });

  it('is packed only once', () => {
    const packed = packArticles([stored]);
    expect(packArticles(packed)).toBe(packed);
  });
});
