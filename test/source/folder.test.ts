import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { page, type Tree, writeTree } from '../support/folder-layouts.ts';
import { bodyOf, messages, openFolderProject, outline } from './support/folder-source.ts';
import { errorOf } from './support/open-http.ts';

/** What is published of a folder. */
interface Expected {
  /** Path of the file → category, languages, titles and slugs; or why it is not public. */
  readonly articles?: Readonly<Record<string, string>>;
  /** Paths on the site, by file and language. */
  readonly paths?: Readonly<Record<string, string>>;
  /** Path of the file, or of the file and a language → HTML. */
  readonly bodies?: Readonly<Record<string, string>>;
  readonly problems?: readonly string[];
}

/** These files → these articles. */
const table: Readonly<Record<string, readonly [files: Tree, expected: Expected, location?: object]>> = {
  'a folder is a category, and its index page or a page of its name says what it is called': [
    {
      'accounts/index.md': '# Your account\n\nText.',
      'accounts/password.md': '# Password\n\nText.',
      'care/README.md': page('title: Care\ndescription: Where to begin', ''),
      'care/chain.md': '# Chain\n\nText.',
      'guides.md': '# All guides\n\nText.',
      'guides/deep/02-start.md': '# Start\n\nText.',
      'plain_words/a.md': '# A\n\nText.',
    },
    {
      articles: {
        'accounts/index.md': '/Your account en: Your account (accounts)',
        'accounts/password.md': '/Your account en: Password (password)',
        'care/chain.md': '/Care en: Chain (chain)',
        'guides.md': 'en: All guides (guides)',
        'guides/deep/02-start.md': '/All guides/Deep en: Start (start)',
        'plain_words/a.md': '/Plain words en: A (a)',
      },
      problems: [],
    },
  ],
  'category names a category without a folder, with its position, or one inside another': [
    {
      'a.md': page('title: A\ncategory: 02-First steps', 'Text.'),
      'b.md': page('title: B\ncategory: guides/Deep dives', 'Text.'),
      'guides/c.md': page('title: C', 'Text.'),
      'guides/d.md': page('title: D\ncategory: ../x', 'Text.'),
    },
    {
      articles: {
        'a.md': '/First steps en: A (a)',
        'b.md': '/Guides/Deep dives en: B (b)',
        'guides/c.md': '/Guides en: C (c)',
        'guides/d.md': '/Guides en: D (d)',
      },
      problems: [],
    },
  ],
  'months and days of a blog are in the category of their year': [
    {
      'blog/2024/02/01/first.md': '# First\n\nText.',
      'blog/2024/03/15/index.md': '# Second\n\nText.',
      'blog/2025/third.md': '# Third\n\nText.',
      'api/12/b.md': '# B\n\nText.',
      'api/12/34/c.md': '# C\n\nText.',
    },
    {
      articles: {
        'blog/2024/02/01/first.md': '/Blog/2024 en: First (first)',
        'blog/2024/03/15/index.md': '/Blog/2024 en: Second (15)',
        'blog/2025/third.md': '/Blog/2025 en: Third (third)',
        'api/12/b.md': '/Api/12 en: B (b)',
        'api/12/34/c.md': '/Api/12/34 en: C (c)',
      },
      problems: [],
    },
  ],
  'the report says that a file to which a link leads is no page': [
    {
      'a.md': 'Text [b](_parts/b.md) [c](c.md) [d](/c.md) [e](e.md)',
      '_parts/b.md': 'Part.',
      'c.md': '---\ntitle: [\n---\nText.',
    },
    {
      bodies: { 'a.md': '<p>Text <a>b</a> <a>c</a> <a>d</a> <a>e</a></p>' },
      problems: [
        expect.stringMatching(/^FILE_SKIPPED: c\.md: /),
        ...['/c.md', '_parts/b.md', 'c.md'].map(
          (path) => `LINK_BROKEN: the link "${path}" in a.md points to a file that is not read as a page`,
        ),
        'LINK_BROKEN: the link "e.md" in a.md points to a file that does not exist',
      ],
    },
  ],
  'a folder is a language by its name alone only with a warning': [
    {
      'index.md': '# Home\n\nText.',
      'a.md': '# A\n\nText.',
      'it/index.md': '# IT\n\nText.',
      'it/rules.md': '# Rules of IT\n\nText.',
      'ml/rules.md': '# Rules of ML\n\nText.',
      'de/a.md': '# A\n\nText.',
      'de/b.md': '# B\n\nText.',
      'fr/index.md': '# Accueil\n\nText.',
      'hr/c.md': page('lang: hr', '# C\n\nText.'),
    },
    {
      problems: [
        ['it', 'Italian'],
        ['ml', 'Malayalam'],
      ].map(
        ([folder, language]) =>
          `LANGUAGE_ASSUMED: the folder ${folder} is taken for pages in ${language}, although none of them is a translation of a page in English`,
      ),
    },
  ],
  'an export of Notion has its names without ids': [
    {
      'Handbook 1a2b3c4d5e6f708192a3b4c5d6e7f809.md':
        '# The handbook\n\n[Time off](Handbook%201a2b3c4d5e6f708192a3b4c5d6e7f809/Time%20off%20ffeeddccbbaa99887766554433221100.md)',
      'Handbook 1a2b3c4d5e6f708192a3b4c5d6e7f809/Time off ffeeddccbbaa99887766554433221100.md': 'Text.',
      'Teams 00112233445566778899aabbccddeeff/Sales ffeeddccbbaa99887766554433221101.md': '# Sales\n\nText.',
    },
    {
      articles: {
        'Handbook 1a2b3c4d5e6f708192a3b4c5d6e7f809.md': 'en: The handbook (Handbook)',
        'Handbook 1a2b3c4d5e6f708192a3b4c5d6e7f809/Time off ffeeddccbbaa99887766554433221100.md':
          '/The handbook en: Time off (Time off)',
        'Teams 00112233445566778899aabbccddeeff/Sales ffeeddccbbaa99887766554433221101.md':
          '/Teams en: Sales (Sales)',
      },
      paths: {
        'Handbook 1a2b3c4d5e6f708192a3b4c5d6e7f809.md en': 'Handbook',
        'Handbook 1a2b3c4d5e6f708192a3b4c5d6e7f809/Time off ffeeddccbbaa99887766554433221100.md en':
          'Handbook/Time off',
        'Teams 00112233445566778899aabbccddeeff/Sales ffeeddccbbaa99887766554433221101.md en': 'Teams/Sales',
      },
      problems: [],
    },
  ],
  'the title is in the front matter, a heading of level one, another first heading, or the name of the file':
    [
      {
        'a.md': page('title: From the fields', '# Another\n\nText.'),
        'b.md': 'English | [Deutsch](b.de.md)\n\n# Below *links* {#top}\n\nText.',
        'b.de.md': 'Titel\n=====\n\nText.',
        'c.md': '<!-- note\n# Not this\n-->\n\n## Installation\n\nText.\n\n## More\n\nText.',
        'd.md': 'Text first.\n\n## Later\n\nText.',
        'e.md': '```sh\n# a comment\n```\n\nText.',
        'f.md': page('title: Same', '# same\n\nText.'),
        'g.md': '\r\n# About [[f|this]] and `<b>` ## \r\nText.\r\n# Other\r\n',
        'h.md': '- a\n  ```\n  # no\n  ```\n\n### Third\n',
        'i.md': '#\n\n#hashtag\n\n    # code\n\nText.',
      },
      {
        articles: {
          'a.md': 'en: From the fields (a)',
          'b.md': 'en: Below links (b), de: Titel (b)',
          'c.md': 'en: Installation (c)',
          'd.md': 'en: D (d)',
          'e.md': 'en: E (e)',
          'f.md': 'en: Same (f)',
          'g.md': 'en: About this and <b> (g)',
          'h.md': 'en: H (h)',
          'i.md': 'en: I (i)',
        },
        bodies: {
          'a.md': '<h1>Another</h1>\n<p>Text.</p>',
          'b.md de': '<p>Text.</p>',
          'c.md': '<!---->\n<p>Text.</p>\n<h2>More</h2>\n<p>Text.</p>',
          'f.md': '<p>Text.</p>',
        },
      },
    ],
  'languages are folders, suffixes and lang in the front matter': [
    {
      'guide.md': '# Guide\n\nText.',
      'guide.de.md': '# Anleitung\n\nText.',
      'fr/guide.md': page('title: Guide\nlang: de', 'Texte.'),
      'zh/guide.md': page('title: 指南\nlang: zh-CN', '文字。'),
      'vorwort.md': page('title: Vorwort\nlang: de', 'Text.'),
      'same.md': page('title: Same\nlang: en-US', 'Text.'),
      'odd.md': page('title: Odd\nlang: 7', 'Text.'),
      'vite.config.ts.md': '# Vite\n\nText.',
      'old.de.md': '# Alt\n\nText.',
    },
    {
      articles: {
        'guide.md': 'en: Guide (guide), de: Anleitung (guide), fr: Guide (guide), zh-CN: 指南 (guide)',
        'vorwort.md': 'de: Vorwort (vorwort)',
        'same.md': 'en: Same (same)',
        'odd.md': 'en: Odd (odd)',
        'vite.config.ts.md': 'en: Vite (vite.config.ts)',
        'old.de.md': 'de: Alt (old)',
      },
      paths: {
        'guide.md en': 'guide',
        'guide.md de': 'de/guide',
        'guide.md fr': 'fr/guide',
        'guide.md zh-CN': 'zh/guide',
        'vorwort.md de': 'vorwort',
        'same.md en': 'same',
        'odd.md en': 'odd',
        'vite.config.ts.md en': 'vite.config.ts',
        'old.de.md de': 'de/old',
      },
    },
  ],
  'the folders of two names of Filipino are one language, and other words of three letters are none': [
    {
      'guide.md': '# Guide\n\nText.',
      'fil/guide.md': '# Gabay\n\nTeksto.',
      'tl/guide.md': '# Gabay\n\nIba pa.',
      'new/guide.md': '# New\n\nText.',
    },
    {
      articles: {
        'guide.md': 'en: Guide (guide), fil: Gabay (guide)',
        'new/guide.md': '/New en: New (guide)',
      },
      problems: ['FILE_SKIPPED: tl/guide.md: fil/guide.md is the same page in the same language'],
    },
  ],
  'a folder is no language because its name begins with two letters that are one': [
    {
      'README.md': '# Home\n\nText.',
      'my-project/README.md': '# My project\n\nText.',
      'no-code/README.md': '# No code\n\nText.',
      'my-e-commerce/README.md': '# My shop\n\nText.',
      'pt-BR/README.md': '# Início\n\nTexto.',
    },
    {
      articles: {
        'README.md': 'en: Home (null), pt-BR: Início (null)',
        'my-project/README.md': 'en: My project (my-project)',
        'no-code/README.md': 'en: No code (no-code)',
        'my-e-commerce/README.md': 'en: My shop (my-e-commerce)',
      },
      problems: [],
    },
  ],
  'a page is at the path of its file, or of its permalink': [
    {
      'care/README.md': page('title: Care', 'Text.'),
      'care/chain.md': page('title: Chain\naliases: [old, /help/chain.html]', 'Text.'),
      'de/care/chain.md': page('title: Kette', 'Text.'),
      'moved.md': page('title: Moved\npermalink: /docs/1.0/moved.html', 'Text.'),
      'named.md': page('title: Named\nslug: other', 'Text.'),
    },
    {
      paths: {
        'care/README.md en': 'care',
        'care/chain.md en': 'care/chain',
        'care/chain.md de': 'de/care/chain',
        'moved.md en': '/docs/1.0/moved.html',
        'named.md en': 'named',
      },
      articles: {
        'care/README.md': '/Care en: Care (care)',
        'care/chain.md': '/Care en: Chain (chain), de: Kette (chain)',
        'moved.md': 'en: Moved (moved)',
        'named.md': 'en: Named (other)',
      },
    },
  ],
  'links lead to files, addresses, folders, and to the language that they name': [
    {
      'README.md': '# Acme\n\n[Deutsch](README.de.md) [guide](guide.md) [German guide](guide.de.md)',
      'README.de.md': '# Acme auf Deutsch\n\n[English](README.md) [Anleitung](guide.de.md) [care](care/)',
      'guide.md':
        '# Guide\n\n[x](./care/chain#oil) [y](/care/chain/) [z](care/chain.md?a=1#oil) [none](nowhere.md)',
      'guide.de.md': '# Anleitung\n\n[zurück](README.md) [English](en/only.md)',
      'en/only.md': '# Only\n\nText.',
      'care/chain.md': '# Chain\n\n## Oil\n\nText.',
    },
    {
      bodies: {
        'README.md':
          '<p><a href="/article/<README.md>?lang=de">Deutsch</a> <a href="/article/<guide.md>">guide</a> <a href="/article/<guide.md>?lang=de">German guide</a></p>',
        'README.md de':
          '<p><a href="/article/<README.md>?lang=en">English</a> <a href="/article/<guide.md>">Anleitung</a> <a href="/category/leCLFc3spZ">care</a></p>',
        'guide.md':
          '<p><a href="/article/<care/chain.md>#oil">x</a> <a href="/article/<care/chain.md>">y</a> <a href="/article/<care/chain.md>#oil">z</a> <a>none</a></p>',
        'guide.md de':
          '<p><a href="/article/<README.md>">zurück</a> <a href="/article/<en/only.md>?lang=en">English</a></p>',
      },
      problems: ['LINK_BROKEN: the link "nowhere.md" in guide.md points to a file that does not exist'],
    },
  ],
  'links from the top of a repository lead to pages and files of its folder docs': [
    {
      'a.md':
        '# A\n\n[b](/docs/b.md#new) [c](/docs/sub/c/) [f](/docs/f.pdf) [gone](/docs/gone.md)\n\n![i](/docs/images/i.png)',
      'b.md': '# B\n\n## New\n\nText.',
      'sub/c.md': '# C\n\nText.',
      'f.pdf': '%PDF',
      'images/i.png': 'png',
    },
    {
      bodies: {
        'a.md':
          '<p><a href="/article/<b.md>#new">b</a> <a href="/article/<sub/c.md>">c</a> <a href="https://folder.invalid/f.pdf">f</a> <a href="/docs/gone.md">gone</a></p>\n<p><img src="https://folder.invalid/images/i.png" alt="i" /></p>',
      },
      problems: [],
    },
  ],
  'a link may repeat a folder as often as it likes': [
    { 'a.md': `# A\n\n<a href="${'/docs'.repeat(12_000)}/a.md">a</a>` },
    { bodies: { 'a.md': `<p><a href="${'/docs'.repeat(12_000)}/a.md">a</a></p>` }, problems: [] },
  ],
  'a URL in HTML may have entities': [
    { 'a.md': '# A\n\n<a href="b.md?c=1&amp;d=2&#35;oil">b</a>', 'b.md': '# B\n\n## Oil\n\nText.' },
    { bodies: { 'a.md': '<p><a href="/article/<b.md>#oil">b</a></p>' }, problems: [] },
  ],
  'a note may have the name of a mark for a table of contents': [
    { '.obsidian/app.json': '{}', 'A.md': '[[TOC]]\n\n[[_TOC_]]', 'TOC.md': 'Text' },
    { bodies: { 'A.md': '<p><a href="/article/<TOC.md>">TOC</a></p>' }, problems: [] },
  ],
  'wiki links lead to files by their names, also to a heading, and show images': [
    {
      '.obsidian/app.json': '{}',
      'Home.md':
        'See [[Other note]], [[other note|the other]], [[Other note#Part two]], [[#Here]] and [[Deep]].\n\n![[pic.png]] ![[pic.png|300]] ![[Deep]] ![[manual.pdf]] `[[code]]`\n\n| a |\n|---|\n| [[Deep\\|d]] |\n\n## Here\n\nText ^a1b2c3',
      'Other note.md': '## Part two\n\n[[Nowhere]] [[Twice]] [[b/Twice]] [[Alias]]',
      'sub/Deep.md': '%%private remark%%\n\nDeep text',
      'a/Twice.md': 'Text [[Twice]].',
      'b/Twice.md': page('aliases: [Alias]', 'Text.'),
      'files/pic.png': 'x',
      'manual.pdf': 'x',
    },
    {
      articles: {
        'Home.md': 'en: Home (Home)',
        'Other note.md': 'en: Other note (Other note)',
        'a/Twice.md': '/A en: Twice (Twice)',
        'b/Twice.md': '/B en: Twice (Twice)',
        'sub/Deep.md': '/Sub en: Deep (Deep)',
      },
      bodies: {
        'Home.md':
          '<p>See <a href="/article/<Other note.md>">Other note</a>, <a href="/article/<Other note.md>">the other</a>, <a href="/article/<Other note.md>#part-two">Other note &gt; Part two</a>, <a href="#here">Here</a> and <a href="/article/<sub/Deep.md>">Deep</a>.</p>\n' +
          '<p><img src="https://folder.invalid/files/pic.png" alt="" /> <img src="https://folder.invalid/files/pic.png" alt="" width="300" /> <a href="/article/<sub/Deep.md>">Deep</a> <a href="https://folder.invalid/manual.pdf">manual.pdf</a> <code>[[code]]</code></p>\n' +
          '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><a href="/article/<sub/Deep.md>">d</a></td>\n</tr>\n</tbody>\n</table>\n<h2>Here</h2>\n<p>Text</p>',
        'Other note.md':
          '<h2>Part two</h2>\n<p>Nowhere Twice <a href="/article/<b/Twice.md>">b/Twice</a> <a href="/article/<b/Twice.md>">Alias</a></p>',
        'a/Twice.md': '<p>Text <a href="/article/<a/Twice.md>">Twice</a>.</p>',
        'sub/Deep.md': '<p>Deep text</p>',
      },
      problems: [
        'EMBED_REPLACED: the embedded page ![[Deep]] is shown as a link in Home.md',
        'LINK_BROKEN: the link [[Nowhere]] names no file in Other note.md',
        'LINK_BROKEN: the link [[Twice]] is ambiguous: a/Twice.md or b/Twice.md in Other note.md',
      ],
    },
  ],
  'READMEs have a language behind a hyphen or underscore, other pages do not': [
    {
      'README.md': '# Acme\n\nText.',
      'README_de.md': '# Acme\n\nAuf Deutsch.',
      'pkg/readme.md': '# Pack\n\nText.',
      'pkg/readme-ja.md': '# 箱\n\n文。',
      'sign.md': '# Sign\n\nText.',
      'sign-in.md': '# Sign in\n\nText.',
    },
    {
      bodies: {
        'README.md de': '<p>Auf Deutsch.</p>',
        'pkg/readme.md ja': '<p>文。</p>',
        'sign-in.md': '<p>Text.</p>',
      },
      problems: [],
    },
  ],
  'a link to the title as GitHub writes it leads to the start of the page': [
    {
      'a.md': '# The title, v1.2\n\n[t](#the-title-v12) [s](#step-1) [u](b.md#new-in-v12)',
      'b.md': '# New in v1.2\n\nText.',
    },
    {
      bodies: {
        'a.md': '<p><a href="#top">t</a> <a href="#step-1">s</a> <a href="/article/<b.md>">u</a></p>',
      },
      problems: [],
    },
  ],
  'wiki links keep the page of a file, and embedded images their text and width': [
    {
      '.obsidian/app.json': '{}',
      'a.md':
        '![[m.pdf#page=2]] [[m.pdf#page=3&zoom=50|p. 3]] ![[i.png|A bike|300]] ![[i.png|A_b_ <b>ik\\e]] ![[i.png|9x9]]\n\n| a |\n|---|\n| ![[i.png\\|b\\|50]] |\n\n![[i.png|30]]\n*A caption*',
      'm.pdf': '%PDF',
      'i.png': 'png',
    },
    {
      bodies: {
        'a.md':
          '<p><a href="https://folder.invalid/m.pdf#page=2">m.pdf &gt; page=2</a> <a href="https://folder.invalid/m.pdf#page=3&amp;zoom=50">p. 3</a> <img src="https://folder.invalid/i.png" alt="A bike" width="300" /> <img src="https://folder.invalid/i.png" alt="A_b_ &lt;b&gt;ik\\e" /> <img src="https://folder.invalid/i.png" alt="" width="9" /></p>\n<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><img src="https://folder.invalid/i.png" alt="b" width="50" /></td>\n</tr>\n</tbody>\n</table>\n<p><img src="https://folder.invalid/i.png" alt="" width="30" />\n<em>A caption</em></p>',
      },
      problems: [],
    },
  ],
  'videos and sounds that a vault embeds are players, and ids of blocks are hidden': [
    {
      '.obsidian/app.json': '{}',
      'a.md':
        '![[clip.mp4]] ![[b/Song.MP3]] [[clip.mp4]]\n\nText ^my-quote\n\n- x\n\n^list-1\n\n2 ^3^ `a ^b`\n',
      'clip.mp4': 'mp4',
      'b/Song.MP3': 'mp3',
    },
    {
      bodies: {
        'a.md':
          '<p><video src="https://folder.invalid/clip.mp4"></video> <audio src="https://folder.invalid/b/Song.MP3"></audio> <a href="https://folder.invalid/clip.mp4">clip.mp4</a></p>\n<p>Text</p>\n<ul>\n<li>x</li>\n</ul>\n<p>2 ^3^ <code>a ^b</code></p>',
      },
      problems: [],
    },
  ],
  'videos, sounds and PDFs in the place of an image are shown': [
    {
      'a.md':
        '![A tour](clip.mp4) ![](b%20c.MP3 "t") ![](<b c.pdf#page=2>) ![The manual](https://d.example/e.pdf)',
      'clip.mp4': 'mp4',
      'b c.MP3': 'mp3',
      'b c.pdf': 'pdf',
    },
    {
      bodies: {
        'a.md':
          '<p><video src="https://folder.invalid/clip.mp4" title="A tour"></video> <audio src="https://folder.invalid/b%20c.MP3"></audio> <a href="https://folder.invalid/b%20c.pdf#page=2">b c.pdf</a> <a href="https://d.example/e.pdf">The manual</a></p>',
      },
      problems: [],
    },
  ],
  'Markdown in a vault names headings by their texts, and sizes of images': [
    {
      '.obsidian/app.json': '{}',
      'a.md':
        '[m](b.md#TCP%2FIP%20Model) [n](b#Part#The%20%C3%BCbung) [o](<b.md#Ends?>) [p](b.md#^x1) [q](#Here%20too)\n\n![A bike|300](i.png) ![30x20](i.png "t") ![a|b](i.png) ![[i.png|2024|9]]\n\n## Here too',
      'b.md': '# Ends?\n\nText.',
      'i.png': 'png',
    },
    {
      bodies: {
        'a.md':
          '<p><a href="/article/<b.md>#tcp-ip-model">m</a> <a href="/article/<b.md>#the-ubung">n</a> <a href="/article/<b.md>">o</a> <a href="/article/<b.md>">p</a> <a href="#Here%20too">q</a></p>\n<p><img src="https://folder.invalid/i.png" alt="A bike" width="300" /> <img src="https://folder.invalid/i.png" alt="" title="t" width="30" /> <img src="https://folder.invalid/i.png" alt="a|b" /> <img src="https://folder.invalid/i.png" alt="2024" width="9" /></p>\n<h2>Here too</h2>',
      },
      problems: [],
    },
  ],
  'outside of a vault, a fragment is an id, and a number is the text of an image': [
    {
      'a.md':
        '# A\n\n[m](b.md#Two%20words) [n](b.md#One_id) ![30](i.png) ![b](i.png =50%x10) ![](<i.png> "c" =20X)',
      'b.md': '# B\n\n<a id="One_id"></a>Text.\n\n<a id="Two words"></a>More.',
      'i.png': 'png',
    },
    {
      bodies: {
        'a.md':
          '<p><a href="/article/<b.md>#Two%20words">m</a> <a href="/article/<b.md>#One_id">n</a> <img src="https://folder.invalid/i.png" alt="30" /> <img src="https://folder.invalid/i.png" alt="b" width="50%" height="10" /> <img src="https://folder.invalid/i.png" alt="" width="20" /></p>',
      },
      problems: [],
    },
  ],
  'wiki links with code in a heading lead to it': [
    {
      '.obsidian/app.json': '{}',
      'a.md': 'See [[b#`id`]], [[b#`code` & more|it]] and [[`x`]]. [[Not written|b]] [[c d]]',
      'b.md': '## `id`\n\n## `code` & more',
      'c-d.md': 'Text.',
    },
    {
      bodies: {
        'a.md':
          '<p>See <a href="/article/<b.md>#id">b &gt; <code>id</code></a>, <a href="/article/<b.md>#code-more">it</a> and <code>x</code>. b c d</p>',
      },
      problems: [
        'LINK_BROKEN: the link [[Not written|b]] names no file in a.md',
        'LINK_BROKEN: the link [[`x`]] names no file in a.md',
        'LINK_BROKEN: the link [[c d]] names no file in a.md',
      ],
    },
  ],
  'wiki links in the form of GitHub lead to files, with their labels': [
    {
      'Home.md':
        '[[Install Guide]] [[Setup|Install-Guide]] [[Set up|Install Guide#One]] [[images/p.png|alt=Our logo|width=90px]] [[images/p.png]]',
      'Install-Guide.md': '# Install\n\n## One\n\nText.',
      'images/p.png': 'x',
    },
    {
      bodies: {
        'Home.md':
          '<p><a href="/article/<Install-Guide.md>">Install Guide</a> <a href="/article/<Install-Guide.md>">Setup</a> <a href="/article/<Install-Guide.md>#one">Set up</a> <img src="https://folder.invalid/images/p.png" alt="Our logo" /> <a href="https://folder.invalid/images/p.png">images/p.png</a></p>',
      },
      problems: [],
    },
  ],
  'a path that would leave a vault goes on at its top': [
    {
      '.obsidian/app.json': '{}',
      'Deep/S.md': '![w](../../images/p.png) [t](../../Top.md) ![n](../../images/none.png)',
      'Top.md': 'Text.',
      'images/p.png': 'x',
    },
    {
      bodies: {
        'Deep/S.md':
          '<p><img src="https://folder.invalid/images/p.png" alt="w" /> <a href="/article/<Top.md>">t</a> n</p>',
      },
      problems: [
        'IMAGE_MISSING: the image "../../images/none.png" in Deep/S.md points to a file that does not exist',
      ],
    },
  ],
  'a link by the name of a file alone leads to it, if there is one of that name': [
    {
      'Home.md':
        '[a](Chain.md) [b](Chain) ![c](oil%20can.png#shadow) [d](index.md) [e](Bell.md) [f](x/Chain.md) [g](/Chain.md)',
      'Care/Chain.md': 'Text.',
      'Care/files/oil can.png': 'x',
      'one/index.md': 'Text.',
      'one/Bell.md': 'Text.',
      'two/Bell.md': 'Text.',
    },
    {
      bodies: {
        'Home.md':
          '<p><a href="/article/<Care/Chain.md>">a</a> <a href="/article/<Care/Chain.md>">b</a> <img src="https://folder.invalid/Care/files/oil%20can.png" alt="c" /> <a>d</a> <a>e</a> <a>f</a> <a href="/Chain.md">g</a></p>',
      },
      problems: [
        'LINK_BROKEN: the link "Bell.md" in Home.md points to a file that does not exist',
        'LINK_BROKEN: the link "index.md" in Home.md points to a file that does not exist',
        'LINK_BROKEN: the link "x/Chain.md" in Home.md points to a file that does not exist',
      ],
    },
  ],
  'of several files with the name in a wiki link, the one with most folders in common is meant, such as that of the language':
    [
      {
        '.obsidian/app.json': '{}',
        'en/Home.md': 'See [[Chain]].\n\n![[oil.png]]',
        'en/Care/Chain.md': 'Text.',
        'en/files/oil.png': 'x',
        'de/Start.md': 'Siehe [[Chain]].\n\n![[oil.png]]',
        'de/Pflege/Chain.md': 'Text.',
        'de/files/oil.png': 'y',
      },
      {
        bodies: {
          'en/Home.md':
            '<p>See <a href="/article/<en/Care/Chain.md>">Chain</a>.</p>\n<p><img src="https://folder.invalid/en/files/oil.png" alt="" /></p>',
          'de/Start.md de':
            '<p>Siehe <a href="/article/<de/Pflege/Chain.md>">Chain</a>.</p>\n<p><img src="https://folder.invalid/de/files/oil.png" alt="" /></p>',
        },
        problems: [],
      },
    ],
  'a link to the heading that is the title leads to the start of its page': [
    {
      'a.md': '# First page\n\n[own](#first-page) [b](b.md#bb) [c](b.md#second-page) [d](b.md#more)',
      'b.md': '# Second page {#bb}\n\n[own](#bb) [other](#more)\n\n## More {#mehr}',
    },
    {
      bodies: {
        'a.md':
          '<p><a href="#top">own</a> <a href="/article/<b.md>">b</a> <a href="/article/<b.md>">c</a> <a href="/article/<b.md>#more">d</a></p>',
        'b.md': '<p><a href="#top">own</a> <a href="#more">other</a></p>\n<h2 id="mehr">More</h2>',
      },
      problems: [],
    },
  ],
  'an HTML file is a page if it has front matter': [
    { 'a.html': page('title: A', '<p>Text.</p>'), 'b.html': '<p>Text.</p>' },
    {
      articles: { 'a.html': 'en: A (a)' },
      bodies: { 'a.html': '<p>Text.</p>' },
      problems: ['FILE_IGNORED: b.html has no front matter'],
    },
  ],
};

