import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createContentReader } from '../../src/source/folder/open-folder.ts';
import { type Tree, writeTree } from '../support/folder-layouts.ts';

/** An example of a row: the text of a page, what is published of it, and what is reported as removed. */
interface Example {
  readonly page: string;
  readonly shows: string;
  readonly removed?: string;
  /** In front matter. */
  readonly fields?: string;
  /** Other files of its project, and the pages of the project that are published. */
  readonly files?: Tree;
  readonly pages?: readonly string[];
}

interface Project {
  /** Of the generator: its configuration and files that pages use. */
  readonly files: Tree;
  /** Path of the page. */
  readonly path: string;
  /** By the first cell of their row. */
  readonly rows: Readonly<Record<string, readonly Example[]>>;
}

const projects: Readonly<Record<string, Project>> = {
  VitePress: {
    files: {
      '.vitepress/config.ts': 'export default { title: "A" }',
      'part.md': '# P\n\nOne\n\n<!-- #region x -->\nTwo\n<!-- #endregion x -->\n',
      'file.js': '// #region x\nlet a;\n// #endregion x\nlet b;\n',
    },
    path: 'page.md',
    rows: {
      'containers (`::: tip`), `details`, `code-group`, `raw`, `v-pre`': [
        { page: '::: tip\nGo\n:::', shows: '<div class="tip-callout">\n<p>Go</p>\n</div>' },
        {
          page: '::: details More\nGo\n:::',
          shows: '<details>\n<summary>More</summary>\n<p>Go</p>\n</details>',
        },
        {
          page: '::: code-group\n```js [a.js]\nx\n```\n```js [b.js]\ny\n```\n:::',
          shows:
            '<details open>\n<summary>a.js</summary>\n<pre><code class="language-js">x\n</code></pre>\n</details>\n' +
            '<details>\n<summary>b.js</summary>\n<pre><code class="language-js">y\n</code></pre>\n</details>',
        },
        { page: '::: raw\nGo\n:::', shows: '<p>Go</p>' },
        { page: '::: v-pre\n{{ a }}\n:::', shows: '<p>{{ a }}</p>' },
      ],
      '`<!--@include: ./part.md#region{1,3}-->`, `<<< @/file.js#region{1,3}`': [
        { page: '<!--@include: ./part.md#x-->', shows: '<p>Two</p>' },
        { page: '<!--@include: ./part.md{3,3}-->', shows: '<p>One</p>' },
        {
          page: '<<< @/file.js#x{1}',
          shows: '<p><strong>file.js</strong></p>\n<pre><code class="language-js">let a;\n</code></pre>',
        },
        { page: 'a\n\n<<< @/../outside.js', shows: '<p>a</p>', removed: '<<< @/../outside.js' },
      ],
      '`layout: home`': [
        {
          fields:
            'layout: home\nhero:\n  name: Bikes\n  actions:\n    - { text: Go, link: /go }\nfeatures:\n  - { title: Fast, details: Very }',
          page: '',
          shows:
            '<ul>\n<li>\n<p><a href="/go">Go</a></p>\n</li>\n<li>\n<p><strong>Fast</strong>: Very</p>\n</li>\n</ul>',
        },
      ],
      '`<Badge>`': [{ page: 'A <Badge type="tip" text="new" />', shows: '<p>A <small>new</small></p>' }],
      '`[[toc]]`, attributes in braces': [
        { page: '[[toc]]\n\na', shows: '<p>a</p>' },
        { page: 'a\n\n## B {#c}', shows: '<p>a</p>\n<h2 id="c">B</h2>' },
      ],
      '`:tada:`': [{ page: ':tada:', shows: '<p>🎉</p>' }],
      '`^[A note.]`': [
        {
          page: 'a^[A note.]',
          shows:
            '<p>a<sup><a href="#user-content-fn-inline-1" id="user-content-fnref-inline-1" data-footnote-ref="" aria-describedby="footnote-label">1</a></sup></p>\n<section data-footnotes="" class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2>\n<ol>\n<li id="user-content-fn-inline-1">\n<p>A note. <a href="#user-content-fnref-inline-1" data-footnote-backref="" aria-label="Back to reference 1" class="data-footnote-backref">↩</a></p>\n</li>\n</ol>\n</section>',
        },
      ],
      '`{{ … }}`, other components, elements with `v-if` or `v-for`': [
        { page: 'a {{ b }}', shows: '<p>a</p>', removed: '{{…}}' },
        { page: 'a\n\n<Own>b</Own>', shows: '<p>a</p>', removed: '<Own>' },
        { page: 'a\n\n<p v-if="x">b</p>', shows: '<p>a</p>', removed: '<p>' },
      ],
    },
  },
  'Material for MkDocs': {
    files: {
      'mkdocs.yml':
        'site_name: A\nplugins: [search, macros]\nextra:\n  product: Bike\nmarkdown_extensions:\n  - pymdownx.snippets:\n      auto_append: [includes/abbr.md]\n  - pymdownx.emoji\n',
      'includes/abbr.md': '*[FAQ]: Questions\n',
      'snippet.md': 'From a file',
    },
    path: 'docs/page.md',
    rows: {
      '`=== "Tab"`, `!!! note`, `??? note`': [
        {
          page: '=== "A"\n\n    x\n\n=== "B"\n\n    y',
          shows:
            '<details open>\n<summary>A</summary>\n<p>x</p>\n</details>\n<details>\n<summary>B</summary>\n<p>y</p>\n</details>',
        },
        { page: '!!! note\n\n    x', shows: '<div class="note-callout">\n<p>x</p>\n</div>' },
        { page: '??? note\n\n    x', shows: '<details>\n<summary>Note</summary>\n<p>x</p>\n</details>' },
      ],
      '`--8<-- "file"`, `auto_append`': [
        { page: '--8<-- "snippet.md"', shows: '<p>From a file</p>' },
        { page: 'a\n\n--8<-- "../outside.md"', shows: '<p>a</p>', removed: '--8<-- "../outside.md"' },
        { page: 'a FAQ', shows: '<p>a <abbr title="Questions">FAQ</abbr></p>' },
      ],
      '`{ .class #id }`': [
        { page: 'a\n\n## B { #c .d }', shows: '<p>a</p>\n<h2 id="c">B</h2>' },
        { page: '[Go](https://a.test){ .md-button }', shows: '<p><a href="https://a.test">Go</a></p>' },
      ],
      '`:material-check:` and other icons': [{ page: ':material-check: a', shows: '<p>a</p>' }],
      '`++ctrl+c++`, `==mark==`, `^^ins^^`, `H~2~O`, footnotes, tasks, `<div markdown>`': [
        { page: '++ctrl+c++', shows: '<p><kbd>Ctrl</kbd>+<kbd>C</kbd></p>' },
        {
          page: '==a== ^^b^^ H~2~O',
          shows: '<p><mark>a</mark> <ins>b</ins> H<sub>2</sub>O</p>',
        },
        {
          page: 'a[^1]\n\n[^1]:\n    b',
          shows:
            '<p>a<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref="" aria-describedby="footnote-label">1</a></sup></p>\n<section data-footnotes="" class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2>\n<ol>\n<li id="user-content-fn-1">\n<p>b <a href="#user-content-fnref-1" data-footnote-backref="" aria-label="Back to reference 1" class="data-footnote-backref">↩</a></p>\n</li>\n</ol>\n</section>',
        },
        {
          page: '- [x] a',
          shows: '<ul>\n<li><input type="checkbox" disabled="" checked="" /> a</li>\n</ul>',
        },
        { page: '<div markdown>\n**a**\n</div>', shows: '<div>\n<p><strong>a</strong></p>\n</div>' },
      ],
      'abbreviations, definition lists': [
        { page: 'HTML\n\n*[HTML]: Mark', shows: '<p><abbr title="Mark">HTML</abbr></p>' },
        { page: 'Term\n:   Meaning', shows: '<p>Term</p>\n<p>Meaning</p>' },
      ],
      '`{{ name }}`, `{% include "file" %}`, `{% set name = "…" %}` with the `macros` plugin': [
        { page: '{{ product }}', shows: '<p>Bike</p>' },
        { fields: 'size: 4', page: '{{ size }}', shows: '<p>4</p>' },
        { page: '{% include "snippet.md" %}', shows: '<p>From a file</p>' },
        { page: '{% set a = "b" %}{{ a }}', shows: '<p>b</p>' },
      ],
      'other macros, and blocks such as `{% if %}` with their content': [
        { page: 'a {{ own() }}', shows: '<p>a</p>', removed: '{{…}}' },
        { page: 'a\n\n{% if x %}b{% endif %}', shows: '<p>a</p>', removed: '{%…%}' },
      ],
      '`:smile:` with `pymdownx.emoji`': [{ page: ':smile:', shows: '<p>😄</p>' }],
    },
  },
  Starlight: {
    files: {
      'astro.config.mjs':
        "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'A' })] };",
    },
    path: 'src/content/docs/page.mdx',
    rows: {
      '`Tabs`, `Steps`, `FileTree`, `Card`, `CardGrid`, `Aside`, `Badge`, `Fragment`, `:::note`': [
        {
          page: '<Tabs>\n<TabItem label="A">\nx\n</TabItem>\n<TabItem label="B">\ny\n</TabItem>\n</Tabs>',
          shows:
            '<details open>\n<summary>A</summary>\n<p>x</p>\n</details>\n<details>\n<summary>B</summary>\n<p>y</p>\n</details>',
        },
        { page: '<Steps>\n1. a\n2. b\n</Steps>', shows: '<ol>\n<li>a</li>\n<li>b</li>\n</ol>' },
        { page: '<FileTree>\n- a.md\n</FileTree>', shows: '<ul>\n<li>a.md</li>\n</ul>' },
        {
          page: '<CardGrid>\n<Card title="A" icon="star">\nb\n</Card>\n</CardGrid>',
          shows: '<p><strong>A</strong></p>\n<p>b</p>',
        },
        { page: '<Aside type="tip">\na\n</Aside>', shows: '<div class="tip-callout">\n<p>a</p>\n</div>' },
        { page: 'a <Badge text="new" />', shows: '<p>a <small>new</small></p>' },
        { page: '<Fragment>a</Fragment>', shows: '<p>a</p>' },
        { page: ':::note\na\n:::', shows: '<div class="note-callout">\n<p>a</p>\n</div>' },
      ],
      '`LinkCard`, `LinkButton`, `Code` with literal attributes': [
        {
          page: '<LinkCard title="A" href="https://a.test" description="b" />',
          shows: '<p><strong><a href="https://a.test">A</a></strong></p>\n<p>b</p>',
        },
        {
          page: '<LinkButton href="https://a.test">A</LinkButton>',
          shows: '<p><a href="https://a.test">A</a></p>',
        },
        {
          page: '<Code code="let a;" lang="js" />',
          shows: '<pre><code class="language-js">let a;\n</code></pre>',
        },
      ],
      '`Icon`': [{ page: 'a <Icon name="star" />', shows: '<p>a</p>' }],
      '`hero`': [
        {
          fields: 'hero:\n  tagline: Go far\n  actions:\n    - { text: Go, link: "https://a.test" }',
          page: 'a',
          shows: '<p>Go far</p>\n<ul>\n<li><a href="https://a.test">Go</a></li>\n</ul>\n<p>a</p>',
        },
      ],
      'expressions, other components': [
        { page: 'a {b}', shows: '<p>a</p>', removed: '{…}' },
        { page: 'a\n\n<Own>b</Own>', shows: '<p>a</p>', removed: '<Own>' },
      ],
    },
  },
  Docusaurus: {
    files: {
      'docusaurus.config.js': "module.exports = { title: 'A' };",
      'docs/_part.mdx': 'Hello {props.name}',
    },
    path: 'docs/page.mdx',
    rows: {
      '`Tabs`, `<details>`, `:::note`, `CodeBlock`, `Link`, `Translate`': [
        {
          page: '<Tabs>\n<TabItem value="a" label="A">\nx\n</TabItem>\n<TabItem value="b">\ny\n</TabItem>\n</Tabs>',
          shows:
            '<details open>\n<summary>A</summary>\n<p>x</p>\n</details>\n<details>\n<summary>b</summary>\n<p>y</p>\n</details>',
        },
        {
          page: '<details>\n<summary>A</summary>\n\nb\n\n</details>',
          shows: '<details>\n<summary>A</summary>\n<p>b</p>\n</details>',
        },
        { page: ':::note\na\n:::', shows: '<div class="note-callout">\n<p>a</p>\n</div>' },
        {
          page: '<CodeBlock language="js">let a;</CodeBlock>',
          shows: '<pre><code class="language-js">let a;\n</code></pre>',
        },
        { page: '<Link to="https://a.test">A</Link>', shows: '<p><a href="https://a.test">A</a></p>' },
        { page: '<Translate id="x">A</Translate>', shows: '<p>A</p>' },
      ],
      '`import Part from \'./_part.mdx\'` and `<Part name="…" />`': [
        { page: 'import Part from \'./_part.mdx\'\n\n<Part name="Ann" />', shows: '<p>Hello Ann</p>' },
      ],
      "`useBaseUrl('…')`, `require('…').default`": [
        {
          page: "<a href={useBaseUrl('https://a.test')}>A</a>",
          shows: '<p><a href="https://a.test">A</a></p>',
        },
        {
          page: "<img src={require('https://a.test/b.png').default} />",
          shows: '<img src="https://a.test/b.png">',
        },
      ],
      '`:tada:`': [{ page: ':tada:', shows: '<p>🎉</p>' }],
      '`DocCardList`, `TOCInline`, `Head`': [
        {
          page: 'a\n\n<DocCardList />\n\n<TOCInline toc={toc} />\n\n<Head><title>b</title></Head>',
          shows: '<p>a</p>',
        },
      ],
      'expressions, other components': [
        { page: 'a {b}', shows: '<p>a</p>', removed: '{…}' },
        { page: 'a\n\n<Own>b</Own>', shows: '<p>a</p>', removed: '<Own>' },
      ],
    },
  },
  Hugo: {
    files: {
      'hugo.toml': 'title = "A"\nenableEmoji = true\n[params]\ncolour = "red"\n',
      'layouts/shortcodes/own.html': '<b>{{ .Get 0 }}</b>',
      'layouts/shortcodes/code.html': '{{ range .Site.Pages }}{{ .Title }}{{ end }}',
      'content/part.md': 'From a file',
    },
    path: 'content/page.md',
    rows: {
      '`figure`, `youtube`, `vimeo`, `highlight`, `details`, `ref`, `relref`, `gist`, `x`, `instagram`, `qr`, `param`':
        [
          {
            page: '{{< figure src="https://a.test/b.png" alt="c" caption="d" >}}',
            shows:
              '<figure>\n<img src="https://a.test/b.png" alt="c">\n<figcaption>d</figcaption>\n</figure>',
          },
          {
            page: '{{< youtube abc >}}',
            shows: '<iframe src="https://www.youtube-nocookie.com/embed/abc" title="YouTube"></iframe>',
          },
          {
            page: '{{< vimeo 12 >}}',
            shows: '<iframe src="https://player.vimeo.com/video/12" title="Vimeo"></iframe>',
          },
          {
            page: '{{< highlight js >}}\nlet a;\n{{< /highlight >}}',
            shows: '<pre><code class="language-js">let a;\n</code></pre>',
          },
          {
            page: '{{< details summary="A" >}}\nb\n{{< /details >}}',
            shows: '<details>\n<summary>A</summary>\n<p>b</p>\n</details>',
          },
          {
            page: '[a]({{< ref "/page" >}}) [b]({{< relref "page.md" >}})',
            shows: '<p><a href="/article/BvpjB6dbsT">a</a> <a href="/article/BvpjB6dbsT">b</a></p>',
          },
          {
            page: '{{< gist jane 12 >}} {{< x user="jane" id="12" >}} {{< instagram ab >}}',
            shows:
              '<p><a href="https://gist.github.com/jane/12">https://gist.github.com/jane/12</a> <a href="https://x.com/jane/status/12">https://x.com/jane/status/12</a> <a href="https://www.instagram.com/p/ab/">https://www.instagram.com/p/ab/</a></p>',
          },
          {
            page: '{{< qr text="https://a.test" />}}',
            shows: '<p><a href="https://a.test">https://a.test</a></p>',
          },
          { page: '{{< param colour >}}', shows: '<p>red</p>' },
        ],
      'shortcodes of the project in `layouts/shortcodes/` or `layouts/_shortcodes/`': [
        { page: '{{< own a >}}', shows: '<p><b>a</b></p>' },
        { page: 'a {{< code >}}', shows: '<p>a</p>', removed: '{{< code >}}' },
      ],
      '`include`, `readfile`, `tabs`, `tabpane`, `alert`, `notice`, `callout`, `card`, `button`, `steps`, `expand`, `mermaid`, `code-toggle`, `new-in`':
        [
          { page: '{{< readfile "content/part.md" >}}', shows: '<p>From a file</p>' },
          { page: '{{% include "part.md" %}}', shows: '<p>From a file</p>' },
          {
            page: '{{< tabs >}}{{< tab "A" >}}x{{< /tab >}}{{< tab "B" >}}y{{< /tab >}}{{< /tabs >}}',
            shows:
              '<details open>\n<summary>A</summary>\n<p>x</p>\n</details>\n<details>\n<summary>B</summary>\n<p>y</p>\n</details>',
          },
          {
            page: '{{< tabpane >}}{{< tab header="A" lang="js" >}}\nx\n{{< /tab >}}{{< /tabpane >}}',
            shows: '<p><strong>A</strong></p>\n<pre><code class="language-js">x\n</code></pre>',
          },
          {
            page: '{{% alert title="A" color="warning" %}}\nb\n{{% /alert %}}',
            shows: '<div class="warning-callout">\n<p><strong>A</strong></p>\n<p>b</p>\n</div>',
          },
          {
            page: '{{% notice tip %}}\nb\n{{% /notice %}}',
            shows: '<div class="tip-callout">\n<p>b</p>\n</div>',
          },
          {
            page: '{{< callout type="warning" >}}\nb\n{{< /callout >}}',
            shows: '<div class="warning-callout">\n<p>b</p>\n</div>',
          },
          {
            page: '{{< card title="A" link="https://a.test" >}}',
            shows: '<p><strong><a href="https://a.test">A</a></strong></p>',
          },
          {
            page: '{{< button href="https://a.test" >}}A{{< /button >}}',
            shows: '<p><a href="https://a.test">A</a></p>',
          },
          { page: '{{% steps %}}\n### A\n{{% /steps %}}', shows: '<h3>A</h3>' },
          {
            page: '{{< expand "A" >}}\nb\n{{< /expand >}}',
            shows: '<details>\n<summary>A</summary>\n<p>b</p>\n</details>',
          },
          {
            page: '{{< mermaid >}}\ngraph TD\n{{< /mermaid >}}',
            shows: '<pre><code class="language-mermaid">graph TD\n</code></pre>',
          },
          {
            page: '{{< code-toggle file=hugo >}}\na = 1\n{{< /code-toggle >}}',
            shows: '<p><strong>hugo</strong></p>\n<pre><code>a = 1\n</code></pre>',
          },
          { page: '{{< new-in 0.1.0 />}}', shows: '<p><small>New in v0.1.0</small></p>' },
        ],
      'other shortcodes': [
        { page: 'a {{< none >}}b{{< /none >}}', shows: '<p>a</p>', removed: '{{< none >}}' },
      ],
      '`{{</* … */>}}`': [
        {
          page: '`{{</* own */>}}` {{</* own */>}}',
          shows: '<p><code>{{&lt; own &gt;}}</code> {{&lt; own &gt;}}</p>',
        },
      ],
      '`:tada:` with `enableEmoji`': [{ page: ':tada:', shows: '<p>🎉</p>' }],
      'page bundles': [
        {
          page: 'a',
          shows: '<p>a</p>',
          files: { 'content/b/index.md': 'b', 'content/b/beside.md': 'c' },
          pages: ['content/b/index.md', 'content/page.md', 'content/part.md'],
        },
      ],
      '`cascade` of a folder or of the site, with `target` (`path`, `kind`, `lang`, `environment`)': [
        {
          page: 'a',
          shows: '<p>a</p>',
          files: {
            'content/b/_index.md': '---\ncascade:\n  draft: true\n  target: { path: "/b/hidden*" }\n---\nb',
            'content/b/hidden.md': 'c',
            'content/b/own.md': '---\ndraft: false\n---\nd',
          },
          pages: ['content/b/_index.md', 'content/b/own.md', 'content/page.md', 'content/part.md'],
        },
      ],
    },
  },
};

