import type { CalloutKind } from '../../content/document.ts';

/**
 * How a theme renders what authors write. All fields are selectors of CSS; an absent one selects nothing. What is the same in most themes is in
 * {@link everyTheme}, and applies in addition.
 */
export interface SiteTheme {
  readonly name: string;
  /** The start of its `<meta name="generator">`, in lower case. */
  readonly generator?: string;
  /** Classes, ids and file names of scripts, of which each page of the theme has one, and no page of another theme. */
  readonly marks?: readonly string[];
  /** The main text. The first selector that matches counts, with all its matches. */
  readonly content: readonly string[];
  /** The title, if it is not the first `h1` of the main text. */
  readonly title?: string;
  /** Whether the theme itself sets the attributes of Pagefind, which then say nothing about the text. */
  readonly setsPagefind?: true;
  /** What is not text of the page. */
  readonly ignore?: string;
  readonly callouts?: {
    /** The kind is a word in the class of the box, or in `data-callout`. */
    readonly box: string;
    readonly title?: string;
    /** Kinds by further words in its class, such as colours. */
    readonly kinds?: Readonly<Record<string, CalloutKind>>;
  };
  readonly tabs?: {
    /** The group, in which labels and panels have the same order. */
    readonly box: string;
    readonly label: string;
    readonly panel: string;
  };
  readonly code?: {
    /** Around a `pre`, with everything that belongs to it. */
    readonly box: string;
    readonly title?: string;
  };
  /** The links and texts of the breadcrumbs, in order. */
  readonly breadcrumbs?: string;
  /** The lists of links to all pages of a language, in the order in which readers read them. */
  readonly navigation?: string;
  /** What is a list in the navigation besides `ul` and `ol`. The text before a list is the title of a category. */
  readonly lists?: string;
  /** Items of a list that are the titles of the items after them. */
  readonly parts?: string;
  /** Something that only pages without text of their own have, which list other pages. */
  readonly listing?: string;
  /** Something that only a file has that is nothing but the navigation of pages, which load it with a script. */
  readonly navigationFile?: string;
  /** Has the date of the last edit, in `datetime` or as text. */
  readonly updated?: string;
}

/** What is only read aloud. */
export const hiddenText = ':is(.visually-hidden, .sr-only, .screen-reader-text)';

/** What most themes have in common, for every page. */
export const everyTheme = {
  ignore: [
    'script, style, noscript, template, link, meta, nav, form',
    '[role=navigation], [role=search]',
    'button:not([aria-controls]):not([aria-expanded]):not([role=tab])',
    `${hiddenText}:not(h1, h2, h3, h4), .skip-link`,
    'a.reversefootnote, a.footnote-backref, a.data-footnote-backref, a[data-footnote-backref], a.footnote-backlink',
  ].join(),
  /** Parts of a code block that are no code. */
  codeIgnore:
    'button, .copy, .copy-btn, .linenos, .lineno, .line-numbers-rows, .line-numbers-wrapper, .gutter, .lnt, .ln, .linenumber, .react-syntax-highlighter-line-number, .twoslash-popup-container, [data-line-number]:empty',
  callouts: {
    // Sphinx gives footnotes the role, too.
    box: '.admonition, .markdown-alert, [role=note]:not(.footnote), .callout, div.note, div.tip, div.warning, div.caution, div.danger, div.info, div.important',
    title: '.admonition-title, .markdown-alert-title, .callout-title, .title',
  },
  tabs: {
    // Style sheets show the panel behind the label of the radio button that is on.
    box: '.tabbed-set, :has(> input[type=radio] + label + div)',
    label: 'label',
    panel:
      '.tabbed-block, .tabbed-content:not(:has(.tabbed-block)), input[type=radio] + label + div:not(.tabbed-content)',
  },
  code: {
    /** The last ones are code of Doxygen and Writerside. */
    pre: 'pre, div.mermaid, div.fragment:has(> .line), div.code-block[data-lang]:not(:has(pre))',
    box: 'div.highlight, figure.highlight, div.highlighter-rouge, div.code-block, div.code-wrapper, div.sourceCode, table.highlighttable, table.rouge-table, table.lntable',
    title: '.filename, .code-title, figcaption',
  },
  breadcrumbs:
    '[aria-label=breadcrumb i] li, [aria-label=breadcrumbs i] li, .breadcrumb li, .breadcrumbs li, [itemtype$=BreadcrumbList] [itemprop=itemListElement]',
  /** Text before a list in a navigation that is not the title of its pages: Sphinx lists the pages before and after a page. */
  noTitle: '.relations *',
  updated:
    '[itemprop=dateModified], time.updated, time.dt-updated, [class*=last-updated i] time, [class*=lastupdated i] time',
} as const;

