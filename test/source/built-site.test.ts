import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSiteFacts } from '../../src/source/built-site/site-facts.ts';
import { writeTree } from '../support/folder-layouts.ts';
import { runLectern } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openSiteProject, sitePage } from './support/site-source.ts';

describe('a built site as a source', () => {
  it('publishes its pages with the URLs of the site, and links them to each other', async () => {
    const { idOf, read } = openSiteProject({
      'index.html': sitePage({
        title: 'Bikes',
        body: '<p>Read <a href="/guide/chain.html#oil">this</a>.</p>',
      }),
      'guide/chain.html': sitePage({
        title: 'Chain',
        body: '<h2 id="oil">Oil</h2><p>One drop. <a href="../files/plan.pdf">Plan</a></p>',
      }),
      'files/plan.pdf': '%PDF-1.4',
      '404.html': sitePage({ title: 'Not found', body: '<p>Nothing here.</p>' }),
      'old.html': '<meta http-equiv="refresh" content="0; url=/guide/chain.html">',
    });
    const { knowledgeBase, readBodies, stats } = await read();
    const pages = knowledgeBase.articles.flatMap(({ translations }) =>
      translations.map(({ title, sourcePath }) => [sourcePath, title]),
    );
    expect(Object.fromEntries(pages)).toEqual({ '/': 'Bikes', '/guide/chain.html': 'Chain' });
    const chain = idOf('guide/chain.html');
    expect((await readBodies(idOf('index.html'))).get('en')).toBe(
      `<p>Read <a href="/article/${chain}#oil">this</a>.</p>`,
    );
    expect((await readBodies(chain)).get('en')).toBe(
      '<h2 id="oil">Oil</h2><p>One drop. <a href="https://folder.invalid/files/plan.pdf">Plan</a></p>',
    );
    expect(stats.excluded).toEqual({ 'not-found': 1, redirect: 1 });
  });
});

it('reads the name of a built site in the encoding that its home page names', () => {
  const html = '<html><head><meta charset="iso-8859-1"><title>Fahrräder</title></head></html>';
  const { root } = openSiteProject({ 'index.html': Buffer.from(html, 'latin1') });
  expect(readSiteFacts(root).name).toBe('Fahrräder');
});

it.each([
  ['Home | Bikes', 'Brakes | Bikes', 'Bikes'],
  ['Welcome - All about - Bikes', 'Brakes - All about - Bikes', 'All about - Bikes'],
  ['Bikes | The best of all', 'Brakes | Bikes', 'Bikes'],
  ['Bikes', 'Brakes | Bikes', 'Bikes'],
  ['Bikes | The best of all', 'Brakes', 'Bikes | The best of all'],
])('names a site with the titles %j and %j %s', async (home, other, name) => {
  const page = (title: string) =>
    `<html lang="en"><head><title>${title}</title></head><body><main><h1>A</h1><p>Text.</p></main></body></html>`;
  const folder = temporaryFolder();
  writeTree(join(folder, 'built'), { 'index.html': page(home), 'brakes/index.html': page(other) });
  const { code } = await runLectern(['build', 'built', '--site-url', 'https://help.example.com'], {
    cwd: folder,
  });
  expect(code).toBe(0);
  expect(readFileSync(join(folder, 'dist/llms.txt'), 'utf8').split('\n', 1)).toEqual([`# ${name}`]);
});

describe('links to what a built site does not have', () => {
  const files = {
    'index.html': sitePage({
      title: 'Home',
      body: '<p><a href="/gone/#x">a</a> <a href="/gone/#x">a</a> <a href="guide.html">b</a> <a href="data.bin">c</a> <a href="https://example.com/x">d</a></p>',
    }),
    'guide.html': sitePage({ title: 'Guide', body: '<p>Text.</p>' }),
    'data.bin': 'x',
  };

  it.each([null, 'https://docs.example.com'])('are reported with page and target, at %s', async (siteUrl) => {
    const project = openSiteProject(files, { siteUrl });
    const source = await project.read();
    expect(source.problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'LINK_BROKEN: the link "/gone/#x" in index.html leads to no page and no file of the site',
    ]);
    const home = project.idOf('index.html');
    expect((await source.readBodies(home)).get('en')).toContain(
      `<a href="${siteUrl === null ? '' : 'https://docs.example.com/gone/#x'}">a</a>`,
    );
  });
});

