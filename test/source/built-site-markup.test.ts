import { describe, expect, it } from 'vitest';
import { parsePage } from '../../src/content/parse/parse-body.ts';
import { transform } from '../../src/content/transform.ts';
import { readPage } from '../../src/source/built-site/read-page.ts';
import { scanPage } from '../../src/source/built-site/scan-page.ts';
import { fillUrls } from '../../src/source/built-site/write-html.ts';
import { settings } from '../content/settings.ts';

/** A page of a theme with its navigation around the main text. */
const page = {
  docusaurus: (text: string) =>
    `<meta name="generator" content="Docusaurus v3"><nav>Navigation</nav><main><article><nav class="theme-doc-breadcrumbs">Navigation</nav><div class="theme-doc-toc-mobile">Contents</div><div class="theme-doc-markdown markdown"><header><h1>Title</h1></header>${text}</div><footer>Edit</footer></article></main>`,
  starlight: (text: string) =>
    `<meta name="generator" content="Astro v5"><meta name="generator" content="Starlight v0.30"><main data-pagefind-body><div><h1 id="_top">Title</h1></div><div class="sl-markdown-content">${text}</div><footer class="sl-flex">Edit page</footer></main>`,
  vitepress: (text: string) =>
    `<meta name="generator" content="VitePress v1"><div class="VPSidebar">Navigation</div><main><div class="vp-doc"><div><h1 id="t">Title <a class="header-anchor" href="#t">&#8203;</a></h1>${text}</div></div></main><footer class="VPDocFooter">Next page</footer>`,
  material: (text: string) =>
    `<div class="md-nav">Navigation</div><article class="md-content__inner md-typeset"><a class="md-content__button">Edit</a><h1 id="t">Title<a class="headerlink" href="#t">¶</a></h1>${text}<aside class="md-source-file">Last update</aside></article>`,
  materialHome: (text: string) =>
    `<section class="mdx-container"><div class="mdx-hero"><div class="mdx-hero__image"></div><div class="mdx-hero__content"><h1>Title</h1>${text}</div></div></section><main class="md-main"><div class="md-sidebar"><nav class="md-nav md-nav--primary">Navigation</nav></div><div class="md-content"></div></main>`,
  mdbook: (text: string) =>
    `<div id="mdbook-help-popup">Keys</div><nav class="sidebar">Navigation</nav><div id="content"><main><h1 id="t"><a class="header" href="#t">Title</a></h1>${text}</main><nav class="nav-wrapper">Next</nav></div>`,
  sphinx: (text: string) =>
    `<div class="sphinxsidebar">Navigation</div><div class="documentwrapper"><div class="body" role="main"><section id="t"><h1>Title<a class="headerlink" href="#t">¶</a></h1>${text}</section></div></div>`,
  bookOfSphinx: (text: string) =>
    `<script src="_static/documentation_options.js"></script><main role="main"><div class="tocsection"><i></i> Contents</div><div id="main-content"><section id="t"><h1>Title<a class="headerlink" href="#t">#</a></h1>${text}</section></div><footer class="footer"><p>By Ann</p></footer></main>`,
  furo2024: (text: string) =>
    `<script src="_static/documentation_options.js?v=1f2e"></script><aside class="sidebar-drawer"><div class="sidebar-tree">Navigation</div></aside><div class="content"><article role="main"><section id="t"><h1>Title<a class="headerlink" href="#t">#</a></h1>${text}</section></article><footer>Next page</footer></div>`,
  docsy: (text: string) =>
    `<body class="td-page"><aside class="td-sidebar">Navigation</aside><main><div class="td-content"><h1>Title</h1>${text}<h2 class="feedback--title">Feedback</h2><div class="td-page-meta__lastmod">Last modified</div></div></main></body>`,
  book: (text: string) =>
    `<div class="book-page"><aside class="book-menu">Navigation</aside><article class="markdown"><h1 id="t">Title<a class="anchor" href="#t">#</a></h1>${text}</article><footer class="book-footer">Edit</footer></div>`,
  justTheDocs: (text: string) =>
    `<div id="main-content-wrap"><nav class="breadcrumb-nav">Navigation</nav><div id="main-content"><main><h1 id="t"><a href="#t" class="anchor-heading" aria-labelledby="t"><svg></svg></a> Title</h1>${text}</main></div></div>`,
  nextra: (text: string) =>
    `<div class="nextra-navbar">Navigation</div><article><div class="nextra-breadcrumb">Docs</div><main data-pagefind-body="true"><h1>Title</h1>${text}</main></article>`,
  fumadocs: (text: string) =>
    `<aside id="nd-sidebar">Navigation</aside><main id="nd-docs-layout"><div id="nd-page"><article class="flex"><div><span>Section</span></div><h1>Title</h1><div class="prose flex-1">${text}</div><div><p>Last updated on<!-- --> </p></div><div><a href="/docs/b"><div><p>Next</p></div><p>Begin here</p></a></div></article></div></main>`,
  gitbook: (text: string) =>
    `<meta name="generator" content="GitBook 3.2.3"><div class="book-summary"><ul class="summary">Navigation</ul></div><div class="book-body"><div class="page-wrapper"><div class="page-inner"><section class="normal markdown-section"><h1 id="t">Title</h1>${text}</section></div></div><a class="navigation navigation-next">Next</a></div>`,
  docfxModern: (text: string) =>
    `<script type="module" src="./public/docfx.min.js"></script><main><div class="toc-offcanvas"><h5>Table of Contents</h5><nav class="toc"></nav></div><div class="content"><div class="actionbar"><nav id="breadcrumb"></nav></div><article data-uid="a"><h1 id="t">Title</h1>${text}</article><div class="contribution"><a class="edit-link">Edit this page</a></div><div class="next-article"></div></div></main>`,
  docfxDefault: (text: string) =>
    `<meta name="generator" content="docfx 2.56.6.0"><div class="sidenav"><div id="sidetoggle"><div id="sidetoc"></div></div></div><div class="article"><article class="content wrap" id="_content" data-uid=""><h1 id="t">Title</h1>${text}</article></div><div class="sideaffix"><div class="contribution"><a class="contribution-link">Improve this Doc</a></div></div><script src="styles/docfx.js"></script>`,
  antora: (text: string) =>
    `<meta name="generator" content="Antora 3.1.7"><div class="nav-container"><nav class="nav-menu">Navigation</nav></div><main class="article"><div class="toolbar"><nav class="breadcrumbs">Docs</nav><div class="edit-this-page">Edit this Page</div></div><article class="doc"><h1 class="page">Title</h1>${text}<nav class="pagination">Next</nav></article></main>`,
  asciidoctor: (text: string) =>
    `<meta name="generator" content="Asciidoctor 2.0.20"><div id="header"><h1>Title</h1><div class="details"><span id="author">Ann</span></div><div id="toc"><ul><li><a href="#a">Contents</a></li></ul></div></div><div id="content">${text}</div><div id="footnotes"></div><div id="footer"><div id="footer-text">Last updated 2025-01-02</div></div>`,
  vuepress: (text: string) =>
    `<meta name="generator" content="VuePress 2.0.0"><aside class="vp-sidebar">Navigation</aside><main class="vp-page"><div vp-content class="theme-default-content"><h1 id="t"><a class="header-anchor" href="#t"><span>Title</span></a></h1>${text}</div><footer class="vp-page-meta">Edit this page</footer><nav>Next</nav></main>`,
  mintlify: (text: string) =>
    `<meta name="generator" content="Mintlify"><div id="sidebar">Navigation</div><div id="content-area"><header id="header"><div class="eyebrow">Section</div><h1 id="page-title">Title</h1><button>Copy page</button></header><div class="mdx-content" id="content">${text}</div><div class="feedback-toolbar">Was this page helpful?</div><div id="pagination">Next</div></div>`,
  rspress: (text: string) =>
    `<meta name="generator" content="Rspress v1.40.0"><aside class="rspress-sidebar">Navigation</aside><main><div class="rspress-doc"><h1 id="t">Title<a class="link" href="#t" aria-hidden="true">#</a></h1>${text}</div><div class="rspress-doc-footer">Edit this page</div></main>`,
  relearn: (text: string) =>
    `<meta name="generator" content="Hugo 0.140.0"><aside id="R-sidebar">Navigation</aside><nav id="R-topbar">Docs</nav><main id="R-body-inner"><article class="default"><h1 id="t">Title</h1>${text}<footer class="footline"></footer></article></main>`,
  geekdoc: (text: string) =>
    `<meta name="generator" content="Hugo 0.140.0"><main><aside class="gdoc-nav">Navigation</aside><div class="gdoc-page"><div class="gdoc-page__header">Edit page</div><article class="gdoc-markdown"><h1>Title</h1>${text}</article><div class="gdoc-page__footer">Next</div></div></main>`,
  hextra: (text: string) =>
    `<meta name="generator" content="Hugo 0.140.0"><aside class="hextra-sidebar-container">Navigation</aside><article><main><div>Docs</div><div class="content"><h1>Title</h1>${text}</div><div>Next</div></main></article>`,
  doxygen: (text: string) =>
    `<meta name="generator" content="Doxygen 1.9.8"><div id="top"><div id="projectname">Bikes 1.0</div></div><div id="doc-content"><div id="nav-path"><ul><li class="navelem"><a href="b.html">b</a></li></ul></div><div id="MSearchResultsWindow">Loading...</div><div class="header"><div class="summary"><a href="#m">Functions</a></div><div class="headertitle"><div class="title">Title<div class="ingroups"><a href="g.html">Parts</a></div></div></div></div><div class="contents"><h1>Oil</h1>${text}</div></div><div id="nav-path"><ul><li class="footer">Generated by Doxygen</li></ul></div>`,
  javadoc: (text: string) =>
    `<div class="topNav"><ul class="navList" id="allclasses_navbar_top"><li>Navigation</li></ul></div><div class="subNav">Summary</div><div class="header"><h2 class="title">Title</h2></div><div class="contentContainer">${text}</div><div class="bottomNav">Navigation</div><div class="subNav">Summary</div>`,
  javadocMain: (text: string) =>
    `<header><nav><div class="topNav">Navigation</div><div class="subNav">Summary</div></nav></header><main><div class="header"><h1 class="title">Title</h1></div><div class="contentContainer">${text}</div></main><footer><nav class="bottomNav">Navigation</nav></footer>`,
  typedoc: (text: string) =>
    `<header class="tsd-page-toolbar">Search</header><div class="container-main"><div class="col-content"><div class="tsd-page-title"><ul class="tsd-breadcrumb"><li>Bikes</li></ul><h1>Title</h1></div>${text}</div><div class="col-sidebar"><div class="page-menu"><h3>Settings</h3></div><nav class="tsd-navigation">Navigation</nav></div></div><footer><p class="tsd-generator">Generated</p></footer>`,
  yard: (text: string) =>
    `<div class="nav_wrap"><iframe id="nav" src="class_list.html"></iframe></div><div id="main"><div id="header"><div id="menu">Index</div><div id="search"><a class="full_list_link" id="class_list_link" href="class_list.html"></a></div></div><div id="content"><h1>Title</h1>${text}</div><div id="footer">Generated</div></div>`,
  exdoc: (text: string) =>
    `<meta name="generator" content="ExDoc v0.34.0"><div class="main"><section class="sidebar"><a href="/">Bikes</a> <strong>v1.0</strong></section><section class="content"><div id="content" class="content-inner"><h1><button class="settings">Settings</button><a class="view-source" href="https://example.com/a.ex"><span>View Source</span></a><span>Title</span></h1>${text}<div class="bottom-actions">Next page</div><footer class="footer">Built using ExDoc</footer></div></section></div>`,
  retype: (text: string) =>
    `<meta name="generator" content="Retype 3.5.0"><aside>Navigation</aside><main><div class="docs-markdown" id="docs-content"><doc-anchor-target id="t"><h1><doc-anchor-trigger class="header-anchor-trigger" to="#t">#</doc-anchor-trigger><span>Title</span></h1></doc-anchor-target>${text}</div><nav>Next</nav></main>`,
  writerside: (text: string) =>
    `<script id="virtual-toc-data" type="application/json">[]</script><main class="panel"><header><h3>Bikes</h3></header><section><article class="article"><h1>Title</h1>${text}<div data-feedback-placeholder="true"></div><div class="last-modified">Last modified: 1 May 2026</div><div class="navigation-links"><a href="b.html">Next</a></div></article></section></main>`,
  wordpress: (text: string) =>
    `<meta name="generator" content="WordPress 6.8"><header><p class="site-title">Bikes</p></header><main><article class="post"><h1 class="entry-title">Title</h1><div class="entry-meta">Ann, 1 May</div><div class="entry-content">${text}<div class="sharedaddy">Share</div></div></article><div id="comments"><article class="comment-body">A comment.</article><h3>Leave a Reply</h3></div></main>`,
  rustdoc: (text: string) =>
    `<meta name="generator" content="rustdoc"><nav class="sidebar">Navigation</nav><main><div class="width-limiter"><section id="main-content" class="content"><div class="main-heading"><div class="rustdoc-breadcrumbs"><a href="../index.html">std</a></div><h1><span class="struct">Title</span> <button id="copy-path">Copy item path</button></h1><span class="sub-heading"><a class="src" href="a.html">Source</a></span></div>${text}</section></div></main>`,
  docbook: (text: string) =>
    `<meta name="generator" content="DocBook XSL Stylesheets V1.79.1"><div class="navheader"><table><tr><th>Title</th></tr><tr><td><a href="b.html">Prev</a></td></tr></table><hr></div><div class="chapter"><div class="titlepage"><h1 class="title">Title</h1></div>${text}</div><div class="navfooter"><hr><table><tr><td>Preface</td></tr></table></div>`,
  minimalMistakes: (text: string) =>
    `<meta name="generator" content="Jekyll v4.3.2"><div id="main"><article class="page"><header><h1 class="page__title"><a href="/a/">Title</a></h1><p class="page__meta">March 1</p></header><section class="page__content"><aside class="sidebar__right"><nav class="toc">Contents</nav></aside>${text}</section><footer class="page__meta">Tags</footer><section class="page__share">Share</section><div class="page__related"><article><h2>Also</h2></article></div></article></div>`,
  confluence: (text: string) =>
    `<div id="main-header"><div id="breadcrumb-section"><ol id="breadcrumbs"><li><a href="index.html">Bikes</a></li></ol></div><h1 id="title-heading"><span id="title-text">Title</span></h1></div><div id="content" class="view"><div class="page-metadata">Created by Ann</div><div id="main-content" class="wiki-content">${text}</div></div><div id="footer" role="contentinfo">Generated</div>`,
  unknown: (text: string) =>
    `<header>Navigation</header><main><h1>Title</h1>${text}</main><footer>Imprint</footer>`,
};