describe('a folder of plain Markdown', () => {
  it.each(Object.entries(table))('%s', async (_name, [files, expected, location = {}]) => {
    const project = openFolderProject(files, location);
    const source = await project.read();
    if (expected.articles !== undefined) expect(outline(project, source)).toEqual(expected.articles);
    if (expected.problems !== undefined) expect(messages(source.problems)).toEqual(expected.problems);
    if (expected.paths !== undefined) {
      const paths = source.knowledgeBase.articles.flatMap(({ id, translations }) =>
        translations.map(({ language, sourcePath }) => [`${project.fileOf(id)} ${language}`, sourcePath]),
      );
      expect(Object.fromEntries(paths)).toEqual(expected.paths);
    }
    for (const [name, html] of Object.entries(expected.bodies ?? {})) {
      const [, path = name, language = 'en'] = /^(.*\.\w+) (\w+)$/.exec(name) ?? [];
      expect([name, (await bodyOf(project, source, path, language)).trim()]).toEqual([name, html]);
    }
  });

  it('has the fields of an article', async () => {
    const source = await openFolderProject({
      'a.md': page(
        'title: A\ntags: [care, { label: Winter }]\nlastmod: 2026-03-01\nweight: 2\nnav_exclude: true',
        'Text.',
      ),
    }).read();
    expect(source.knowledgeBase.articles).toMatchObject([
      { tags: ['care', 'Winter'], updatedAt: '2026-03-01T00:00:00.000Z', sortOrder: 2, isListed: false },
    ]);
  });
});

