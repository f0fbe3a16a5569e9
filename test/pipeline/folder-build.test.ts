import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UserConfig } from '../../src/core/config/schema.ts';
import type { BuildReport } from '../../src/core/report.ts';
import { createFolderReader as openFeedFolder } from '../../src/feed/read/feed-reader.ts';
import { verifyFeed } from '../../src/feed/verify/verify-feed.ts';
import { build } from '../../src/pipeline/library-build.ts';
import { png } from '../site/media/images.ts';
import { recordsIn } from '../support/feed-records.ts';
import { findBrokenLinks } from '../support/find-broken-links.ts';
import { layouts, page, type Tree, writeTree } from '../support/folder-layouts.ts';
import { readTree } from '../support/read-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const siteUrl = 'https://help.example.com';

/** A project whose articles are a folder, built as the library does it: without key and server. */
function openProject(files: Tree) {
  const folder = temporaryFolder();
  writeTree(join(folder, 'kb'), files);
  return {
    folder,
    out: join(folder, 'dist'),
    build: (config: UserConfig = {}, options: { offline?: boolean } = {}): Promise<BuildReport> =>
      build(
        { siteUrl, source: { kind: 'folder', path: './kb' }, ...config },
        { folder, apiKey: '', ...options },
      ),
  };
}

describe.each(Object.entries(layouts))('a build of a folder of %s', (_name, files) => {
  it('publishes pages and a feed that verify, with copies of its images, and nothing hidden', async () => {
    const project = openProject(files);
    const report = await project.build();
    expect(report.articles).toBeGreaterThan(1);
    const tree = await readTree(project.out);
    expect(findBrokenLinks(tree, siteUrl)).toEqual([]);
    const feed = openFeedFolder(project.out);
    const verified = await verifyFeed(feed.read, [...tree.keys()]);
    expect(verified.findings).toEqual([]);
    expect([...tree.keys()].filter((path) => path.startsWith('assets/media/')).length).toBeGreaterThan(0);
    for (const [path, bytes] of tree) {
      const text = bytes.toString();
      for (const word of ['TOPSECRET', 'folder.invalid'])
        expect([path, text.includes(word)]).toEqual([path, false]);
    }
  });
});

describe('site.public and the folder of the source', () => {
  const draft = '---\ndraft: true\n---\n# D\n\nTOPSECRET';
  const pulled = '---\narticle_id: a123456789\ntitle: D\nis_published: false\n---\nTOPSECRET';
  const refused = (message: string) => ({
    code: 'CONFIG_INVALID',
    exitCode: 2,
    message: expect.stringContaining(message),
  });

  it.each([
    ['kb', 'site.public, kb, is the folder of the source'],
    ['./kb/', 'site.public, ./kb/, is the folder of the source'],
    ['.', 'has the folder of the source, ./kb, inside'],
    ['linked', 'is the folder of the source'],
    ['around', 'has the folder of the source, ./kb, inside'],
    ['kb/guides', 'is inside the folder of the source, ./kb, and has a page of it, guides/d.md'],
  ])('are refused if drafts would be published as they are: %s', async (path, message) => {
    const { folder, out, build } = openProject({ 'a.md': '# A', 'd.md': draft, 'guides/d.md': draft });
    symlinkSync('kb', join(folder, 'linked'));
    symlinkSync('.', join(folder, 'around'));
    await expect(build({ site: { public: path } })).rejects.toMatchObject(refused(message));
    expect(existsSync(out)).toBe(false);
  });

  it.each(['auto', 'pulled'] as const)('are refused for a pulled folder, layout %s', async (layout) => {
    const { build } = openProject({ 'articles/d/en.md': pulled, 'articles/e/en.html': pulled });
    const source = { kind: 'folder', path: './kb', layout } as const;
    await expect(build({ source, site: { public: 'kb' } })).rejects.toMatchObject(refused('is the folder'));
    const nested = build({ source, site: { public: 'kb/articles/e' } });
    await expect(nested).rejects.toMatchObject(refused('has a page of it, articles/e/en.html'));
  });

  it('may be inside each other if no page of the source is published as it is', async () => {
    const { folder, build } = openProject({
      'a.md': '# A\n\nText.',
      'public/logo.svg': '<svg/>',
      'public/README.md': '# R',
    });
    await build({ site: { public: 'kb/public' } });
    expect(existsSync(join(folder, 'dist/logo.svg'))).toBe(true);
    const whole = { source: { kind: 'folder', path: '.' }, out: 'public', site: {} } as const;
    await build(whole);
    await build(whole);
  });
});

