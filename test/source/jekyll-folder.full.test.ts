import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { transform } from '../../src/content/transform.ts';
import { settings } from '../content/settings.ts';
import { page } from '../support/folder-layouts.ts';
import { bodyOf, messages, openFolderProject, outline } from './support/folder-source.ts';

const config = `title: Bikes
baseurl: /help
product: Speeder
collections:
  guides:
    output: true
    permalink: /:collection/:path/
  staff: {}
  posts:
    permalink: /news/:year/:month/:day/:title/
defaults:
  - scope: { path: _guides/drafts }
    values: { published: false }
exclude: [notes]
`;

/** Reads a site with a configuration, and the body of `index.md` with this text. */
async function read(text: string, files: Readonly<Record<string, string>> = {}) {
  const project = openFolderProject({
    '_config.yml': config,
    'index.md': page('title: Home', text),
    '_guides/brakes.md': page('title: Brakes\nredirect_from: [/old-brakes/]', '## Pads\n\nText.'),
    ...files,
  });
  const source = await project.read();
  return { project, source, body: await bodyOf(project, source, 'index.md') };
}

describe('a folder of Jekyll', () => {
  it('publishes pages with front matter, collections with output, and posts', async () => {
    const { project, source } = await read('Text.', {
      'README.md': '# TOPSECRET',
      'LICENSE.md': '# TOPSECRET',
      'notes/a.md': page('title: TOPSECRET', 'x'),
      '404.html': page('title: TOPSECRET', 'x'),
      'about.html': page('title: About', '<p>{{ site.product }}</p>'),
      '_staff/kim.md': page('title: TOPSECRET', 'x'),
      '_guides/drafts/a.md': page('title: TOPSECRET', 'x'),
      '_includes/part.md': 'x',
      '_posts/2026-01-31-new-wheels.md': page('title: New wheels', 'Text.'),
    });
    expect(outline(project, source)).toEqual({
      '_guides/brakes.md': '/Guides en: Brakes (brakes)',
      '_guides/drafts/a.md': 'draft',
      '_posts/2026-01-31-new-wheels.md': '/Posts en: New wheels (new-wheels)',
      'about.html': 'en: About (about)',
      'index.md': 'en: Home (null)',
    });
    expect(await bodyOf(project, source, 'about.html')).toBe('<p>Speeder</p>');
    const post = source.knowledgeBase.articles.find(({ createdAt }) => createdAt !== null);
    expect(post?.createdAt).toBe('2026-01-31T00:00:00.000Z');
    expect(source.problems).toEqual([]);
  });

  it('is not one of Jupyter Book, whose pages need no front matter', async () => {
    const project = openFolderProject({ '_config.yml': '', '_toc.yml': '', 'a.md': '# A\n\nText.' });
    expect(outline(project, await project.read())).toEqual({ 'a.md': 'en: A (a)' });
  });

  it('makes pages without front matter if a plugin does, but none of files about the project', async () => {
    const project = openFolderProject({
      '_config.yml': 'plugins: [jekyll-optional-front-matter]',
      'a.md': '# A\n\nText.',
      'README.md': '# TOPSECRET',
      'CONTRIBUTING.md': '# TOPSECRET',
    });
    expect(outline(project, await project.read())).toEqual({ 'a.md': 'en: A (a)' });
  });

  it('is not read if its configuration cannot be', async () => {
    const project = openFolderProject({ '_config.yml': 'exclude: [', 'a.md': '# TOPSECRET' });
    await expect(project.read()).rejects.toMatchObject({ code: 'FOLDER_INVALID' });
  });

  it('resolves links by Liquid, by address and by old address', async () => {
    const { body, source } = await read(
      [
        '[a]({% link _guides/brakes.md %}#pads)',
        "[b]({{ '/guides/brakes/' | relative_url }})",
        '[c]({{ site.baseurl }}/guides/brakes/)',
        '[d](/old-brakes/)',
        '[e]({% post_url 2026-01-31-new-wheels %})',
        '[f](/news/2026/01/31/new-wheels/)',
        '![g](/img/a.png)',
      ].join('\n'),
      { '_posts/2026-01-31-new-wheels.md': page('title: New wheels', 'Text.'), 'img/a.png': 'x' },
    );
    expect(body).toMatchInlineSnapshot(`
      "<p><a href="/article/<_guides/brakes.md>#pads">a</a>
      <a href="/article/<_guides/brakes.md>">b</a>
      <a href="/article/<_guides/brakes.md>">c</a>
      <a href="/article/<_guides/brakes.md>">d</a>
      <a href="/article/<_posts/2026-01-31-new-wheels.md>">e</a>
      <a href="/article/<_posts/2026-01-31-new-wheels.md>">f</a>
      <img src="https://folder.invalid/img/a.png" alt="g" /></p>"
    `);
    expect(source.problems).toEqual([]);
  });

  it.each([
    [
      'of repetitions',
      '{% for a in site.data.hundred %}{% for b in site.data.hundred %}.{% endfor %}{% endfor %}',
    ],
    [
      'of size',
      `{% for a in site.data.hundred %}{% for b in site.data.forty %}${'x'.repeat(1100)}{% endfor %}{% endfor %}`,
    ],
  ])('reports what is beyond the limit %s', async (_what, text) => {
    const list = (length: number) => JSON.stringify(Array.from({ length }, (_, at) => at));
    const { source } = await read(`Start.\n\n${text}\n\nEnd.`, {
      '_data/hundred.json': list(100),
      '_data/forty.json': list(40),
    });
    expect(messages(source.problems)).toEqual([expect.stringContaining('{% for … %} in index.md')]);
  });

  it('reports a block without an end', async () => {
    const { source } = await read('Start.\n\n{% if site.product %}\n\nEnd.');
    expect(messages(source.problems)).toEqual([expect.stringContaining('{% if … %} in index.md')]);
  });

  it('resolves variables, data, conditions, lists, and inserted files, also in code', async () => {
    const { body, source } = await read(
      [
        '{% assign name = site.product | upcase %}{{ name }} {{ page.title }}',
        '{% if site.product == "Speeder" and page.nothing == nil %}yes{% else %}NO{% endif %}',
        '{%- for one in site.data.parts.list %} {{ forloop.index }}:{{ one.name }}{% endfor %}',
        '{% include part.md what="wheel" %}',
        '{% comment %}TOPSECRET{% endcomment %}',
        '{% raw %}{{ kept }}{% endraw %}',
        '{% highlight sh %}',
        'ride {{ site.product }}',
        '{% endhighlight %}',
      ].join('\n'),
      {
        '_includes/part.md': 'A {{ include.what }}.',
        '_data/parts.yml': 'list:\n  - name: pad\n  - name: rim\n',
      },
    );
    expect(body.split('\n').filter(Boolean)).toEqual([
      '<p>SPEEDER Home',
      'yes 1:pad 2:rim',
      'A wheel.</p>',
      '<p>{{ kept }}</p>',
      '<pre><code class="language-sh">ride Speeder',
      '</code></pre>',
    ]);
    expect(source.problems).toEqual([]);
  });

  it('removes other Liquid with its content, and reports its first line', async () => {
    const { body, source } = await read(
      'Before.\n\n{% for post in site.posts %}TOPSECRET {{ post.title }}{% endfor %}\n{{ site.time | date: "%Y" }}\n\n{% gist 1 %}After.',
    );
    expect(body).toBe('<p>Before.</p>\n<p>After.</p>');
    expect(messages(source.problems)).toEqual([
      'MARKUP_UNKNOWN: {% for … %} in index.md, line 6, is not published, nor are 2 others in this file',
    ]);
    expect(source.problems[0]).toMatchObject({ file: 'kb/index.md', line: 6 });
  });

  it('inserts nothing without end, and no file outside', async () => {
    const { body } = await read(
      '{% include loop.md %}{% include ../../outside.md %}{% include_relative ../x.md %}End.',
      {
        '_includes/loop.md': 'o{% include loop.md %}{% include loop.md %}',
      },
    );
    expect(body.length).toBeLessThan(20_000);
    expect(body).toMatch(/End\.<\/p>$/);
  });

  it('shows no scripts and style sheets as text', async () => {
    const { body, source } = await read(
      '<style>\n.a { color: red }\n</style>\n\nOne.\n\n<script>\nconst secret = 1;\n\nrun();\n</script>\n\nTwo with <script> in a line.',
    );
    expect(body).toContain('<style>');
    const shown = transform(body, settings());
    expect(shown.text).toBe('One.\nTwo with <script> in a line.');
    expect(source.problems).toEqual([]);
  });

  it('reads a fence below an include that strips blanks, and text in elements of several lines', async () => {
    const { body } = await read(
      'Since {%- include badge.html version="3.7" -%}\n\n```yaml\na: 1\n```\n\n<em>\n  See [this](https://example.com).\n</em>',
      { '_includes/badge.html': '<b>{{ include.version }}</b>\n' },
    );
    expect(body).toBe(
      '<p>Since<b>3.7</b></p>\n<pre><code class="language-yaml">a: 1\n</code></pre>\n<p><em>See <a href="https://example.com">this</a>.\n</em></p>',
    );
  });

  it('reads attribute lists of kramdown: callouts, ids; others are removed', async () => {
    const { body } = await read(
      [
        '## Contents\n{: .no_toc }\n\n- TOC\n{:toc}',
        '## Size\n{: #how-big .x }',
        '{: .warning }\n> Hot.',
        'Read this.\n{: .note }',
        '{: .note-title }\n> My title\n>\n> Text.',
        '[Go](https://example.com){: .btn } and `{: .shown }`{: .label }',
        '<div class="a" markdown="1">\n*inside*\n</div>\n```markdown\n*shown*\n```',
      ].join('\n\n'),
    );
    expect(body.split('\n')).toEqual([
      '<h2 id="how-big">Size</h2>',
      '<div class="warning-callout">',
      '<p>Hot.</p>',
      '</div>',
      '<div class="note-callout">',
      '<p>Read this.</p>',
      '</div>',
      '<div class="note-callout">',
      '<p><strong>My title</strong></p>',
      '<p>Text.</p>',
      '</div>',
      '<p><a href="https://example.com">Go</a> and <code>{: .shown }</code></p>',
      '<div class="a">',
      '<p><em>inside</em></p>',
      '</div>',
      '<pre><code class="language-markdown">*shown*',
      '</code></pre>',
    ]);
  });
});

const projects = join(import.meta.dirname, '../../../shared/projects');

describe.skipIf(!existsSync(projects))('documentation of Jekyll and of a theme', () => {
  it.each([
    ['jekyll', 200],
    ['just-the-docs', 46],
  ])('%s is published with all its pages', async (name, pages) => {
    const project = openFolderProject({}, { root: join(projects, name) });
    const source = await project.read();
    expect(source.stats.published).toBeGreaterThanOrEqual(pages);
    expect(source.problems.filter(({ code }) => code === 'FILE_SKIPPED')).toEqual([]);
  });
});
