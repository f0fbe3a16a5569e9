import { beforeAll, describe, expect, it } from 'vitest';
import { diffFeeds } from '../../src/feed/history/diff-feeds.ts';
import type { ReadFeedFile } from '../../src/feed/read/feed-reader.ts';
import { verifyFeed } from '../../src/feed/verify/verify-feed.ts';
import { buildSample } from './support/build-sample.ts';
import { type MemoryOutput, readerOf } from './support/memory-output.ts';
import type { SampleSite } from './support/sample-plan.ts';

const body = (topic: string) =>
  `${`About ${topic} there is a lot to say. `.repeat(30)}\n\n## More\n\n${`More on ${topic}. `.repeat(60)}\n`;

const site: SampleSite = {
  languages: ['en', 'de'],
  categories: [{ id: 'cat1', titles: { en: 'Account', de: 'Konto' } }],
  articles: [
    {
      id: 'aaaaaaaaaa',
      categoryId: 'cat1',
      pages: { en: { title: 'Reset', markdown: body('reset') }, de: { title: 'Neu', markdown: body('neu') } },
    },
    { id: 'bbbbbbbbbb', pages: { en: { title: 'Welcome', markdown: body('welcome') } } },
  ],
};
const later: SampleSite = { ...site, articles: site.articles.slice(0, 1) };

const reader =
  (output: MemoryOutput, changed: Readonly<Record<string, string | null>> = {}): ReadFeedFile =>
  async (path) => {
    const replaced = changed[path];
    if (replaced !== undefined) return replaced === null ? null : Buffer.from(replaced);
    return readerOf(output)(path);
  };

describe('verifyFeed', () => {
  let output: MemoryOutput;
  beforeAll(async () => {
    output = await buildSample(later, { previous: await buildSample(site) });
  });

  it('finds no error in the output of a build', async () => {
    expect(await verifyFeed(reader(output))).toMatchObject({
      seq: 2,
      documents: 2,
      chunks: 4,
      findings: [],
    });
  });

  it.each([null, '{"schema":1}', '<html>'])(
    'says so when there is no manifest that can be read: %s',
    async (text) => {
      const { findings } = await verifyFeed(reader(output, { 'feed/manifest.json': text }));
      expect(findings).toEqual([{ path: 'feed/manifest.json', message: expect.any(String) }]);
    },
  );

  it('finds a link to an article that the feed does not have', async () => {
    const linked = (target: string): SampleSite => ({
      languages: ['en'],
      articles: [
        {
          id: 'aaaaaaaaaa',
          pages: {
            en: {
              title: 'A',
              markdown: `See [it](https://help.example.com/en/article/${target}-page/#x).\n`,
            },
          },
        },
        { id: 'bbbbbbbbbb', pages: { en: { title: 'B', markdown: 'B.\n' } } },
      ],
    });
    expect((await verifyFeed(reader(await buildSample(linked('bbbbbbbbbb'))))).findings).toEqual([]);
    const { findings } = await verifyFeed(reader(await buildSample(linked('cccccccccc'))));
    expect(findings).toMatchObject([{ message: expect.stringContaining('which is no document') }]);
  });
});

describe('diffFeeds', () => {
  const one = (markdown: string, slug = 'page'): SampleSite => ({
    languages: ['en'],
    articles: [
      { id: 'aaaaaaaaaa', slug, pages: { en: { title: 'A', markdown } } },
      { id: 'bbbbbbbbbb', pages: { en: { title: 'B', markdown: body('b') } } },
      ...['c', 'd', 'e', 'f'].map((letter) => ({
        id: letter.repeat(10),
        pages: { en: { title: letter, markdown: body(letter) } },
      })),
    ],
  });

  it('follows the changes: what to fetch, to drop, and which chunks to embed again', async () => {
    const first = await buildSample(one(body('a')));
    const edited = `${body('a')}\n${'One thing more. '.repeat(5)}\n`;
    const second = await buildSample(one(edited), { previous: first });
    const { articles } = one(edited);
    const third = await buildSample(
      { ...one(edited), articles: articles.filter(({ id }) => id !== 'bbbbbbbbbb') },
      { previous: second },
    );
    const diff = await diffFeeds(reader(first), reader(third));
    expect(diff).toMatchObject({
      from: 1,
      to: 3,
      by: 'changes',
      documents: { upsert: ['a-aaaaaaaaaa-en'], delete: ['a-bbbbbbbbbb-en'] },
    });
    expect([diff.chunks.embed.length, diff.chunks.delete.length, diff.chunks.kept]).toEqual([1, 2, 9]);
  });

  it('uses the snapshot if the changes do not go back far enough', async () => {
    const settings = { keepRuns: 1 };
    const first = await buildSample(one('1'), { settings });
    const second = await buildSample(one('2'), { settings, previous: first });
    const third = await buildSample(one('3', 'moved'), { settings, previous: second });
    expect(await diffFeeds(reader(first), reader(third))).toMatchObject({
      by: 'snapshot',
      documents: { upsert: ['a-aaaaaaaaaa-en'], delete: [] },
    });
  });

  it('has nothing to do between equal runs, and embeds nothing after a move', async () => {
    const first = await buildSample(one('1'));
    const second = await buildSample(one('1', 'moved'), { previous: first });
    expect(await diffFeeds(reader(first), reader(first))).toMatchObject({
      by: 'nothing',
      chunks: { kept: 11 },
    });
    expect(await diffFeeds(reader(first), reader(second))).toMatchObject({
      by: 'changes',
      documents: { upsert: ['a-aaaaaaaaaa-en'], delete: [] },
      chunks: { embed: [], kept: 11 },
    });
  });

  it('refuses a folder without a feed', async () => {
    await expect(
      diffFeeds(
        async () => null,
        async () => null,
      ),
    ).rejects.toMatchObject({ code: 'FEED_INVALID' });
  });
});
