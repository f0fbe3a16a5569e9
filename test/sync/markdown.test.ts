import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listMarkdown } from '../../src/source/folder/list-folder.ts';
import { readPulled } from '../../src/source/folder/read-pulled.ts';
import { createMemoryFiles } from '../../src/source/snapshot/file-memory.ts';
import { formatForms } from '../../src/sync/format-plan.ts';
import { arbitraryBody } from '../content/arbitrary-body.ts';
import { startTestService } from '../service/support/service.ts';
import { fc, runs } from '../support/properties.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { clientOf, pull, pullWithForms, push, readFiles } from './support.ts';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const mergedTable =
  '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td colspan="2">both</td></tr></tbody></table>';

async function start(body: string, german: string | null = null) {
  const client = clientOf(await startTestService({ requestsPerMinute: 0 }));
  await client.createArticle({
    article_id: 'aaaaaaaaaa',
    title: 'A',
    body,
    multilingual: german === null ? [] : [{ language_code: 'de', title: 'D', body: german }],
  });
  return { client, root: join(temporaryFolder(), 'kb') };
}

const folder = 'articles/aaaaaaaaaa-a';
const file = (root: string, name: string): string => readFileSync(join(root, folder, name), 'utf8');
const names = (root: string): string[] => readdirSync(join(root, folder)).sort();
const bodyOf = (text: string): string => text.replace(/^---\n[\s\S]*?\n---\n/, '');

function edit(root: string, name: string, from: string, to: string): void {
  const text = file(root, name);
  expect(text).toContain(from);
  writeFileSync(join(root, folder, name), text.replace(from, to));
}

