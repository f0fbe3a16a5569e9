import { describe, expect, it } from 'vitest';
import { findTitle } from '../../../src/source/folder/markdown/find-title.ts';
import { readMarkdown } from '../../../src/source/folder/markdown/read-markdown.ts';
import { renderMarkdown } from '../../../src/source/folder/render-markdown.ts';

/** The HTML of a page, and what is reported of it. */
function read(text: string, hasMath = false) {
  const reports: string[] = [];
  const markdown = readMarkdown(text, {
    isVault: false,
    hasMath,
    findByName: () => [],
    report: (code, message) => reports.push(`${code}: ${message}`),
  });
  return { html: renderMarkdown(markdown), reports };
}

describe('formulas in a page', () => {
  it.each([
    ['$x_1^2 + y_1$', '<math alttext="x_1^2 + y_1"></math>'],
    ['a $\\frac{1}{2}$, $b$.', 'a <math alttext="\\frac{1}{2}"></math>, <math alttext="b"></math>.'],
    ['$$\na < b % note\n\\\\ c\n$$', '<math display="block" alttext="a &lt; b \\\\ c"></math>'],
    ['It costs $5 and $10.', 'It costs $5 and $10.'],
    ['US$5, 5$, $ 5 $', 'US$5, 5$, $ 5 $'],
    ['From $5/$10 to $20–$30 (or $40).', 'From $5/$10 to $20–$30 (or $40).'],
    ['\\$x\\$', '$x$'],
    ['`$x$`', '<code>$x$</code>'],
    ['a $`x_1$ + y`$, b', 'a <math alttext="x_1$ + y"></math>, b'],
    ['```math\na < b\n\n c\n```', '<math display="block" alttext="a &lt; b c"></math>'],
    ['a $b\n\nc$ d', 'a $b</p>\n<p>c$ d'],
  ])('%j is %j', (markdown, shown) => {
    expect(read(markdown, true).html).toBe(`<p>${shown}</p>`);
  });
});

