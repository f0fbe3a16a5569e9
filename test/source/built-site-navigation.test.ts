import { expect, it } from 'vitest';
import { readSiteFacts } from '../../src/source/built-site/site-facts.ts';
import { openSiteProject, sitePage } from './support/site-source.ts';

const link = (name: string, more = '') => `<a href="/x/${name}.html"${more}>Page ${name}</a>`;

/** The sidebars of generators: a page alone, a title with two pages, and a title with a page of its own above another title with one page. */
const sidebars: readonly (readonly [theme: string, marks: string, sidebar: string])[] = [
  [
    'Docusaurus',
    '<meta name="generator" content="Docusaurus v3.9">',
    `<nav><ul class="theme-doc-sidebar-menu menu__list"><li>${link('z')}</li>
<li><div class="menu__list-item-collapsible"><a class="menu__link" role="button" aria-expanded="true" href="#">First steps</a></div><ul class="menu__list"><li>${link('a')}</li><li>${link('b')}</li></ul></li>
<li><div class="menu__list-item-collapsible">${link('more').replace('Page more', 'More')}<button aria-label="Collapse" type="button"></button></div><ul><li><div>Deep</div><ul><li>${link('c')}</li></ul></li></ul></li></ul></nav>`,
  ],
  [
    'Starlight',
    '<meta name="generator" content="Starlight v0.36">',
    `<nav class="sidebar"><ul class="top-level"><li>${link('z')}</li><li><details open><summary><div class="group-label"><span class="large">First steps</span></div><svg aria-hidden="true"></svg></summary><ul><li>${link('a')}</li><li>${link('b')}</li></ul></details></li>
<li><details><summary><span class="group-label"><span>More</span></span></summary><ul><li>${link('more')}</li><li><details><summary><span>Deep</span></summary><ul><li>${link('c')}</li></ul></details></li></ul></details></li></ul></nav>`,
  ],
  [
    'VitePress',
    '<meta name="generator" content="VitePress v1.6">',
    `<aside class="VPSidebar"><nav><div class="group"><div class="VPSidebarItem level-0 is-link"><div class="item">${link('z')}</div></div></div>
<div class="group"><section class="VPSidebarItem level-0"><div class="item" role="button"><h2 class="text">First steps</h2></div><div class="items"><div class="VPSidebarItem level-1"><div class="item">${link('a')}</div></div><div class="VPSidebarItem level-1"><div class="item">${link('b')}</div></div></div></section></div>
<div class="group"><section class="VPSidebarItem level-0"><div class="item">${link('more').replace('Page more', 'More')}</div><div class="items"><section class="VPSidebarItem level-1"><div class="item"><h3 class="text">Deep</h3></div><div class="items"><div class="VPSidebarItem level-2"><div class="item">${link('c')}</div></div></div></section></div></section></div></nav></aside>`,
  ],
  [
    'Material for MkDocs',
    '<meta name="x"><div class="md-content__inner"></div>',
    `<nav class="md-nav md-nav--primary"><label class="md-nav__title"><a href="/" title="The site" class="md-logo"></a>The site</label><div class="md-nav__source"><a href="https://github.com/bikes/docs" class="md-source"><div class="md-source__repository">bikes/docs</div></a></div><ul class="md-nav__list"><li class="md-nav__item">${link('z')}</li>
<li class="md-nav__item md-nav__item--nested"><input type="checkbox"><label class="md-nav__link"><span class="md-ellipsis">First steps</span><span class="md-nav__icon"></span></label><nav class="md-nav"><label class="md-nav__title"><span class="md-nav__icon"></span>First steps</label><ul><li>${link('a')}<nav class="md-nav md-nav--secondary"><label class="md-nav__title">Table of contents</label><ul><li><a href="#one">One</a></li></ul></nav></li><li>${link('b')}</li></ul></nav></li>
<li class="md-nav__item"><div class="md-nav__container">${link('more').replace('Page more', 'More')}</div><nav class="md-nav"><ul><li><label>Deep</label><nav><ul><li>${link('c')}</li></ul></nav></li></ul></nav></li><li><a href="https://github.com/bikes/docs/releases">Releases</a></li></ul></nav>`,
  ],
  [
    'Sphinx',
    '<div id="furo-main-content"></div>',
    `<div class="sidebar-tree"><ul><li>${link('z')}</li></ul><p class="caption" role="heading"><span class="caption-text">First steps</span></p><ul><li>${link('a')}<ul><li><a href="/x/a.html#one">One</a></li></ul></li><li>${link('b')}</li></ul>
<p class="caption"><span class="caption-text">All of the rest</span></p><ul><li class="has-children">${link('more').replace('Page more', 'More')}<input type="checkbox"><label><div class="visually-hidden">Toggle child pages</div><i class="icon"></i></label><ul><li><span>Deep</span><ul><li>${link('c')}</li></ul></li></ul></li></ul></div>`,
  ],
  [
    'Sphinx with an unknown theme',
    '<script src="/x/_static/documentation_options.js?v=1f2e"></script><div class="related" role="navigation"><a href="/x/z.html">Previous</a><a href="/x/more.html">Next</a><a href="/x/a.html">Start</a><a href="/x/b.html">Index</a><a href="/x/c.html">Modules</a><a href="/x/z.html">Up</a></div>',
    `<aside class="menu"><ul><li>${link('z')}</li></ul><p class="caption"><span class="caption-text">First steps</span></p><ul><li>${link('a')}</li><li>${link('b')}</li></ul>
<p class="caption"><span class="caption-text">All of the rest</span></p><ul><li>${link('more').replace('Page more', 'More')}<ul><li><span>Deep</span><ul><li>${link('c')}</li></ul></li></ul></li></ul></aside>`,
  ],
  [
    'mdBook',
    '<div id="body-container"></div>',
    `<div class="sidebar"><ol class="chapter"><li class="chapter-item affix">${link('z')}</li><li class="part-title">First steps</li><li class="chapter-item">${link('a')}</li><li class="chapter-item">${link('b')}</li>
<li class="part-title">All of the rest</li><li class="chapter-item"><a href="/x/more.html"><strong aria-hidden="true">3.</strong> More</a><a class="toggle"><div>❱</div></a></li><li><ol class="section"><li class="chapter-item"><div>Deep</div></li><li><ol class="section"><li>${link('c')}</li></ol></li></ol></li></ol></div>`,
  ],
  [
    'Just the Docs',
    '<div class="main-content-wrap"></div>',
    `<nav id="site-nav" class="site-nav"><ul class="nav-list"><li>${link('z')}</li></ul><div class="nav-category">First steps</div><ul class="nav-list"><li>${link('a')}</li><li>${link('b')}</li></ul>
<div class="nav-category">All of the rest</div><ul class="nav-list"><li><button class="nav-list-expander"><svg></svg></button>${link('more').replace('Page more', 'More')}<ul class="nav-list"><li><span>Deep</span><ul><li>${link('c')}</li></ul></li></ul></li></ul></nav>`,
  ],
  [
    'Hugo Book',
    '<div class="book-page"></div>',
    `<aside class="book-menu"><nav><ul><li>${link('z')}</li><li>First steps<ul><li>${link('a')}</li><li>${link('b')}</li></ul></li><li><input type="checkbox"><label>${link('more').replace('Page more', 'More')}</label><ul><li><span>Deep</span><ul><li>${link('c')}</li></ul></li></ul></li></ul></nav></aside>`,
  ],
  [
    'Docsy',
    '<div class="td-outer"></div>',
    `<nav id="td-section-nav"><ul class="ul-0"><li>${link('z')}</li><li class="td-sidebar-nav__section-title"><span>First steps</span><ul><li>${link('a')}</li><li>${link('b')}</li></ul></li><li><input type="checkbox"><label>${link('more').replace('Page more', 'More')}</label><ul><li><label>Deep</label><ul><li>${link('c')}</li></ul></li></ul></li></ul></nav>`,
  ],
  [
    'Nextra',
    '<div class="nextra-navbar"></div>',
    `<aside class="nextra-sidebar"><div><ul><li>${link('z')}</li><li class="open"><button type="button">First steps<svg></svg></button><div><div><ul><li>${link('a')}</li><li>${link('b')}</li></ul></div></div></li>
<li class="x:font-semibold">All of the rest</li><li>${link('more').replace('Page more', 'More')}<div><ul><li><button>Deep</button><div><ul><li>${link('c')}</li></ul></div></li></ul></div></li></ul></div></aside>`,
  ],
  [
    'GitBook',
    '<meta name="generator" content="GitBook 3.2.3">',
    `<div class="book-summary"><nav><ul class="summary"><li class="chapter">${link('z')}</li><li class="header">First steps</li><li class="chapter">${link('a')}</li><li class="chapter">${link('b')}</li><li class="divider"></li>
<li class="header">All of the rest</li><li class="chapter">${link('more').replace('Page more', 'More')}<ul class="articles"><li class="chapter"><span>Deep</span><ul class="articles"><li>${link('c')}</li></ul></li></ul></li></ul></nav></div>`,
  ],
  [
    'an unknown generator',
    '',
    `<aside><ul><li>${link('z')}</li></ul><h3>First steps</h3><ul><li>${link('a')}</li><li>${link('b')}</li></ul><h3>More</h3><ul><li>${link('more')}</li><li>Deep<ul><li>${link('c')}</li></ul></li></ul></aside>`,
  ],
];

