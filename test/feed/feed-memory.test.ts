import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FeedMemory, openFeedMemory, type RememberedFeed } from '../../src/feed/feed-memory.ts';
import { readPreviousFeed } from '../../src/feed/read-previous-feed.ts';
import { type BuildOptions, buildSample } from './support/build-sample.ts';
import type { MemoryOutput } from './support/memory-output.ts';
import type { SampleArticle, SampleSite } from './support/sample-plan.ts';

const reset: SampleArticle = {
  id: 'aaaaaaaaaa',
  categoryId: 'cat1',
  tags: ['a', 'b'],
  updatedAt: '2025-03-01T10:00:00.000Z',
  pages: {
    en: { title: 'Reset', markdown: 'Press reset.\n\n## Then\n\nWait.\n' },
    de: { title: 'Zurücksetzen', markdown: 'Drücken.\n' },
  },
};
const welcome: SampleArticle = {
  id: 'bbbbbbbbbb',
  pages: { en: { title: 'Welcome', markdown: 'Hello.\n' } },
};
const site: SampleSite = {
  languages: ['en', 'de'],
  categories: [{ id: 'cat1', titles: { en: 'Account', de: 'Konto' } }],
  articles: [reset, welcome],
};
const edited = { ...welcome, pages: { en: { title: 'Welcome', markdown: 'Hello, you.\n' } } };

/** A memory that is there as long as the test. */
function holdMemory(remembered: RememberedFeed = new Map()): FeedMemory {
  let held = remembered;
  return {
    recall: () => held,
    remember: (feed) => {
      held = feed;
    },
  };
}

const files = (output: MemoryOutput) => new Map(output.paths().map((path) => [path, output.text(path)]));
const readFrom = (output: MemoryOutput) => async (path: string) =>
  output.paths().includes(path) ? Buffer.from(output.text(path)) : null;

/** What was remembered, each content hash made another one: tells whether it was used. */
function withOtherHashes(remembered: RememberedFeed): RememberedFeed {
  return new Map(
    [...remembered].map(([language, { sha256, documents }]) => [
      language,
      {
        sha256,
        documents: new Map(
          [...documents].map(([id, document]) => [id, { ...document, hash: '0'.repeat(64) }]),
        ),
      },
    ]),
  );
}

describe('a run that remembers', () => {
  it('publishes what a run publishes that reads everything, whatever happened since', async () => {
    const renamed = [{ id: 'cat1', titles: { en: 'Your account', de: 'Konto' } }];
    const steps: readonly (readonly [SampleSite, BuildOptions?])[] = [
      [site],
      [{ ...site, articles: [reset, edited] }],
      [{ ...site, categories: renamed }],
      [{ ...site, articles: [reset] }],
      [{ ...site, languages: ['en'] }],
      [site, { settings: { chunks: { targetTokens: 200 } } }],
      [{ ...site, articles: [reset, { ...welcome, slug: 'hello' }] }],
    ];
    const memory = holdMemory();
    let outputs: readonly MemoryOutput[] = [];
    for (const [next, options] of steps) {
      const [plain = null, remembering = null] = outputs;
      outputs = [
        await buildSample(next, { ...options, previous: plain }),
        await buildSample(next, { ...options, previous: remembering, memory }),
      ];
      const [expected, actual] = outputs.map(files);
      expect(actual).toEqual(expected);
    }
    expect(outputs[0]?.paths()).toContain('feed/changes/7.jsonl');
  });

  it('remembers exactly what reading the feed gives', async () => {
    const memory = holdMemory();
    const output = await buildSample(site, { memory });
    const read = await readPreviousFeed(readFrom(output), new Map());
    const remembered = [...memory.recall().values()].flatMap(({ documents }) => [...documents]);
    expect(remembered).toEqual([...(read?.documents ?? [])]);
    expect(remembered).toHaveLength(3);
  });

  it('uses what it remembers instead of reading documents again', async () => {
    const memory = holdMemory();
    const previous = await buildSample(site, { memory });
    const altered = holdMemory(withOtherHashes(memory.recall()));
    const output = await buildSample(site, { previous, memory: altered });
    expect(output.text('feed/changes/2.jsonl').match(/"previous_hash":"0{64}"/g)).toHaveLength(3);
  });

  it('uses nothing of it for a feed that is not the remembered one', async () => {
    const memory = holdMemory();
    await buildSample({ ...site, articles: [reset, edited], languages: ['en'] }, { memory });
    const foreign = holdMemory(withOtherHashes(memory.recall()));
    const output = await buildSample(site, { previous: await buildSample(site), memory: foreign });
    expect(output.paths()).not.toContain('feed/changes/2.jsonl');
  });

  it('still notices that documents.jsonl is not what the manifest lists', async () => {
    const memory = holdMemory();
    const built = await buildSample(site, { memory });
    const path = 'feed/en/documents.jsonl';
    const tampered: MemoryOutput = {
      ...built,
      text: (wanted) => built.text(wanted).replace(wanted === path ? 'Hello' : '\u0000', 'Hallo'),
    };
    await expect(buildSample(site, { previous: tampered, memory })).rejects.toMatchObject({
      code: 'FEED_PREVIOUS_INVALID',
    });
  });
});

describe('the file of the memory', () => {
  let folder: string;
  let feed: RememberedFeed;
  const file = () => join(folder, 'last-feed.json');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-memory-'));
    const memory = holdMemory();
    await buildSample(site, { memory });
    feed = memory.recall();
    openFeedMemory(folder, 'engine').remember(feed);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('gives back what was remembered, in order', () => {
    const recalled = openFeedMemory(folder, 'engine').recall();
    expect([...recalled.keys()]).toEqual(['en', 'de']);
    expect(recalled).toEqual(feed);
    expect([...(recalled.get('en')?.documents.keys() ?? [])]).toEqual(['a-aaaaaaaaaa-en', 'a-bbbbbbbbbb-en']);
  });

  it('is nothing to another engine', () => {
    expect(openFeedMemory(folder, 'another').recall()).toEqual(new Map());
  });

  it.each([
    ['is not there', null],
    ['is empty', () => ''],
    ['is cut', (text: string) => text.slice(0, -100)],
    ['has another letter', (text: string) => text.replace('"a-bbbbbbbbbb-en"', '"a-bbbbbbbbbc-en"')],
    ['is of another format', (text: string) => text.replace('lectern-last-feed', 'lectern-last-run')],
    ['is of somebody else', () => '{"name":"x"}\n[]\n'],
  ])('is nothing where it %s', async (_, alter) => {
    if (alter === null) await rm(file());
    else await writeFile(file(), alter(await readFile(file(), 'utf8')));
    expect(openFeedMemory(folder, 'engine').recall()).toEqual(new Map());
  });

  it('costs no run anything when it cannot be written', async () => {
    await writeFile(join(folder, 'file'), '');
    const memory = openFeedMemory(join(folder, 'file', 'cache'), 'engine');
    memory.remember(feed);
    expect(memory.recall()).toEqual(new Map());
  });
});