it.each([
  ['#text', []],
  ['main', []],
  ['.nonsense', ['source.content: no page has .nonsense, so the main text was found without it']],
])('The report says if no page has the selector of source.content: %s', async (content, expected) => {
  const files = {
    'index.html': sitePage({ title: 'Home', body: '<p>One.</p>' }),
    'a.html': sitePage({ title: 'A', body: '<div id="text">Two.</div>' }),
  };
  const { problems } = await openSiteProject(files, { content }).read();
  expect(problems.map(({ message }) => message)).toEqual(expected);
});

it('names elements in the main text that are not published, with their text, but not menus and questions to the reader', async () => {
  const menus =
    '<nav aria-label="Breadcrumb"><a href="/">Home</a> How to oil the chain of a bike</nav><nav><h2>On this page</h2><a href="#a">Of one and two</a></nav><form class="feedback-form"><p>Did this page help you to repair it?</p></form><noscript><img src="/pixel.png" alt="a"></noscript>';
  const text = '<nav><p>Before you begin, read of <a href="/">brakes</a>.</p></nav>';
  const form = '<form><p>Choose the size of your <b>bike</b>.</p></form><template><p>A</p></template>';
  const files = {
    'index.html': sitePage({ title: 'Home', body: `<p>One.</p>${menus}${text}` }),
    'a.html': sitePage({
      title: 'A',
      body: `<p>Two.</p>${menus}${form}${text}<noscript><p>Allow scripts to see the table.</p></noscript>`,
    }),
  };
  const { problems } = await openSiteProject(files).read();
  expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual(
    [
      'index.html and 1 more: <nav> ("Before you begin, read of brakes.") is not published',
      'a.html: <noscript> ("Allow scripts to see the table.") is not published',
      'a.html: <form> ("Choose the size of your bike.") is not published',
      'a.html: <template> is not published',
    ].map((message) => `ELEMENT_DROPPED ${message}`),
  );
});

