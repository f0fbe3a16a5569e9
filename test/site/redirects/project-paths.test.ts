import { describe, expect, it } from 'vitest';
import { planSite } from '../../../src/site/plan/plan-site.ts';
import { projectRules } from '../../../src/site/redirects/resolve-redirects.ts';
import { type UrlHistoryEntry, updateUrlHistory } from '../../../src/site/redirects/url-history.ts';
import { article, category, knowledgeBase, translation } from '../../support/knowledge-base.ts';

const settings = {
  siteUrl: 'https://help.example.com/base',
  siteTitle: 'Help',
  languages: undefined,
  urls: { article: '{lang}/{id}', category: '{lang}/category/{id}' },
};
const pages = knowledgeBase(
  [
    article(
      'aaaaaaaaaa',
      [
        translation('en', 'Chain', {
          sourcePath: 'docs/chain/',
          aliases: ['old.html'],
        }),
        translation('de', 'Kette', { sourcePath: 'de/docs/chain/' }),
      ],
      { categoryId: 'cccccccccc' },
    ),
    article('bbbbbbbbbb', [translation('en', 'Home', { sourcePath: '' })]),
  ],
  [category('cccccccccc', { en: 'Care' }, { path: 'docs', aliases: ['care'] })],
);

describe('the paths of pages in their own site generator', () => {
  it('redirect to the pages, whatever their URLs are, and never from the home page', () => {
    const { plan } = planSite(pages, settings);
    const rules = projectRules(pages, plan);
    expect(rules.map(({ from, to }) => `${from} ${to}`)).toEqual([
      '/base/docs/chain /base/en/aaaaaaaaaa/',
      '/base/old.html /base/en/aaaaaaaaaa/',
      '/base/de/docs/chain /base/de/aaaaaaaaaa/',
      '/base/docs /base/en/category/cccccccccc/',
      '/base/care /base/en/category/cccccccccc/',
      '/base/de/docs /base/de/category/cccccccccc/',
      '/base/de/care /base/de/category/cccccccccc/',
    ]);
  });

  it.each([
    ['without a pattern, where the index of the top folder is the home page', {}, ''],
    ['with {path}', { article: '{path}', category: '{path}' }, 'home/'],
  ])('are the URLs of the pages %s', (_, urls, home) => {
    const { plan } = planSite(pages, { ...settings, urls });
    const hrefs = [...plan.articles.values()].flatMap((one) =>
      [...one.pages.values()].map(({ href }) => href),
    );
    expect(hrefs).toEqual(['/base/docs/chain/', '/base/de/docs/chain/', `/base/${home}`]);
    expect(plan.categoryPages.get('cccccccccc')?.get('de')?.href).toBe('/base/de/docs/');
  });

  it('stay in the URL history under the id of a renamed page', () => {
    const { plan } = planSite(pages, settings);
    const before: UrlHistoryEntry = {
      ...{ kind: 'article', id: 'zzzzzzzzzz', language: 'en', slugs: [] },
      path: 'en/zzzzzzzzzz/index.html',
      earlier: ['docs/links'],
    };
    const history = [
      ...updateUrlHistory([before], plan, () => null, {
        of: ({ id, language }) => (id === 'aaaaaaaaaa' && language === 'en' ? ['docs/chain/'] : []),
        replaced: new Map([['article/aaaaaaaaaa/en', 'article/zzzzzzzzzz/en']]),
      }),
    ];
    expect(history.find(({ id, language }) => id === 'aaaaaaaaaa' && language === 'en')?.earlier).toEqual([
      'docs/chain/',
      'en/zzzzzzzzzz/index.html',
      'docs/links',
    ]);
  });
});