it.each(sidebars)(
  'names categories after the titles in the sidebar of %s',
  async (_theme, marks, sidebar) => {
    const names = ['z', 'a', 'b', 'c', 'more'];
    const pageOf = (name: string) =>
      sitePage({ title: `Title ${name}`, body: '<p>Text of the page.</p>' }).replace(
        '<main>',
        `${marks}${sidebar}<main>`,
      );
    const { read } = openSiteProject(
      Object.fromEntries(names.map((name) => [`x/${name}.html`, pageOf(name)])),
    );
    const { articles, categories } = (await read()).knowledgeBase;
    const trailOf = (id: string | null): readonly string[] => {
      const category = categories.find((one) => one.id === id);
      return category === undefined
        ? []
        : [...trailOf(category.parentId), category.translations[0]?.title ?? ''];
    };
    const found = articles.map(({ categoryId, translations: [one] }) => [
      one?.title,
      trailOf(categoryId).filter((title) => title !== 'All of the rest'),
    ]);
    expect(Object.fromEntries(found)).toEqual({
      'Title z': [],
      'Title a': ['First steps'],
      'Title b': ['First steps'],
      'Title c': ['More', 'Deep'],
      'Title more': ['More'],
    });
  },
);

it('takes the order and titles of categories of DocFX from its files with the navigation, and its name from the title', async () => {
  const pageOf = (name: string) =>
    `<!DOCTYPE html><html><head><title>Title ${name} | All about bikes </title><meta name="docfx:tocrel" content="toc.html"><script type="module" src="./public/docfx.min.js"></script></head><body><header><nav><a href="index.html">Bikes</a></nav></header><main><nav class="toc"></nav><article data-uid=""><h1>Title ${name}</h1><p>Text of the page.</p></article></main></body></html>`;
  // No reader should find such a file, so some sites keep it from search engines.
  const toc = (items: string) =>
    `<meta name="ROBOTS" content="NOINDEX, FOLLOW"><div id="sidetoggle"><div><div class="sidefilter"><form class="toc-filter"><input id="toc_filter_input"></form></div><div class="sidetoc"><div class="toc" id="toc"><ul class="nav level1">${items}</ul></div></div></div></div>`;
  const item = (name: string) =>
    `<li><a href="${name}.html" name="" title="Page ${name}">Page ${name}</a></li>`;
  const { root, read } = openSiteProject({
    'index.html': pageOf('index'),
    'toc.html': toc('<li><a href="x/z.html" name="x/toc.html" title="Guide">Guide</a></li>'),
    'x/toc.html': toc(
      `${item('z')}<li><span class="expand-stub"></span><a>First steps</a><ul class="nav level2">${item('b')}${item('a')}</ul></li>`,
    ),
    ...Object.fromEntries(['z', 'b', 'a'].map((name) => [`x/${name}.html`, pageOf(name)])),
  });
  const { knowledgeBase, problems, stats } = await read();
  const titleOf = (id: string | null) =>
    knowledgeBase.categories.find((one) => one.id === id)?.translations[0]?.title;
  const found = knowledgeBase.articles
    .filter(({ sortOrder }) => sortOrder !== null)
    .sort((a, b) => (a.sortOrder ?? 0) - (b.sortOrder ?? 0))
    .map(({ categoryId, translations: [one] }) => [one?.title, titleOf(categoryId)]);
  expect(found).toEqual([
    ['Title z', undefined],
    ['Title b', 'First steps'],
    ['Title a', 'First steps'],
  ]);
  expect(knowledgeBase.articles).toHaveLength(4);
  expect(stats.excluded).toEqual({ listing: 2 });
  expect(problems).toEqual([]);
  expect(readSiteFacts(root, ['x/b.html']).name).toBe('All about bikes');
});
