import fs, { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApplyFeedOptions, applyFeed } from '../../../src/consumers/follow/apply-feed.ts';
import type { ChangedDocument } from '../../../src/consumers/follow/feed-follower.ts';
import type { LecternError } from '../../../src/core/errors.ts';
import { buildSample } from '../../feed/support/build-sample.ts';
import type { SampleArticle, SampleSite } from '../../feed/support/sample-plan.ts';
import { fc, runs } from '../../support/properties.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  type Consumer,
  checkChanges,
  checkConsumer,
  checkFork,
  checkUrls,
  type Store,
  servePublished,
  steps,
} from './support/conformance.ts';
import { checkLosses } from './support/losses.ts';
import { checkRestarts } from './support/restarts.ts';

let folder: string;

beforeAll(() => {
  folder = temporaryFolder();
});

class Killed extends Error {}

describe('applyFeed', () => {
  it.each([
    ['https://help.example.com', undefined, 'the option cursor'],
    ['https://help.example.com', { cursor: 'x' }, 'the option upsert'],
    ['https://help.example.com', { cursor: 'x', upsert: () => {} }, 'the option delete'],
    [undefined, { cursor: 'x', upsert: () => {}, delete: () => {} }, 'the URL or folder of a site'],
  ])('says what is missing in %j, %j', async (site, options, name) => {
    await expect(applyFeed(site as string, options as ApplyFeedOptions)).rejects.toMatchObject({
      code: 'USAGE',
      message: `applyFeed needs ${name}`,
      exitCode: 2,
    });
  });
});

describe('batchSize', () => {
  it.each([0, -1, 1.5, Number.NaN, '50'])('is not %j', async (batchSize) => {
    const options = { cursor: 'x', upsert: () => {}, delete: () => {}, batchSize };
    await expect(
      applyFeed('https://help.example.com', options as unknown as ApplyFeedOptions),
    ).rejects.toMatchObject({
      code: 'USAGE',
      message: `batchSize is ${batchSize}, not a whole number from 1`,
      exitCode: 2,
    });
  });
});

describe('maxDropPercent', () => {
  it.each([-1, 101, Number.NaN, '20'])('is not %j', async (maxDropPercent) => {
    const options = { cursor: 'x', upsert: () => {}, delete: () => {}, maxDropPercent };
    await expect(
      applyFeed('https://help.example.com', options as unknown as ApplyFeedOptions),
    ).rejects.toMatchObject({
      code: 'USAGE',
      message: `maxDropPercent is ${maxDropPercent}, not a number from 0 to 100`,
      exitCode: 2,
    });
  });
});

let cursors = 0;

function makeConsumer(): Consumer {
  const cursor = join(folder, `cursor-${cursors++}`);
  const target: Store = {};
  return {
    store: () => target,
    async apply(address, callsLeft) {
      let left = callsLeft;
      const die = () => {
        if (left === 0) throw new Killed();
        left -= 1;
      };
      try {
        return await applyFeed(address, {
          cursor,
          batchSize: 3,
          allowMassDelete: true,
          upsert(documents) {
            for (const { document, chunks, removedChunks } of documents) {
              target[document.id] = { document };
              for (const { chunk, embed } of chunks) {
                const known = target[chunk.id];
                const embedded = embed ? chunk.text : known && 'embedded' in known ? known.embedded : '';
                target[chunk.id] = { chunk, embedded };
              }
              for (const id of removedChunks) delete target[id];
            }
            die();
          },
          delete(documents) {
            for (const { id, chunkIds } of documents)
              for (const gone of [id, ...chunkIds]) delete target[gone];
            die();
          },
        });
      } catch (error) {
        if (error instanceof Killed) return null;
        throw error;
      }
    },
  };
}

const site = (...markdown: readonly string[]): SampleSite => ({
  languages: ['en'],
  articles: markdown.map((text, at) => ({
    id: `article00${at}`,
    pages: { en: { title: `Title ${at}`, markdown: text } },
  })),
});

