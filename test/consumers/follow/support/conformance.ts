import { expect } from 'vitest';
import type { FollowedFeed } from '../../../../src/consumers/follow/feed-follower.ts';
import type { Manifest } from '../../../../src/feed/read/manifest.ts';
import type { ChunkRecord, DocumentRecord } from '../../../../src/feed/records/record-schemas.ts';
import { buildSample } from '../../../feed/support/build-sample.ts';
import { findText, type MemoryOutput, recordsOf } from '../../../feed/support/memory-output.ts';
import type { SampleArticle, SampleSite } from '../../../feed/support/sample-plan.ts';
import { fc } from '../../../support/properties.ts';
import { serve } from '../../../support/serve.ts';

/** Content of a target, by id: documents, and chunks with the texts of their embeddings. */
export type Store = Record<
  string,
  { readonly document: DocumentRecord } | { readonly chunk: ChunkRecord; readonly embedded: string }
>;

/** What a target of a published feed must have. */
function storeOf(published: MemoryOutput, languages: readonly string[]): Store {
  const store: Store = {};
  for (const language of languages) {
    for (const document of recordsOf<DocumentRecord>(published, language, 'documents'))
      store[document.id] = { document };
    for (const chunk of recordsOf<ChunkRecord>(published, language, 'chunks'))
      store[chunk.id] = { chunk, embedded: chunk.text };
  }
  return store;
}

/** A consumer under test. */
export interface Consumer {
  /** Applies the feed at a URL. Stops like a killed process after `callsLeft` calls of the target; then returns `null`. */
  apply(address: string, callsLeft: number): Promise<FollowedFeed | null>;
  /** Content of the target. */
  store(): Store;
}

/** One state of a feed, with the way it is read. */
export interface Step {
  readonly site: SampleSite;
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
        settings: { chunks: { targetTokens: step.targetTokens } },
      });
      if (step.uploaded < 1 && previous !== null) {
        server.publish(halfUploaded(previous, published, step.uploaded));
        await consumer.apply(server.address, 1000);
      }
      server.publish((path) => findText(published, path));
      let result = await consumer.apply(server.address, step.callsLeft);
      if (result === null) result = await consumer.apply(server.address, 1000);
      const { run } = JSON.parse(published.text('feed/manifest.json')) as Manifest;
      expect(result).toMatchObject({ seq: run.seq });
      expect(['applied', 'unchanged']).toContain(result?.status);
      expect(consumer.store()).toEqual(storeOf(published, ['en', 'de']));
      previous = published;
    }
  } finally {
    await server.stop();
  }
}