const code = '```sh\nnpm i\nnpm t\n```';

/** Markup of a theme → the Markdown that is published of it. */
const cases: readonly (readonly [theme: keyof typeof page, what: string, html: string, markdown: string])[] =
  [
    [
      'antora',
      'admonitions, which are tables',
      '<div class="admonitionblock warning"><table><tr><td class="icon"><i class="fa icon-warning" title="Warning"></i></td><td class="content"><div class="title">Hot</div><div class="paragraph"><p>Wait.</p></div></td></tr></table></div><div class="admonitionblock tip"><table><tr><td class="icon"><div class="title">Tip</div></td><td class="content">Use a cloth.</td></tr></table></div>',
      '> [!WARNING]\n> **Hot**\n>\n> Wait.\n\n> [!TIP]\n> Use a cloth.',
    ],
    [
      'asciidoctor',
      'admonitions, which are tables',
      '<div class="admonitionblock warning"><table><tr><td class="icon"><i class="fa icon-warning" title="Warning"></i></td><td class="content"><div class="title">Hot</div><div class="paragraph"><p>Wait.</p></div></td></tr></table></div><div class="admonitionblock tip"><table><tr><td class="icon"><div class="title">Tip</div></td><td class="content">Use a cloth.</td></tr></table></div>',
      '> [!WARNING]\n> **Hot**\n>\n> Wait.\n\n> [!TIP]\n> Use a cloth.',
    ],
    [
      'vuepress',
      'a container and tabs of code',
      '<div class="hint-container warning"><p class="hint-container-title">Hot</p><p>Wait.</p></div><div class="vp-code-tabs"><div role="tablist"><button role="tab">npm</button></div><div role="tabpanel"><div class="language-sh line-numbers-mode"><pre><code>npm i\nnpm t</code></pre><div class="line-numbers" aria-hidden="true"><div></div></div></div></div></div>',
      `> [!WARNING]\n> **Hot**\n>\n> Wait.\n\n**npm**\n\n${code}`,
    ],
    [
      'vuepress',
      'a note, panels that repeat their labels, and code with a title, of the theme Hope',
      '<div class="hint-container note"><p class="hint-container-title">Note</p><p>Wait.</p></div><div class="vp-tabs"><div role="tablist"><button role="tab">Linux</button></div><div class="vp-tab" role="tabpanel"><div class="vp-tab-title">Linux</div><p>One</p></div></div><div class="code-block-with-title"><div class="code-block-title-bar" data-title="a.sh"><span>a.sh</span></div><div class="language-sh line-numbers-mode"><pre><code class="language-sh">npm i\nnpm t</code></pre></div></div>',
      `> [!NOTE]\n> **Note**\n>\n> Wait.\n\n**Linux**\n\nOne\n\n**a.sh**\n\n${code}`,
    ],
    [
      'antora',
      'a list of tasks with icons, and no list of the headings',
      '<div id="toc" class="toc"><div id="toctitle">Table of Contents</div><ul><li><a href="#a">A</a></li></ul></div><div class="ulist checklist"><ul class="checklist"><li><p><i class="fa fa-check-square-o"></i> One</p></li><li><p><i class="fa fa-square-o"></i> Two</p></li></ul></div>',
      '- \u2611 One\n\n- \u2610 Two',
    ],
    [
      'mintlify',
      'headings with names of parts of its pages',
      '<h2 id="pagination">Pages</h2><h2 id="footer">Footer</h2>',
      '## Pages\n\n## Footer',
    ],
    [
      'mintlify',
      'a callout and code with a title',
      '<div class="callout" data-callout-type="warning"><div><svg></svg></div><div>Wait.</div></div><div class="code-block"><div data-component-part="code-block-header"><div>Terminal</div><button></button></div><pre><code class="language-sh">npm i\nnpm t</code></pre></div>',
      `> [!WARNING]\n> Wait.\n\n**Terminal**\n\n${code}`,
    ],
    [
      'rspress',
      'a container and code with a title',
      '<div class="rspress-directive warning"><div class="rspress-directive-title">Hot</div><div class="rspress-directive-content"><p>Wait.</p></div></div><div class="language-sh"><div class="rspress-code-title">a.sh</div><pre><code class="language-sh">npm i\nnpm t</code></pre><button class="copy">Copy</button></div>',
      `> [!WARNING]\n> **Hot**\n>\n> Wait.\n\n**a.sh**\n\n${code}`,
    ],
    [
      'rspress',
      'a callout and code with a title of version 2',
      '<div class="rp-callout rp-callout--warning"><div class="rp-callout__title">Hot</div><div class="rp-callout__content"><p>Wait.</p></div></div><div class="rp-codeblock language-sh"><div class="rp-codeblock__title">a.sh</div><pre><code class="language-sh">npm i\nnpm t</code></pre></div>',
      `> [!WARNING]\n> **Hot**\n>\n> Wait.\n\n**a.sh**\n\n${code}`,
    ],
    [
      'relearn',
      'a notice and tabs, whose labels are buttons',
      '<div class="box notices cstyle warning"><div class="box-label"><i></i> Hot</div><div class="box-content"><p>Wait.</p></div></div><div class="tab-panel"><div class="tab-nav"><button class="tab-nav-button">npm</button></div><div class="tab-content-container"><div class="tab-content"><p>One</p></div></div></div>',
      '> [!WARNING]\n> **Hot**\n>\n> Wait.\n\n**npm**\n\nOne',
    ],
    [
      'geekdoc',
      'a hint and tabs',
      '<blockquote class="gdoc-hint warning"><div class="gdoc-hint__title"><span>Hot</span></div><div class="gdoc-hint__text">Wait.</div></blockquote><div class="gdoc-tabs"><input type="radio" id="a"><label for="a" class="gdoc-tabs__label">npm</label><div class="gdoc-tabs__content">One</div></div>',
      '> [!WARNING]\n> **Hot**\n>\n> Wait.\n\n**npm**\n\nOne',
    ],
    [
      'hextra',
      'code with a title',
      '<div class="hextra-code-block"><div class="hextra-code-filename">a.sh</div><pre class="chroma"><code class="language-sh">npm i\nnpm t</code></pre><div><button title="Copy code"></button></div></div>',
      `**a.sh**\n\n${code}`,
    ],
    [
      'unknown',
      'code whose lines have their numbers in attributes',
      '<pre class="language-sh"><code><span data-line-number="1">npm i</span>\n<span data-line-number="2">npm t</span></code></pre><pre><code class="language-sh"><table><tr><td data-line-number="1"></td><td data-line-number="1">npm i</td></tr><tr><td data-line-number="2"> </td><td data-line-number="2">npm t</td></tr></table></code></pre>',
      `${code}\n\n${code}`,
    ],
    [
      'unknown',
      'code with the numbers and the types that scripts show beside it',
      '<pre><code class="language-sh"><span class="react-syntax-highlighter-line-number">1</span>npm <span class="twoslash-hover"><span class="twoslash-popup-container"><code>type</code></span>i</span>\n<span class="react-syntax-highlighter-line-number">2</span>npm t</code></pre>',
      code,
    ],
    [
      'docusaurus',
      'an admonition with a title',
      '<div class="theme-admonition theme-admonition-warning alert alert--warning"><div class="admonitionHeading_a1"><span class="admonitionIcon_b2"><svg></svg></span>Stop here</div><div class="admonitionContent_c3"><p>Hot.</p></div></div>',
      '> [!WARNING]\n> **Stop here**\n>\n> Hot.',
    ],
    ['docusaurus', 'a dialog that a script opens', '<p>A</p><dialog><p>B</p></dialog>', 'A\n\nB'],
    [
      'docusaurus',
      'code with a title, lines and a button',
      '<div class="language-sh codeBlockContainer_x theme-code-block"><div class="codeBlockTitle_y">run.sh</div><div class="codeBlockContent_z"><pre class="prism-code language-sh"><code><span class="token-line"><span class="token plain">npm i</span><br></span><span class="token-line"><span class="token plain">npm t</span><br></span></code></pre><div class="buttonGroup_q"><button aria-label="Copy">Copy</button></div></div></div>',
      `**run.sh**\n\n${code}`,
    ],
    [
      'docusaurus',
      'tabs with a hidden panel',
      '<div class="tabs-container"><ul role="tablist" class="tabs"><li role="tab">npm</li><li role="tab">Yarn</li></ul><div><div role="tabpanel"><p>First.</p></div><div role="tabpanel" hidden=""><p>Second.</p></div></div></div>',
      '**npm**\n\nFirst.\n\n**Yarn**\n\nSecond.',
    ],
    [
      'docusaurus',
      'a heading with a link to itself',
      '<h2 class="anchor" id="oil">Oil<a href="#oil" class="hash-link" aria-label="Direct link to Oil">​</a></h2><p>x</p>',
      '## Oil\n\nx',
    ],
    ['materialHome', 'the text of a home page outside of the main element', '<p>Learn it.</p>', 'Learn it.'],
    [
      'starlight',
      'an aside',
      '<aside aria-label="Tip" class="starlight-aside starlight-aside--tip"><p class="starlight-aside__title" aria-hidden="true"><svg></svg>Save energy</p><div class="starlight-aside__content"><p>Boil less.</p></div></aside>',
      '> [!TIP]\n> **Save energy**\n>\n> Boil less.',
    ],
    [
      'starlight',
      'code of Expressive Code with an empty line',
      '<div class="expressive-code"><figure class="frame has-title"><figcaption class="header"><span class="title">a.js</span></figcaption><pre data-language="js"><code><div class="ec-line"><div class="code"><span>a</span></div></div><div class="ec-line"><div class="code">\n</div></div><div class="ec-line"><div class="code"><span>b</span></div></div></code></pre><div class="copy"><button>Copy</button></div></figure></div>',
      '**a.js**\n\n```js\na\n\nb\n```',
    ],
    [
      'starlight',
      'tabs and a heading in its wrapper',
      '<div class="sl-heading-wrapper"><h2 id="x">Use</h2><a class="sl-anchor-link" href="#x"><span class="sr-only">Section titled “Use”</span></a></div><starlight-tabs><div><ul role="tablist"><li><a role="tab" id="t0" href="#p0">Linux</a></li><li><a role="tab" id="t1" href="#p1">macOS</a></li></ul></div><div id="p0" role="tabpanel" aria-labelledby="t0">A</div><div id="p1" role="tabpanel" aria-labelledby="t1" hidden>B</div></starlight-tabs>',
      '## Use\n\n**Linux**\n\nA\n\n**macOS**\n\nB',
    ],
    [
      'vitepress',
      'a box and details',
      '<div class="danger custom-block"><p class="custom-block-title">STOP</p><p>Hot.</p></div><details class="details custom-block"><summary>More</summary><p>Text.</p></details>',
      '> [!CAUTION]\n> **STOP**\n>\n> Hot.\n\n**More**\n\nText.',
    ],
    [
      'vitepress',
      'a group of code',
      '<div class="vp-code-group"><div class="tabs"><input type="radio"><label data-title="npm">npm</label><input type="radio"><label>pnpm</label></div><div class="blocks"><div class="language-sh active"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki"><code><span class="line"><span>npm i</span></span>\n<span class="line"><span>npm t</span></span></code></pre><div class="line-numbers-wrapper"><span>1</span><br><span>2</span></div></div><div class="language-sh"><span class="lang">sh</span><pre><code>pnpm i</code></pre></div></div></div>',
      `**npm**\n\n${code}\n\n**pnpm**\n\n\`\`\`sh\npnpm i\n\`\`\``,
    ],
    [
      'material',
      'an admonition, a collapsed one, and tabs',
      '<div class="admonition danger"><p class="admonition-title">Stop</p><p>Hot.</p></div><details class="note"><summary>More</summary><p>Text.</p></details><div class="tabbed-set"><input type="radio"><input type="radio"><div class="tabbed-labels"><label>One</label><label>Two</label></div><div class="tabbed-content"><div class="tabbed-block"><p>1</p></div><div class="tabbed-block"><p>2</p></div></div></div>',
      '> [!CAUTION]\n> **Stop**\n>\n> Hot.\n\n**More**\n\nText.\n\n**One**\n\n1\n\n**Two**\n\n2',
    ],
    [
      'material',
      'code with a title and numbers of lines',
      '<div class="language-sh highlight"><span class="filename">run.sh</span><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre><span></span><span class="normal">1</span>\n<span class="normal">2</span></pre></div></td><td class="code"><div><pre><span></span><code>npm i\nnpm t\n</code></pre></div></td></tr></table></div>',
      `**run.sh**\n\n${code}`,
    ],
    [
      'mdbook',
      'code with hidden lines, and a heading in a link',
      '<h2 id="use"><a class="header" href="#use">Use</a></h2><pre><div class="buttons"><button>Copy</button></div><code class="language-rust"><span class="boring">fn main() {\n</span>let a = 1;\n<span class="boring">}</span></code></pre>',
      '## Use\n\n```rust\nlet a = 1;\n```',
    ],
    [
      'sphinx',
      'an admonition, and code with a caption',
      '<div class="admonition seealso"><p class="admonition-title">See also</p><p>More.</p></div><div class="literal-block-wrapper"><div class="code-block-caption"><span class="caption-text">run.sh</span><a class="headerlink" href="#id1">¶</a></div><div class="highlight-sh notranslate"><div class="highlight"><pre><span></span><span class="linenos">1</span>npm i\n<span class="linenos">2</span>npm t\n</pre></div></div></div>',
      `> [!NOTE]\n> **See also**\n>\n> More.\n\n**run.sh**\n\n${code}`,
    ],
    [
      'fumadocs',
      'a callout, and code with a title',
      '<div class="flex gap-2 my-4" style="--callout-color:var(--color-fd-warning, var(--color-fd-muted))"><div role="none"></div><svg></svg><div class="flex-1"><p class="font-medium !my-0">Hot</p><div class="prose-no-margin"><p>Wait.</p></div></div></div><figure class="shiki relative"><div><figcaption>a.sh</figcaption><div><button aria-label="Copy Text"></button></div></div><div><pre><code><span class="line">npm i</span>\n<span class="line">npm t</span></code></pre></div></figure>',
      '> [!WARNING]\n> **Hot**\n>\n> Wait.\n\n**a.sh**\n\n```\nnpm i\nnpm t\n```',
    ],
    [
      'sphinx',
      'tabs of sphinx-inline-tabs, one in another one',
      '<div class="tab-set docutils container"><input checked="True" class="tab-input" id="t1" name="t" type="radio"><label class="tab-label" for="t1">Linux</label><div class="tab-content docutils container"><p>A.</p><div class="tab-set docutils container"><input checked="True" class="tab-input" id="u1" name="u" type="radio"><label class="tab-label" for="u1">Debian</label><div class="tab-content docutils container"><p>B.</p></div></div></div><input class="tab-input" id="t2" name="t" type="radio"><label class="tab-label" for="t2">Mac</label><div class="tab-content docutils container"><p>C.</p></div></div>',
      '**Linux**\n\nA.\n\n**Debian**\n\nB.\n\n**Mac**\n\nC.',
    ],
    [
      'material',
      'a link in the title of an admonition',
      '<div class="admonition tip"><p class="admonition-title">How to <a href="https://example.com/oil">oil</a></p><p>Wait.</p></div>',
      '> [!TIP]\n> **How to [oil](https://example.com/oil)**\n>\n> Wait.',
    ],
    [
      'sphinx',
      'a formula with its number',
      '<div class="math notranslate nohighlight" id="equation-oil"><span class="eqno">(1)<a class="headerlink" href="#equation-oil">¶</a></span>\\[a + b\\]</div>',
      '(1)\n\n$$a + b$$',
    ],
    ['bookOfSphinx', 'the text between a list of its headings and the imprint', '<p>Wait.</p>', 'Wait.'],
    [
      'sphinx',
      'terms with their types, between which the style sheet draws a colon',
      '<dl><dt><strong>oil</strong><span class="classifier">str, optional</span></dt><dd><p>A.</p></dd><dt>gear <span class="classifier">int</span><span class="classifier">odd</span></dt><dd><p>B.</p></dd><dt><span class="classifier">bool</span></dt><dd><p>C.</p></dd></dl>',
      '**oil : str, optional**\n\nA.\n\n**gear : int : odd**\n\nB.\n\n**bool**\n\nC.',
    ],
    [
      'docfxModern',
      'a note, and code of an API with a link to its source',
      '<h2 id="use">Use<a class="header-action link-secondary" title="View source" href="https://example.com/a.cs#L1"><i class="bi bi-code-slash"></i>Source</a></h2><div class="IMPORTANT"><h5>Important</h5><p>Hot.</p></div><pre><code class="lang-sh">npm i\nnpm t\n</code></pre>',
      `## Use\n\n> [!IMPORTANT]\n> Hot.\n\n${code}`,
    ],
    [
      'docfxDefault',
      'a warning, and a member of an API with links to its source',
      '<div class="WARNING alert alert-warning"><h5>Warning</h5><p>Hot.</p></div><span class="small pull-right mobile-hide"><span class="divider">|</span><a href="https://example.com/edit">Improve this Doc</a></span><h4 id="oil">Oil()</h4><p>A.</p>',
      '> [!WARNING]\n> **Warning**\n>\n> Hot.\n\n## Oil()\n\nA.',
    ],
    [
      'unknown',
      'a term with its type, between which is a colon',
      '<dl><dt>oil <span class="classifier-delimiter">:</span> <span class="classifier">str</span></dt><dd>A.</dd><dt>gear: <span class="classifier">int</span></dt><dd>B.</dd></dl>',
      '**oil : str**\n\nA.\n\n**gear: int**\n\nB.',
    ],
    [
      'furo2024',
      'a signature with links, and code, of a theme that has only the scripts of Sphinx',
      '<dl><dt class="sig" id="oil"><span class="sig-name">oil</span><span class="sig-paren">(</span>)<a class="reference internal" href="_modules/oil.html"><span class="viewcode-link"><span class="pre">[source]</span></span></a><a class="headerlink" href="#oil">#</a></dt><dd><div class="highlight-sh notranslate"><div class="highlight"><pre><span></span>npm i\nnpm t\n</pre></div></div></dd></dl>',
      `**oil()**\n\n${code}`,
    ],
    [
      'docsy',
      'an alert, and tabs of Bootstrap',
      '<div class="alert alert-warning" role="alert"><h4 class="alert-heading">Hot</h4><p>Steam.</p></div><ul class="nav nav-tabs" role="tablist"><li class="nav-item"><button class="nav-link active" id="a-tab" role="tab" aria-controls="a">A</button></li><li class="nav-item"><button class="nav-link" id="b-tab" role="tab" aria-controls="b">B</button></li></ul><div class="tab-content"><div class="tab-pane" id="a" role="tabpanel" aria-labelledby="a-tab"><p>1</p></div><div class="tab-pane" id="b" role="tabpanel" aria-labelledby="b-tab"><p>2</p></div></div>',
      '> [!WARNING]\n> **Hot**\n>\n> Steam.\n\n**A**\n\n1\n\n**B**\n\n2',
    ],
    [
      'docsy',
      'code of Hugo with numbers of lines',
      '<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd"><pre tabindex="0" class="chroma"><code><span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td><td class="lntd"><pre tabindex="0" class="chroma"><code class="language-sh" data-lang="sh"><span class="line"><span class="cl">npm i\n</span></span><span class="line"><span class="cl">npm t\n</span></span></code></pre></td></tr></table></div></div>',
      code,
    ],
    [
      'book',
      'a hint and tabs',
      '<blockquote class="book-hint danger"><p>Hot.</p></blockquote><div class="book-tabs"><input type="radio"><label for="a">A</label><div class="book-tabs-content markdown-inner"><p>1</p></div><input type="radio"><label for="b">B</label><div class="book-tabs-content markdown-inner"><p>2</p></div></div>',
      '> [!CAUTION]\n> Hot.\n\n**A**\n\n1\n\n**B**\n\n2',
    ],
    [
      'justTheDocs',
      'code of Rouge',
      '<div class="language-sh highlighter-rouge"><div class="highlight"><pre class="highlight"><code>npm i\nnpm t\n</code></pre></div></div>',
      code,
    ],
    [
      'nextra',
      'a callout, and code that its search ignores, with a title and buttons',
      '<div class="nextra-callout x:flex x:bg-yellow-50 x:text-yellow-700"><div data-pagefind-ignore="all"><svg></svg></div><div class="x:w-full"><p>Careful.</p></div></div><div data-pagefind-ignore="all" class="nextra-code"><div class="x:px-4"><svg></svg><span class="x:truncate">run.sh</span></div><pre><div><button title="Toggle word wrap"></button></div><code class="nextra-code" data-language="sh"><span>npm i</span>\n<span>npm t</span></code></pre></div>',
      `> [!WARNING]\n> Careful.\n\n**run.sh**\n\n${code}`,
    ],
    [
      'nextra',
      'images that a script shows',
      '<p><img alt="One" src="data:image/gif;base64,AAAA"/><noscript><img alt="One" src="/a.png"/></noscript></p><p><img style="opacity:0" data-src="/b.png" alt="Two"></p><p><img style="color:transparent" src="/c.png" alt="Three"></p>',
      'One\n\nTwo\n\nThree',
    ],
    [
      'nextra',
      'two groups of tabs in one text, whose panels repeat their labels as hidden headings',
      ['One', 'Two']
        .map(
          (one) =>
            `<div role="tablist"><button role="tab">A ${one}</button><button role="tab">B ${one}</button></div><div><div role="tabpanel" id="headlessui-tabs-panel-${one}"><h3 id="a" style="visibility:hidden">A ${one}</h3>First ${one}.</div><div role="tabpanel" hidden=""><p>Second ${one}.</p></div></div>`,
        )
        .join('<p>Between.</p>'),
      '**A One**\n\nFirst One.\n\n**B One**\n\nSecond One.\n\nBetween.\n\n**A Two**\n\nFirst Two.\n\n**B Two**\n\nSecond Two.',
    ],
    [
      'gitbook',
      'the text without the pages before and after it',
      '<h2 id="oil">Oil</h2><p>One drop.</p>',
      '## Oil\n\nOne drop.',
    ],
    [
      'unknown',
      'what asks to be left out',
      '<p>Text.</p><p data-lectern-ignore>Rate this page</p><p data-pagefind-ignore>Share</p>',
      'Text.',
    ],
    [
      'unknown',
      'formulas of KaTeX and for MathJax',
      '<p>So <span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>E</mi></mrow><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">E=mc2</span></span> and <span class="math notranslate">\\(\\frac{b}{c}\\)</span>.</p>',
      'So $E=mc^2$ and $\\frac{b}{c}$.',
    ],
    [
      'unknown',
      'formulas of MathJax without their source',
      '<p>So <mjx-container class="MathJax" jax="SVG"><svg><path d="M0 0"></path></svg><mjx-assistive-mml unselectable="on" display="inline" style="top: 0px; left: 0px; clip: rect(1px, 1px, 1px, 1px); position: absolute; overflow: hidden;"><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>a</mi><mo stretchy="false">=</mo><mrow data-mjx-texclass="ORD"><mfrac><mi>b</mi><mi>c</mi></mfrac></mrow></math></mjx-assistive-mml></mjx-container>.</p>',
      'So $a = \\frac{b}{c}$.',
    ],
    [
      'unknown',
      'items, cells and words with the class of a callout, which stay where they are',
      '<ul><li class="callout">One</li></ul><table><tr><th>Key</th></tr><tr><td class="callout">K1</td></tr></table><p>In <span class="callout">a</span> line.</p>',
      '- One\n\n| Key |\n| --- |\n| K1 |\n\nIn a line.',
    ],
    [
      'unknown',
      'a callout with a word that has the class of a title within its text',
      '<div class="note"><p>Read <span class="title">The Book</span> first.</p></div><div class="note"><div><svg></svg></div><div><b class="title">Hot</b><p>Wait.</p></div></div>',
      '> [!NOTE]\n> Read The Book first.\n\n> [!NOTE]\n> **Hot**\n>\n> Wait.',
    ],
    [
      'unknown',
      'one of a pair of images for light and dark pages',
      '<p><img class="only-light" src="/a.png" alt="A"><img class="only-dark" src="/b.png" alt="A"></p><p><img src="/c.png#gh-dark-mode-only" alt="C"> <img src="/d.png#gh-light-mode-only" alt="D"></p><p><img src="/e.png#only-light" alt="E"> <img src="/f.png#only-dark" alt="F"></p><p><img class="only-dark" src="/g.png" alt="G"></p>',
      'A https://help.example.com/a.png\n\nD https://help.example.com/d.png#gh-light-mode-only\n\nE https://help.example.com/e.png#only-light\n\nG https://help.example.com/g.png',
    ],
    [
      'unknown',
      'cells whose text is only read aloud',
      '<table><tr><th>Part</th><th>Has</th></tr><tr><td>Bell<span class="sr-only"> (new)</span></td><td><i></i><span class="sr-only">Yes</span></td></tr><tr><td>Lid</td><td><svg aria-label="No"><path></path></svg></td></tr></table>',
      '| Part | Has |\n| --- | --- |\n| Bell | Yes |\n| Lid | No |',
    ],
    [
      'unknown',
      'buttons that a sentence or a heading names, and no others',
      '<p>Click <button type="button">Save</button> now.</p><h3><button class="open">Why?</button></h3><p>So.</p><div><button>Copy page</button></div><p><button>Share</button></p><p>Did it help? <button>Yes</button> <button>No</button></p><ul><li>npm i <button>Kopieren</button></li></ul>',
      'Click Save now.\n\n## Why?\n\nSo.\n\nDid it help?\n\n- npm i',
    ],
    [
      'unknown',
      'code in a box without the element for code, and the language beside the name of a class',
      '<div class="fragment"><div class="line"><span class="lineno"> 1</span>npm i</div><div class="line">npm t</div></div><div class="code-block" data-lang="sh">\nnpm i\nnpm t\n</div><div class="sourceCode"><pre class="sourceCode sh"><code class="sourceCode sh"><span>npm i</span>\n<span>npm t</span></code></pre></div><figure class="highlight sh"><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span><br></pre></td><td class="code"><pre><span class="line">npm i</span><br><span class="line">npm t</span><br></pre></td></tr></table></figure><div class="fragment"><p>A slide.</p></div>',
      `\`\`\`\nnpm i\nnpm t\n\`\`\`\n\n${code}\n\n${code}\n\n${code}\n\nA slide.`,
    ],
    [
      'doxygen',
      'a title above the first heading, and a note',
      '<dl class="section warning"><dt>Warning</dt><dd>Hot.</dd></dl><h2 class="memtitle"><span class="permalink"><a href="#m">&#9670;&#160;</a></span>ring()</h2><p>Text.</p>',
      '## Oil\n\n> [!WARNING]\n> Hot.\n\n### ring()\n\nText.',
    ],
    [
      'javadoc',
      'the class without the navigation around it',
      '<pre>class Bell</pre>',
      '```\nclass Bell\n```',
    ],
    ['javadocMain', 'the class of a later version', '<pre>class Bell</pre>', '```\nclass Bell\n```'],
    [
      'typedoc',
      'where a name is defined, beside its text',
      '<aside class="tsd-sources"><ul><li>Defined in <a href="https://example.com/a.ts">a.ts</a></li></ul></aside><p>Text.</p>',
      '- Defined in [a.ts](https://example.com/a.ts)\n\nText.',
    ],
    [
      'yard',
      'a list of links in the text',
      '<p class="children"><strong>Classes:</strong> <a href="/a.html">A</a>, <a href="/b.html">B</a>, <a href="/c.html">C</a></p><p>A text of many words about bells and chains.</p>',
      '**Classes:** [A](https://help.example.com/a.html), [B](https://help.example.com/b.html), [C](https://help.example.com/c.html)\n\nA text of many words about bells and chains.',
    ],
    [
      'rustdoc',
      'a method with its name, and code without a link to run it',
      '<details class="toggle top-doc" open><summary class="hideme"><span>Expand description</span></summary><div class="docblock"><p>Text.</p><div class="example-wrap"><pre class="rust"><code>a();</code></pre><a class="test-arrow" href="https://play.example.com/">Run</a></div></div></details><section id="method.new" class="method"><span class="rightside"><a class="src" href="b.html">Source</a></span><a href="#method.new" class="anchor">§</a><h4 class="code-header">pub fn <a href="#method.new" class="fn">new</a>() -&gt; A</h4></section>',
      'Text.\n\n```\na();\n```\n\n## pub fn new() -> A',
    ],
    [
      'docbook',
      'the text without the pages around it, which another style has in a table',
      '<p>A text of many words about bells and chains.</p></div><div><table class="nav"><tr><td><a href="a.html">Prev</a></td><td><a href="/">Up</a></td><td><a href="c.html">Next</a></td></tr></table>',
      'A text of many words about bells and chains.',
    ],
    ['minimalMistakes', 'the text without what is around it', '<p>Text.</p>', 'Text.'],
    ['confluence', 'the text without who wrote it', '<p>Text.</p>', 'Text.'],
    ['exdoc', 'the text without the name of the project', '<p>Text.</p>', 'Text.'],
    [
      'retype',
      'a heading with a link to itself',
      '<doc-anchor-target id="use"><h2><doc-anchor-trigger class="header-anchor-trigger" to="#use">#</doc-anchor-trigger><span>Use</span></h2></doc-anchor-target><p>Text.</p>',
      '## Use\n\nText.',
    ],
    [
      'writerside',
      'a prompt, and no pages after the text',
      '<aside class="prompt" data-type="warning"><p>Hot.</p></aside><p>Text.</p>',
      '> [!WARNING]\n> Hot.\n\nText.',
    ],
    ['wordpress', 'the text without the comments', '<p>Text.</p>', 'Text.'],
    [
      'unknown',
      'a diagram of Mermaid',
      '<pre class="mermaid">graph TD\nA--&gt;B</pre>',
      '```mermaid\ngraph TD\nA-->B\n```',
    ],
    [
      'unknown',
      'a lazy image, and one of several sizes',
      '<p><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/a.png" alt="A"></p><picture><source srcset="/b.avif"><img srcset="/b-1.png 1x, /b-2.png 2x" alt="B"></picture><p><img src="/c.png" data-src="/{width}.png" alt="C"></p>',
      'A https://help.example.com/a.png\n\nB https://help.example.com/b-1.png\n\nC https://help.example.com/c.png',
    ],
    [
      'unknown',
      'an accordion that a style hides, a footnote and a task',
      '<details><summary>Why</summary><p style="display:none">Because.</p></details><ul><li><input type="checkbox" checked disabled> Done</li></ul><p>Text<sup><a href="#fn1" id="ref1">1</a></sup></p><section class="footnotes"><ol><li id="fn1">Note <a href="#ref1" class="footnote-backref">↩</a></li></ol></section>',
      '**Why**\n\nBecause.\n\n- ☑ Done\n\nText([1](#fn1))\n\n1. Note',
    ],
  ];

