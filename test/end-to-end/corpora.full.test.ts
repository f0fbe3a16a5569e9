import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingWords, shownText } from '../../src/content/ledger.ts';
import { parseBody } from '../../src/content/parse/parse-body.ts';
import { databaseFile } from '../support/build-database.ts';
import { runLectern, type SeededService, serveSeed } from '../support/lectern.ts';
import { everyNth } from '../support/properties.ts';
import { readTree } from '../support/read-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { corporaFolder, describeWithCorpora } from '../support/tools.ts';

interface CorpusArticle {
  readonly article_id: string;
  readonly title: string;
  readonly body: string;
  readonly is_published: boolean;
  readonly is_private: boolean;
  readonly multilingual: readonly {
    readonly language_code: string;
    readonly title: string;
    readonly body: string;
  }[];
}

describeWithCorpora.each(everyNth(3, ['login-gov-help', 'opensource-guide', 'arduino-help']))(
  'lectern build on %s',
  (name) => {
    let folder: string;
    let service: SeededService;
    let articles: readonly CorpusArticle[];
    let files: ReadonlyMap<string, Buffer>;

    const build = (out: string) =>
      runLectern(['build', '--quiet', '--out', out, '--site-url', 'https://help.example.com'], {
        cwd: folder,
        env: service.env,
      });
    const isPublic = (article: CorpusArticle) => article.is_published && !article.is_private;

    beforeAll(async () => {
      folder = temporaryFolder();
      const seed = join(corporaFolder, `${name}.json`);
      articles = (JSON.parse(await readFile(seed, 'utf8')) as { articles: CorpusArticle[] }).articles;
      service = await serveSeed(seed, folder);
      const { code, stderr } = await build('dist');
      expect(stderr).toBe('');
      expect(code).toBe(0);
      files = await readTree(join(folder, 'dist'));
    }, 600_000);
    afterAll(async () => {
      await service?.stop();
    });

    it('publishes every public article in every language it is translated into', () => {
      const expected = articles
        .filter(isPublic)
        .flatMap((article) =>
          [{ language_code: 'en', ...article }, ...article.multilingual]
            .filter(({ title, body }) => title && body)
            .map(({ language_code }) => `${language_code}/article/${article.article_id}`),
        );
      const published = [...files.keys()]
        .filter((path) => /\/article\/[^/]+\/index\.html$/.test(path))
        .map((path) => path.replace(/-[^/]*\/index\.html$/, '').replace('/index.html', ''));
      expect(published.sort()).toEqual(expected.sort());
    });

    it('contains no ids or titles of hidden articles, except titles that public articles mention', () => {
      const hidden = articles.filter((article) => !isPublic(article));
      expect(hidden.length).toBeGreaterThan(0);
      const said = articles
        .filter(isPublic)
        .flatMap((article) => [article, ...article.multilingual])
        .map(({ title, body }) => searchable(`${title} ${body}`))
        .join('\n');
      const whole = [...files]
        .map(([path, content]) => searchable(`${path} ${content.toString('utf8')}`))
        .join('\n');
      const leaks = hidden.flatMap(({ article_id, title }) => [
        ...(whole.includes(article_id.toLowerCase()) ? [article_id] : []),
        ...(whole.includes(searchable(title)) && !said.includes(searchable(title)) ? [title] : []),
      ]);
      expect(leaks).toEqual([]);
    });

    it('has every word of a document on its page, and of the page in the document', () => {
      const documents = [...files]
        .filter(([path]) => /^feed\/[^/]+\/documents\.jsonl$/.test(path))
        .flatMap(([, content]) => content.toString('utf8').trimEnd().split('\n'))
        .map((line) => JSON.parse(line) as { readonly url: string; readonly markdown: string });
      expect(documents.length).toBeGreaterThan(100);
      const lost = documents.flatMap(({ url, markdown }) => {
        const page =
          files.get(`${decodeURI(new URL(url).pathname).slice(1)}index.html`)?.toString('utf8') ?? '';
        const prose = page.slice(
          page.indexOf('<div class="prose"'),
          page.indexOf('<div class="article-tools">'),
        );
        // Lists in cells have their numbers as text.
        const rendered = render(markdown).replace(/(<td[^>]*>|<br>)\d+\. /g, '$1');
        const [shown, written] = [wordsOf(prose), wordsOf(rendered)];
        // Markdown says the kind of a callout in its marker, and not again in its first word.
        const kinds = [...prose.matchAll(/role="note"[^>]*>(?:\s*<[^>]*>)*\s*([\p{L}\p{M}]+)/gu)].join(' ');
        const onlyShown = missingWords(shown, written).filter((word) => !kinds.includes(word));
        return [...missingWords(written, shown), ...onlyShown].map((word) => `${url} ${word}`);
      });
      expect(lost).toEqual([]);
    });

    it('has the same bytes when built again, except the run fields of the manifest', async () => {
      // Otherwise the new output would continue the numbers of the feed that the cache remembers.
      await rm(databaseFile(join(folder, '.lectern')));
      const { code } = await build('again');
      expect(code).toBe(0);
      const again = await readTree(join(folder, 'again'));
      expect([...again.keys()]).toEqual([...files.keys()]);
      const different = [...files]
        .filter(([path, content]) => !again.get(path)?.equals(content))
        .map(([path]) => path);
      expect(different).toEqual(['feed/manifest.json']);
    }, 600_000);
  },
);

const render = (markdown: string): string =>
  micromark(markdown, {
    extensions: [gfm(), { disable: { null: ['wwwAutolink', 'protocolAutolink', 'emailAutolink'] } }],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
  });

/**
 * What a reader sees, with the names of images and players. A page names the language of its code; Markdown says the kind of a callout,
 * leaves out names such as "avatar", and writes superscripts in its own way.
 */
function wordsOf(html: string): string {
  const named = html
    .replace(/<div class="code-head">.*?<\/div>/gs, '')
    .replace(/<img\b[^>]* alt="(?:avatar|icon|image|img|photo|picture)"[^>]*>/gi, '')
    .replace(/<(?:img|iframe|video|audio)\b[^>]*? (?:alt|title)="([^"]*)"[^>]*>/g, ' $1 ')
    .replace(/<(?:video|audio)\b[^>]*? src="[^"]*\/([^"/]*)"[^>]*>/g, (_, name) => ` ${decodeURI(name)} `)
    .replace(/<\/?su[bp]>/g, '')
    .replace(/\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]/g, '');
  return shownText(parseBody(named))
    .normalize('NFKD')
    .replace(/[\^_()]/g, '');
}

/** Text reduced to the parts that a search must find: no tags, entities or punctuation between words. */
function searchable(text: string): string {
  return text
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:#\d+|#x[\da-f]+|\w+);/gi, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .toLowerCase();
}