describe('a folder that a site generator publishes', () => {
  const pages = { 'docs/a.md': '# A\n\nText.' };

  /** The files that show it, the generator, and where the built site is. */
  it.each<readonly [files: Tree, name: string, site: string]>([
    [{ 'docusaurus.config.ts': '' }, 'docusaurus.config.ts belongs to Docusaurus', 'build'],
    [{ 'docs/_category_.json': '{}' }, 'docs/_category_.json belongs to Docusaurus', 'docs/build'],
    [{ 'astro.config.mjs': '' }, 'astro.config.mjs belongs to Astro', 'dist'],
    [{ 'docs/.vitepress/config.ts': '' }, 'docs/.vitepress belongs to VitePress', 'docs/.vitepress/dist'],
    [{ 'mkdocs.yml': '' }, 'mkdocs.yml belongs to MkDocs', 'site'],
    [{ 'hugo.toml': '' }, 'hugo.toml belongs to Hugo', 'public'],
    [{ 'config.toml': 'baseURL = "/"' }, 'config.toml belongs to Hugo', 'public'],
    [{ 'config/_default/params.toml': '' }, 'config/_default belongs to Hugo', 'public'],
    [{ 'docs/_index.md': '' }, 'docs/_index.md belongs to Hugo', 'docs/public'],
    [{ '_config.yml': '' }, '_config.yml belongs to Jekyll', '_site'],
    [{ 'docs/conf.py': 'extensions = []' }, 'docs/conf.py belongs to Sphinx', 'docs/_build/html'],
    [{ 'book.toml': '' }, 'book.toml belongs to mdBook', 'book'],
    [{ '.gitbook.yaml': '' }, '.gitbook.yaml belongs to GitBook', 'download the site that GitBook publishes'],
    [{ 'docs/SUMMARY.md': '# Summary\n\n* [A](a.md)\n* [B](b.md)\n' }, 'GitBook or mdBook', 'DIR'],
    [{ 'mint.json': '{}' }, 'mint.json belongs to Mintlify', 'DIR'],
    [{ 'docs.json': '{ "navigation": {} }' }, 'docs.json belongs to Mintlify', 'DIR'],
    [{ 'eleventy.config.js': '' }, 'eleventy.config.js belongs to Eleventy', '_site'],
    [{ '.eleventy.js': '' }, '.eleventy.js belongs to Eleventy', '_site'],
    [{ 'docs/b.mdx': '# B' }, 'docs/b.mdx is MDX', 'DIR'],
  ])('is refused with one sentence: %j', async (files, name, site) => {
    const project = openFolderProject({});
    writeTree(project.base, { ...pages, ...files });
    const inside = openFolderProject({}, { base: project.base, root: project.base });
    expect(await errorOf(inside.read())).toMatchObject({
      code: 'GENERATOR_PROJECT',
      message: expect.stringContaining(name),
      hint: expect.stringContaining(
        site.includes(' ') ? site : `lectern build ${site} for a site and a feed`,
      ),
    });
  });

  it.each<readonly [files: Tree]>([
    [{ 'mkdocs.yml': '' }],
    [{ 'site/x': '', 'website/docusaurus.config.js': "path: '../docs'" }],
    [{ 'apps/site/docusaurus.config.js': "path: '../../docs'" }],
  ])('is refused if it is a subfolder, or beside the configuration that names it: %j', async (files) => {
    const project = openFolderProject({});
    writeTree(project.base, { ...pages, ...files });
    const open = (location: object) =>
      openFolderProject({}, { base: project.base, root: join(project.base, 'docs'), ...location });
    const error = await errorOf(open({}).read());
    expect([error.code, error.hint]).toEqual([
      'GENERATOR_PROJECT',
      expect.stringContaining('does not publish this folder, set source.layout to "plain"'),
    ]);
    expect((await open({ layout: 'plain' }).read()).stats.published).toBe(1);
  });

  it.each<readonly [files: Tree]>([
    [{ 'config.toml': 'name = "x"' }],
    [{ 'docs.json': '{}' }],
    [{ 'conf.py': 'import os' }],
    [{ 'examples/mkdocs.yml': '' }],
    [{ 'website/docusaurus.config.js': "path: 'docs'", 'website/x': '' }],
    [{ 'SUMMARY.md': '# Summary\n\nWhat we did.\n\n- [A](docs/a.md)\n' }],
  ])('is not meant by a file of another program, or beside: %j', async (files) => {
    const project = openFolderProject({ ...pages, ...files });
    expect((await project.read()).stats.published).toBeGreaterThan(0);
  });

  it('is found in the whole repository, and not above it', async () => {
    const project = openFolderProject({});
    writeTree(project.base, { 'mkdocs.yml': '', 'repo/.git/HEAD': '', 'repo/a/docs/a.md': '# A\n\nText.' });
    const root = join(project.base, 'repo/a/docs');
    const read = (base: string) => openFolderProject({}, { base, root }).read();
    expect((await read(project.base)).stats.published).toBe(1);
    writeTree(project.base, { 'repo/book.toml': '' });
    expect((await errorOf(read(join(project.base, 'repo/a')))).code).toBe('GENERATOR_PROJECT');
  });

  it('is read if lectern pull wrote it', async () => {
    const { base } = openFolderProject({});
    writeTree(base, {
      'hugo.toml': '',
      'kb/articles/a/en.md': page('title: A\nis_published: true\nis_private: false', 'x'),
    });
    const project = openFolderProject({}, { base, root: join(base, 'kb') });
    expect((await project.read()).stats.published).toBe(1);
  });
});