/**
 * The consumer applied run 2, and another run 2; then a different run 2 of the same feed is published, and a run 3 on top of it; then a run 4.
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
    server.publish((path) => findText(published, path));
    const result = await consumer.apply(server.address, 1000);
    expect(consumer.store()).toEqual(storeOf(published, ['en']));
    return result;
  };
  try {
    const others = ['C', 'D', 'E', 'F'];
    const first = await build(['A', 'B', ...others], 1, null);
    await apply(first);
    await apply(await build(['A', 'B, wrong', ...others], 1, first));
    // It has the same size.
    await apply(await build(['A', 'B, right', ...others], 1, first));
    const other = await build(['A', 'B', ...others, 'G'], 1, first);
    const third = await build(['A', 'B', ...others, 'G'], 2, other);
    server.requests.length = 0;
    expect(await apply(third)).toMatchObject({ seq: 3 });
    expect(server.requests).toContain('feed/en/documents.jsonl');
    server.requests.length = 0;
    expect(await apply(await build(['A', 'B', ...others, 'G'], 3, third))).toMatchObject({ seq: 4 });
    expect(server.requests).toEqual(['feed/manifest.json', 'feed/changes/4.jsonl']);
  } finally {
    await server.stop();
  }
}

/** Several runs behind, a consumer reads only the manifest and the changes: edits, a deletion, and an article that returns. */
export async function checkChanges(consumer: Consumer): Promise<void> {
  const server = await servePublished();
  const site = (...texts: readonly (string | null)[]): SampleSite => ({
    languages: ['en', 'de'],
    articles: texts.flatMap((text, at) =>
      text === null
        ? []
        : {
            id: `article00${at}`,
            pages: { en: { title: 'Words', markdown: text }, de: { title: 'Worte', markdown: 'Text.\n' } },
          },
    ),
  });
  const others = ['C.\n', 'D.\n', 'E.\n', 'F.\n', 'G.\n', 'H.\n'];
  try {
    let published = await buildSample(site('A.\n', 'B.\n', ...others));
    server.publish((path) => findText(published, path));
    expect(await consumer.apply(server.address, 1000)).toMatchObject({ upserted: 16, deleted: 0 });
    for (const next of [
      site('A, edited.\n', 'B.\n', ...others),
      site('A, edited.\n', null, ...others),
      site(`## More\n\n${'A, edited again. '.repeat(60)}\n`, null, ...others),
    ])
      published = await buildSample(next, { previous: published });
    server.requests.length = 0;
    expect(await consumer.apply(server.address, 1000)).toMatchObject({ upserted: 1, deleted: 2 });
    expect(consumer.store()).toEqual(storeOf(published, ['en', 'de']));
    const changes = [2, 3, 4].map((seq) => `feed/changes/${seq}.jsonl`);
    expect(server.requests).toEqual(['feed/manifest.json', ...changes]);

    // A run that changes most documents, but little text.
    const shorter = others.map((text) => text.replace('.', ''));
    published = await buildSample(site('A, edited.\n', null, ...shorter), { previous: published });
    server.requests.length = 0;
    expect(await consumer.apply(server.address, 1000)).toMatchObject({ upserted: 7, deleted: 0 });
    expect(server.requests).toEqual(['feed/manifest.json', 'feed/changes/5.jsonl']);
    published = await buildSample(site('A, edited.\n', null, ...others), { previous: published });
    await consumer.apply(server.address, 1000);

    // Killed while it applies the changes: the next run applies those of both runs.
    published = await buildSample(site('A, short.\n', 'B.\n', ...others), { previous: published });
    expect(await consumer.apply(server.address, 0)).toBeNull();
    published = await buildSample(site('A, short.\n', 'B.\n', null, ...others.slice(1)), {
      previous: published,
    });
    server.requests.length = 0;
    await consumer.apply(server.address, 1000);
    expect(consumer.store()).toEqual(storeOf(published, ['en', 'de']));
    expect(server.requests).not.toContain('feed/en/documents.jsonl');

    // Killed after it stored an edit, which the publisher then takes back; and takes back and edits another article.
    const kept = published;
    const withdrawn = site('A, wrong.\n', 'B.\n', null, null, ...others.slice(2));
    for (const restored of [
      kept,
      await buildSample(site('A, short.\n', 'B, new.\n', null, ...others.slice(1)), { previous: kept }),
    ]) {
      published = await buildSample(withdrawn, { previous: kept });
      expect(await consumer.apply(server.address, 1)).toBeNull();
      published = restored;
      await consumer.apply(server.address, 1000);
      expect(consumer.store()).toEqual(storeOf(restored, ['en', 'de']));
    }
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
    return findText(from, path);
  };
}

/** A web server for the currently published files, with the ETags of nginx if all files have one time, as in a reproducible image. */
export async function servePublished() {
  let read: (path: string) => string | null = () => null;
  const requests: string[] = [];
  const server = await serve((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice('/help/'.length);
    const content = read(path);
    if (content === null) return response.writeHead(404).end();
    const etag = `"1-${Buffer.byteLength(content).toString(16)}"`;
    const isSame = request.headers['if-none-match'] === etag;
    requests.push(`${path}${isSame ? ' (304)' : ''}`);
    return isSame ? response.writeHead(304).end() : response.writeHead(200, { etag }).end(content);
  });
  return {
    address: `${server.origin}/help/`,
    /** Requested paths so far. */
    requests,
    publish(next: (path: string) => string | null) {
      read = next;
    },
    stop: server.close,
  };
}

/** URLs that no consumer accepts, with their error codes. @param apply returns the status, or the code of the thrown error */
export async function checkUrls(apply: (url: string) => Promise<string>): Promise<void> {
  for (const url of [
    'http://help.example.com/',
    'HTTP://help.example.com',
    'http://127.0.0.1.example.com/',
    'https://user:pass%20word@help.example.com/',
  ]) {
    expect([url, await apply(url)]).toEqual([url, 'USAGE']);
  }
  expect(await apply('/nowhere/feed/manifest.json')).toBe('FEED_INVALID');
}
