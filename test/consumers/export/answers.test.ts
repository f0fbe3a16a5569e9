import MiniSearch from 'minisearch';
import { beforeAll, expect, it } from 'vitest';
import { targetNames } from '../../../src/consumers/export/target.ts';
import type { BuiltCorpus } from '../../feed/support/build-corpus.ts';
import { openExports } from './support/export-sample.ts';
import { type PlatformStore, platforms } from './support/platforms.ts';
import { buildSampleFeed, questions, stopWords, topThree } from './support/questions.ts';

let exports: ReturnType<typeof openExports>;
let sample: BuiltCorpus;
beforeAll(async () => {
  exports = openExports();
  sample = await buildSampleFeed();
});

it.each(targetNames.filter((name) => name !== 'parquet'))(
  '%s: the export answers ten questions among the first three articles',
  async (target) => {
    const { files } = await exports.run(target, sample.output, { languages: ['en'] });
    const store: PlatformStore = new Map();
    platforms[target](files, store);
    // BM25 over all that the platform was sent of an item, as JSON.
    const index = new MiniSearch({
      fields: ['text'],
      storeFields: ['article'],
      processTerm: (term) => (stopWords.has(term.toLowerCase()) ? null : term.toLowerCase()),
    });
    index.addAll(
      [...store].map(([id, item]) => ({ id, text: JSON.stringify(item), article: articleOf(id, item) })),
    );
    const missed = questions.filter(([question, articleId]) => {
      const hits = index.search(question).map(({ article }) => article as string);
      return !topThree(hits).includes(articleId.toLowerCase());
    });
    expect(missed).toEqual([]);
  },
);

/** In lower case, as it is in every id of a feed. */
function articleOf(id: string, item: unknown): string {
  const ids = `${id} ${JSON.stringify(item)}`;
  return /\ba[0-9a-f]*-([a-z0-9]{10})-en/.exec(ids)?.[1] ?? '';
}