describe('a build of a folder', () => {
  it('has a page in the feed that no list of the site shows', async () => {
    const project = openProject({
      'guide/a.md': '# A\n\nOne.\n',
      'guide/b.md': '---\nnav_exclude: true\n---\n\n# B\n\nTwo.\n',
      'z.md': '# Z\n\nThree.\n',
    });
    await project.build();
    const read = openFeedFolder(project.out).read;
    expect((await verifyFeed(read)).findings).toEqual([]);
    expect(readFileSync(join(project.out, 'feed/en/documents.jsonl'), 'utf8')).toContain('Two.');
    const list = readFileSync(join(project.out, 'llms.txt'), 'utf8');
    expect(list.match(/^## .*|\[\w\]/gm)).toEqual([
      '## Guide',
      '[A]',
      '[B]',
      '## More articles',
      '[Z]',
      '## Optional',
    ]);
  });

  it('counts what the folder has, and what it did not read, also if nothing else changed', async () => {
    const posts = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`_posts/${at}.md`, '# Post']));
    const project = openProject({ 'a.md': '# A\n\nText.', 'b.md': '---\ndraft: true\n---\n# B', ...posts });
    const { seen, articles, unread } = await project.build();
    expect({ seen, articles, unread }).toEqual({ seen: 2, articles: 1, unread: { '_posts/**': 30 } });
    rmSync(join(project.folder, 'kb/_posts/1.md'));
    writeFileSync(join(project.folder, 'kb/c.rst'), 'C\n=');
    expect((await project.build()).unread).toEqual({ '_posts/**': 29, '*.rst': 1 });
    expect((await project.build({}, { offline: true })).unread).toEqual({ '_posts/**': 29, '*.rst': 1 });
  });

  it('leaves the output as it is if a file is new that it does not read', async () => {
    const project = openProject({ 'a.md': '# A\n\n[B](b.md)', 'b.md': '# B\n\nText.' });
    await project.build();
    const { ino } = statSync(project.out);
    writeFileSync(join(project.folder, 'kb/c.rst'), 'C\n=');
    expect((await project.build()).unread).toEqual({ '*.rst': 1 });
    expect(statSync(project.out).ino).toBe(ino);
  });

  it('lists in each language its own articles if the languages have other file names, and shared ones in both', async () => {
    const text = (title: string): string => `# ${title}\n\nText of ${title}.`;
    const project = openProject({
      'en/guides/install.md': text('Install'),
      'en/both.md': text('Both'),
      'de/anleitungen/einrichten.md': text('Einrichten'),
      'de/both.md': text('Beides'),
    });
    await project.build();
    const shown = (path: string): readonly string[] => {
      const html = readFileSync(join(project.out, path), 'utf8').replace(/<head>[\s\S]*<\/head>/, '');
      return ['Install', 'Both', 'Guides', 'Einrichten', 'Beides', 'Anleitungen'].filter((word) =>
        html.includes(`>${word}<`),
      );
    };
    const english = ['Install', 'Both', 'Guides'];
    const german = ['Einrichten', 'Beides', 'Anleitungen'];
    expect({ en: shown('en/index.html'), de: shown('de/index.html') }).toEqual({ en: english, de: german });
    expect(existsSync(join(project.out, 'anleitungen/index.html'))).toBe(false);
    const anleitungen = readFileSync(join(project.out, 'de/anleitungen/index.html'), 'utf8');
    expect(anleitungen).toContain('<h1>Anleitungen</h1>');
    // An article that is not translated yet, among others that are.
    writeTree(join(project.folder, 'kb'), {
      'de/guides/install.md': text('Installieren'),
      'de/more.md': text('Mehr'),
      'en/more.md': text('More'),
      'en/new.md': text('Brand-new'),
    });
    await project.build();
    expect(readFileSync(join(project.out, 'de/index/index.html'), 'utf8')).toContain('Installieren');
    const home = readFileSync(join(project.out, 'de/index.html'), 'utf8');
    expect(home).toMatch(/<a href="\/en\/new\/" lang="en"[^>]*>Brand-new</);
    expect(readFileSync(join(project.out, 'en/index.html'), 'utf8')).not.toContain('Einrichten');
  });

  it('publishes the videos and sounds of the folder, and names those that it cannot publish', async () => {
    const project = openProject({
      'a.md': '# A\n\nText.\n\n<video src="tour.mp4" controls></video>',
      'sub/b.md': '# B\n\nText.\n\n<audio controls><source src="../bell.mp3"></audio>',
      'sub/c.md':
        '# C\n\nText.\n\n<video src="film.xyz"></video>\n\n<video src="gone.mp4"></video>\n\n<audio></audio>',
      'tour.mp4': 'film',
      'bell.mp3': 'sound',
      'sub/film.xyz': 'film',
    });
    const { problems } = await project.build();
    const read = (path: string): string => readFileSync(join(project.out, path), 'utf8');
    const sources = ['a', 'sub/b', 'sub/c'].map(
      (path) => /<(?:video|audio) [^>]*src="(.*?)"/.exec(read(`${path}/index.html`))?.[1],
    );
    expect(sources).toEqual([
      expect.stringMatching(/^\/assets\/files\/\w+\/tour\.mp4$/),
      expect.stringMatching(/^\/assets\/files\/\w+\/bell\.mp3$/),
      undefined,
    ]);
    expect(read(sources[0] ?? '')).toBe('film');
    expect(problems.map(({ message, line }) => [message, line])).toEqual([
      ['a video without a publishable URL was removed', null],
      ['an audio without a publishable URL was removed', null],
      [
        'the file "sub/film.xyz" has a type that is not published; to publish it, add "xyz" to media.attachments',
        5,
      ],
      ['the link "gone.mp4" in sub/c.md points to a file that does not exist', 7],
    ]);
  });

  it('looks for no heading in the files that pages link to', async () => {
    const project = openProject({
      'a.md': '# A\n\n[page 2](manual.pdf#page=2) and [a heading](b.md#gone)',
      'b.md': '# B\n\nText.',
      'manual.pdf': '%PDF-1.4',
    });
    const { problems } = await project.build();
    expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'ANCHOR_MISSING: the link "b.md#gone" names an anchor that the page does not have',
    ]);
    expect(readFileSync(join(project.out, 'a/index.html'), 'utf8')).toContain('/manual.pdf#page=2"');
  });

  it('names file and line of every problem, also of those found while pages are rendered', async () => {
    const project = openProject({
      'a.md':
        '---\ntitle: A\n---\n\nSee [B](b.md#gone).\n\n[No](missing.md)\n\n<a href="javascript:alert(1)">x</a>\n',
      'b.md': '# B\n\n## Here\n\nText.',
      'broken.md': '---\ntitle: Foo: bar\n---\n',
    });
    const { problems } = await project.build();
    expect(problems.map(({ code, file, line, title }) => [code, file, line, title])).toEqual([
      ['FILE_SKIPPED', 'kb/broken.md', 2, null],
      ['ANCHOR_MISSING', 'kb/a.md', 5, 'A'],
      ['LINK_BROKEN', 'kb/a.md', 7, 'A'],
      ['LINK_BROKEN', 'kb/a.md', 9, 'A'],
    ]);
    expect(problems[1]?.message).toBe('the link "b.md#gone" names an anchor that the page does not have');
    const offline = await project.build({ site: { title: 'Another' } }, { offline: true });
    expect(offline.problems).toEqual(problems);
  });

  it('names the file that a link to a hidden page leads to, also from the snapshot', async () => {
    const project = openProject({
      'a.md': '# A\n\nSee [B](b.md#x).\n\nAnd [C](./c/).\n\n[ref]: b.md\n\nAnd [ref].',
      'b.md': page('draft: true', 'TOPSECRET'),
      'c/index.md': page('draft: true', 'TOPSECRET'),
    });
    const { problems } = await project.build();
    expect(problems.map(({ code, file, line, message }) => [code, file, line, message])).toEqual([
      ['LINK_TO_HIDDEN', 'kb/a.md', 3, 'a link points to kb/b.md, which is not public (draft)'],
      ['LINK_TO_HIDDEN', 'kb/a.md', 5, 'a link points to kb/c/index.md, which is not public (draft)'],
    ]);
    const offline = await project.build({ site: { title: 'Another' } }, { offline: true });
    expect(offline.problems).toEqual(problems);
  });

  it('names every file that it does not publish, with the reason, also from the snapshot', async () => {
    const project = openProject({
      'a.md': '# A\n\nText.',
      'a.de.md': page('title: A\ndraft: true', 'Text.'),
      'b.md': page('title: B\ndraft: true', 'Text.'),
      'broken.md': '---\ntitle: [\n---\nx',
      'empty.md': '# Empty',
    });
    const { skipped, excluded, hiddenTranslations } = await project.build();
    expect(skipped.map(({ file, language, reason }) => [file, language, reason])).toEqual([
      ['kb/b.md', null, 'draft'],
      ['kb/a.de.md', 'de', 'hidden-translation'],
      ['kb/broken.md', null, 'invalid'],
      ['kb/empty.md', null, 'no-content'],
    ]);
    expect([excluded, hiddenTranslations]).toEqual([{ draft: 1, invalid: 1, 'no-content': 1 }, 1]);
    const offline = await project.build({ site: { title: 'Another' } }, { offline: true });
    expect(offline.skipped).toEqual(skipped);
  });

  it('reports the URLs that the feed has without their credentials', async () => {
    const link = '[Open](https://example.com/reset?token=TOKEN&a=1)';
    const project = openProject({
      'a.md': `# A\n\n${link}`,
      'a.de.md': '# A\n\n[Auf](https://example.com/?a=1)',
    });
    const { problems } = await project.build({ source: { kind: 'folder', path: './kb', locales: ['de'] } });
    expect(problems.filter(({ code }) => code === 'FEED_URL_CHANGED')).toMatchObject([
      {
        severity: 'info',
        articleId: expect.stringMatching(/^\w{10}$/),
        language: 'en',
        message: 'in the feed, https://example.com/reset?a=1 lost its credentials',
      },
    ]);
  });

  it('has no soft hyphen in the records of the feed', async () => {
    const project = openProject({
      'guides/index.md': page('title: "Hand\u00adbooks"', ''),
      'guides/a.md': page(
        'title: "Pass\u00adword"\ntags: ["log\u00adin"]\ndescription: "How\u00adto"',
        '## Re\u00adset\n\nThe pass\u00adword.',
      ),
    });
    await project.build();
    const tree = await readTree(project.out);
    const withHyphens = [...tree]
      .filter(([, bytes]) => bytes.toString().includes('\u00ad'))
      .map(([path]) => path);
    expect(withHyphens.filter((path) => /^feed\/|\.(?:md|txt)$/.test(path))).toEqual([]);
    expect(withHyphens.some((path) => path.endsWith('/index.html'))).toBe(true);
  });

  it('lists no heading of nothing but soft hyphens in the feed, as it is not in the Markdown', async () => {
    const project = openProject({ 'a.md': '# A\n\n## \u00ad\n\nText.\n\n## B\n\nMore.' });
    await project.build();
    const verified = await verifyFeed(openFeedFolder(project.out).read);
    expect(verified.findings).toEqual([]);
  });

  it('has nothing to do while no file changes, and renders one page for one edit', async () => {
    const project = openProject(layouts.plain);
    await project.build();
    expect((await project.build()).renderedPages).toBe(0);
    expect((await project.build({}, { offline: true })).renderedPages).toBe(0);
    const file = join(project.folder, 'kb/basics/brakes.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Turn.', 'Turn twice.'));
    const report = await project.build();
    expect(report.changes).toBe(1);
    const tree = await readTree(project.out);
    expect([...tree].some(([path, bytes]) => path.endsWith('.html') && bytes.includes('Turn twice.'))).toBe(
      true,
    );
  });

  it('takes an image that changed though no page did', async () => {
    const project = openProject(layouts.plain);
    await project.build();
    const images = async () =>
      [...(await readTree(project.out)).keys()].filter((path) => path.startsWith('assets/media/'));
    const before = await images();
    writeFileSync(join(project.folder, 'kb/basics/img/oil.png'), png(40, 40));
    await project.build();
    expect(await images()).toHaveLength(1);
    expect(await images()).not.toEqual(before);
  });

  it('copies linked files of kinds that are published, and unlinks others', async () => {
    const project = openProject({
      'a.md': '# A\n\n[manual](files/manual.pdf) [settings](files/settings.env) [nothing](.env)',
      'files/manual.pdf': '%PDF-1.7',
      'files/settings.env': 'TOPSECRET',
      '.env': 'TOPSECRET',
    });
    const report = await project.build();
    const tree = await readTree(project.out);
    expect([...tree.keys()].filter((path) => path.startsWith('assets/files/'))).toEqual([
      expect.stringMatching(/\/manual\.pdf$/),
    ]);
    expect(
      report.problems
        .filter(({ code }) => code === 'LINK_BROKEN')
        .map(({ message }) => message)
        .sort(),
    ).toEqual([
      'the file "files/settings.env" has a type that is not published; to publish it, add "env" to media.attachments',
      'the link ".env" in a.md points to a file that is hidden, because its name begins with a dot',
    ]);
  });

  it('copies linked files with the endings that the settings add', async () => {
    const project = openProject({
      'a.md': '# A\n\n[schema](files/schema.json) [manual](files/manual.pdf)',
      'files/schema.json': '{"type":"object"}',
      'files/manual.pdf': '%PDF-1.7',
    });
    const report = await project.build({ media: { attachments: ['json'] } });
    expect(report.problems.filter(({ code }) => code === 'LINK_BROKEN')).toEqual([]);
    const files = [...(await readTree(project.out)).keys()].filter((path) =>
      path.startsWith('assets/files/'),
    );
    expect(files.map((path) => path.replace(/.*\//, '')).sort()).toEqual(['manual.pdf', 'schema.json']);
  });

  it('publishes no URL of the folder if a file is not an image, or too large', async () => {
    const project = openProject({
      'a.md': '# A\n\n![one](fake.png) ![two](large.png) [three](large.pdf)\n\nText.',
      'fake.png': 'TOPSECRET',
      'large.png': png(9, 9),
      'large.pdf': '',
    });
    for (const name of ['large.png', 'large.pdf']) truncateSync(join(project.folder, 'kb', name), 25_000_001);
    const report = await project.build();
    expect(report.problems.map(({ code, message }) => `${code} ${message}`).sort()).toEqual([
      'IMAGE_REFUSED the image "fake.png" cannot be published: it is not a PNG, JPEG, GIF, WebP, AVIF or SVG image',
      'IMAGE_REFUSED the image "large.png" cannot be published: the file has 25000001 bytes; the limit is 25000000',
      'LINK_BROKEN the file "large.pdf" cannot be published: the file has 25000001 bytes; the limit is 25000000',
    ]);
    for (const [path, bytes] of await readTree(project.out)) {
      const text = bytes.toString();
      for (const word of ['TOPSECRET', 'folder.invalid'])
        expect([path, text.includes(word)]).toEqual([path, false]);
    }
  });

  it('says of each language when it was edited', async () => {
    const project = openProject({
      'basics/chain.md': page('title: Oil the chain\nlastmod: 2026-03-01', 'One drop.'),
      'basics/chain.de.md': page('title: Kette ölen\nlastmod: 2026-04-01', 'Ein Tropfen.'),
    });
    await project.build();
    const tree = await readTree(project.out);
    const sitemap = (language: string) => tree.get(`sitemaps/${language}.xml`)?.toString() ?? '';
    expect(sitemap('en')).toMatch(/\/chain\/<\/loc><lastmod>2026-03-01/);
    expect(sitemap('de')).toMatch(/\/chain\/<\/loc><lastmod>2026-04-01/);
    const german = tree.get('de/basics/chain/index.html');
    expect(german?.toString()).toContain('"dateModified":"2026-04-01T00:00:00.000Z"');
  });

  it('may contain its own output, which is not read', async () => {
    const project = openProject({});
    writeTree(project.folder, { 'a.md': '# A\n\nText.' });
    const here = { source: { kind: 'folder', path: '.' } } as const;
    expect((await project.build(here)).problems).toEqual([]);
    expect((await project.build(here)).renderedPages).toBe(0);
  });

  it('may contain the output of a build with another --out, which is not read either', async () => {
    const project = openProject({ 'a.md': '# A\n\nText.' });
    const source = { kind: 'folder', path: '.' } as const;
    await project.build({ source, out: 'try' });
    const { articles, problems } = await project.build({ source, out: 'kb/dist' });
    expect([articles, problems.filter(({ file }) => file !== null)]).toEqual([1, []]);
  });

  it('sanitises HTML and links in Markdown', async () => {
    const project = openProject({
      'a.md': '# A\n\nText <img src="x.png" alt="" onerror="alert(2)"> [x](javascript:alert(3))',
      'x.png': png(9, 9),
    });
    await project.build();
    const pages = [...(await readTree(project.out))].filter(([path]) => path === 'a/index.html');
    expect(pages).toHaveLength(1);
    const [[, page] = []] = pages;
    expect(page?.toString()).toMatch(/<p>Text <img [^>]*> x<\/p>/);
    expect(page?.toString()).not.toMatch(/alert\(|onerror/);
  });
});

describe('addresses of the pages of a folder', () => {
  const addressesOf = async (files: Tree, config: UserConfig = {}) => {
    const project = openProject(files);
    const { problems } = await project.build(config);
    const text = (await readTree(project.out)).get('feed/en/documents.jsonl')?.toString() ?? '';
    const urls = recordsIn<{ url: string }>(text).map(({ url }) => new URL(url).pathname);
    return { urls: urls.sort(), problems };
  };

  it('are the paths of its files, unless the configuration says otherwise', async () => {
    const files = {
      'accounts/index.md': '# Accounts',
      'accounts/password.md': '# Password\n\nText.',
      'start.md': '# Start\n\nText.',
    };
    expect((await addressesOf(files)).urls).toEqual(['/accounts/password/', '/start/']);
    const urls = { article: '{lang}/{slug}' };
    expect((await addressesOf(files, { urls })).urls).toEqual(['/en/password/', '/en/start/']);
  });

  it('keep signs that a slug cannot have, and name in the report the files whose path has others', async () => {
    const text = '# Title\n\nText.';
    const files = {
      'set_up/v2.0.md': text,
      'set_up/a b.md': text,
      'set_up/x_y.html': '---\nurl: /x_y.html\n---\nText',
    };
    const { urls, problems } = await addressesOf(files);
    expect(urls).toEqual(['/set_up/a-b/', '/set_up/v2.0/', '/x_y.html']);
    expect(problems).toMatchObject([{ code: 'SLUG_REPLACED', file: 'kb/set_up/a b.md' }]);
  });

  it('make the index of each language its home page, with the topics below its text', async () => {
    const project = openProject({
      'index.md': '# Bikes\n\nThey have two wheels.',
      'de/index.md': '# Räder\n\nSie haben zwei.',
      'care/chain.md': '# Chain\n\nOil it.',
    });
    const { problems } = await project.build({ source: { kind: 'folder', path: 'kb', locales: ['de'] } });
    const tree = await readTree(project.out);
    const home = tree.get('index.html')?.toString() ?? '';
    expect(home).toContain('<h1>Bikes</h1>');
    expect(home).toMatch(/They have two wheels\..*<h2>Topics<\/h2>.*href="\/care\/chain\/"/s);
    expect(tree.get('de/index.html')?.toString()).toContain('<h1>Räder</h1>');
    expect([...tree.keys()].filter((path) => /^(?:en|bikes)\/index\.html$/.test(path))).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('name a home page that an author wrote as a translation of no other home page, but in the language menu', async () => {
    const project = openProject({
      'index.md': '# Bikes\n\nThey have two wheels.',
      'care/chain.md': '# Chain\n\nOil it.',
      'de/care/chain.md': '# Kette\n\nÖlen.',
      'fr/care/chain.md': '# Chaîne\n\nHuiler.',
    });
    await project.build({ source: { kind: 'folder', path: 'kb', locales: ['de', 'fr'] } });
    const tree = await readTree(project.out);
    const alternates = (path: string) =>
      [...(tree.get(path)?.toString() ?? '').matchAll(/<link rel="alternate"[^>]*hreflang="([^"]+)"/g)].map(
        ([, language]) => language,
      );
    expect(alternates('index.html')).toEqual([]);
    expect(alternates('de/index.html')).toEqual(['de', 'fr', 'x-default']);
    expect(alternates('fr/index.html')).toEqual(['de', 'fr', 'x-default']);
    const menu = /<details class="languages">.*?<\/details>/s.exec(
      tree.get('de/index.html')?.toString() ?? '',
    );
    expect(menu?.[0]).toMatch(/<a href="\/"[^>]*hreflang="en"[^>]*>English/);
  });

  it('of categories are in no language those of the page of their folder, if each language has a folder', async () => {
    const texts = (language: string) => ({
      [`${language}/guide/index.md`]: `# Guide ${language}\n\nText.`,
      [`${language}/guide/a.md`]: `# A ${language}\n\nText.`,
    });
    const project = openProject({ ...texts('en'), ...texts('de') });
    expect((await project.build()).problems).toEqual([]);
    const paths = [...(await readTree(project.out)).keys()].filter((path) =>
      /guide.*index\.html$/.test(path),
    );
    expect(paths.sort()).toEqual(
      ['de/category/guide', 'de/guide/a', 'de/guide', 'category/guide', 'en/guide/a', 'en/guide']
        .map((path) => `${path}/index.html`)
        .sort(),
    );
  });

  it('are those of the service for a folder that was pulled from it', async () => {
    const { urls } = await addressesOf(layouts.pulled);
    expect(urls).toContain('/en/article/chain00000-oil-the-chain/');
  });

  it('name the other page in the report if two pages have the same', async () => {
    const { urls, problems } = await addressesOf({
      'guides.md': '# Guides of old\n\nText.',
      'guides/index.md': '# Guides\n\nText.',
    });
    expect(urls).toEqual([expect.stringMatching(/^\/guides-\w{10}\/$/), '/guides/']);
    expect(problems).toMatchObject([{ code: 'ADDRESS_TAKEN', file: 'kb/guides/index.md' }]);
    expect(problems[0]?.hint).toContain('rename the file');
  });
});

describe('a build of a help centre that keeps its address', () => {
  const linksTo = (site: string) =>
    [
      `# C\n\n[One](${site}/article/aaaaaaaaaa-one#set-up) and [one](${site.replace('https:', 'http:')}/en/article/aaaaaaaaaa/).`,
      `[Plan](${site}/article/dddddddddd-secret-plan), [again](${site}/l/de/article/dddddddddd/edit).`,
      `<blockquote cite="${site}/article/dddddddddd-secret-plan">Quoted.</blockquote>`,
      `<${site}/article/dddddddddd-secret-plan> or ${site}/article/dddddddddd.`,
      `[Contact](${site}/contact?from=help), [old](${site}/faq), [home](${site}/de/), [file](${site}/a.txt).`,
    ].join('\n\n');
  const files = (site: string) => ({
    'a.md': page('article_id: aaaaaaaaaa', '# One\n\n## Set up\n\nTurn.'),
    'a.de.md': '# Eins\n\n## Einrichten\n\nDrehen.',
    'b.md': page('article_id: dddddddddd\ndraft: true', '# Secret plan\n\nLater.'),
    'c.md': page('article_id: cccccccccc', linksTo(site)),
    'c.de.md': linksTo(site),
  });
  const source = { kind: 'folder' as const, path: './kb', locales: ['de'] };

  it.each([siteUrl, 'https://example.com/help'])(
    'at %s leads its links to pages in the reader’s language, cuts those to drafts and warns of dead ones',
    async (site) => {
      const project = openProject(files(site));
      mkdirSync(join(project.folder, 'public'));
      writeFileSync(join(project.folder, 'public', 'a.txt'), 'A');
      const rules = [{ from: '/faq', to: 'article:aaaaaaaaaa' }];
      const { problems } = await project.build({ siteUrl: site, source, redirects: { rules } });
      const tree = await readTree(project.out);
      for (const [path, bytes] of tree)
        expect([path, bytes.toString().includes('dddddddddd')]).toEqual([path, false]);
      const linksOf = (start: string) => {
        const page = [...tree].find(([path]) => path.startsWith(start) && path.endsWith('.html'))?.[1];
        const body = page?.toString().split('<div class="prose"')[1];
        return body?.match(/(?<=<a href=")[^"]*(?=">one<)/gi);
      };
      const { pathname } = new URL(`${site}/`);
      const german = `${pathname}de/a/`;
      const english = `${pathname}a/`;
      expect(linksOf('de/c/')).toEqual([`${german}#set-up`, german]);
      expect(linksOf('c/')).toEqual([`${english}#set-up`, english]);
      const lost = problems.filter(({ code }) => code === 'LINK_TO_HIDDEN');
      expect(lost.map(({ articleId, language }) => `${articleId} ${language}`)).toEqual([
        ...Array(2).fill('cccccccccc de'),
        ...Array(2).fill('cccccccccc en'),
      ]);
      const feed = openFeedFolder(project.out);
      const { findings } = await verifyFeed(feed.read);
      expect(findings).toEqual([]);
    },
  );

  it.each(['http://localhost:4173', 'https://10.1.2.3/help', 'https://help.corp.internal'])(
    'at the private address %s has its links in the feed, and images as their texts',
    async (site) => {
      const project = openProject({
        'a.md': `# A\n\n[B](b.md) ![Dot](dot.png) [other](http://localhost:9/) [file](${site}/a.txt)`,
        'b.md': '# B\n\nText.',
        'dot.png': png(2, 2),
      });
      await project.build({ siteUrl: site });
      const feed = openFeedFolder(project.out);
      const { findings } = await verifyFeed(feed.read);
      expect(findings).toEqual([]);
      const all = ((await feed.read('feed/en/documents.jsonl')) ?? '').toString();
      expect(all).toContain(`(${site}/b/)`);
      expect(all).toContain(`(${site}/b/) Dot [other]`);
      expect(all.match(/\]\(#\)/g)).toEqual(['](#)']);
      expect(all).toContain(`[file](${site}/a.txt)`);
    },
  );
});

describe('ids of headings in Markdown', () => {
  it.each(['{#größe}', '{ #größe }', '{: #größe .wide }', '{.wide #größe}'])(
    'written %s are no text, and links find them',
    async (id) => {
      const project = openProject({
        'a.md': `# Title {#titel-ä}\n\n## Size ${id}\n\n[here](#größe)`,
        'b.md': '# B\n\n[there](a.md#größe)',
      });
      const { problems } = await project.build();
      expect(problems.filter(({ code }) => code === 'ANCHOR_MISSING')).toEqual([]);
      const tree = await readTree(project.out);
      const html = tree.get('a/index.html');
      expect(html?.toString()).toContain('<h2 id="size"><span id="größe"></span>Size</h2>');
      expect(html?.toString()).toContain('<h1>Title</h1>');
    },
  );
});