describe('applying a feed', () => {
  it('gives the target the content of the feed, whatever was edited, moved, killed or half uploaded', {
    tags: 'property',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, (all) => checkConsumer(all, makeConsumer())),
      { numRuns: runs(40) },
    );
  });

  it('reads the manifest alone when nothing changed, and then only the changes', async () => {
    const server = await servePublished();
    const consumer = makeConsumer();
    let published = await buildSample(site('One.\n', 'Two.\n', 'Three.\n', 'Four.\n'));
    server.publish((path) => published.text(path));
    const first = await consumer.apply(server.address, 1000);
    expect(first).toMatchObject({ status: 'applied', upserted: 4, deleted: 0 });
    server.requests.length = 0;
    expect(await consumer.apply(server.address, 1000)).toMatchObject({ status: 'unchanged' });
    expect(server.requests).toEqual(['feed/manifest.json']);

    server.requests.length = 0;
    const next = site('One.\n', 'Two.\n', 'Three, edited.\n', 'Four.\n');
    published = await buildSample(next, { previous: published });
    expect(await consumer.apply(server.address, 1000)).toMatchObject({ status: 'applied', upserted: 1 });
    expect(server.requests).toEqual(['feed/manifest.json', 'feed/changes/2.jsonl']);
  });

  it('reads nothing but the manifest and the changes, several runs behind and after a kill', async () => {
    await checkChanges(makeConsumer());
  });

  it('uses no changes of a feed that it did not apply', async () => {
    await checkFork(makeConsumer());
  });

  it('does not ask to embed a chunk again if only other fields changed', async () => {
    const server = await servePublished();
    const embedded: boolean[] = [];
    const options = {
      cursor: join(folder, 'fields'),
      upsert: (documents: readonly ChangedDocument[]) => {
        embedded.push(...documents.flatMap(({ chunks }) => chunks.map(({ embed }) => embed)));
      },
      delete: () => {},
    };
    const site = (fields: Partial<SampleArticle>): SampleSite => ({
      languages: ['en'],
      articles: [{ id: 'article000', ...fields, pages: { en: { title: 'A', markdown: 'Text.\n' } } }],
    });
    let published = await buildSample(site({ slug: 'old' }));
    server.publish((path) => published.text(path));
    await applyFeed(server.address, options);
    // Another URL, another date, and new tags.
    for (const fields of [{ updatedAt: '2026-01-01T00:00:00.000Z' }, { tags: ['new'] }, {}]) {
      published = await buildSample(site({ slug: 'new', ...fields }), { previous: published });
      await applyFeed(server.address, options);
    }
    expect(embedded).toEqual([true, false, false, false]);
  });

  it('deletes no more than a fifth of the documents, unless it is allowed to, and nothing for a poisoned manifest', async () => {
    const stored = new Set<string>();
    await checkLosses(async (address, allowMassDelete) => {
      const status = await applyFeed(address, {
        cursor: join(folder, 'losses'),
        ...(allowMassDelete ? { allowMassDelete } : {}),
        upsert: (documents) => {
          for (const { document } of documents) stored.add(document.id);
        },
        delete: (documents) => {
          for (const { id } of documents) stored.delete(id);
        },
      }).then(
        (result) => result.status,
        (error) => (error as LecternError).code,
      );
      return [status, stored.size];
    });
  });

  it('refuses a second run with its cursor, which could be overtaken by the texts of the first one', async () => {
    const server = await servePublished();
    const published = await buildSample(site('One.\n'));
    server.publish((path) => published.text(path));
    const cursor = join(folder, 'shared');
    const codes: string[] = [];
    const again = () =>
      applyFeed(server.address, { cursor, upsert: () => {}, delete: () => {} }).then(
        ({ status }) => status,
        ({ code }: LecternError) => code,
      );
    await applyFeed(server.address, {
      cursor,
      async upsert() {
        codes.push(await again());
      },
      delete: () => {},
    });
    codes.push(await again());
    expect(codes).toEqual(['LOCKED', 'unchanged']);
  });

  it('sends and notes nothing more when another run took its cursor over while it was suspended', async () => {
    const server = await servePublished();
    const published = await buildSample(site('One.\n', 'Two.\n'));
    server.publish((path) => published.text(path));
    const cursor = join(folder, 'taken-over');
    const calls: number[] = [];
    let noted = '';
    const run = applyFeed(server.address, {
      cursor,
      batchSize: 1,
      upsert(documents) {
        calls.push(documents.length);
        // What the other run does with the lock of a run that gave no sign of life.
        rmSync(`${cursor}.lock`, { recursive: true, force: true });
        noted = readFileSync(cursor, 'utf8');
      },
      delete: () => {},
    });
    await expect(run).rejects.toMatchObject({ code: 'LOCKED' });
    expect(calls).toEqual([1]);
    expect(readFileSync(cursor, 'utf8')).toBe(noted);
  });

  it.skipIf(!existsSync('/dev/full'))(
    'names the cursor if the disk is full when it notes a step',
    async () => {
      const server = await servePublished();
      const published = await buildSample(site('One.\n'));
      server.publish((path) => published.text(path));
      const cursor = join(folder, 'full');
      const fill = () => {
        rmSync(cursor);
        symlinkSync('/dev/full', cursor);
      };
      await expect(
        applyFeed(server.address, { cursor, upsert: fill, delete: () => {} }),
      ).rejects.toMatchObject({ code: 'CURSOR_UNUSABLE', message: `the cursor ${cursor} cannot be written` });
    },
  );

  it('has each step of the cursor on disk before the next one, also if the power fails', async () => {
    const server = await servePublished();
    const published = await buildSample(site('One.\n'));
    server.publish((path) => published.text(path));
    const { fsyncSync } = fs;
    const flushed: string[] = [];
    const note = (step: string) => void flushed.push(step);
    fs.fsyncSync = (descriptor) => {
      note('flushed');
      fsyncSync(descriptor);
    };
    syncBuiltinESMExports();
    try {
      await applyFeed(server.address, {
        cursor: join(folder, 'durable'),
        upsert: () => note('upsert'),
        delete: () => note('delete'),
      });
    } finally {
      Object.assign(fs, { fsyncSync });
      syncBuiltinESMExports();
    }
    expect(flushed).toEqual(['flushed', 'upsert', 'flushed', 'flushed']);
  });

  it('refuses a mirror that is behind, and says what to do', async () => {
    const server = await servePublished();
    const consumer = makeConsumer();
    const first = await buildSample(site('One.\n'));
    const second = await buildSample(site('Two.\n'), { previous: first });
    server.publish((path) => second.text(path));
    await consumer.apply(server.address, 1000);
    const store = structuredClone(consumer.store());
    server.publish((path) => first.text(path));
    await expect(consumer.apply(server.address, 1000)).rejects.toMatchObject({
      code: 'FEED_BEHIND',
      exitCode: 1,
      hint: expect.stringContaining('delete the cursor and empty the target'),
    });
    expect(consumer.store()).toEqual(store);
  });

  it('accepts a feed with another id only if it was built later', async () => {
    const consumer = makeConsumer();
    await checkRestarts((address) =>
      consumer.apply(address, 1000).then(
        (result) => result?.status ?? '',
        (error) => (error as LecternError).code,
      ),
    );
  });

  it('reads plain http from this machine only', async () => {
    await checkUrls((url) =>
      applyFeed(url, { cursor: join(folder, 'refused'), upsert: () => {}, delete: () => {} }).then(
        ({ status }) => status,
        (error) => (error as LecternError).code,
      ),
    );
  });

  it('refuses a URL without a feed, and a cursor that is damaged', async () => {
    const options = { cursor: join(folder, 'none'), upsert: () => {}, delete: () => {} };
    await expect(applyFeed(folder, options)).rejects.toMatchObject({ code: 'FEED_INVALID' });
    for (const damaged of ['{"etag":', '', '\0\0\0']) {
      await writeFile(join(folder, 'none'), damaged);
      await expect(applyFeed(folder, options)).rejects.toMatchObject({
        code: 'CURSOR_UNUSABLE',
        hint: 'delete the cursor, empty the target, then run again',
      });
    }
  });
});
