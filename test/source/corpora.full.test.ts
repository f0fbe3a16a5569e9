import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { corporaFolder, describeWithCorpora } from '../support/tools.ts';
import { readFolder, startFetching } from './support/fetching.ts';

interface CorpusRecord {
  readonly article_id: string;
  readonly title: string;
  readonly body: string;
  readonly is_published: boolean;
  readonly is_private: boolean;
  readonly multilingual: readonly {
    readonly language_code: string;
    readonly title?: string;
    readonly body?: string;
  }[];
}

describeWithCorpora('a real knowledge base', () => {
  test.each(['login-gov-help', 'opensource-guide', 'arduino-help'])(
    '(%s) is read whole, without its drafts and private articles, and the cache knows no title of them',
    async (name) => {
      const corpus = JSON.parse(await readFile(join(corporaFolder, `${name}.json`), 'utf8')) as {
        readonly articles: readonly CorpusRecord[];
        readonly categories: readonly unknown[];
      };
      const isPublic = ({ is_published, is_private }: CorpusRecord): boolean => is_published && !is_private;
      const { fetch, settings } = await startFetching(corpus, { cap: 100 });
      const source = await fetch();
      const expected = corpus.articles.filter((record) => isPublic(record) && record.body !== '');
      expect(source.knowledgeBase.articles.map(({ id }) => id)).toEqual(
        expected.map(({ article_id }) => article_id).sort(),
      );
      const translated = expected.flatMap(({ multilingual }) =>
        multilingual.filter(({ title, body }) => title && body),
      );
      const pages = source.knowledgeBase.articles.reduce(
        (sum, { translations }) => sum + translations.length,
        0,
      );
      expect(pages).toBe(expected.length + translated.length);
      const cached = Object.values(await readFolder(settings.cache)).join();
      const titles = new Set(expected.map(({ title }) => title));
      for (const hidden of corpus.articles.filter((record) => !isPublic(record))) {
        if (!titles.has(hidden.title))
          expect(cached).not.toContain(`"title":${JSON.stringify(hidden.title)}`);
      }
    },
  );
});