describe('what a built site publishes', () => {
  const outline = async (project: ReturnType<typeof openSiteProject>) => {
    const source = await project.read();
    const paths = source.knowledgeBase.articles.map(({ translations }) =>
      translations.map(({ language, sourcePath, title }) => `${language} ${sourcePath} ${title}`),
    );
    const skipped = [...source.knowledgeBase.excluded].map(
      ([id, reason]) => `${reason} ${project.fileOf(id)}`,
    );
    return { articles: paths.map((one) => one.join(', ')).sort(), skipped: skipped.sort(), source };
  };
  const text = '<p>Text of the page.</p>';
  const link = (rel: string, href: string, more = '') => `<link rel="${rel}" href="${href}"${more}>`;

  it('takes the URL of a page from its canonical URL, and the base path from it', async () => {
    const canonical = (path: string) => link('canonical', `https://docs.example.com/help/${path}`);
    const { articles } = await outline(
      openSiteProject({
        'index.html': sitePage({ title: 'Home', body: text, head: canonical('') }),
        'guide.html': sitePage({ title: 'Guide', body: text, head: canonical('guide') }),
        'parts/index.html': sitePage({ title: 'Parts', body: text, head: canonical('parts/') }),
      }),
    );
    expect(articles).toEqual(['en / Home', 'en /guide Guide', 'en /parts/ Parts']);
  });

  it.each([
    ['https://help.example.com', 'moves to another address'],
    ['https://docs.example.com/product', 'stays where it is'],
  ])('finds the files of a site that was made for /product, published at %s, which %s', async (siteUrl) => {
    const { source } = await outline(
      openSiteProject(
        {
          'index.html': sitePage({ title: 'Home', body: text, head: canonical('') }),
          'guide.html': sitePage({
            title: 'Guide',
            body: '<p><a href="/product/parts/#a">Parts</a> <img src="/product/img/a.png" alt="A"></p>',
            head: canonical('guide'),
          }),
          'parts/index.html': sitePage({ title: 'Parts', body: text, head: canonical('parts/') }),
          'img/a.png': '',
        },
        { siteUrl },
      ),
    );
    const { articles } = source.knowledgeBase;
    const idOf = (title: string) =>
      articles.find(({ translations }) => translations[0]?.title === title)?.id ?? '';
    const body = (await source.readBodies(idOf('Guide'))).get('en') ?? '';
    expect(body).toContain(`href="/article/${idOf('Parts')}#a"`);
    expect(body).toMatch(/src="[^"]*\/img\/a\.png"/);
    expect(body).not.toContain('product');

    function canonical(path: string): string {
      return link('canonical', `https://docs.example.com/product/${path}`);
    }
  });

  it('takes the URL of a page from links to it, also from navigations, and else the form that most pages have', async () => {
    const menu = '<nav><a href="/">Home</a><a href="/guide/start">Start</a><a href="/about">About</a></nav>';
    const page = (title: string, body: string) =>
      sitePage({ title, body }).replace('<body>', `<body>${menu}`);
    const { articles } = await outline(
      openSiteProject({
        'index.html': page('Home', '<p>Read <a href="/guide/parts">about parts</a>.</p>'),
        'guide/start.html': page(
          'Start',
          '<h2 id="a">A</h2><p>See <a href="#a">A</a> and <a href="#a">A</a>.</p>',
        ),
        'guide/parts.html': page('Parts', text),
        'about.html': page('About', text),
        'unlinked.html': page('Unlinked', text),
        'old.html': page('Old', '<p>No other page has <a href="/old.html">this form</a>.</p>'),
      }),
    );
    expect(articles).toEqual([
      ...['en / Home', 'en /about About', 'en /guide/parts Parts'],
      ...['en /guide/start Start', 'en /old.html Old', 'en /unlinked Unlinked'],
    ]);
  });

  it.each(['index.html', 'index.htm'])(
    'gives the page of %s at the top the URL /, also if links name the file',
    async (file) => {
      const body = `<p><a href="/guide/${file}">Guide</a> <a href="/${file}">Home</a></p>`;
      const { articles } = await outline(
        openSiteProject({
          [file]: sitePage({
            title: 'Home',
            body,
            head: link('canonical', `https://docs.example.com/${file}`),
          }),
          [`guide/${file}`]: sitePage({ title: 'Guide', body }),
        }),
      );
      expect(articles).toEqual(['en / Home', `en /guide/${file} Guide`]);
    },
  );

  it('takes dates from the sitemap, also of a site below a path', async () => {
    const project = openSiteProject({
      'guide.html': sitePage({
        title: 'Guide',
        body: text,
        head: link('canonical', 'https://docs.example.com/help/guide'),
      }),
      'sitemap.xml':
        '<urlset><url><loc>https://docs.example.com/help/guide</loc><lastmod>2026-03-01</lastmod></url></urlset>',
    });
    const [article] = (await project.read()).knowledgeBase.articles;
    expect(article?.updatedAt).toMatch(/^2026-03-01/);
  });

  it('takes the date that a page of a layout of its own shows as that of its last update', async () => {
    const shown =
      '<div class="last-updated-on">Last updated on <time datetime="2026-03-01T00:00:00.000Z">Mar 1, 2026</time></div>';
    const project = openSiteProject({ 'guide.html': sitePage({ title: 'Guide', body: shown + text }) });
    const [article] = (await project.read()).knowledgeBase.articles;
    expect(article?.updatedAt).toMatch(/^2026-03-01/);
  });

  it('joins translations that name each other with hreflang, and those in folders of languages', async () => {
    const alternates = (german: string) =>
      link('alternate', '/chain/', ' hreflang="en"') + link('alternate', german, ' hreflang="de"');
    const { articles } = await outline(
      openSiteProject({
        'chain/index.html': sitePage({ title: 'Chain', body: text, head: alternates('/kette/') }),
        'kette/index.html': sitePage({
          title: 'Kette',
          body: text,
          language: 'de',
          head: alternates('/kette/'),
        }),
        'bell.html': sitePage({ title: 'Bell', body: text }),
        'de/bell.html': sitePage({ title: 'Klingel', body: text, language: 'de' }),
      }),
    );
    expect(articles).toEqual([
      'en /bell.html Bell, de /de/bell.html Klingel',
      'en /chain/ Chain, de /kette/ Kette',
    ]);
  });

  it('counts every page that is not published by its reason', async () => {
    const { articles, skipped, source } = await outline(
      openSiteProject({
        'a.html': sitePage({ title: 'A', body: text }),
        'a/index.html': sitePage({ title: 'A', body: text }),
        'old/a.html': sitePage({ title: 'A 1.0', body: text, head: link('canonical', '/a.html') }),
        'secret.html': sitePage({ title: 'S', body: text, isHidden: true }),
        'tags/index.html': sitePage({ title: 'Tags', body: '<ul><li><a href="/a.html">A</a></li></ul>' }),
        'tags/bell/index.html': `<body class="td-term"><main class="td-content"><h1>Bell</h1><h5><a href="/a.html">A</a></h5>${text}${text}</main>`,
        'de/a.html': sitePage({
          title: 'A',
          body: `<div lang="en" data-lectern-body>${text}</div>`,
          language: 'de',
        }),
        'app.html': '<div id="app"></div><script src="/app.js"></script>',
        'move.html': '<meta http-equiv="refresh" content="0;url=a.html">',
        '404.html': sitePage({ title: '404', body: text }),
      }),
    );
    expect(articles).toEqual(['en /a.html A']);
    expect(skipped).toEqual([
      'copy a/index.html',
      'copy de/a.html',
      'copy old/a.html',
      'listing tags/bell/index.html',
      'listing tags/index.html',
      'no-content app.html',
      'noindex secret.html',
      'not-found 404.html',
      'redirect move.html',
    ]);
    const messages = source.problems.map(({ code, message }) => `${code} ${message}`);
    expect(messages).toEqual([
      'MAIN_TEXT_UNKNOWN app.html is not published: a script writes its text in the browser; build the site so that its pages contain their text',
    ]);
  });

  it('names a page without a heading by the title in its head, without the name of the site', async () => {
    const page = (title: string, top: string) =>
      `<html lang="en"><head><title>${title} - Bikes</title></head><body><div id="body-container"><h1 class="menu-title">Bikes</h1><div id="content"><main>${top}${text}</main></div></div></body></html>`;
    const { articles } = await outline(
      openSiteProject({
        'bell.html': page('Ring - a bell', '<h2>Bell</h2>'),
        'chain.html': page('Chain', '<h1>The chain</h1>'),
        'wheel.html': page('Wheel', '<h1>The wheel</h1>'),
        'about.html': '<html lang="en"><head><title>About - us</title></head><body><main>'.concat(
          text,
          '</main>',
        ),
      }),
    );
    expect(articles).toEqual([
      'en /about.html About - us',
      'en /bell.html Ring - a bell',
      'en /chain.html The chain',
      'en /wheel.html The wheel',
    ]);
  });

  it.each([
    ['a name of the site with a separator', ['A - Docs | Acme', 'B - Docs | Acme', 'C - Docs | Acme'], 'C'],
    ['a section that most pages have', ['A - Docs | Acme', 'B - Docs | Acme', 'C | Acme'], 'C'],
    [
      'a name in each language',
      ['A | Acme', 'B | Acme', 'C | Acme', 'de:D | Höhe', 'de:E | Höhe', 'de:F | Höhe'],
      'F',
    ],
    ['a name that another language has, too', ['A | Acme', 'B | Acme', 'C | Acme', 'de:D | Acme'], 'D'],
    ['what headings have, too', ['=A - Linux', '=B - Linux', 'C - Linux'], 'C - Linux'],
  ])('names a page without a heading by its head, with %s', async (_what, titles, expected) => {
    const files = titles.map((whole, at) => {
      const [, language = 'en', isHeading, title] = /^(?:(\w\w):)?(=?)(.*)$/.exec(whole) ?? [];
      const body = isHeading ? `<h1>${title}</h1>${text}` : text;
      const html = `<html lang="${language}"><title>${title}</title><body><main>${body}</main>`;
      return [`${language}/${at}.html`, html] as const;
    });
    const { articles } = await outline(openSiteProject(Object.fromEntries(files)));
    expect(articles.map((one) => one.split('.html ')[1])).toContain(expected);
  });

  it('takes no name of the site for the title of its pages, and no link past the navigation for text', async () => {
    const layout = (title: string, head: string, body: string) =>
      `<html lang="en"><title>${title} · Bikes</title><body><a href="#c">Skip to content</a>${head}<div id="c">${body}</div>`;
    const linked = '<h1><a href="/">Bikes</a></h1>';
    const inHeader = `<header>${linked}<p>All about them.</p></header>`;
    const project = openSiteProject({
      'index.html': layout('Home', inHeader, text),
      'a.html': layout('Start', inHeader, `<h1>Brakes</h1><h1>Pads</h1>${text}`),
      'b.html': layout('Chain', inHeader, text),
      'c.html': layout('Start', `<div>${linked}</div>`, `<h1>Wheels</h1>${text}`),
      'd.html': layout('Start', '<header><h1>Lights</h1></header>', `<h1>Front</h1>${text}`),
    });
    const { articles, source } = await outline(project);
    expect(articles).toEqual([
      'en / Home',
      'en /a.html Brakes',
      'en /b.html Chain',
      'en /c.html Wheels',
      'en /d.html Lights',
    ]);
    const bodies = ['a', 'b', 'c', 'd'].map((name) => source.readBodies(project.idOf(`${name}.html`)));
    const texts = (await Promise.all(bodies)).map((body) =>
      body
        .get('en')
        ?.replace(/<[^>]+>/g, ' ')
        .trim(),
    );
    expect(texts.map((one) => one?.split(/\s{2,}/).join(' / '))).toEqual([
      'Pads / Text of the page.',
      'Text of the page.',
      'Text of the page.',
      'Front / Text of the page.',
    ]);
  });

  it('takes a heading with a link home in its text for the title of its page', async () => {
    const files = {
      'a.html': `<html lang="en"><title>Home</title><body><h1>Welcome to <a href="/">Bikes</a> help</h1>${text}`,
    };
    expect((await outline(openSiteProject(files))).articles).toEqual(['en /a.html Welcome to Bikes help']);
  });

  it('keeps a link at the start of a page that begins a sentence or a list of links', async () => {
    const page = (body: string) => `<html lang="en"><title>A</title><body>${body}<p id="b">Text.</p>`;
    const project = openSiteProject({
      'a.html': page('See <a href="#b">below</a> for more.'),
      'b.html': page('<a href="#b">One</a><br><a href="#c">Two</a>'),
    });
    const { source } = await outline(project);
    expect((await source.readBodies(project.idOf('a.html'))).get('en')).toContain('>below</a>');
    expect((await source.readBodies(project.idOf('b.html'))).get('en')).toContain('>One</a>');
  });

  it('names a page without any title by its first heading', async () => {
    const page = (body: string) => `<html lang="en"><body><main>${body}</main></body></html>`;
    const { articles, source } = await outline(
      openSiteProject({
        'bell.html': page(
          `<section id="bell"><h2>Bell <a href="#bell">#</a></h2>${text}<h2>Use</h2>${text}</section>`,
        ),
        'chain.html': page(`<p>Intro.</p><h3 id="oil">Oil</h3>${text}`),
      }),
    );
    expect(articles).toEqual(['en /bell.html Bell', 'en /chain.html Oil']);
    const bodies = await Promise.all(
      source.knowledgeBase.articles.map(async ({ id }) => (await source.readBodies(id)).get('en')),
    );
    expect(bodies.sort()).toEqual([
      `<p>Intro.</p><h3 id="oil">Oil</h3>${text}`,
      `<section><span id="bell"></span>${text}<h2>Use</h2>${text}</section>`,
    ]);
  });

  it('lists pages in the order of the navigation, of which each page may show only a part', async () => {
    const guide =
      '<nav class="side"><a href="/guide/">Guide</a><a href="/guide/z.html">Z</a><a href="/guide/a.html">A</a><a href="/bell.html">Bell</a></nav>';
    const whole =
      '<nav class="side"><a href="/guide/">Guide</a><a href="/bell.html">Bell</a><a href="/about.html">About</a></nav>';
    const { source, articles } = await outline(
      openSiteProject({
        'about.html': sitePage({ title: 'About', body: text }).replace('<main>', `${whole}<main>`),
        'bell.html': sitePage({ title: 'Bell', body: text }),
        'guide/index.html': sitePage({ title: 'Guide', body: text }),
        'guide/a.html': sitePage({ title: 'A', body: text }).replace('<main>', `${guide}<main>`),
        'guide/z.html': sitePage({ title: 'Z', body: text }),
      }),
    );
    expect(articles).toHaveLength(5);
    const placed = source.knowledgeBase.articles.map(
      ({ sortOrder, translations: [one] }) => [sortOrder, one?.title] as const,
    );
    const sorted = placed.sort(([a], [b]) => (a ?? 99) - (b ?? 99)).map(([, title]) => title);
    expect(sorted).toEqual(['Guide', 'Z', 'A', 'Bell', 'About']);
  });

  it('reads an edited page again, and pages that link to a new one', async () => {
    const project = openSiteProject({
      'a.html': sitePage({ title: 'A', body: '<p>See <a href="/b.html">B</a>.</p>' }),
      'c.html': sitePage({ title: 'C', body: text }),
    });
    const bodyOf = async (file: string) => {
      const { readBodies, stats } = await project.read();
      return [stats.mode, (await readBodies(project.idOf(file))).get('en')];
    };
    expect(await bodyOf('a.html')).toEqual(['full', '<p>See <a href="">B</a>.</p>']);
    project.write({ 'b.html': sitePage({ title: 'B', body: text }) });
    const [mode, body] = await bodyOf('a.html');
    expect(mode).toBe('incremental');
    expect(body).toBe(`<p>See <a href="/article/${project.idOf('b.html')}">B</a>.</p>`);
    project.write({ 'c.html': sitePage({ title: 'C', body: '<p>Edited.</p>' }) });
    expect(await bodyOf('c.html')).toEqual(['incremental', '<p>Edited.</p>']);
  });

  it('takes the footnotes of Sphinx for no callouts', async () => {
    const note = '<aside class="footnote brackets" id="id1" role="note"><p>A note.</p></aside>';
    const { idOf, read } = openSiteProject({
      'index.html': sitePage({
        title: 'Bikes',
        body: `<p>Text.</p>${note}<div role="note"><p>A box.</p></div>`,
      }),
    });
    const { readBodies } = await read();
    const body = (await readBodies(idOf('index.html'))).get('en') ?? '';
    expect(body.match(/class="callout/g)).toHaveLength(1);
    expect(body).toContain('A note.');
  });

  it('leaves out the menus beside the text of a page that no element names', async () => {
    const menu = ['Alpha', 'Beta', 'Gamma']
      .map((one) => `<li><a href="/${one}.html">${one}</a></li>`)
      .join('');
    const site = openSiteProject({
      'a.html': `<html lang="en"><head><title>A</title></head><body><div class="top"><ul>${menu}</ul></div><table><tr><td>${menu}</td><td>
<h1>A</h1><p>A long text with many words about chains and brakes.</p><ul>${menu}</ul><div><h2>More</h2><p>Short.</p></div></td></tr></table><p>Imprint</p></body></html>`,
    });
    const source = await site.read();
    const body = (await source.readBodies(site.idOf('a.html'))).get('en') ?? '';
    expect(
      body
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ).toBe('A long text with many words about chains and brakes. Alpha Beta Gamma More Short. Imprint');
  });

  it('says that scripts make its pages, and counts documents in other formats but not the Markdown copies of its pages', async () => {
    const site = openSiteProject({
      'index.html':
        '<html><head><title>x</title><script src="a.js"></script></head><body><div id="root"></div></body></html>',
    });
    await expect(site.read()).rejects.toMatchObject({
      code: 'NOTHING_TO_PUBLISH',
      message:
        'the only page of the site has no text: index.html is not published: a script writes its text in the browser; build the site so that its pages contain their text',
    });
    site.write({
      'index.html': sitePage({ title: 'Home', body: '<p>Text.</p>' }),
      'index.html.md': 'Text.',
      'notes/a.md': '# A',
      'b.rst': 'B',
    });
    expect((await site.read()).stats.unread).toEqual({ '*.md': 1, '*.rst': 1 });
  });
});
