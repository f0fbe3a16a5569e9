import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { siteSettings } from '../../src/core/config/site-settings.ts';
import { createSite, type Site } from '../../src/site/pages/site.ts';
import {
  builtInTemplates,
  diffTemplate,
  ejectTemplate,
  listTemplates,
  type TemplateFolders,
} from '../../src/site/pages/template-files.ts';
import { type Tree, writeTree } from '../support/folder-layouts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { document, planOf, sampleArticles, sampleCategories } from './support/fixture.ts';
import { renderArticle } from './support/render-article.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

/** Writes files of the site's own templates folder. */
const write = (files: Tree) => writeTree(folder, files);

function createOwnSite(): Promise<Site> {
  return createSite(planOf(sampleArticles, sampleCategories), siteSettings.parse({}), {
    templatesFolder: folder,
    iframeHosts: [],
  });
}

async function renderPage(language = 'en'): Promise<string> {
  const site = await createOwnSite();
  return renderArticle(site, 'aaaaaaaaa1', language, document('<p>Body</p>')).content.toString();
}

describe('a template of the site', () => {
  test('replaces the built-in one of the same name', async () => {
    write({ 'partials/footer.eta': '<footer>Ours, <%= it.language.name %></footer>' });
    const page = await renderPage();
    expect(page).toContain('<footer>Ours, English</footer>');
    expect(page).not.toContain('site-footer');
  });

  test('may begin with the byte order mark that editors write', async () => {
    write({ 'hooks/head-end.eta': '\ufeff<meta name="a" content="b">', 'hooks/x.eta/y.txt': '' });
    const page = await renderPage();
    expect(page).toContain('<meta name="a" content="b">');
    expect(page).not.toContain('\ufeff');
  });

  test('is read again by every build', async () => {
    for (const text of ['first', 'second']) {
      write({ 'partials/footer.eta': text });
      expect(await renderPage()).toContain(text);
    }
  });

  test('in a folder named like a language goes before, for that language alone', async () => {
    write({ 'partials/footer.eta': 'general', 'ja/partials/footer.eta': 'Japanese' });
    expect(await renderPage('ja')).toContain('Japanese');
    expect(await renderPage('ar')).toContain('general');
  });

  test('can include the one it replaces', async () => {
    write({
      'ja/partials/footer.eta': "<div>1</div><%~ include('next:partials/footer') %>",
      'partials/footer.eta': "<div>2</div><%~ include('next:partials/footer') %>",
    });
    expect(await renderPage('ja')).toMatch(/<div>1<\/div><div>2<\/div><footer class="site-footer">/);
  });

  test('fills a hook without touching the rest', async () => {
    write({ 'hooks/article-after.eta': '<p>Was this helpful, <%= it.article.title %>?</p>' });
    expect(await renderPage()).toContain('<p>Was this helpful, Reset your password?</p>');
  });

  test('brings its own texts, style and files', async () => {
    write({
      'locales/en.json': '{ "related": "See also" }',
      'assets/custom.css': 'h1 { color: teal }',
      'hooks/head-end.eta': '<link rel="x" href="<%= it.site.assets["custom.css"] %>">',
    });
    const page = await renderPage();
    expect(page).toContain('<h2>See also</h2>');
    expect(page).toMatch(/<link rel="stylesheet" href="\/docs\/assets\/custom\.[0-9a-f]{10}\.css">/);
  });
});

describe('a mistake in a template', () => {
  test('names file, line and page if a field does not exist', async () => {
    write({ 'hooks/article-after.eta': '<p>fine</p>\n<p><%= it.article.titel %></p>' });
    await expect(renderPage()).rejects.toMatchObject({
      code: 'TEMPLATE_FAILED',
      message: expect.stringMatching(
        /failed on en\/article\/aaaaaaaaa1[\s\S]*hooks\/article-after\.eta:2\n[\s\S]*the value to print is undefined/,
      ),
    });
  });

  test('is found in raw output, too', async () => {
    write({ 'hooks/article-after.eta': '<%~ it.nothing %>' });
    await expect(renderPage()).rejects.toThrow(/article-after\.eta:1/);
  });

  test('fails with the position of a syntax error', async () => {
    write({ 'hooks/article-after.eta': '<% if ( { %>' });
    await expect(renderPage()).rejects.toMatchObject({ code: 'TEMPLATE_FAILED' });
    write({ 'hooks/article-after.eta': '<p>fine</p>\n<%= it.page.title' });
    await expect(renderPage()).rejects.toThrow('cannot be compiled: unclosed tag at line 2 col 1:');
  });

  test.each(['article', 'hooks/article-after'])(
    'shows no generated code for a mistake in %s',
    async (name) => {
      const file = `${name}.eta`;
      write({ [file]: '<% if (it.page) { %>' });
      await expect(renderPage()).rejects.toMatchObject({
        code: 'TEMPLATE_FAILED',
        message: expect.stringMatching(
          new RegExp(`^${folder}/${file} cannot be compiled: Unexpected token 'catch'$`),
        ),
        hint: expect.stringContaining('correct the code between <% and %>'),
      });
    },
  );

  test.each([
    ['partials/footer.eta', '<p>F\xfcr alle</p>'],
    ['locales/en.json', '{ "search": "Gro\xdf" }'],
  ])('is not published with lost letters if %s is not UTF-8', async (file, text) => {
    write({ [file]: '' });
    await writeFile(join(folder, file), text, 'latin1');
    await expect(renderPage()).rejects.toThrow('the file is not UTF-8; save it as UTF-8');
  });

  test('fails for an unknown text, with the file and the key', async () => {
    write({ 'locales/de.json': '{ "serach": "Suche" }' });
    await expect(createOwnSite()).rejects.toMatchObject({
      code: 'TEMPLATE_FAILED',
      message: expect.stringContaining(
        'locales/de.json contains the unknown key "serach"; did you mean search?',
      ),
    });
  });
});

