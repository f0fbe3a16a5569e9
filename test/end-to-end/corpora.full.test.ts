import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseFile } from '../support/build-database.ts';
import { runLectern, type ServiceProcess, startServiceProcess } from '../support/lectern.ts';
import { everyNth } from '../support/properties.ts';
import { readTree } from '../support/read-tree.ts';
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
    let service: ServiceProcess;
    let articles: readonly CorpusArticle[];
    let files: ReadonlyMap<string, Buffer>;

    const build = (out: string) =>
      runLectern(['build', '--quiet', '--out', out, '--site-url', 'https://help.example.com'], {
        cwd: folder,
        env: service.env,
      });
    const isPublic = (article: CorpusArticle) => article.is_published && !article.is_private;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'lectern-corpus-'));
      const seed = join(corporaFolder, `${name}.json`);
      articles = (JSON.parse(await readFile(seed, 'utf8')) as { articles: CorpusArticle[] }).articles;
      service = await startServiceProcess(seed, folder);
      const { code, stderr } = await build('dist');
      expect(stderr).toBe('');
      expect(code).toBe(0);
      files = await readTree(join(folder, 'dist'));
    }, 600_000);
    afterAll(async () => {
      await service?.stop();
      await rm(folder, { recursive: true, force: true });
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

/** Text reduced to the parts that a search must find: no tags, entities or punctuation between words. */
function searchable(text: string): string {
  return text
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:#\d+|#x[\da-f]+|\w+);/gi, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .toLowerCase();
}
