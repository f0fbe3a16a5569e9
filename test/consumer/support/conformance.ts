import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import type { AppliedFeed } from '../../../src/consumer/applied-feed.ts';
import type { Manifest } from '../../../src/feed/manifest.ts';
import type { ChunkRecord } from '../../../src/feed/records/record-schemas.ts';
import { buildSample } from '../../feed/support/build-sample.ts';
import { type MemoryOutput, recordLines } from '../../feed/support/memory-output.ts';
import type { SampleArticle, SampleSite } from '../../feed/support/sample-plan.ts';
import { fc } from '../../support/properties.ts';

/** Content of a target: by id, the chunk and the text of its embedding. */
export type Store = Record<string, { readonly chunk: ChunkRecord; readonly embedded: string }>;

/** A consumer under test. */
export interface Consumer {
  /** Applies the feed at a URL. Stops like a killed process after `callsLeft` calls of the target; then returns `null`. */
  apply(address: string, callsLeft: number): Promise<AppliedFeed | null>;
  /** Content of the target. */
  store(): Store;
}

/** One state of a feed, with the way it is read. */
export interface Step {
  readonly site: SampleSite;
  /** Sizes of partitions and files: with 10 articles in 2 languages, 2, 4 and 8 pages give files with 3, 2 and 1 bits. */
  readonly pages: number;
  /** Average number of documents per file; 128: one file for all. */
  readonly documents: number;
  readonly targetTokens: number;
  /** Whether the output was lost, so that the feed starts anew. */
  readonly isNew: boolean;
  /** Part of the upload that is visible to a first run. */
  readonly uploaded: number;
  /** Number of calls after which the first run of the whole feed is killed; a large number: never. */
  readonly callsLeft: number;
}

const words = ['ink', 'paper', 'locker', 'parcel', 'key', 'door'];

const markdown = fc
  .array(
    fc.oneof(
      fc.constantFrom('## Before you start\n\n', '## Steps\n\n', '### Details\n\n'),
      fc
        .array(fc.constantFrom(...words), { minLength: 20, maxLength: 120 })
        .map((list) => `${list.join(' ')}.\n\n`),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''));

const article = (at: number): fc.Arbitrary<SampleArticle> =>
  fc
    .record({
      title: fc.constantFrom('Ink', 'Paper', 'Lockers'),
      tags: fc.subarray(['new', 'app']),
      updatedAt: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'),
      en: markdown,
      de: fc.option(markdown, { nil: undefined }),
    })
    .map(({ title, en, de, ...fields }) => ({
      ...fields,
      id: `article0${String(at).padStart(2, '0')}`,
      pages: {
        en: { title, markdown: en },
        ...(de === undefined ? {} : { de: { title: `${title} (de)`, markdown: de } }),
      },
    }));

/** A sequence of feeds, most of them similar to the one before. */
export const steps: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.tuple(...Array.from({ length: 10 }, (_, at) => article(at))),
    fc.array(
      fc.record({
        edits: fc.array(fc.tuple(fc.nat(9), fc.option(article(0), { nil: null })), { maxLength: 4 }),
        pages: fc.constantFrom(2, 2, 4, 8),
        documents: fc.constantFrom(1, 1, 1, 128),
        targetTokens: fc.constantFrom(300, 300, 300, 120),
        isNew: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
        uploaded: fc.constantFrom(1, 1, 0.3, 0.7),
        callsLeft: fc.constantFrom(1000, 1000, 0, 1, 2, 5),
      }),
      { minLength: 2, maxLength: 6 },
    ),
  )
  .map(([first, changes]) => {
    let articles: readonly SampleArticle[] = first;
    const replacement: SampleArticle = { id: '', pages: { en: { title: 'Key', markdown: 'A key.\n' } } };
    return changes.map(({ edits, ...how }): Step => {
      for (const [at, edit] of edits) {
        const id = `article0${String(at).padStart(2, '0')}`;
        const others = articles.filter((other) => other.id !== id);
        articles =
          edit === null && others.length > 0 ? others : [...others, { ...(edit ?? replacement), id }];
      }
      return { ...how, site: { languages: ['en', 'de'], articles } };
    });
  });

