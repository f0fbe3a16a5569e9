import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSample } from '../../feed/support/build-sample.ts';
import { abbreviations, typedWords } from '../../support/typed-words.ts';
import { hitsOf, type LiveFeed, openLiveFeed } from './support/live-feed.ts';

const rows = [...typedWords, ...abbreviations];

describe('the search of assistants finds words as readers type them', () => {
  let live: LiveFeed;
  beforeAll(async () => {
    live = await openLiveFeed(
      await buildSample({
        languages: [...new Set(rows.map(([language]) => language))],
        categories: [],
        articles: rows.map(([language, text], at) => ({
          id: `a${String(at).padStart(9, '0')}`,
          pages: { [language]: { title: `Title ${at}`, markdown: `${text}\n` } },
        })),
      }),
    );
  });
  afterAll(() => live.close());

  test.each(rows.map((row, at) => [row[0], row[1], row.slice(2), at] as const))(
    'in %s: %s',
    async (language, _, queries, at) => {
      for (const query of queries) {
        const hits = hitsOf(await live.call('search', { query, language }));
        expect(
          hits.map(({ title }) => title),
          query,
        ).toContain(`Title ${at}`);
      }
    },
  );
});