const sphinxMenus = '.wy-menu, .sidebar-tree, .sphinxsidebarwrapper, .bd-links';

/** The themes that Lectern knows. The first whose marks are on a page is that of the page. */
export const themes: readonly SiteTheme[] = [
  {
    name: 'Docusaurus',
    generator: 'docusaurus',
    content: ['article .theme-doc-markdown', 'article .markdown', 'main .markdown', 'main article', 'main'],
    title: 'article header h1, main h1',
    ignore: [
      'a.hash-link, [class*=skipToContent]',
      '.theme-doc-toc-mobile, .theme-doc-toc-desktop, .theme-doc-breadcrumbs, .theme-doc-version-badge, .theme-doc-version-banner',
      '.theme-edit-this-page, .theme-last-updated, .theme-unlisted-banner, .theme-draft-banner, .pagination-nav',
      '[class*=themedComponent--dark], [class*=buttonGroup]',
    ].join(),
    callouts: { box: '.theme-admonition', title: '[class*=admonitionHeading]' },
    code: { box: '.theme-code-block, [class*=codeBlockContainer]', title: '[class*=codeBlockTitle]' },
    breadcrumbs: '.theme-doc-breadcrumbs li',
    navigation: '.theme-doc-sidebar-menu',
    listing:
      'html.blog-list-page, html.blog-archive-page, html.blog-tags-list-page, html.blog-tags-post-list-page, html.blog-authors-list-page, html.blog-authors-posts-page, html.docs-tags-list-page, html.docs-tag-doc-list-page, html.docs-tags-doc-list-page, html.plugin-search-page',
  },
  {
    name: 'Starlight',
    generator: 'starlight',
    setsPagefind: true,
    content: ['main .hero, .sl-markdown-content'],
    title: 'h1#_top, main h1',
    ignore:
      'a.sl-anchor-link, .right-sidebar, .pagination-links, main footer,  .sl-banner, starlight-theme-select',
    callouts: { box: '.starlight-aside', title: '.starlight-aside__title' },
    code: { box: '.expressive-code', title: 'figcaption .title' },
    navigation: 'nav.sidebar ul.top-level, nav .sidebar-content',
    updated: '.meta time, footer time',
  },
  {
    name: 'VitePress',
    generator: 'vitepress',
    content: ['.VPHome', '.vp-doc', '.VPContent'],
    ignore: 'a.header-anchor, .VPDocFooter, .VPDocAside, .line-numbers-wrapper, span.lang, .vp-doc-footer',
    callouts: { box: 'div.custom-block', title: '.custom-block-title' },
    tabs: { box: '.vp-code-group', label: '.tabs label', panel: '.blocks > div' },
    code: { box: 'div[class*=language-]' },
    navigation: '.VPSidebar',
    lists: '.VPSidebarItem > .items',
  },
  {
    name: 'Material for MkDocs',
    marks: ['md-content__inner', 'mdx-hero', 'tx-hero'],
    // The second one is that of home pages, as the theme's own site has one and many have copied it.
    content: ['article.md-content__inner', '.mdx-hero__content, .tx-hero__content'],
    ignore:
      'a.headerlink, .md-content__button, .md-source-file, .md-clipboard, .md-feedback, .md-tags, .md-annotation__index',
    code: { box: 'div.highlight, table.highlighttable', title: '.filename' },
    breadcrumbs: '.md-path__item',
    navigation: '.md-nav--primary',
    updated:
      '.md-source-file .git-revision-date-localized-plugin, .md-source-file time, .md-source-file__fact',
  },
  {
    name: 'MkDocs',
    generator: 'mkdocs',
    // The second one is that of its form of the theme of Read the Docs, which otherwise looks like that of Sphinx.
    marks: ['mkdocs_search_modal', 'theme_extra.js'],
    content: ['[itemprop=articleBody]', '[role=main] .section', '[role=main]', 'div.col-md-9'],
    ignore: 'a.headerlink, .rst-footer-buttons, .wy-breadcrumbs-aside',
    code: { box: 'div.highlight, table.highlighttable', title: '.filename' },
    breadcrumbs: '.wy-breadcrumbs li:not(.wy-breadcrumbs-aside)',
    navigation: '.wy-menu, .bs-sidebar',
    listing: '[role=main] #mkdocs-search-results',
  },
  {
    name: 'mdBook',
    marks: ['mdbook-content', 'mdbook-help-popup', 'body-container'],
    content: ['#mdbook-content main', '#content main'],
    // The heading above the text is the name of the book.
    title: 'main h1',
    ignore: '.buttons, .nav-chapters, .nav-wrapper, .boring',
    callouts: { box: '.blockquote-tag', title: '.blockquote-tag-title' },
    navigation: '.sidebar ol.chapter, mdbook-sidebar-scrollbox ol.chapter',
    parts: 'li.part-title',
  },
  {
    name: 'Sphinx',
    marks: [
      'documentwrapper',
      'wy-nav-content',
      'furo-main-content',
      'bd-article',
      'documentation_options',
      // With every theme of Sphinx.
      'documentation_options.js',
      'sphinxsidebar',
    ],
    content: [
      'article#furo-main-content',
      'article.bd-article',
      '[itemprop=articleBody]',
      '[role=main] #main-content',
      '[role=main]',
      'div.body',
      'main article',
      'main',
    ],
    ignore:
      'a.headerlink, .toctree-wrapper > p.caption > .headerlink, .related, .sphinxsidebar, .linenos, .viewcode-link, .prev-next-area, .rst-footer-buttons, .header-article',
    code: {
      box: 'div[class^=highlight-], div.literal-block-wrapper',
      title: '.code-block-caption .caption-text, .filename',
    },
    breadcrumbs: '.wy-breadcrumbs li:not(.wy-breadcrumbs-aside)',
    // The last one is for themes whose menus have other names.
    navigation: `${sphinxMenus}, html:not(:has(${sphinxMenus})) :is(nav, aside, [role=navigation]):not(.related, main article *, [role=main] *)`,
    listing: 'body:has(#search-results), .genindextable, table.indextable.modindextable',
    updated: '.last-updated',
  },
  {
    name: 'Docsy',
    marks: ['td-content', 'td-outer'],
    content: ['.td-content'],
    ignore:
      '.td-heading-self-link, .td-page-meta, .td-toc, .td-page-meta__lastmod, .feedback--title, .feedback--question, .feedback--answer, .feedback--response, .reading-time, #pre-footer, .section-index, .taxonomy-terms-article',
    callouts: { box: '.alert', title: '.alert-heading' },
    breadcrumbs: '.td-breadcrumbs li',
    navigation: '#td-section-nav, .td-sidebar-nav__section',
    listing: 'body.td-term, body.td-taxonomy, body.td-search',
    updated: '.td-page-meta__lastmod time, .td-page-meta__lastmod',
  },
  {
    name: 'Hugo Book',
    marks: ['book-menu', 'book-page'],
    content: ['article.markdown', '.book-article'],
    ignore: 'a.anchor, .book-toc, .book-footer, .book-header',
    callouts: { box: 'blockquote.book-hint, .book-hint' },
    navigation: '.book-menu',
  },
  {
    name: 'Just the Docs',
    marks: ['main-content-wrap'],
    content: ['#main-content main', '#main-content', '.main-content'],
    ignore: 'a.anchor-heading, #markdown-toc, .page-meta, #edit-page-link, .d-print-none',
    breadcrumbs: '.breadcrumb-nav-list-item',
    navigation: '.site-nav .nav-list, #site-nav',
    updated: '.page-meta time',
  },
  {
    name: 'Nextra',
    marks: ['nextra-content', 'nextra-nav-container', 'nextra-navbar', 'nextra-toc'],
    setsPagefind: true,
    content: ['article > main', 'main .nextra-content', '.nextra-content', 'article'],
    ignore:
      'a.subheading-anchor, .nextra-toc, .nextra-breadcrumb, .nextra-copy-icon, [id^=headlessui-tabs-panel] > h3:first-child',
    callouts: {
      box: '.nextra-callout',
      title: '.nextra-callout > div > b:first-child',
      kinds: {
        yellow: 'warning',
        red: 'caution',
        blue: 'note',
        purple: 'important',
        orange: 'tip',
        green: 'tip',
      },
    },
    code: { box: '.nextra-code', title: '.nextra-code > div > span' },
    breadcrumbs: '.nextra-breadcrumb > *',
    navigation: '.nextra-sidebar, .nextra-sidebar-container',
    parts: 'li:not(:has(a, ul, button))',
  },
  {
    name: 'Fumadocs',
    marks: ['nd-docs-layout', 'nd-page'],
    // The description is below the title. Links to the pages before and after it follow the text in the same article.
    content: ['article > h1 + p, article > .prose', 'article'],
    title: 'article > h1',
    callouts: {
      box: 'div[style*="--callout-color"]',
      title: 'p.font-medium:first-child',
      kinds: { warning: 'warning', error: 'caution', success: 'tip', idea: 'tip' },
    },
    code: { box: 'figure.shiki' },
  },
  {
    name: 'GitBook',
    generator: 'gitbook',
    marks: ['gitbook-root', 'book-summary'],
    content: ['.page-inner section.normal', '[data-testid="page.contentEditor"]', 'main'],
    ignore: '.page-footer, .gitbook-link',
    navigation: '.book-summary ul.summary, [data-testid="table-of-contents"]',
    parts: 'li.header',
  },
  {
    name: 'DocFX',
    generator: 'docfx',
    // The last one is that of the files with the navigation.
    marks: ['docfx.js', 'docfx.min.js', 'sidetoggle'],
    content: ['article#_content', 'article[data-uid]', 'article.content', 'article'],
    ignore:
      '.contribution, .affix, .next-article, .actionbar, .sideaffix, .subnav, a.header-action, .mobile-hide.pull-right',
    callouts: {
      box: 'div.NOTE, div.TIP, div.IMPORTANT, div.WARNING, div.CAUTION',
      title: 'h5:first-child',
    },
    navigation: '#sidetoggle .toc',
    navigationFile: 'body:not(:has(article)) #sidetoggle .toc',
  },
  {
    name: 'Jekyll',
    generator: 'jekyll',
    content: ['.post-content', '.page__content', '.page-content .wrapper', 'main article', 'article', 'main'],
    title: 'main h1, article h1',
    ignore: 'a.anchor, .post-meta, #markdown-toc, .sidebar__right',
  },
  {
    name: 'Antora',
    generator: 'antora',
    content: ['article.doc'],
    ignore: 'div#toc',
    navigation: '.nav-menu',
  },
  {
    name: 'Asciidoctor',
    generator: 'asciidoctor',
    content: ['#content, #footnotes'],
    title: '#header h1',
    ignore: 'div#toc',
    updated: '#footer-text',
  },
  {
    name: 'VuePress',
    generator: 'vuepress',
    content: ['.vp-home, .vp-project-home, main.home', '.theme-default-content', '[vp-content]'],
    // Panels of tabs repeat their labels.
    ignore: '.vp-tab-title, .vp-code-tab-title',
    callouts: {
      box: 'div.hint-container, div.custom-block, div.custom-container',
      title: '.hint-container-title, .custom-block-title, .custom-container-title',
    },
    code: { box: 'div[class*=language-], .code-block-with-title', title: '.code-block-title-bar' },
    navigation: '.vp-sidebar, .sidebar',
    updated: '.last-updated .time',
  },
  {
    name: 'Mintlify',
    generator: 'mintlify',
    content: ['#content-area'],
    ignore: '.eyebrow, .feedback-toolbar, :is(#pagination, #footer):not(h2, h3, h4, h5, h6)',
    code: { box: '.code-block', title: '[data-component-part=code-block-header]' },
    navigation: '#sidebar',
  },
  {
    name: 'Rspress',
    generator: 'rspress',
    content: ['.rspress-doc'],
    callouts: {
      box: '.rspress-directive, .rp-callout',
      title: '.rspress-directive-title, .rp-callout__title',
    },
    code: {
      box: 'div[class*=language-], .rp-codeblock',
      title: '.rspress-code-title, .rp-codeblock__title',
    },
    navigation: '.rspress-sidebar, .rp-doc-layout__sidebar',
  },
  {
    name: 'Relearn',
    marks: ['R-body-inner'],
    content: ['#R-body-inner article.default', '#R-body-inner'],
    callouts: { box: 'div.cstyle', title: '.box-label' },
    tabs: { box: '.tab-panel', label: '.tab-nav-button', panel: '.tab-content' },
    navigation: '#R-sidebar',
  },
  {
    name: 'Geekdoc',
    marks: ['gdoc-page'],
    content: ['article.gdoc-markdown'],
    callouts: { box: '.gdoc-hint', title: '.gdoc-hint__title' },
    navigation: '.gdoc-nav',
  },
  {
    name: 'Hextra',
    marks: ['hextra-toc', 'hextra-sidebar-container'],
    content: ['main .content'],
    callouts: { box: '.hextra-callout' },
    code: { box: '.hextra-code-block', title: '.hextra-code-filename' },
    navigation: '.hextra-sidebar-container',
  },
  {
    name: 'Doxygen',
    generator: 'doxygen',
    content: ['.contents'],
    title: '.headertitle .title',
    ignore: '.title .ingroups, .title .mlabels',
    callouts: {
      box: 'dl.section:is(.note, .warning, .attention, .important, .remark)',
      title: 'dt',
    },
    breadcrumbs: '#nav-path li.navelem',
  },
  {
    name: 'Javadoc',
    // Later versions have a main element. The second one is that of the lists in frames.
    marks: ['allclasses_navbar_top', 'indexContainer'],
    content: ['main', '.header, .contentContainer'],
    title: 'h1.title, h2.title',
    ignore: '.topNav, .bottomNav, .subNav',
    listing: '.indexContainer',
  },
  {
    name: 'rustdoc',
    generator: 'rustdoc',
    content: ['#main-content'],
    ignore:
      '#copy-path, .rustdoc-breadcrumbs, a.src, a.srclink, a.anchor, .doc-anchor, .test-arrow, summary.hideme, .out-of-band',
  },
  {
    name: 'DocBook',
    generator: 'docbook',
    content: ['body'],
    ignore: '.navheader, .navfooter',
  },
  {
    name: 'Confluence',
    marks: ['title-heading'],
    content: ['#content'],
    title: '#title-heading',
    ignore: '.page-metadata',
    breadcrumbs: '#breadcrumbs li',
  },
  {
    name: 'TypeDoc',
    marks: ['tsd-page-toolbar'],
    content: ['.col-content'],
    breadcrumbs: '.tsd-breadcrumb li',
    ignore: '.tsd-breadcrumb',
  },
  {
    name: 'Yard',
    // The second one is that of the lists in frames.
    marks: ['class_list_link', 'full_list'],
    content: ['#content'],
    ignore: '.inheritanceTree, .summary_toggle',
    listing: '#full_list',
  },
  {
    name: 'ExDoc',
    generator: 'exdoc',
    content: ['#content'],
    ignore:
      '.bottom-actions, footer.footer, h1 > button, h1 .app-vsn, .view-source, .detail-link, .hover-link, .icon-action, .top-search',
  },
  {
    name: 'Retype',
    generator: 'retype',
    content: ['#docs-content', 'main'],
    ignore: '.header-anchor-trigger',
  },
  {
    name: 'Writerside',
    marks: ['virtual-toc-data'],
    content: ['article.article'],
    ignore: '.last-modified, .navigation-links',
    callouts: { box: 'aside.prompt' },
  },
  {
    name: 'WordPress',
    generator: 'wordpress',
    content: [
      'main .entry-content, main .wp-block-post-content',
      '.entry-content',
      'main article',
      'article',
    ],
    title: 'h1.entry-title, h1.wp-block-post-title, main h1',
    ignore: '.sharedaddy, .jp-relatedposts, .wp-block-comments',
    listing: 'body:is(.archive, .blog, .search)',
  },
  {
    name: 'Lectern',
    generator: 'lectern',
    content: ['.article-body', 'main article'],
  },
];