describe('a folder a writer works in', () => {
  it('has Markdown, with HTML for the little that Markdown has no form for', async () => {
    const { client, root } = await start(
      '<h1 id="old">Keys</h1><p class="x">Press <kbd>Esc</kbd>, <b>then</b> <a href="/article/x" target="_blank">read</a>' +
        ' and <strong>stop.</strong>Now.</p><div class="alert alert-warning">Hot</div>' +
        '<details><summary>More</summary><ul><li>one</li></ul></details>' +
        '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>',
    );
    await pull(client, root);
    expect(bodyOf(file(root, 'en.md'))).toMatchInlineSnapshot(`
      "## <span id="old"></span>Keys

      Press <kbd>Esc</kbd>, **then** <a href="/article/x" target="_blank" rel="noopener">read</a> and <strong>stop.</strong>Now.

      > [!WARNING]
      > Hot

      <details>
      <summary>More</summary>

      - one

      </details>

      | A |
      | --- |
      | 1 |
      "
    `);
  });

  it('has HTML if Markdown would lose something, and says how often and why', async () => {
    const { client, root } = await start(
      '<p>a <span style="display:none">b</span></p>',
      '<p>Film</p><iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ" title="T"></iframe>',
    );
    const { forms } = await pullWithForms(client, root);
    expect(names(root)).toEqual(['de.md', 'en.html']);
    expect(formatForms(forms)).toBe('1 text written as Markdown; 1 text stays HTML: hidden text 1');
    expect(await push(client, root)).toEqual([]);
  });

  it('has images as files beside the article, and a push sends the bytes the service had', async () => {
    const body = `<p>One</p><p><img src="data:image/png;base64,${pixel}" alt="dot"></p>`;
    const { client, root } = await start(body);
    await pull(client, root);
    const [, image = ''] = names(root);
    expect(names(root)).toEqual(['en.md', expect.stringMatching(/^image-[0-9a-f]{12}\.png$/)]);
    expect(readFileSync(join(root, folder, image)).toString('base64')).toBe(pixel);
    expect(bodyOf(file(root, 'en.md'))).toBe(`One\n\n![dot](${image})\n`);
    expect(await push(client, root)).toEqual([]);
    edit(root, 'en.md', 'One', 'Two');
    await push(client, root);
    expect((await client.readArticle('aaaaaaaaaa')).body).toBe(
      `<p>Two</p>\n<p><img src="data:image/png;base64,${pixel}" alt="dot" /></p>`,
    );
    await client.updateArticle('aaaaaaaaaa', { body: '<p>None</p>' });
    await pull(client, root);
    expect(names(root)).toEqual(['en.md']);
  });

  it('is not edited by a program that gives its files the line ends of Windows, as Git may', async () => {
    const { client, root } = await start('<pre><code>a\n\nb\n</code></pre>', '<p>a</p>\n<p hidden>b\nc</p>');
    await client.createCategory({ category_id: 'c', title: 'C', description: 'a\nb' });
    await pull(client, root);
    expect(names(root)).toEqual(['de.html', 'en.md']);
    for (const [path, text] of Object.entries(readFiles(root)))
      writeFileSync(join(root, path), text.replaceAll('\n', '\r\n'));
    expect([await push(client, root), await pull(client, root)]).toEqual([[], []]);
    edit(root, 'de.html', '<p>a</p>', '<p>A</p>');
    await push(client, root);
    expect((await client.readArticle('aaaaaaaaaa')).multilingual).toMatchObject([
      { body: '<p>A</p>\n<p hidden>b\nc</p>' },
    ]);
  });

  it('keeps the comments of a writer in the front matter through edits at the service', async () => {
    const { client, root } = await start('<p>One</p>', '<p>Eins</p>');
    await pull(client, root);
    edit(
      root,
      'en.md',
      'title: A',
      '# reviewed by Ann\n"title": "A" # keep it short\ntags: # see the list\n  - 007 # Bond',
    );
    edit(root, 'en.md', 'is_private: false\n', "is_private: false\n# until May\ndescription: 'Old' # old\n");
    await push(client, root);
    await client.updateArticle('aaaaaaaaaa', { title: 'B', sort_order: 3, description: null });
    await pull(client, root);
    expect(file(root, 'en.md').replace(/_at: .*/g, '_at: …')).toMatchInlineSnapshot(`
      "---
      article_id: aaaaaaaaaa
      # reviewed by Ann
      "title": "B" # keep it short
      tags:
        # see the list
        - "007" # Bond
      slug: a
      is_published: false
      is_private: false
      created_at: …
      updated_at: …
      sort_order: 3
      ---
      One
      "
    `);
    expect([await push(client, root), await pull(client, root)]).toEqual([[], []]);
    expect(await client.readArticle('aaaaaaaaaa')).toMatchObject({
      title: 'B',
      tags: ['007'],
      sort_order: 3,
    });
  });

  it('sends no body that was not edited', async () => {
    const { client, root } = await start('<p>One</p>\n\n<p>Two', '<p>Eins');
    await pull(client, root);
    edit(root, 'en.md', 'title: A', 'title: New');
    edit(root, 'de.md', 'Eins', 'Zwei');
    await push(client, root);
    expect(await client.readArticle('aaaaaaaaaa')).toMatchObject({
      title: 'New',
      body: '<p>One</p>\n\n<p>Two',
      multilingual: [{ body: '<p>Zwei</p>' }],
    });
    expect(await push(client, root)).toEqual([]);
    expect(await pull(client, root)).toEqual([]);
  });

  it('takes an edit of the service for one, though Markdown of another language is there', async () => {
    const { client, root } = await start('<p>One', '<p>Eins');
    await pull(client, root);
    await client.updateArticle('aaaaaaaaaa', { body: '<p>Two' });
    expect(await pull(client, root)).toEqual(['article aaaaaaaaaa remote-changed']);
    expect(bodyOf(file(root, 'en.md'))).toBe('Two\n');
    expect(bodyOf(file(root, 'de.md'))).toBe('Eins\n');
    expect(await push(client, root)).toEqual([]);
  });

  it('stays Markdown through edits at the service, including tables that Markdown cannot express', async () => {
    const { client, root } = await start('<p>One</p>');
    await pull(client, root);
    writeFileSync(join(root, folder, 'en.md'), `${file(root, 'en.md').trimEnd()}\n\n${mergedTable}\n`);
    await push(client, root);
    const { body } = await client.readArticle('aaaaaaaaaa');
    await client.updateArticle('aaaaaaaaaa', { body: (body ?? '').replace('One', 'Another') });
    await pull(client, root);
    expect(names(root)).toEqual(['en.md']);
    expect(bodyOf(file(root, 'en.md'))).toMatch(/^Another\n\n<table>\n<thead>[\s\S]*<td colspan="2">both/);
    expect(await push(client, root)).toEqual([]);
  });

  it('keeps the order of the lists, also by way of another service', async () => {
    const { client, root } = await start('');
    for (const id of ['c3', 'c1', 'c2']) await client.createCategory({ category_id: id, title: id });
    await client.createCategory({ category_id: 'b2', title: 'b2', parent_category_id: 'c2' });
    await client.createCategory({ category_id: 'b1', title: 'b1', parent_category_id: 'c2' });
    await client.createArticle({ article_id: 'Zzzzzzzzzz', title: 'Z' });
    await pull(client, root);
    const settings = {
      ...{ base: root, root, ignored: [] },
      ...({ layout: 'pulled', locales: null, math: false, defaultLanguage: 'en' } as const),
    };
    const { files } = listMarkdown(settings);
    const { categories } = readPulled({ ...settings, nowMs: 0, markdown: async () => '' }, files, () =>
      createMemoryFiles()(0),
    );
    expect(categories.map(({ title }) => title)).toEqual(['c3', 'c1', 'c2', 'b2', 'b1']);
    const other = clientOf(await startTestService({ requestsPerMinute: 0 }));
    await push(other, root, { deletes: false }, 'https://other/v1');
    expect((await other.listCategories()).map(({ title }) => title)).toEqual(['c3', 'c1', 'c2', 'b2', 'b1']);
    const articles = await other.listArticles({});
    expect(articles.map(({ title }) => title)).toEqual(['A', 'Z']);
    const copy = join(temporaryFolder(), 'copy');
    await pull(other, copy, 'https://other/v1');
    expect(readFiles(copy)).toEqual(readFiles(root));
  });

  it('changes nothing at the service when nothing was edited', { tags: 'property' }, async () => {
    const client = clientOf(await startTestService({ requestsPerMinute: 0 }));
    // The service refuses NUL and half surrogate pairs.
    const body = arbitraryBody.map((html) => html.replace(/[\0\p{Cs}]/gu, ''));
    await fc.assert(
      fc.asyncProperty(body, body, async (english, german) => {
        const before = await client.createArticle({
          title: 'A',
          body: english,
          multilingual: [{ language_code: 'de', title: 'D', body: german }],
        });
        const root = join(temporaryFolder(), 'kb');
        mkdirSync(root);
        await pull(client, root);
        expect(await push(client, root)).toEqual([]);
        expect(await client.readArticle(before.article_id)).toEqual(before);
        // Also without the record of what both sides were.
        writeFileSync(join(root, '.lectern-sync.json'), '{}');
        expect(await push(client, root)).toEqual([]);
        expect(existsSync(root)).toBe(true);
        await client.deleteArticle(before.article_id);
      }),
      { numRuns: runs(40) },
    );
  });
});
