import { describe, expect, it } from 'vitest';
import { createLinkResolver, type LinkSettings } from '../../../src/site/links/resolve-links.ts';
import { planSite } from '../../../src/site/plan/plan-site.ts';
import { article, category, knowledgeBase, translation } from '../../support/knowledge-base.ts';

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
const planSettings = {
  siteUrl: 'https://help.example.com',
  siteTitle: 'Help',
  languages: undefined,
  urls: { article: '{lang}/article/{id}-{slug}', category: '{lang}/category/{id}-{slug}' },
};
const { plan } = planSite(base, planSettings);
const settings: LinkSettings = {
  hosts: ['https://old.example.com'],
  siteUrl: null,
  apiUrl: null,
  excluded: new Map([['dddddddddd', 'draft']]),
  hiddenNames: new Map(),
  hasZendeskUrls: false,
};
const resolver = createLinkResolver(plan, settings);

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

  it('leads to the page in the language that it names, if there is one', () => {
    const hrefOf = (href: string) => (resolver('de')(href) as { readonly href?: string }).href;
    expect(hrefOf('/article/aaaaaaaaaa?lang=en#step-2')).toBe('/en/article/aaaaaaaaaa-one/#step-2');
    expect((resolver('en')('/de/article/aaaaaaaaaa') as { readonly href?: string }).href).toBe(
      '/de/article/aaaaaaaaaa-eins/',
    );
    expect(hrefOf('/article/aaaaaaaaaa?lang=fr')).toBe('/de/article/aaaaaaaaaa-eins/');
    // The link of the original, which its translation repeats.
    expect(hrefOf('/en/article/aaaaaaaaaa')).toBe('/de/article/aaaaaaaaaa-eins/');
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
    // Of categories that are not public, nothing is known.
    expect(resolver('en')('/category/none')).toMatchObject({
      message: 'the link "/category/none" points to a category that does not exist or is not public',
    });
  });

  it('does not change other hosts, even if their path looks like an article', () => {
    expect(resolver('en')('https://elsewhere.example/article/aaaaaaaaaa')).toEqual({ kind: 'external' });
  });

  it('unlinks relative URLs if the help centre’s own host is unknown', () => {
    const without = createLinkResolver(plan, { ...settings, hosts: [] });
    expect(without('en')('/contact')).toMatchObject({ kind: 'unlinked', problem: 'URL_RELATIVE' });
    expect(resolver('en')('/contact')).toMatchObject({ kind: 'external' });
  });

  it('does not change anchors that are ids, and cleans those that editors make from text', () => {
    const href = (fragment: string) => resolver('en')(`/article/aaaaaaaaaa#${fragment}`);
    const page = '/en/article/aaaaaaaaaa-one/#';
    expect(href('step-2:~:text=a')).toMatchObject({ href: `${page}step-2:~:text=a` });
    expect(href('gr%C3%B6%C3%9Fe')).toMatchObject({ href: `${page}gr%C3%B6%C3%9Fe` });
    expect(href('--log-filepath')).toMatchObject({ href: `${page}--log-filepath` });
    expect(href('\ufe0f-breaking-in-v12')).toMatchObject({ href: `${page}%EF%B8%8F-breaking-in-v12` });
    expect(href('history')).toMatchObject({ href: `${page}history` });
    expect(href('getStarted')).toMatchObject({ href: `${page}h-getStarted` });
    expect(href('Set\u00a0up%20(Mac)\u200b:~:text=a')).toMatchObject({
      href: `${page}Set-up--28Mac-29:~:text=a`,
    });
  });
});

