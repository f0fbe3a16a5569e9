import { describe, expect, it } from 'vitest';
import type { KnowledgeBase } from '../../../src/core/model.ts';
import { twinAddress } from '../../../src/site/plan/page-url.ts';
import type { CategoryNode } from '../../../src/site/plan/plan.ts';
import { type PlanSettings, planSite } from '../../../src/site/plan/plan-site.ts';
import { article, category, knowledgeBase, translation } from '../../support/knowledge-base.ts';

const settings: PlanSettings = {
  siteUrl: 'https://help.example.com/docs/',
  siteTitle: 'Help',
  languages: undefined,
  urls: { article: '{lang}/article/{id}-{slug}', category: '{lang}/category/{id}-{slug}' },
};

const plan = (base: KnowledgeBase, changes: Partial<PlanSettings> = {}) =>
  planSite(base, { ...settings, ...changes });

describe('planSite', () => {
  it('is plain data, which can be copied and compared', () => {
    const base = knowledgeBase(
      [article('aaaaaaaaaa', [translation('en', 'Reset'), translation('de', 'Zurücksetzen')])],
      [category('cat0000000', { en: 'Basics' })],
    );
    const planned = plan(base);
    expect(structuredClone(planned)).toStrictEqual(planned);
    expect(plan(base)).toStrictEqual(planned);
  });

  it('gives an article one page per language it is translated into, with its twin', () => {
    const base = knowledgeBase([
      article('aaaaaaaaaa', [
        translation('en', 'Reset'),
        translation('ja', 'リセット', { slug: 'リセット' }),
      ]),
    ]);
    const planned = plan(base).plan;
    const pages = planned.articles.get('aaaaaaaaaa')?.pages;
    expect([...(pages?.keys() ?? [])]).toEqual(['en', 'ja']);
    const page = pages?.get('ja');
    expect(page).toMatchObject({
      path: 'ja/article/aaaaaaaaaa-リセット/index.html',
      href: '/docs/ja/article/aaaaaaaaaa-%E3%83%AA%E3%82%BB%E3%83%83%E3%83%88/',
      url: 'https://help.example.com/docs/ja/article/aaaaaaaaaa-%E3%83%AA%E3%82%BB%E3%83%83%E3%83%88/',
    });
    expect(page && twinAddress(planned, page)).toMatchObject({
      path: 'ja/article/aaaaaaaaaa-リセット/index.html.md',
    });
  });

  it('takes the translation’s slug, else the record’s, else one made from the title', () => {
    const base = knowledgeBase([
      article('aaaaaaaaaa', [
        translation('en', 'One', { slug: 'record' }),
        translation('de', 'Eins', { slug: 'eins' }),
        translation('fr', 'Un'),
      ]),
      article('bbbbbbbbbb', [translation('en', 'Two words')]),
    ]);
    const paths = [...plan(base).plan.articles.values()].flatMap(({ pages }) =>
      [...pages.values()].map((p) => p.path),
    );
    expect(paths).toEqual([
      'en/article/aaaaaaaaaa-record/index.html',
      'de/article/aaaaaaaaaa-eins/index.html',
      'fr/article/aaaaaaaaaa-record/index.html',
      'en/article/bbbbbbbbbb-two-words/index.html',
    ]);
  });

  it.each([
    ['../../etc/passwd', 'en/article/aaaaaaaaaa-etc-passwd/index.html'],
    ['con', 'en/article/aaaaaaaaaa-con/index.html'],
    ['.', 'en/article/aaaaaaaaaa-title/index.html'],
    ['🎉', 'en/article/aaaaaaaaaa-title/index.html'],
    ['', 'en/article/aaaaaaaaaa-title/index.html'],
  ])('makes a safe path of the slug %j', (slug, path) => {
    const base = knowledgeBase([article('aaaaaaaaaa', [translation('en', 'Title', { slug })])]);
    expect(plan(base).plan.articles.get('aaaaaaaaaa')?.pages.get('en')?.path).toBe(path);
  });

  it('reports a slug it had to replace', () => {
    const base = knowledgeBase([article('aaaaaaaaaa', [translation('en', 'Title', { slug: '../up' })])]);
    expect(plan(base).problems).toMatchObject([
      { code: 'SLUG_REPLACED', articleId: 'aaaaaaaaaa', language: 'en' },
    ]);
  });

  it('gives a path to the first article by id that has it, adds the id to the others, and reports them', () => {
    const base = knowledgeBase([
      article('bbbbbbbbbb', [translation('en', 'Same')]),
      article('aaaaaaaaaa', [translation('en', 'Same')]),
      article('cccccccccc', [translation('en', 'Search')]),
    ]);
    const urls = { article: '{lang}/{slug}', category: '{lang}/category/{id}' };
    const { plan: made, problems } = plan(base, { urls });
    expect([...made.articles.values()].map(({ pages }) => pages.get('en')?.path)).toEqual([
      'en/same/index.html',
      'en/same-bbbbbbbbbb/index.html',
      'en/search-cccccccccc/index.html',
    ]);
    expect(problems).toMatchObject([
      {
        code: 'ADDRESS_TAKEN',
        articleId: 'bbbbbbbbbb',
        language: 'en',
        message:
          'the path en/same/index.html belongs to article aaaaaaaaaa (en), so this page has the path en/same-bbbbbbbbbb/index.html',
      },
      { code: 'ADDRESS_TAKEN', articleId: 'cccccccccc' },
    ]);
  });

  it('moves a page out of a folder that Lectern writes itself, and says where to', () => {
    const base = knowledgeBase([
      article('aaaaaaaaaa', [translation('en', 'Units', { sourcePath: 'feed/units' })]),
      article('bbbbbbbbbb', [translation('en', 'Prices', { sourcePath: 'prices' })]),
    ]);
    const { plan: made, problems } = plan(base, { urls: {} });
    expect(made.articles.get('aaaaaaaaaa')?.pages.get('en')?.path).toBe('feed_/units/index.html');
    expect(problems).toMatchObject([
      {
        code: 'ADDRESS_TAKEN',
        articleId: 'aaaaaaaaaa',
        message: expect.stringMatching(
          /^the path feed\/units belongs to Lectern itself, .*feed_\/units\/index\.html$/,
        ),
      },
    ]);
  });

  it('keeps apart articles whose ids differ in case only', () => {
    const base = knowledgeBase([
      article('aaaaaaaaaa', [translation('en', 'Same')]),
      article('AAAAAAAAAA', [translation('en', 'Same')]),
    ]);
    const { plan: made, problems } = plan(base);
    const paths = [...made.articles.values()].map(({ pages }) => pages.get('en')?.path.toLowerCase());
    expect(new Set(paths).size).toBe(2);
    expect(problems).toMatchObject([{ code: 'ADDRESS_TAKEN', articleId: 'aaaaaaaaaa' }]);
  });

  it('separates categories with the same URL', () => {
    const base = knowledgeBase(
      [
        article('aaaaaaaaaa', [translation('en', 'One')], { categoryId: 'cccccccccc' }),
        article('bbbbbbbbbb', [translation('en', 'Two')], { categoryId: 'dddddddddd' }),
      ],
      [category('cccccccccc', { en: 'Same' }), category('dddddddddd', { en: 'Same' })],
    );
    const { plan: made, problems } = plan(base, { urls: { article: '{id}', category: 'c/{slug}' } });
    expect([...made.categoryPages.values()].map((pages) => pages.get('en')?.path)).toEqual([
      'c/same/index.html',
      'c/same-dddddddddd/index.html',
    ]);
    expect(problems).toMatchObject([{ code: 'ADDRESS_TAKEN', categoryId: 'dddddddddd' }]);
  });

  it.each(['notice', 'redirect'] as const)(
    'plans the fallback pages of mode %s after all other pages',
    (mode) => {
      const base = knowledgeBase([
        article('aaaaaaaaaa', [translation('en', 'Same')]),
        article('bbbbbbbbbb', [translation('en', 'Same', { slug: 'other' })]),
        article('cccccccccc', [translation('en', 'Third'), translation('de', 'Same')]),
      ]);
      const urls = { article: '{lang}/{slug}', category: '{lang}/category/{id}' };
      const { plan: made, problems } = plan(base, { urls, fallback: { mode, languages: {} } });
      expect([...made.movedFallbacks]).toEqual([
        ['aaaaaaaaaa/de', 'de/same-aaaaaaaaaa/index.html'],
        ['bbbbbbbbbb/de', 'de/same-bbbbbbbbbb/index.html'],
      ]);
      expect(problems.map(({ code, language }) => `${code} ${language}`)).toEqual([
        'ADDRESS_TAKEN de',
        'ADDRESS_TAKEN de',
      ]);
    },
  );

  it('gives pages without a pattern of their own and without a path the id and the slug', () => {
    const base = knowledgeBase(
      [article('aaaaaaaaaa', [translation('en', 'One')], { categoryId: 'cccccccccc' })],
      [category('cccccccccc', { en: 'Basics' })],
    );
    const { plan: made } = plan(base, { urls: {}, languages: ['en'] });
    expect(made.articles.get('aaaaaaaaaa')?.pages.get('en')?.path).toBe(
      'en/article/aaaaaaaaaa-one/index.html',
    );
    expect(made.categoryPages.get('cccccccccc')?.get('en')?.path).toBe(
      'en/category/cccccccccc-basics/index.html',
    );
  });

  it('refuses a pattern that leads into the feed', () => {
    const base = knowledgeBase([article('aaaaaaaaaa', [translation('en', 'Same')])]);
    expect(() => plan(base, { urls: { article: 'feed/{id}', category: 'c/{id}' } })).toThrow(
      /has the path feed\/aaaaaaaaaa/,
    );
  });

  it('puts the default language first and reports a configured language without articles', () => {
    const base = knowledgeBase([
      article('aaaaaaaaaa', [translation('de', 'Eins'), translation('en', 'One'), translation('ar', 'واحد')]),
    ]);
    expect(plan(base).plan.languages.map(({ tag, dir }) => `${tag} ${dir}`)).toEqual([
      'en ltr',
      'ar rtl',
      'de ltr',
    ]);
    const configured = plan(base, { languages: ['de', 'fr'] });
    expect(configured.plan.languages.map(({ tag }) => tag)).toEqual(['de']);
    expect(configured.problems).toMatchObject([{ code: 'LANGUAGE_EMPTY', language: 'fr' }]);
  });

  it('omits absolute URLs and reports it if the site URL is not known', () => {
    const base = knowledgeBase([article('aaaaaaaaaa', [translation('en', 'One')])]);
    const result = plan(base, { siteUrl: undefined });
    expect(result.plan.articles.get('aaaaaaaaaa')?.pages.get('en')?.url).toBe('/en/article/aaaaaaaaaa-one/');
    expect(result.problems).toMatchObject([{ code: 'SITE_URL_MISSING' }]);
  });

  it('counts the articles that readers see in a category, with those below it, also those in another language', () => {
    const base = knowledgeBase(
      [
        article('aaaaaaaaaa', [translation('en', 'One'), translation('de', 'Eins')], { categoryId: 'child' }),
        article('bbbbbbbbbb', [translation('en', 'Two')], { categoryId: 'child' }),
        article('cccccccccc', [translation('en', 'Three')]),
      ],
      [
        category('top', { en: 'Top', de: 'Oben' }),
        category('child', { en: 'Child' }, { parentId: 'top' }),
        category('empty', { en: 'Empty' }),
      ],
    );
    const { plan: result, problems } = plan(base);
    const german = result.languageByTag.get('de');
    expect(outline(german?.categories ?? [])).toEqual([
      'Oben 2 [] -',
      '  Child (en) 2 [aaaaaaaaaa] bbbbbbbbbb',
    ]);
    expect(german?.untranslatedUnassignedIds).toEqual(['cccccccccc']);
    expect(problems).toMatchObject([{ code: 'CATEGORY_EMPTY', categoryId: 'empty' }]);
  });

  it('sorts articles as the source does, then the most viewed first, then in the order in which they were written', () => {
    const at = (day: number) => ({ createdAt: `2026-01-0${day}T00:00:00.000Z` });
    const base = knowledgeBase([
      article('aaaaaaaaaa', [translation('en', 'Amended')], at(3)),
      article('bbbbbbbbbb', [translation('en', 'Basics')], at(2)),
      article('cccccccccc', [translation('en', 'Closing')], { ...at(4), sortOrder: 1 }),
      article('dddddddddd', [translation('en', 'Abc')]),
    ]);
    const order = (changes: Partial<PlanSettings> = {}) =>
      plan(base, changes).plan.languages[0]?.unassignedIds.map((id) => id[0]);
    expect(order()).toEqual(['c', 'b', 'a', 'd']);
    const viewed = ['zzzzzzzzzz', 'dddddddddd', 'aaaaaaaaaa', 'cccccccccc'];
    expect(order({ popular: new Map([['en', viewed]]) })).toEqual(['c', 'd', 'a', 'b']);
  });

  it('sorts articles by sort order, then by title as the language sorts, then by id', () => {
    const base = knowledgeBase(
      [
        article('aaaaaaaaaa', [translation('de', 'Zug')]),
        article('bbbbbbbbbb', [translation('de', 'Äpfel')]),
        article('cccccccccc', [translation('de', 'Boot')], { sortOrder: 1 }),
      ],
      [],
      { defaultLanguage: 'de' },
    );
    expect(plan(base).plan.languages[0]?.unassignedIds).toEqual(['cccccccccc', 'bbbbbbbbbb', 'aaaaaaaaaa']);
  });

  it('plans a category tree 2,000 deep', () => {
    const categories = Array.from({ length: 2000 }, (_, depth) =>
      category(`c${depth}`, { en: `Level ${depth}` }, { parentId: depth === 0 ? null : `c${depth - 1}` }),
    );
    const base = knowledgeBase(
      [article('aaaaaaaaaa', [translation('en', 'Deep')], { categoryId: 'c1999' })],
      categories,
    );
    expect(plan(base).plan.languages[0]?.categories[0]?.articleCount).toBe(1);
  });
});

function outline(nodes: readonly CategoryNode[], depth = 0): string[] {
  return nodes.flatMap((node) => {
    const language = node.page.titleLanguage === node.page.language ? '' : ` (${node.page.titleLanguage})`;
    const line = `${'  '.repeat(depth)}${node.page.title}${language} ${node.articleCount} [${node.articleIds}] ${node.untranslatedIds.join() || '-'}`;
    return [line, ...outline(node.children, depth + 1)];
  });
}