/** Publishes each step and runs the consumer; its target must have exactly the content of the feed. */
export async function checkConsumer(all: readonly Step[], consumer: Consumer): Promise<void> {
  const server = await servePublished();
  try {
    let previous: MemoryOutput | null = null;
    for (const [at, step] of all.entries()) {
      const published: MemoryOutput = await buildSample(step.site, {
        previous: step.isNew ? null : previous,
        newFeedId: at.toString(16).padStart(32, '0'),
        sizes: { pages: step.pages, documents: step.documents },
        settings: { chunks: { targetTokens: step.targetTokens } },
      });
      if (step.uploaded < 1 && previous !== null) {
        server.publish(halfUploaded(previous, published, step.uploaded));
        await consumer.apply(server.address, 1000);
      }
      server.publish((path) => (published.paths().includes(path) ? published.text(path) : null));
      let result = await consumer.apply(server.address, step.callsLeft);
      if (result === null) result = await consumer.apply(server.address, 1000);
      const { run } = JSON.parse(published.text('feed/manifest.json')) as Manifest;
      expect(result).toMatchObject({ seq: run.seq });
      expect(['applied', 'unchanged']).toContain(result?.status);
      const lines = ['en', 'de'].flatMap((language) => recordLines(published, language, 'chunks'));
      const chunks = lines.map((line) => JSON.parse(line) as ChunkRecord);
      const expected = chunks.map((chunk) => [chunk.id, { chunk, embedded: chunk.embed_text }]);
      expect(consumer.store()).toEqual(Object.fromEntries(expected));
      previous = published;
    }
  } finally {
    await server.stop();
  }
}

/** File names have 1, 2 and 3 bits, some names are reused, and all dates change; then an article is deleted. */
export async function checkRegrouping(consumer: Consumer): Promise<void> {
  const how = { documents: 1, targetTokens: 300, isNew: false, uploaded: 1, callsLeft: 1000 };
  const site = (count: number, month: number): SampleSite => ({
    languages: ['en', 'de'],
    articles: Array.from({ length: count }, (_, at) => {
      const page = { title: 'Words', markdown: `${'Some words. '.repeat(200)}\n` };
      return {
        id: `article00${at}`,
        updatedAt: `2026-0${month}-01T00:00:00.000Z`,
        pages: { en: page, de: page },
      };
    }),
  });
  await checkConsumer(
    [
      { ...how, pages: 8, site: site(10, 1) },
      { ...how, pages: 4, site: site(10, 2) },
      { ...how, pages: 2, site: site(10, 3) },
      { ...how, pages: 2, site: site(9, 4) },
    ],
    consumer,
  );
}

/**
 * The consumer applied run 2; then a different run 2 of the same feed is published, and a run 3 that changes only a date; then further
 * runs.
 */
export async function checkFork(consumer: Consumer): Promise<void> {
  const server = await servePublished();
  const build = (texts: readonly string[], month: number, previous: MemoryOutput | null) =>
    buildSample(
      {
        languages: ['en'],
        articles: texts.map((text, at) => ({
          id: `article00${at}`,
          ...(at === 0 ? { updatedAt: `2026-0${month}-01T00:00:00.000Z` } : {}),
          pages: { en: { title: 'Words', markdown: `${text}\n\n${'Some words. '.repeat(100)}\n` } },
        })),
      },
      { previous },
    );
  const apply = async (published: MemoryOutput) => {
    server.publish((path) => (published.paths().includes(path) ? published.text(path) : null));
    const result = await consumer.apply(server.address, 1000);
    const chunks = recordLines(published, 'en', 'chunks').map((line) => JSON.parse(line) as ChunkRecord);
    const expected = chunks.map((chunk) => [chunk.id, { chunk, embedded: chunk.embed_text }]);
    expect(consumer.store()).toEqual(Object.fromEntries(expected));
    return result;
  };
  try {
    const first = await build(['A', 'B', 'C'], 1, null);
    await apply(first);
    await apply(await build(['A', 'B, wrong', 'C'], 1, first));
    const other = await build(['A', 'B'], 1, first);
    const third = await build(['A', 'B'], 2, other);
    expect(await apply(third)).toMatchObject({ seq: 3, touched: 0 });
    expect(await apply(await build(['A', 'B'], 3, third))).toMatchObject({ seq: 4, touched: 1 });
  } finally {
    await server.stop();
  }
}

