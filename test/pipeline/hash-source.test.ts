import { describe, expect, it } from 'vitest';
import type { Article, ArticleTranslation } from '../../src/core/model.ts';
import { hashSharedMetadata } from '../../src/pipeline/hash-source.ts';
import { planSite } from '../../src/site/plan/plan-site.ts';
import type { Source } from '../../src/source/source.ts';
import { article, category, knowledgeBase, translation } from '../support/knowledge-base.ts';

const ids = Array.from({ length: 8 }, (_none, at) => `article00${at}`);

interface Content {
  /** Changes to the first article. */
  readonly first?: Partial<Article>;
  /** Translations of the second article besides the English one; absent: none. */
  readonly others?: readonly ArticleTranslation[];
  readonly top?: readonly string[];
  readonly categoryTitle?: string;
  readonly excluded?: string;
}

const noneShared = { descriptions: new Map(), blocks: new Map(), boilerplate: new Map() };

/** A knowledge base of eight English articles, viewed in the order of their ids. */
function sourceOf({
  first = {},
  others = [],
  top,
  categoryTitle = 'Start',
  excluded = 'gone000001',
}: Content = {}): Source {
  const articles = ids.map((id, at) =>
    article(id, [translation('en', `Title ${at}`, { bodyHash: id }), ...(at === 1 ? others : [])], {
      updatedAt: '2026-01-01T00:00:00.000Z',
      ...(at === 0 ? first : {}),
    }),
  );
  const categories = [category('cccccccccc', { en: categoryTitle })];
  return {
    hiddenNames: new Map(),
    knowledgeBase: knowledgeBase(articles, categories, { excluded: new Map([[excluded, 'draft']]) }),
    readBodies: () => Promise.reject(new Error('nobody reads bodies')),
    topArticles: new Map([['en', top ?? ids]]),
    fileOf: () => null,
    unpublishAtOf: () => ({}),
    findText: async () => [],
    listSkippedTranslations: () => [],
    problems: [],
    stats: {
      mode: 'offline',
      hiddenTranslations: 0,
      listed: 8,
      unread: {},
      published: 8,
      excluded: {},
      categories: 1,
      languages: { en: 8 },
      bodyBytes: 0,
      singleReads: 0,
    },
    snapshot: null,
    close: async () => {},
  };
}

const hashes = (content: Content = {}) => {
  const source = sourceOf(content);
  const { plan } = planSite(source.knowledgeBase, {
    siteUrl: 'https://help.example',
    urls: {},
    siteTitle: 'Help',
    languages: ['en', 'de'],
  });
  return hashSharedMetadata(source, noneShared, plan);
};
const metadata = (content: Content = {}) => hashes(content).all;
const [one = '', two = '', ...others] = ids;

const english = (rest: Partial<ArticleTranslation>) =>
  translation('en', 'Title 0', { bodyHash: one, ...rest });

const edits: readonly (readonly [what: string, content: Content])[] = [
  ['a title', { first: { translations: [translation('en', 'Other', { bodyHash: one })] } }],
  ['a slug', { first: { translations: [translation('en', 'Title 0', { bodyHash: one, slug: 's' })] } }],
  ['a description', { first: { translations: [english({ description: 'Other' })] } }],
  ['a language', { first: { translations: [translation('de', 'Title 0', { bodyHash: one })] } }],
  ['a date of a translation', { first: { translations: [english({ updatedAt: '2026-01-01' })] } }],
  ['an id', { first: { id: 'article000b' } }],
  ['a creation date', { first: { createdAt: '2026-01-01T00:00:00.000Z' } }],
  ['a mark as featured', { first: { isFeatured: true } }],
  ['a position', { first: { sortOrder: 1 } }],
  ['a page without a table of contents', { first: { showToc: false } }],
  ['a tag', { first: { tags: ['red'] } }],
  ['a category', { first: { categoryId: 'cccccccccc' } }],
  ['a title of a category', { categoryTitle: 'Other' }],
  ['what is not published', { excluded: 'gone000002' }],
  ['a date that is gone', { first: { updatedAt: null } }],
];

describe('the hash of the metadata that articles show of each other', () => {
  it('changes with the most viewed article, which comes first in its category', () => {
    expect(metadata({ top: [two, one, ...others] })).not.toBe(metadata());
  });

  it.each(edits)('changes with %s', (_what, content) => {
    expect(metadata(content)).not.toBe(metadata());
  });

  it('takes no longer for each language that lacks an article', () => {
    const languages = Array.from({ length: 26 }, (_none, at) => `${String.fromCharCode(97 + at)}a`);
    const source = sourceOf();
    const { plan } = planSite(source.knowledgeBase, {
      siteUrl: 'https://help.example',
      urls: {},
      siteTitle: 'Help',
      languages: ['en'],
    });
    const [page] = plan.articles.get(one)?.pages.values() ?? [];
    let reads = 0;
    const counted = {
      ...(page as NonNullable<typeof page>),
      get title() {
        reads += 1;
        return 'Title 0';
      },
    };
    const [planned] = plan.languages;
    const manyLanguages = languages.map((tag) => ({ ...(planned as NonNullable<typeof planned>), tag }));
    const articles = new Map(
      [...plan.articles].map(([id, own]) => [id, { ...own, pages: new Map([['en', counted]]) }]),
    );
    hashSharedMetadata(source, noneShared, { ...plan, languages: manyLanguages, articles });
    expect(reads).toBe(articles.size);
  });

  it.each<[string, Content]>([
    ['a body', { first: { translations: [translation('en', 'Title 0', { bodyHash: 'other' })] } }],
    ['the day of an edit', { first: { updatedAt: '2026-01-02T00:00:00.000Z' } }],
  ])('does not change with %s', (_what, content) => {
    expect(metadata(content)).toBe(metadata());
  });

  const german = translation('de', 'Titel');
  const both = (en: ArticleTranslation, de: ArticleTranslation) => ({ first: { translations: [en, de] } });

  it.each<[what: string, content: Content, changed: readonly string[]]>([
    ['a title in one language', both(english({ title: 'Other', slug: 's' }), german), ['all', 'en']],
    ['a description', both(english({ description: 'Other', slug: 's' }), german), ['all', 'en']],
    ['a title that lists have', both(english({ listTitle: 'Other', slug: 's' }), german), ['all', 'en']],
    ['a slug', both(english({ slug: 'other' }), german), ['all', 'de', 'en', 'places']],
    [
      'a title from which the slug is made',
      both(english({ title: 'Other', slug: null }), german),
      ['all', 'de', 'en', 'places'],
    ],
    [
      'a missing translation',
      { first: { translations: [english({ slug: 's' })] } },
      ['all', 'de', 'en', 'places'],
    ],
  ])('changes with %s only where that is shown', (_what, content, changed) => {
    const byName = ({
      all,
      places,
      languages,
    }: ReturnType<typeof hashes>): Readonly<Record<string, string>> => ({
      ...{ all, places },
      ...languages,
    });
    const before = byName(hashes(both(english({ slug: 's' }), german)));
    const after = byName(hashes(content));
    expect(
      Object.keys(before)
        .filter((name) => before[name] !== after[name])
        .sort(),
    ).toEqual(changed);
  });

  it('changes in a language with the title that it shows of an article that is not translated into it', () => {
    const only = (first: ArticleTranslation) =>
      hashes({ others: [german], first: { translations: [first] } });
    const before = only(english({ slug: 's' }));
    const after = only(english({ slug: 's', title: 'Other' }));
    expect(after.languages.de).not.toBe(before.languages.de);
    expect(after.places).toBe(before.places);
  });
});