describe('the markup of a theme', () => {
  it.each(cases)('%s: %s', (theme, _what, html, markdown) => {
    const read = readPage('a.html', `<!doctype html><html lang="en">${page[theme](html)}</html>`, {
      content: null,
      ignore: null,
    });
    expect(read.title).toBe('Title');
    const { html: body, urls } = read.body;
    const document = transform(
      fillUrls({ html: body ?? '', urls }, ({ url }) => url),
      settings(),
    );
    // The Markdown of a document has the alternative texts of images, and the page the images.
    const images = new Map(
      [...document.html.matchAll(/<img[^>]*?\ssrc="([^"]*)"[^>]*?\salt="([^"]*)"/g)].map(([, src, alt]) => [
        alt,
        src,
      ]),
    );
    const shown = document.markdown
      .trim()
      .replace(/^[A-Z]$/gm, (alt) => [alt, ...(images.has(alt) ? [images.get(alt)] : [])].join(' '));
    expect(shown).toBe(markdown);
  });

  it.each([
    ['Sphinx', 'documentation_options.js?v=1f2e'],
    ['MkDocs', 'theme_extra.js'],
    // A theme of Read the Docs of which only the classes are known.
    ['Sphinx', 'theme.js'],
  ])('is that of %s with %s, although the theme of Read the Docs has the same classes', (theme, script) => {
    const html = `<html><body><div class="wy-nav-content"><div role="main">Text</div></div><script src="../js/${script}"></script></body></html>`;
    expect(scanPage(parsePage(html)).theme?.name).toBe(theme);
  });

  it.each([
    [
      'tags/index.html',
      'an empty list of Hugo Book, whose layout is all in one element',
      '<main class="container"><aside class="book-menu"><ul><li>English</li></ul></aside><div class="book-page"><header class="book-header"><h3>Tags</h3></header></div></main>',
    ],
    [
      'archives/2024/01/index.html',
      'the list of a month',
      '<main><h1>A</h1><p><a href="/a/">May 2</a></p></main>',
    ],
    ['search/index.html', 'the page of a search', '<main><h1>Search Results</h1><p>Loading</p></main>'],
  ])('%s is no article: %s', (file, _what, html) => {
    const read = readPage(file, `<!doctype html><html lang="en"><body>${html}</body></html>`, {
      content: null,
      ignore: null,
    });
    expect(read.skip).not.toBeNull();
  });
});