/** The source language of two translations is edited, so they become outdated; then another version of the program moves one of them. */
export async function checkTouches(consumer: Consumer): Promise<void> {
  const server = await servePublished();
  const languages = ['en', 'de', 'fr'];
  const site = (text: string, slug = 'a'): SampleSite => ({
    languages,
    articles: [
      {
        id: 'article000',
        slug,
        updatedAt: `2026-01-0${text.length}T00:00:00.000Z`,
        pages: Object.fromEntries(
          languages.map((tag) => [
            tag,
            {
              title: tag,
              markdown: tag === 'en' ? `${text}\n` : `${'Words. '.repeat(400)}\n\n## More\n\nMore.\n`,
            },
          ]),
        ),
      },
    ],
  });
  const publish = async (next: SampleSite, previous: MemoryOutput | null, generator = 'lectern test') => {
    const published = await buildSample(next, { previous, generator });
    server.publish((path) => (published.paths().includes(path) ? published.text(path) : null));
    server.requests.length = 0;
    const result = await consumer.apply(server.address, 1000);
    const lines = languages.flatMap((language) => recordLines(published, language, 'chunks'));
    const chunks = lines.map((line) => JSON.parse(line) as ChunkRecord);
    const expected = chunks.map((chunk) => [chunk.id, chunk]);
    const stored = Object.entries(consumer.store()).map(([id, { chunk }]) => [id, chunk]);
    expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(expected));
    return { published, result, chunks };
  };
  try {
    const first = await publish(site('A'), null);
    const second = await publish(site('AB'), first.published);
    const outdated = second.chunks.filter((chunk) => chunk.translation_outdated);
    expect(outdated.length).toBeGreaterThan(3);
    expect(server.requests).toEqual(['feed/manifest.json', 'feed/changes/2.jsonl', 'feed/en/chunks.jsonl']);
    expect(second.result).toMatchObject({ upserted: 1, touched: outdated.length, deleted: 0 });

    // The consumer was killed during a run: the target may be newer than the cursor.
    const third = await buildSample(site('ABC'), { previous: second.published });
    server.publish((path) => third.text(path));
    expect(await consumer.apply(server.address, 1)).toBeNull();
    const fourth = await publish(site('ABCD'), third);
    // German was applied, French was not.
    expect(server.requests.filter((path) => !path.includes('manifest'))).toEqual([
      'feed/changes/3.jsonl',
      'feed/changes/4.jsonl',
      'feed/de/chunks.jsonl',
      'feed/en/chunks.jsonl',
    ]);
    expect(fourth.result).toMatchObject({ status: 'applied' });

    const fifth = await publish(site('ABCDE'), fourth.published, 'lectern 99');
    expect(server.requests.filter((path) => path.includes('changes'))).toEqual([]);
    const sixth = await publish(site('ABCDE', 'moved'), fifth.published, 'lectern 99');
    expect(sixth.result).toMatchObject({ touched: 0, upserted: sixth.chunks.length });
  } finally {
    await server.stop();
  }
}

/** The new manifest with some previous files: the state in the middle of an upload. */
function halfUploaded(before: MemoryOutput, after: MemoryOutput, share: number) {
  const { files } = JSON.parse(after.text('feed/manifest.json')) as Manifest;
  const uploaded = new Set(files.slice(0, files.length * share).map(({ path }) => path));
  return (path: string): string | null => {
    const from = path === 'feed/manifest.json' || uploaded.has(path) ? after : before;
    return from.paths().includes(path) ? from.text(path) : null;
  };
}

/** A web server with ETags for the currently published files. */
export async function servePublished() {
  let read: (path: string) => string | null = () => null;
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice('/help/'.length);
    const content = read(path);
    if (content === null) return response.writeHead(404).end();
    const etag = `"${Buffer.from(content).toString('base64').length}-${content.length}-${hashCode(content)}"`;
    const isSame = request.headers['if-none-match'] === etag;
    requests.push(`${path}${isSame ? ' (304)' : ''}`);
    return isSame ? response.writeHead(304).end() : response.writeHead(200, { etag }).end(content);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/help/`,
    /** Requested paths so far. */
    requests,
    publish(next: (path: string) => string | null) {
      read = next;
    },
    stop: () => new Promise((closed) => server.close(closed)),
  };
}

function hashCode(text: string): number {
  let code = 0;
  for (let at = 0; at < text.length; at += 1) code = (Math.imul(code, 31) + text.charCodeAt(at)) | 0;
  return code;
}
