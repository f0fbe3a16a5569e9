import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DocumentState, readStates, stateLine } from '../../src/feed/document-state.ts';
import { type FeedMemory, openFeedMemory, type RememberedLanguages } from '../../src/feed/feed-memory.ts';
import { readPreviousFeed } from '../../src/feed/read-previous-feed.ts';
import { RecordLog } from '../../src/output/record-log.ts';
import { type BuildOptions, buildSample } from './support/build-sample.ts';
import { type MemoryOutput, readerOf } from './support/memory-output.ts';
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

/** What was remembered: by language the hash of the file, and the states. */
interface Held {
  readonly languages: RememberedLanguages;
  readonly states: readonly DocumentState[];
}

/** A memory that is there as long as the test. */
function holdMemory(remembered: Held | null = null): FeedMemory & { held(): Held } {
  let held = remembered;
  return {
    recall(log) {
      for (const state of held?.states ?? []) log.append(stateLine(state));
      return held?.languages ?? null;
    },
    remember(log, languages) {
      held = { languages, states: [...readStates(log)] };
    },
    held: () => held ?? { languages: new Map(), states: [] },
  };
}

const files = (output: MemoryOutput) => new Map(output.paths().map((path) => [path, output.text(path)]));

/** What was remembered, each content hash made another one: tells whether it was used. */
function withOtherHashes({ languages, states }: Held): Held {
  return { languages, states: states.map((state) => ({ ...state, hash: '0'.repeat(64) })) };
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
    const read = await readPreviousFeed(readerOf(output), null, null);
    const { states } = memory.held();
    expect(states.map((state) => ({ ...state, chunks: null }))).toEqual([...(read?.documents.rest() ?? [])]);
    expect(states.map(({ id, chunks, opening }) => [id, chunks, opening])).toEqual([
      ['a-aaaaaaaaaa-en', 1, 'Press reset. Then Wait.'],
      ['a-aaaaaaaaaa-de', 1, 'Drücken.'],
      ['a-bbbbbbbbbb-en', 1, 'Hello.'],
    ]);
  });

  it('uses what it remembers instead of reading documents again', async () => {
    const memory = holdMemory();
    const previous = await buildSample(site, { memory });
    const altered = holdMemory(withOtherHashes(memory.held()));
    const output = await buildSample(site, { previous, memory: altered });
    expect(output.text('feed/changes/2.jsonl').match(/"previous_hash":"0{64}"/g)).toHaveLength(3);
  });

  it('uses nothing of it for a feed that is not the remembered one', async () => {
    const memory = holdMemory();
    await buildSample({ ...site, articles: [reset, edited], languages: ['en'] }, { memory });
    const foreign = holdMemory(withOtherHashes(memory.held()));
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

describe('a feed that is read', () => {
  it('is refused where its documents are not sorted by article, as no run writes them', async () => {
    const built = await buildSample({ ...site, languages: ['en'] });
    const path = 'feed/en/documents.jsonl';
    const swapped = `${built.text(path).trimEnd().split('\n').reverse().join('\n')}\n`;
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const disordered: MemoryOutput = {
      ...built,
      text: (wanted) =>
        wanted === path ? swapped : built.text(wanted).replace(sha256(built.text(path)), sha256(swapped)),
    };
    await expect(buildSample(site, { previous: disordered })).rejects.toMatchObject({
      code: 'FEED_PREVIOUS_INVALID',
      message: expect.stringContaining('not sorted'),
    });
  });
});

describe('the file of the memory', () => {
  let folder: string;
  let log: RecordLog;
  const languages = new Map([
    ['en', 'a'.repeat(64)],
    ['de', 'b'.repeat(64)],
  ]);
  const file = () => join(folder, 'last-feed.jsonl');
  const recall = (engine = 'engine') => {
    const recalled = new RecordLog(null);
    const known = openFeedMemory(folder, engine).recall(recalled);
    return known === null ? null : { known, states: [...readStates(recalled)] };
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-memory-'));
    const memory = holdMemory();
    await buildSample(site, { memory });
    log = new RecordLog(null);
    memory.recall(log);
    openFeedMemory(folder, 'engine').remember(log, languages);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('gives back what was remembered, in order', () => {
    expect(recall()).toEqual({ known: languages, states: [...readStates(log)] });
    expect(recall()?.states).toHaveLength(3);
  });

  it('is nothing to another engine', () => {
    expect(recall('another')).toBeNull();
  });

  it.each([
    ['is not there', null],
    ['is empty', () => ''],
    ['is cut', (text: string) => text.slice(0, -100)],
    ['lacks its end', (text: string) => text.slice(0, -66)],
    ['has another letter', (text: string) => text.replace('"a-bbbbbbbbbb-en"', '"a-bbbbbbbbbc-en"')],
    ['is of another format', (text: string) => text.replace('lectern-last-feed', 'lectern-last-run')],
    ['is of somebody else', () => '{"name":"x"}\n[]\n'],
  ])('is nothing where it %s', async (_, alter) => {
    if (alter === null) await rm(file());
    else await writeFile(file(), alter(await readFile(file(), 'utf8')));
    expect(recall()).toBeNull();
  });

  it('costs no run anything when it cannot be written', async () => {
    await writeFile(join(folder, 'file'), '');
    const memory = openFeedMemory(join(folder, 'file', 'cache'), 'engine');
    memory.remember(log, languages);
    expect(memory.recall(new RecordLog(null))).toBeNull();
  });
});