describe('the progress of a folder', () => {
  it('does not mention statistics, which it has none of', async () => {
    const kinds = new Set<string>();
    const onProgress = ({ kind }: { readonly kind: string }) => kinds.add(kind);
    await openFolderProject({ 'a.md': page('title: A', 'A') }).read({ onProgress });
    expect([...kinds]).toEqual(['articles', 'categories']);
  });
});

describe('a file that was renamed', () => {
  const text = 'Turn the pedals backwards and let one drop fall on each link of the chain.';

  it('is reported with the line that keeps its id, and replaces the old article', async () => {
    const project = openFolderProject({
      'chain.md': page('title: C', text),
      'brakes.md': page('title: B', 'x'),
    });
    await project.read();
    const id = project.idOf('chain.md');
    rmSync(join(project.root, 'chain.md'));
    project.write({ 'care/chain.md': page('title: C', text) });
    const source = await project.read({ allowMassDelete: true });
    expect(source.knowledgeBase.articles.map(({ replaces }) => replaces.en ?? '').sort()).toEqual(['', id]);
    expect(messages(source.problems)).toEqual([
      `PAGE_RENAMED: kb/care/chain.md has the text of kb/chain.md, which is gone; to keep its id, add the line "article_id: ${id}" to the front matter of kb/care/chain.md`,
    ]);
    project.write({ 'care/chain.md': page(`title: C\narticle_id: ${id}`, text) });
    const kept = await project.read({ allowMassDelete: true });
    expect(kept.knowledgeBase.articles.map((article) => article.id)).toContain(id);
    expect(kept.problems).toEqual([]);
  });

  it('is not guessed if two pages had the text, or if it is short and has another title', async () => {
    const project = openFolderProject({
      'a.md': page('title: A', text),
      'b.md': page('title: B', text),
      'c.md': page('title: C', 'Soon.'),
    });
    await project.read();
    for (const name of ['a.md', 'b.md', 'c.md']) rmSync(join(project.root, name));
    project.write({ 'd.md': page('title: D', text), 'e.md': page('title: E', 'Soon.') });
    const source = await project.read({ allowMassDelete: true });
    expect(source.knowledgeBase.articles.map(({ replaces }) => replaces)).toEqual([{}, {}]);
  });
});