test('Text that looks like a template in a title or body is printed, never run', async () => {
  const plan = planOf([{ ...(sampleArticles[0] as (typeof sampleArticles)[number]) }], sampleCategories);
  const site = await createSite(plan, siteSettings.parse({}), {
    templatesFolder: null,
    iframeHosts: [],
  });
  const body = '<p>&lt;%= 7 * 6 %&gt; {{ 7 * 6 }}</p>';
  const { content } = renderArticle(site, 'aaaaaaaaa1', 'en', document(body));
  expect(content).toContain(body);
});

describe('ejecting', () => {
  let folders: TemplateFolders;

  beforeEach(() => {
    folders = { builtIn: builtInTemplates, own: folder };
  });

  test('copies a template that renders the very same page', async () => {
    const before = await renderPage();
    await ejectTemplate(folders, 'partials/breadcrumbs', '1.2.3');
    await ejectTemplate(folders, 'article', '1.2.3');
    expect(await renderPage()).toBe(before);
  });

  test('notes version and hash, and tells when the built-in one has changed since', async () => {
    const path = await ejectTemplate(folders, 'partials/breadcrumbs', '1.2.3');
    const content = await readFile(path, 'utf8');
    expect(content).toMatch(/^<%\/\* ejected from lectern 1\.2\.3, [0-9a-f]{12} \*\/%>\n<nav/);
    expect((await createOwnSite()).problems().filter(({ code }) => code === 'TEMPLATE_DRIFTED')).toEqual([]);
    await writeFile(path, content.replace(/[0-9a-f]{12}/, '0123456789ab'));
    expect((await createOwnSite()).problems()).toContainEqual(
      expect.objectContaining({
        code: 'TEMPLATE_DRIFTED',
        message: 'partials/breadcrumbs was ejected from 1.2.3, and the built-in one has changed since',
      }),
    );
  });

  test('reports a template that no page uses, as of a hook with a misspelt name', async () => {
    const unused = async () =>
      (await createOwnSite())
        .problems()
        .flatMap((one) => (one.code === 'TEMPLATE_UNUSED' ? one.message : []));
    write({
      'hooks/headend.eta': '<meta name="a" content="b">',
      'hooks/main-after.eta': "<%~ include('partials/badge') %>",
      'partials/badge.eta': '<b>new</b>',
      'de/artikel.eta': 'x',
      'ja/home.eta': 'x',
      'old.eta': 'x',
    });
    expect(await unused()).toEqual([
      'no page uses the template de/artikel.eta; did you mean article?',
      'no page uses the template hooks/headend.eta; did you mean hooks/head-end?',
      'no page uses the template old.eta',
    ]);
    for (const name of ['it.kind', "'boxes/' + it.kind"]) {
      write({ 'hooks/main-before.eta': `<%~ include(${name}) %>` });
      expect(await unused()).toEqual([]);
    }
  });

  test('never overwrites, and knows built-in names only', async () => {
    await ejectTemplate(folders, 'article', '1.2.3');
    await expect(ejectTemplate(folders, 'article', '1.2.3')).rejects.toMatchObject({
      code: 'TARGET_EXISTS',
    });
    await expect(ejectTemplate(folders, 'partials/breadcrums', '1.2.3')).rejects.toMatchObject({
      code: 'TEMPLATE_FAILED',
      message: 'unknown template "partials/breadcrums"; did you mean partials/breadcrumbs?',
    });
    await expect(ejectTemplate(folders, '../package', '1.2.3')).rejects.toMatchObject({
      code: 'TEMPLATE_FAILED',
    });
  });

  test('lists every template with the changes of the site', async () => {
    await ejectTemplate(folders, 'article', '1.2.3');
    write({ 'ja/home.eta': 'x' });
    const status = new Map(listTemplates(folders).map((template) => [template.name, template]));
    expect(status.get('article')).toMatchObject({ own: ['article.eta'], hasDrifted: false });
    expect(status.get('home')).toMatchObject({ own: ['ja/home.eta'], ejected: null });
    expect(status.get('hooks/head-end')).toMatchObject({ own: [] });
  });

  test('shows the changes', async () => {
    const path = await ejectTemplate(folders, 'hooks/head-end', '1.2.3');
    await writeFile(path, `${await readFile(path, 'utf8')}<meta name="a" content="b">`);
    expect(await diffTemplate(folders, 'hooks/head-end')).toEqual(['-', '+<meta name="a" content="b">']);
    expect(await diffTemplate(folders, 'article')).toEqual([]);
    await expect(diffTemplate(folders, 'footer')).rejects.toThrow('did you mean partials/footer?');
  });
});