describe('URLs of the published site', () => {
  const at = (siteUrl: string, more: Partial<LinkSettings> = {}) =>
    createLinkResolver(plan, { ...settings, hosts: [], siteUrl, ...more })('de');
  const own = at('https://help.example.com');

  it.each([
    'https://help.example.com/article/aaaaaaaaaa-one',
    'https://help.example.com/l/en/article/aaaaaaaaaa-one',
    'https://help.example.com/en/article/aaaaaaaaaa-one/',
    'https://help.example.com/en/article/aaaaaaaaaa-one/index.html',
    'https://help.example.com/en/article/aaaaaaaaaa-one/index.html.md',
    'https://help.example.com/kb/en/one-aaaaaaaaaa/',
    'https://help.example.com/en/one_aaaaaaaaaa.html?from=mail',
    'https://help.example.com/en/article/%61aaaaaaaaa-one/',
    'http://help.example.com/article/aaaaaaaaaa',
    'https://HELP.Example.com:443/article/aaaaaaaaaa',
    'https://help.example.com./article/aaaaaaaaaa',
    'https://www.help.example.com/article/aaaaaaaaaa',
    'https://me:secret@help.example.com/article/aaaaaaaaaa',
    '//help.example.com/article/aaaaaaaaaa',
    '\\\\help.example.com\\article\\aaaaaaaaaa',
  ])('%s leads to the page in the reader’s language', (href) => {
    expect(own(href)).toMatchObject({ kind: 'internal', href: '/de/article/aaaaaaaaaa-eins/' });
  });

  it.each([
    'https://help.example.com/article/dddddddddd-secret-plan',
    'http://www.help.example.com/en/article/dddddddddd/',
    'https://help.example.com/article/dddddddddd/edit',
    'https://help.example.com/article/%64ddddddddd',
    'https://help.example.com/kb/en/secret-plan-dddddddddd/',
    '/kb/en/secret-plan-dddddddddd/',
  ])('%s leads to no page, because its article is a draft', (href) => {
    expect(own(href)).toMatchObject({ kind: 'unlinked', problem: 'LINK_TO_HIDDEN' });
  });

  it.each([
    'https://help.example.com/',
    'https://help.example.com/de/',
    'https://help.example.com/contact',
    'https://help.example.com/downloads/aaaaaaaaaa.pdf',
    'https://help.example.com/article/aaaaaaaaaa/manual.pdf',
    'https://help.example.com/blog/article/helloworld',
    'https://help.example.com/blog/category/news',
    'https://help.example.com:8443/article/aaaaaaaaaa',
    'https://shop.example.com/article/aaaaaaaaaa',
    'https://help.example.com.evil.example/article/aaaaaaaaaa',
  ])('%s does not change', (href) => {
    expect(own(href)).toMatchObject({ kind: 'external' });
  });

  it('are missing records only if nothing but a language precedes the form', () => {
    const broken = { kind: 'unlinked', problem: 'LINK_BROKEN' };
    expect(own('https://help.example.com/article/eeeeeeeeee')).toMatchObject(broken);
    expect(own('https://help.example.com/pt-BR/category/gone')).toMatchObject(broken);
  });

  it('may be below a path, and the old help centre at the top of the same host', () => {
    const below = at('https://Example.com/h%C3%A4lp/');
    const page = { kind: 'internal', href: '/de/article/aaaaaaaaaa-eins/' };
    expect(below('https://example.com/h%C3%A4lp/en/article/aaaaaaaaaa-one/')).toMatchObject(page);
    expect(below('https://www.example.com/article/aaaaaaaaaa-one')).toMatchObject(page);
    expect(below('https://example.com/article/dddddddddd')).toMatchObject({ problem: 'LINK_TO_HIDDEN' });
    expect(below('https://example.com/h%C3%A4lp/article/eeeeeeeeee')).toMatchObject({
      problem: 'LINK_BROKEN',
    });
    expect(below('https://example.com/article/helloworld')).toMatchObject({ kind: 'external' });
    expect(below('https://example.com/blog/category/my')).toMatchObject({ kind: 'external' });
  });

  it('may have a name beyond ASCII, in both spellings', () => {
    const page = { kind: 'internal', href: '/de/article/aaaaaaaaaa-eins/' };
    expect(
      at('https://hilfe.b\u00fccher.example')('https://hilfe.xn--bcher-kva.example/article/aaaaaaaaaa'),
    ).toMatchObject(page);
    expect(
      at('https://hilfe.xn--bcher-kva.example')('https://hilfe.B\u00dcCHER.example/article/aaaaaaaaaa'),
    ).toMatchObject(page);
  });

  it('may be on the host of the API', () => {
    const resolve = at('https://help.example.com', { apiUrl: 'https://kb.example.com/v1' });
    expect(resolve('https://kb.example.com/article/aaaaaaaaaa')).toMatchObject({ articleId: 'aaaaaaaaaa' });
    expect(resolve('https://kb.example.com/article/dddddddddd')).toMatchObject({ problem: 'LINK_TO_HIDDEN' });
    expect(resolve('https://kb.example.com/article/eeeeeeeeee')).toMatchObject({ kind: 'external' });
  });

  it('may be those of Zendesk Guide', () => {
    const zendesk = knowledgeBase([article('000000000A', [translation('en', 'Ten')])]);
    const resolve = createLinkResolver(planSite(zendesk, { ...planSettings }).plan, {
      ...settings,
      siteUrl: 'https://help.example.com',
      excluded: new Map([['000000000B', 'draft']]),
      hasZendeskUrls: true,
    })('en');
    expect(resolve('https://help.example.com/hc/en-us/articles/10-Ten')).toMatchObject({
      articleId: '000000000A',
    });
    expect(resolve('http://help.example.com/hc/articles/11')).toMatchObject({ problem: 'LINK_TO_HIDDEN' });
    expect(resolve('https://help.example.com/hc/requests/new')).toMatchObject({ kind: 'external' });
  });
});