/** What the reader publishes of a page, without blank lines, and the syntax that it reports as removed. */
function publish({ files, path }: Project, { page, fields = '', files: more = {} }: Example) {
  const root = mkdtempSync(join(tmpdir(), 'lectern-tables-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeTree(root, { ...files, ...more, [path]: `---\ntitle: T\n${fields}\n---\n${page}\n` });
  const reader = createContentReader({
    root,
    layout: 'plain',
    locales: null,
    defaultLanguage: 'en',
    ignored: [],
  });
  const { articles } = reader.read(0);
  const article = articles.find((one) => one.path === path);
  const { record, problems } = article?.render() ?? { record: {}, problems: [] };
  const all = [...(article?.problems ?? []), ...problems];
  return {
    pages: articles.flatMap((one) => (one.excluded === null ? one.path : [])).sort(),
    body: String(record.body ?? '')
      .replace(/\n{2,}/g, '\n')
      .trim(),
    removed: all
      .filter(({ code }) => code === 'MARKUP_UNKNOWN')
      .map(({ message }) => message.split(` in ${path}`)[0]),
  };
}

/** First cells of the table with a name as its head. */
function rowsOf(name: string): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs/sources.md'), 'utf8');
  const [, table = ''] = text.split(`\n| ${name} | how it is published |\n|---|---|\n`);
  return (table.split('\n\n')[0] ?? '')
    .split('\n')
    .map((row) => row.split(' | ')[0]?.replace(/^\| /, '') ?? '');
}

describe.each(Object.entries(projects))('the table of %s in docs/sources.md', (name, project) => {
  it('has an example here for each row', () => {
    expect(Object.keys(project.rows)).toEqual(rowsOf(name));
  });

  const examples = Object.entries(project.rows).flatMap(([row, all]) => all.map((one) => ({ ...one, row })));
  it.each(examples)('is true of $page ($row)', (example) => {
    const { body, removed, pages } = publish(project, example);
    if (example.pages !== undefined) expect(pages).toEqual(example.pages);
    expect(body).toBe(example.shows);
    expect(removed).toEqual(example.removed === undefined ? [] : [example.removed]);
  });
});
