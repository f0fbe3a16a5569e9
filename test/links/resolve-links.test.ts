import { describe, expect, it } from 'vitest';
import { createLinkResolver } from '../../src/links/resolve-links.ts';
import { planSite } from '../../src/plan/plan-site.ts';
import { article, category, knowledgeBase, translation } from '../support/knowledge-base.ts';

const base = knowledgeBase(
  [
    article('aaaaaaaaaa', [translation('en', 'One'), translation('de', 'Eins')], {
      categoryId: 'cccccccccc',
    }),
    article('bbbbbbbbbb', [translation('en', 'Two')]),
    article('fffffffff1', [translation('en', 'Mine')], { categoryId: 'my-category' }),
    article('fffffffff2', [translation('en', 'Short')], { categoryId: 'my' }),
  ],
  [
    category('cccccccccc', { en: 'Start', de: 'Anfang' }),
    category('my-category', { en: 'Mine' }),
    category('my', { en: 'Short' }),
  ],
);
const { plan } = planSite(base, {
  siteUrl: 'https://help.example.com',
  siteTitle: 'Help',
  languages: undefined,
  urls: { article: '{lang}/article/{id}-{slug}', category: '{lang}/category/{id}-{slug}' },
});
const resolver = createLinkResolver(plan, {
  hosts: ['https://old.example.com'],
  excluded: new Map([['dddddddddd', 'draft']]),
  hasZendeskUrls: false,
});

describe('createLinkResolver', () => {
  it.each([
    '/article/aaaaaaaaaa',
    '/article/aaaaaaaaaa-old-slug',
    '/article/aaaaaaaaaa-old-slug/',
    'article/aaaaaaaaaa?from=mail',
    '/l/en/article/aaaaaaaaaa-one',
    'https://old.example.com/l/fr/article/aaaaaaaaaa-un',
    '//old.example.com/article/aaaaaaaaaa',
  ])('leads %s to the page in the reader’s language', (href) => {
    expect(resolver('de')(href)).toMatchObject({
      kind: 'internal',
      href: '/de/article/aaaaaaaaaa-eins/',
      url: 'https://help.example.com/de/article/aaaaaaaaaa-eins/',
      articleId: 'aaaaaaaaaa',
      hreflang: null,
    });
  });

  it('keeps the anchor', () => {
    expect(resolver('en')('/article/aaaaaaaaaa#step-2')).toMatchObject({
      href: '/en/article/aaaaaaaaaa-one/#step-2',
    });
  });

  it('leads to the source language, marked, if the target is not translated', () => {
    expect(resolver('de')('/article/bbbbbbbbbb')).toMatchObject({
      href: '/en/article/bbbbbbbbbb-two/',
      hreflang: 'en',
    });
  });

  it.each([
    ['/category/my-category', '/en/category/my-category-mine/'],
    ['/category/my-category-old-slug', '/en/category/my-category-mine/'],
    ['/category/my-own', '/en/category/my-short/'],
    ['/l/en/category/my', '/en/category/my-short/'],
  ])('leads %s to the category whose id it begins with, the longest id first', (href, page) => {
    expect(resolver('en')(href)).toMatchObject({ kind: 'internal', href: page, articleId: null });
  });

  it('leads category links to category pages', () => {
    expect(resolver('de')('/category/cccccccccc-start')).toMatchObject({
      href: '/de/category/cccccccccc-anfang/',
      categoryId: 'cccccccccc',
      articleId: null,
    });
  });

  it('unlinks targets that are not public or do not exist', () => {
    expect(resolver('en')('/article/dddddddddd')).toMatchObject({
      kind: 'unlinked',
      problem: 'LINK_TO_HIDDEN',
    });
    expect(resolver('en')('/article/eeeeeeeeee')).toMatchObject({ kind: 'unlinked', problem: 'LINK_BROKEN' });
  });

  it('does not change other hosts, even if their path looks like an article', () => {
    expect(resolver('en')('https://elsewhere.example/article/aaaaaaaaaa')).toEqual({ kind: 'external' });
  });

  it('unlinks relative URLs if the help centre’s own host is unknown', () => {
    const without = createLinkResolver(plan, { hosts: [], excluded: new Map(), hasZendeskUrls: false });
    expect(without('en')('/contact')).toMatchObject({ kind: 'unlinked', problem: 'LINK_RELATIVE' });
    expect(resolver('en')('/contact')).toEqual({ kind: 'external' });
  });
});