/** What is published, and reported, of a text. */
const table: readonly (readonly [text: string, html: string, reports?: string[]])[] = [
  [
    'Use <name>, <your-key>, <your name> and --out=<dir>.\n\n- <host>:<port>\n- <file>',
    '<p>Use &lt;name&gt;, &lt;your-key&gt;, &lt;your name&gt; and --out=&lt;dir&gt;.</p>\n<ul>\n<li>&lt;host&gt;:&lt;port&gt;</li>\n<li>&lt;file&gt;</li>\n</ul>',
  ],
  ['<b>a</b> <x-y>b</x-y> <br> <ruby>c<rt>d</ruby>', '<p><b>a</b> <x-y>b</x-y> <br> <ruby>c<rt>d</ruby></p>'],
  [
    'An <iframe>, a <button>, <select>, <object>, <template>, <noscript>, <dialog> or <input>.\n\nText',
    '<p>An &lt;iframe&gt;, a &lt;button&gt;, &lt;select&gt;, &lt;object&gt;, &lt;template&gt;, &lt;noscript&gt;, &lt;dialog&gt; or &lt;input&gt;.</p>\n<p>Text</p>',
  ],
  [
    '<iframe src="a" />\n\n<video src="b" controls/>\n\n<iframe title="c">\n\nText',
    '<iframe src="a" /></iframe>\n<p><video src="b" controls/></video></p>\n<iframe title="c">\n<p>Text</p>',
  ],
  [
    'A <select name="size"> or <textarea rows=2>.\n\nText <noscript lang="a">b</noscript>',
    '<p>A &lt;select name=&quot;size&quot;&gt; or &lt;textarea rows=2&gt;.</p>\n<p>Text <noscript lang="a">b</noscript></p>',
  ],
  [
    '[a](<template of b.md>), \\<select name=size>, <select-list items="3">c</select-list> and <object:d>',
    '<p><a href="template%20of%20b.md">a</a>, &lt;select name=size&gt;, <select-list items="3">c</select-list> and <a href="object:d">object:d</a></p>',
  ],
  [
    '```{warning} Hot\nWait.\n```\n\n```js {1}\na\n```\n\n- ~~~ {figure} a.png\n  b\n  ~~~',
    '<pre><code>{warning} Hot\nWait.\n</code></pre>\n<pre><code class="language-js">a\n</code></pre>\n<ul>\n<li>\n<pre><code>{figure} a.png\nb\n</code></pre>\n</li>\n</ul>',
    ['MARKUP_UNKNOWN: 1 × {warning}', 'MARKUP_UNKNOWN: 1 × {figure}'],
  ],
  ['<video controls>\n<source src="a">', '<video controls>\n<source src="a">'],
  [
    '<button>a</button> <col> <video src="b"></video> <svg/>',
    '<p><button>a</button> <col> <video src="b"></video> <svg/></p>',
  ],
  ['%% secret <kbd> a %% and </kbd> `b`', '<p>and </kbd> <code>b</code></p>'],
  ['\\<e> `<f>` <g h="i"> [j](<k>)', '<p>&lt;e&gt; <code>&lt;f&gt;</code> <g h="i"> <a href="k">j</a></p>'],
  ['[d]:\n<e f>\n\n[a](\n<b c>) and [d]', '<p><a href="b%20c">a</a> and <a href="e%20f">d</a></p>'],
  [
    'https://a.example/<name>/b?c&d, www.a.example/<name>',
    '<p><a href="https://a.example/&lt;name&gt;/b?c&amp;d">https://a.example/&lt;name&gt;/b?c&amp;d</a>, <a href="http://www.a.example/&lt;name">www.a.example/&lt;name</a>&gt;</p>',
  ],
  [
    '[[1]](https://a.example) [[2]][b] [[3]] ![[4]](c.png) [[5]](d "e")\n\n[3]: f\n[b]: g',
    '<p><a href="https://a.example">[1]</a> <a href="g">[2]</a> [<a href="f">3</a>] <img src="c.png" alt="[4]" /> <a href="d" title="e">[5]</a></p>\n',
  ],
  ['\\[[a]] \\\\[[b]]', '<p>[[a]] \\b</p>', ['LINK_BROKEN: the link [[b]] names no file']],
  ['[[a]](see b)', '<p>a(see b)</p>', ['LINK_BROKEN: the link [[a]] names no file']],
  [
    '[[https://a.example/#b|c]] [[d|https://a.example]] [[https://a.example]] ![[https://a.example/e.png]]',
    '<p><a href="https://a.example/#b">c</a> <a href="https://a.example">d</a> <a href="https://a.example">https://a.example</a> <img src="https://a.example/e.png" alt="" /></p>',
  ],
  [
    '<div>\n![[https://a.example/e.png]]\n</div>\n\n<p>\n*x*</p>\n\n![[https://a.example/_b&amp;_c.png]]\n*d*',
    '<div>\n<img src="https://a.example/e.png" alt="">\n</div>\n<p>\n*x*</p>\n<p><img src="https://a.example/_b&amp;amp;_c.png" alt="" />\n<em>d</em></p>',
  ],
  [
    '![a](my image.png) [![b](c (1) d.jpg "e")](my page.md#f) [g](h "i j.md") [k](see l) `[m](n o.md)`',
    '<p><img src="my%20image.png" alt="a" /> <a href="my%20page.md#f"><img src="c%20(1)%20d.jpg" alt="b" title="e" /></a> <a href="h" title="i j.md">g</a> [k](see l) <code>[m](n o.md)</code></p>',
  ],
  [
    '<div title="<a@b.c>">\nAsk <ann@x.example> or <https://x.example/a> <br/>\n</div>\n\n<e@f.g>',
    '<div title="&lt;a@b.c>">\nAsk &lt;ann@x.example> or &lt;https://x.example/a> <br/>\n</div>\n<p><a href="mailto:e@f.g">e@f.g</a></p>',
  ],
  ['a^[b c [d](e)] ^[a-z ]+', '<p>a^[b c <a href="e">d</a>] ^[a-z ]+</p>', ['MARKUP_UNKNOWN: 1 × ^[…]']],
  ['[[_TOC_]]\n\n[toc]\n\na [TOC] b', '<p>a [TOC] b</p>'],
  ['[toc]: a\n\n[TOC]', '<p><a href="a">TOC</a></p>'],
  [
    '- a\n  id:: 1\n- ((63a1b2c3-0000-4000-8000-000000000000)) std::x',
    '<ul>\n<li>a\nid:: 1</li>\n<li>((63a1b2c3-0000-4000-8000-000000000000)) std::x</li>\n</ul>',
    ['MARKUP_UNKNOWN: 1 × id::', 'MARKUP_UNKNOWN: 1 × ((…))'],
  ],
  [
    '<aside>\n💡 **Tip** [a](b)\n\n</aside>\n\n<aside>\n<b>c</b>\n</aside>',
    '<aside>\n<p>💡 <strong>Tip</strong> <a href="b">a</a></p>\n</aside>\n<aside>\n<b>c</b>\n</aside>',
  ],
  [
    'Term\n\n:   First\n\n    Second\n\n        code',
    '<dl>\n<dt>\n<p>Term</p>\n</dt>\n<dd>\n<p>First</p>\n<p>Second</p>\n<pre><code>code\n</code></pre>\n</dd>\n</dl>',
  ],
  ['a <!-- b --> c %%d%%', '<p>a <!----> c</p>'],
  ['a\n\n%%\nb\n%%\n\nc', '<p>a</p>\n<p>c</p>'],
  ['a\n\n[//]: # (b)\n\n[comment]: <> (c)\n\nd', '<p>a</p>\n<p>d</p>'],
  ['[//] a\n\n[//]: # (b)\n\n[todo]: # (c)', '<p><a href="#" title="b">//</a> a</p>\n'],
  ['a\n\n<!-- b\n\nc', '<p>a</p>\n<!---->', ['COMMENT_REMOVED: a comment without an end is not published']],
  ['Dear %%NAME%%, hello.', '<p>Dear , hello.</p>', ['COMMENT_REMOVED: %%NAME%% is not published']],
  [
    'for %%i in a do echo %%i, and 100%% b %% c',
    '<p>for i, and 100 c</p>',
    Array.from({ length: 2 }, () => 'COMMENT_REMOVED: a text between two %% beside a word is not published'),
  ],
  ['a %%b%%, c', '<p>a , c</p>'],
  [
    'a\n\n{::comment}\n# b\n\n- b\n{:/comment}\n\n{% comment %} b {% endcomment %}c {%- comment -%}b{%- endcomment -%}\n\n{{% comment %}}b{{% /comment %}}{{< comment >}}\n\nb{{< /comment >}}{{!-- b --}}{{/* b */}}\n{/* b */}\n{# b #}\n\n{>>b<<}d {::comment}b{:/}',
    '<p>a</p>\n<p>c</p>\n<p>d</p>',
    ['COMMENT_REMOVED: a comment between {# and #} is not published'],
  ],
  [
    'a {/* b */} c: d; {/* e */} {/* f */ g; /* h */}',
    '<p>a  c: d;  {/* f <em>/ g; /</em> h */}</p>',
    [
      'COMMENT_REMOVED: a comment among words is not published',
      'COMMENT_REMOVED: a comment among words is not published',
    ],
  ],
  [
    'a {>>b\n\nc<<} d \\{# e #}',
    '<p>a  d {# e #}</p>',
    ['COMMENT_REMOVED: a comment of several paragraphs is not published'],
  ],
  [
    '- a `\n\n  :::(Internal)\n  :::(info)\n  b ` c\n  :::\n  d\n  :::\n\n> ::: (INTERNAL)\n> b\n> :::\n\ne ` f\n:::(internal)\nb `\n:::',
    '<ul>\n<li>a `</li>\n</ul>\n<p>e ` f</p>\n',
    Array.from({ length: 3 }, () => 'COMMENT_REMOVED: a private note is not published'),
  ],
  ['`{>>a<<}` {/* b {# c', '<p><code>{&gt;&gt;a&lt;&lt;}</code> {/* b {# c</p>'],
  [
    'a\n\n:::(Internal) (Private notes)\n## b\n\n```\n:::\n```\n:::\n\nc\n\n:::(Info) (d)\ne\n:::\n\n:::(internal)\nf\n\ng',
    '<p>a</p>\n<p>c</p>\n<p>:::(Info) (d)\ne\n:::</p>\n',
    [
      'COMMENT_REMOVED: a private note is not published',
      'COMMENT_REMOVED: a private note without an end is not published',
      'MARKUP_UNKNOWN: 1 × :::(Info)',
    ],
  ],
  [
    '{::options a="b" /} {++c++} and {--d--}',
    '<p>{::options a=&quot;b&quot; /} {++c++} and {--d--}</p>',
    ['MARKUP_UNKNOWN: 1 × {::options}', 'MARKUP_UNKNOWN: 1 × {++ … ++}', 'MARKUP_UNKNOWN: 1 × {-- … --}'],
  ],
  [
    '*[HTML]: a\n\n> [!VIDEO https://x.example/b]\n\n[!INCLUDE [c](d)] [!code-csharp[](e.cs)]\n\n> [!code] f',
    expect.any(String),
    [
      'MARKUP_UNKNOWN: 1 × *[…]:',
      'MARKUP_UNKNOWN: 1 × [!VIDEO]',
      'MARKUP_UNKNOWN: 1 × [!INCLUDE]',
      'MARKUP_UNKNOWN: 1 × [!code-csharp]',
    ],
  ],
  ['==marked== and a == b == c', '<p><mark>marked</mark> and a == b == c</p>'],
  ['`==a== %%b%% [[c]]`', '<p><code>==a== %%b%% [[c]]</code></p>'],
  ['```md\n:::note\n[[x]] %%y%%\n```', '<pre><code class="language-md">:::note\n[[x]] %%y%%\n</code></pre>'],
  ['a\n\n    [[ -f x ]]\n    %%y%%\n\nb', '<p>a</p>\n<pre><code>[[ -f x ]]\n%%y%%\n</code></pre>\n<p>b</p>'],
  [
    '```md\n    ```js\n    a\n    ```\n```\n\nb %%c%%',
    '<pre><code class="language-md">    ```js\n    a\n    ```\n</code></pre>\n<p>b</p>',
  ],
  ['a\n\n    ```\n    b\n\nc %%d%%', '<p>a</p>\n<pre><code>```\nb\n</code></pre>\n<p>c</p>'],
  ['- the ` key\n- a %%b%%\n- and `', '<ul>\n<li>the ` key</li>\n<li>a</li>\n<li>and `</li>\n</ul>'],
  ['| a |\n| - |\n| ` |\n| %%b%% |\n| ` |', expect.stringMatching(/<td>`<\/td>\n<\/tr>\n<tr>\n<td><\/td>/)],
  [
    '- a\n\n      [[b]] %%c%%\n\n  - d\n\n        %%e%%',
    '<ul>\n<li>\n<p>a</p>\n<pre><code>[[b]] %%c%%\n</code></pre>\n<ul>\n<li>\n<p>d</p>\n<pre><code>%%e%%\n</code></pre>\n</li>\n</ul>\n</li>\n</ul>',
  ],
  ['<!-- don`t -->\nUse `a` <b>b</b>.\n\nc', '<!---->\n<p>Use <code>a</code> <b>b</b>.</p>\n<p>c</p>'],
  ['a <!-- ` --> b ` c\n\nd', '<p>a <!----> b ` c</p>\n<p>d</p>'],
  ['%% don`t %% use `a`', '<p>use <code>a</code></p>'],
  ['<!--\n```\na\n-->\n\nb\n\n```\nc\n```', '<!---->\n<p>b</p>\n<pre><code>c\n</code></pre>'],
  ['<!--\n```\n<!-- a -->\n```\nb -->\n\nc', '<!---->\n<p>c</p>'],
  [
    '<pre>\nif [[ -f a ]] ==b==\n%% c <d>\n```\n</pre>\n\n<code>[[e]] *f*</code> %%g%%',
    '<pre>\nif [[ -f a ]] ==b==\n%% c &lt;d&gt;\n```\n</pre>\n<p><code>[[e]] <em>f</em></code></p>',
  ],
  ['> ```\n> {{< y >}}\n> ```', '<blockquote>\n<pre><code>{{&lt; y &gt;}}\n</code></pre>\n</blockquote>'],
  ['- ~~~\n  {{ z }}\n  ~~~', '<ul>\n<li>\n<pre><code>{{ z }}\n</code></pre>\n</li>\n</ul>'],
  [
    'Term\n: First *line*\n  goes on\n\n: Second\n\nOther\nName\n:   b\n\nText: no',
    '<dl>\n<dt>\n<p>Term</p>\n</dt>\n<dd>\n<p>First <em>line</em>\ngoes on</p>\n</dd>\n<dd>\n<p>Second</p>\n</dd>\n<dt>\n<p>Other</p>\n</dt>\n<dt>\n<p>Name</p>\n</dt>\n<dd>\n<p>b</p>\n</dd>\n</dl>\n<p>Text: no</p>',
  ],
  ['a\nb\nc\nd\n: e', '<p>a\nb\nc\nd\n: e</p>'],
  ['- a\n: b', '<ul>\n<li>a\n: b</li>\n</ul>'],
  [
    'a\n\n[^b]: c\n\n`[^d]: e`',
    '<p>a</p>\n<p><code>[^d]: e</code></p>',
    ['COMMENT_REMOVED: the footnote [^b], whose mark no text has, is not published'],
  ],
  [
    'a[^B]: c\n\n[^b]: d\n[^b]: e',
    expect.stringMatching(/: c.*d <a /s),
    ['COMMENT_REMOVED: the second footnote [^b] is not published'],
  ],
  ['a[^1]\n\n[^1]: b', expect.stringContaining('b <a href="#user-content-fnref-1"')],
];

describe('the title of a page', () => {
  it.each([
    ['# C\\# \\_a\\_ &amp; ~~b~~ ***c***', 'C# _a_ & b c'],
    ['# The <name> in `<b>`', 'The <name> in <b>'],
    ['# [a (b)](c(d)) [e][f] <https://g.h>', 'a (b) e https://g.h'],
    ['<h1 align="center">\n  A &amp; <b>B</b>\n</h1>\nText', 'A & B'],
    ['<h1>A &#38; B&#x2019;s</h1>\nText', 'A & B’s'],
    ['<div>\n    <h1>A</h1>\n    <p>Text</p>\n</div>', 'A'],
    ['<h1><img src="a.png" alt="A"></h1>', 'A'],
    ['<h1><img src="a.png" alt="A"></h1>\n\n# B', 'B'],
    ['A {>>b<<}\n====', 'A'],
    ['# The `{# a #}` tag {# b #}', 'The {# a #} tag'],
    ['{% comment %}\n# B\n{% endcomment %}\n\n:::(Internal) (C)\n# C\n:::\n\n# A', 'A'],
    ['<h1>\n\n![A](a.png)\n\n</h1>', null],
    ['1. A\n\n    ```html\n    <p>\n      <h1>B</h1>\n    ```\n\nC\n\n    <p>\n    <h1>D</h1>', null],
    ['Use\n\n<h1>B</h1>', null],
    ['## A\n\n<pre>\n# b\n</pre>', 'A'],
    ['```a``` is\n\n# B', 'B'],
    ['A long\ntitle\n===\n\nText', 'A long title'],
    ['# A\ntitle\n===', 'A'],
    ['a\nb\nc\nd\n===', null],
    ['**A** b\n---', 'A b'],
    ['`a`\n===', 'a'],
    ['1. a\n---\n\nb', null],
    ['+ a\n---\n\nb', null],
    ['---\n---\n\n***\n---', null],
    ['# A[^1] [^2]\n\n[^1]: b', 'A [^2]'],
    ['`<h1>A</h1>`\n\n    <h1>B</h1>\n\n```\n<h1>C</h1>\n```', null],
  ])('in %j is %j', (text, title) => {
    expect(findTitle(text, false)?.text ?? null).toBe(title);
  });

  it('is found in linear time', () => {
    expect(findTitle(`# ${'<'.repeat(200_000)}`, true)?.text).toHaveLength(200_000);
  });

  it('leaves no line of it on the page', () => {
    expect(findTitle('Text\n\nA long\ntitle\n===\n\nMore', false)).toEqual({
      text: 'A long title',
      id: null,
      rest: 'Text\n\n\nMore',
    });
  });

  it('leaves the logo and the text beside it on the page', () => {
    const text = '<div>\n  <h1 id="top"><img src="a.png"> A</h1>\n  <p>Text</p>\n</div>';
    expect(findTitle(text, true)).toEqual({
      text: 'A',
      id: 'top',
      rest: '<div>\n<img src="a.png">\n  <p>Text</p>\n</div>',
    });
  });
});

describe('the text of a page', () => {
  it.each(table.map(([text, html, reports = []]) => ({ text, html, reports })))(
    '$text',
    ({ text, html, reports }) => {
      expect(read(text)).toEqual({ html, reports });
    },
  );

  it('counts the syntax of generators that is left in it, by name', () => {
    const text = [
      "import Tabs from '@theme/Tabs';",
      'A <RuleLinks /> and <RuleLinks a="b">, <b>bold</b>, a < B and List<String>.',
      ':::note',
      ':::',
      '!!! warning "x"',
      '{% hint style="info" %} x {% endhint %}',
      '{{< ref "a.md" >}} {{ site.title }}',
      '{{% include "a" %}}',
      '=== "Tab"',
      '[It](https://example.com/){.external rel="x"} is {: .note} and {id}.',
      '<<<<<<< HEAD\nOurs\n=======\nTheirs\n>>>>>>> main',
      '`<Code>`',
      ':::{note} a {ref}`b` {c} `d`',
      '(my/target)=',
      '(see x)=1',
      '::alert{a="b"}',
      'A ::b, :: c and std::string',
      ':tada: 10:30:00 a:bc: :material-check:{ .lg } and `:x:`, https://a:bcd:e/ [b]:https://c',
      '!> Mind this',
      '```\n<<<<<<< HEAD\n```',
    ].join('\n\n');
    expect(read(text).reports).toEqual(
      [
        '1 × {% hint %}',
        '1 × {{< ref >}}',
        '1 × {{% include %}}',
        '1 × {{ … }}',
        '1 × {.external}',
        '1 × {: .note}',
        '2 × <RuleLinks>',
        // Browsers take it for an element.
        '1 × <String>',
        '1 × :::note',
        '1 × :::{note}',
        '1 × ::alert',
        '1 × {ref}`…`',
        '1 × (…)=',
        '2 × :…:',
        '1 × !>',
        '1 × !!! warning',
        '1 × === "…"',
        '1 × import or export',
        '1 × <<<<<<< (merge conflict)',
      ].map((one) => `MARKUP_UNKNOWN: ${one}`),
    );
  });

  it('takes no URL between angle brackets for it', () => {
    expect(read('[a](<Big note.md>) ![b]( <My/Image.png> "x")\n\n[c]: <Home.md>').reports).toEqual([]);
  });

  it('takes linear time to read', () => {
    const parts = [
      '` ',
      '`` ` ',
      '<A ',
      '<iframe "',
      '<pre>',
      '<!--\n',
      '<!--\n```a\n-->\n',
      '<pre>\n',
      '<code>',
      '|\n',
      '[^a]',
      '[^a]: ',
      '{{',
      '{%',
      '\\`',
      ':::note\n',
      '[[a',
      '![[',
      '%%',
      '==a',
      '<!--',
      '$',
      '$$a\n',
      'a$ ',
    ];
    for (const part of [
      ...parts,
      '> ```\n',
      '    a\n\n',
      '[a]: # (',
      'a\n\n[//]: # (b)\n\n',
      '~~~\n',
      'a\n: b\n',
      'a\n',
      '> [!tip] a\n',
      ' ',
      '{>>a\n',
      '{# a ',
      ':::(Internal)\n',
      '{++a ',
      '[[a|',
      '](a ',
      '](a (b) ',
      '^[a ',
      '# a\n',
    ])
      for (const text of [part.repeat(5000), `# ${part.repeat(5000)}x`]) {
        findTitle(text, false);
        readMarkdown(text, { hasMath: true, isVault: false, findByName: () => [], report: () => {} });
      }
  }, 30_000);

  it.each(['%%', 'a %% ', '\\', '`', '[[a]]('])(
    'takes linear time to read one long line of %s',
    (part) => {
      readMarkdown(part.repeat(100_000), {
        hasMath: false,
        isVault: true,
        findByName: () => [],
        report: () => {},
      });
    },
    5_000,
  );
});
