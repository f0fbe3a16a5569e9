import { join } from 'node:path';
import Libsql from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBlockingStore } from '../../../src/service/store/blocking-store.ts';
import { commitTogether, type Database, openDatabase } from '../../../src/service/store/database.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite-store.ts';
import { recordTag, type Store } from '../../../src/service/store/store.ts';
import { fc, runs } from '../../support/properties.ts';
import { makeFolder } from '../support/service.ts';

const options = { defaultLanguage: 'en', clock: () => Date.parse('2026-01-01') };

async function openStore(file = join(makeFolder(), 'kb.sqlite')): Promise<Store> {
  const store = await openSqliteStore(file, options);
  onTestFinished(() => store.close());
  return store;
}

const id = fc.constantFrom('aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc');
const change = fc.record(
  {
    title: fc.constantFrom('Red', 'Green', 'Blue'),
    body: fc.constantFrom('<p>short</p>', '<p>long</p>'),
    tags: fc.uniqueArray(fc.constantFrom('x', 'y')),
    multilingual: fc.uniqueArray(
      fc.record({ language_code: fc.constantFrom('de', 'fr', 'ja'), title: fc.constantFrom('Rot', 'Rouge') }),
      { selector: (translation) => translation.language_code, maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
);
const tooMany = Array.from({ length: 201 }, (_, n) => ({ language_code: `en-x${n}`, title: 'x' }));
const stale = { tags: ['stale'], context: '' };
const write = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), id, change }),
  fc.record({ kind: fc.constant('update' as const), id, change }),
  fc.record({ kind: fc.constant('stale' as const), id }),
  fc.record({ kind: fc.constant('too many' as const), id }),
  fc.record({ kind: fc.constant('delete' as const), id }),
);
type Write = (typeof write extends fc.Arbitrary<infer T> ? T : never) & { readonly id: string };

/** What the store answers to a write; errors as their names. */
function carryOut(store: Store, { id, ...write }: Write): Promise<unknown> {
  const carry = () => {
    if (write.kind === 'create')
      return store.createArticle({ title: 'New', article_id: id, ...write.change });
    if (write.kind === 'update') return store.updateArticle(id, write.change, undefined);
    if (write.kind === 'stale') return store.deleteArticle(id, stale);
    if (write.kind === 'too many') return store.updateArticle(id, { multilingual: tooMany }, undefined);
    return store.deleteArticle(id, undefined);
  };
  return carry().catch((error: Error) => error.name);
}

async function readAll(store: Store) {
  const articles = await store.listArticles(
    {},
    { includeBody: true, after: 0, skip: 0, limit: 100, maxBytes: 1e9 },
  );
  const found = ['red green blue', 'long', 'short', 'rot', 'rouge'].map((text) =>
    store.search({ text, limit: 10, includeDraft: true, includePrivate: true }),
  );
  const ids = (await Promise.all(found)).map(({ hits, total }) => [hits.map((hit) => hit.articleId), total]);
  return { articles, ids, revision: await store.revision() };
}

describe('writes at the same time', () => {
  it('have the answers and the effects of the same writes one after the other', {
    tags: 'property',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 2, maxLength: 12 }), async (writes) => {
        const [together, inTurn] = [await openStore(), await openStore()];
        const strip = (value: unknown) =>
          JSON.parse(
            JSON.stringify(value)
              .replaceAll(together.accountId, 'account')
              .replaceAll(inTurn.accountId, 'account'),
          );
        const answers = await Promise.all(writes.map((item) => carryOut(together, item)));
        const expected: unknown[] = [];
        for (const item of writes) expected.push(await carryOut(inTurn, item));
        expect(strip(answers)).toEqual(strip(expected));
        expect(strip(await readAll(together))).toEqual(strip(await readAll(inTurn)));
        await Promise.all([together.close(), inTurn.close()]);
      }),
      { numRuns: runs(30) },
    );
  });

  it('of which one carries a long body are all kept and found', async () => {
    const store = await openStore();
    const bodies = [1, 2, 3, 4].map((n) => `<p>${'word '.repeat(n % 2 === 0 ? 50_000 : 1)}last${n}</p>`);
    const made = await Promise.all(
      bodies.map((body, n) =>
        store.createArticle({
          title: `T${n}`,
          body,
          multilingual: [{ language_code: 'de', title: 'T', body }],
        }),
      ),
    );
    for (const [n, article] of made.entries()) {
      const { record } = (await store.updateArticle(article?.articleId ?? '', { title: 'U' }, undefined)) as {
        record: { json: string };
      };
      expect(JSON.parse(record.json)).toMatchObject({ title: 'U', body: bodies[n] });
    }
    const sources = await store.listSources({ after: null, limit: 10 });
    expect(sources).toEqual([]);
    const found = async (text: string) =>
      (await store.search({ text, limit: 10, includeDraft: true, includePrivate: false })).total;
    expect(await Promise.all(['last1', 'last2', 'last3', 'last4', 'word'].map(found))).toEqual([
      1, 0, 1, 0, 4,
    ]);
  });

  it('of a long article, however often, give whole texts of one state to a reader', () => {
    const file = join(makeFolder(), 'kb.sqlite');
    const [reading, writing] = [openDatabase(file), openDatabase(file)];
    let [version, reads] = [0, 0];
    const storeOn = (database: Database) =>
      createBlockingStore({
        database,
        accountId: 'a',
        defaultLanguage: 'en',
        now: () => new Date(version).toISOString(),
      });
    const writer = storeOn(writing);
    const write = () => {
      version += 1;
      const fields = { body: `<p>${'word '.repeat(50_000)}end${version}</p>`, is_published: true };
      if (version === 1) writer.createArticle({ article_id: 'aaaaaaaaaa', title: 'Long', ...fields });
      else writer.updateArticle('aaaaaaaaaa', fields, undefined);
    };
    write();
    const rows: Database['rows'] = (sql, ...values) => {
      const found = reading.rows<never>(sql, ...values);
      reads += 1;
      if (sql.includes('version.text') && reads < 20) write();
      return found;
    };
    const [source] = storeOn({ ...reading, rows }).listSources({ after: null, limit: 10 });
    expect([reads, source?.updatedAt, source?.text.slice(-5)]).toEqual([
      1,
      new Date(1).toISOString(),
      ' end1',
    ]);
    const [later] = storeOn(reading).listSources({ after: null, limit: 10 });
    expect(later?.text.slice(-5)).toBe(' end2');
    for (const database of [reading, writing]) database.close();
  });

  it.each(['in one store', 'in two stores of one file'])(
    '%s with one If-Match: exactly one is carried out',
    async (where) => {
      const file = join(makeFolder(), 'kb.sqlite');
      const stores = [await openStore(file), await openStore(file)];
      const storeAt = (n: number) => stores[where === 'in one store' ? 0 : n % 2] as Store;
      const { articleId = '', json = '' } = (await storeAt(0).createArticle({ title: 'First' })) ?? {};
      const category = (await storeAt(0).createCategory({ title: 'First' })) ?? '';
      const { category_id: categoryId } = JSON.parse(category);
      const expectedOf = (stored: string) => ({
        tags: ['other', recordTag(stored, 'site')],
        context: 'site',
      });
      const articles = Array.from({ length: 12 }, (_, n) =>
        n % 4 === 3
          ? storeAt(n).deleteArticle(articleId, expectedOf(json))
          : storeAt(n).updateArticle(articleId, { title: `Edit ${n}` }, expectedOf(json)),
      );
      const categories = Array.from({ length: 12 }, (_, n) =>
        storeAt(n).updateCategory(categoryId, { title: `Edit ${n}` }, expectedOf(category)),
      );
      for (const changes of [await Promise.all(articles), await Promise.all(categories)]) {
        const outcomes = changes.map(({ outcome }) => outcome);
        expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
        expect(
          outcomes.filter(
            (outcome) => outcome === 'done' || outcome === 'precondition_failed' || outcome === 'not_found',
          ),
        ).toHaveLength(12);
      }
      const winner = (await Promise.all(categories)).find(({ outcome }) => outcome === 'done');
      expect(winner).toEqual({ outcome: 'done', record: await storeAt(1).readCategory(categoryId) });
    },
  );

  it('that are waiting when the store closes are carried out', async () => {
    const file = join(makeFolder(), 'kb.sqlite');
    const store = await openSqliteStore(file, options);
    const writes: Promise<unknown>[] = [1, 2].map((n) => store.createCategory({ title: `C${n}` }));
    writes.push(store.createArticle({ title: 'Long', body: 'long '.repeat(50_000) }));
    await store.close();
    expect(await Promise.all(writes)).toHaveLength(3);
    await expect(store.createCategory({ title: 'late' })).rejects.toThrow('the store is closed');
    const again = await openStore(file);
    expect(await again.listCategories()).toHaveLength(2);
    expect((await readAll(again)).articles).toHaveLength(1);
  });
});

it('a file that is being made by another process is opened when that one has finished', async () => {
  const file = join(makeFolder(), 'kb.sqlite');
  const other = new Libsql(file);
  other.exec('BEGIN EXCLUSIVE; CREATE TABLE first (name TEXT)');
  // The first attempt is made before this returns.
  const opening = openStore(file);
  other.exec('ROLLBACK');
  other.close();
  expect(await (await opening).isEmpty()).toBe(true);
});

/** A database that counts its transactions. */
function openCounted() {
  const database = openDatabase(join(makeFolder(), 'kb.sqlite'));
  onTestFinished(() => database.close());
  let transactions = 0;
  const transaction = <T>(work: () => T): T => {
    transactions++;
    return database.transaction(work);
  };
  const add =
    (name: string, bytes = 1) =>
    () =>
      database.run('INSERT INTO category (category_id, record) VALUES (?, ?)', name, 'x'.repeat(bytes));
  const names = () =>
    database.rows<{ name: string }>('SELECT category_id AS name FROM category').map(({ name }) => name);
  return { database: { ...database, transaction }, add, names, count: () => transactions };
}

describe('deferred work', () => {
  const add = (database: Database, names: readonly string[]) => {
    for (const name of names) {
      database.run('INSERT INTO category (category_id, record) VALUES (?, ?)', name, String(names.length));
    }
  };
  const list = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `c${from + n}`);

  it('is carried out in pieces also in a savepoint, and is undone with it', () => {
    const { database, names } = openCounted();
    const deferAll = (items: readonly string[]) => {
      for (const item of items) database.defer(add, item);
    };
    database.transaction(() => {
      deferAll(list(0, 5));
      expect(() =>
        database.savepoint(() => {
          deferAll(list(5, 450));
          expect(names().length).toBeGreaterThanOrEqual(400);
          throw new Error('half way');
        }),
      ).toThrow('half way');
      expect(names()).toEqual([]);
      database.savepoint(() => deferAll(list(5, 300)));
    });
    expect(names()).toEqual(list(0, 300).sort());
  });

  it('is refused outside a transaction, which would never carry it out', () => {
    const { database } = openCounted();
    expect(() => database.defer(add, 'a')).toThrow('only a transaction');
  });
});

describe('a group of writes', () => {
  it('shares one transaction, and one that fails is undone without affecting the others', () => {
    const { database, add, names, count } = openCounted();
    const failing = () => {
      add('half')();
      throw new Error('half way');
    };
    const outcomes = commitTogether(database, [add('a'), failing, add('b'), add('a'), add('c')]);
    expect(outcomes.map((outcome) => ('error' in outcome ? 'failed' : outcome.value))).toEqual([
      1,
      'failed',
      1,
      'failed',
      1,
    ]);
    expect([names(), count(), database.isInTransaction()]).toEqual([['a', 'b', 'c'], 1, false]);
  });

  it('applies the deferred work of its parts together, except that of a failed part', () => {
    const { database } = openCounted();
    const given: (readonly string[])[] = [];
    const keep = (_: unknown, items: readonly string[]) => given.push(items);
    const deferring = (name: string) => () => database.defer(keep, name);
    const failing = () => {
      deferring('half')();
      throw new Error('half way');
    };
    commitTogether(database, [deferring('a'), failing, deferring('b')]);
    commitTogether(database, [failing]);
    commitTogether(database, [deferring('c')]);
    expect(given).toEqual([['a', 'b'], ['c']]);
  });

  it('writes one part of the search index, in whatever order it changes the articles', () => {
    const { database } = openCounted();
    const store = createBlockingStore({
      database,
      accountId: 'aaaaaaaaaa',
      defaultLanguage: 'en',
      now: () => '2026-01-01T00:00:00.000Z',
    });
    const ids = ['cccccccccc', 'bbbbbbbbbb', 'aaaaaaaaaa'];
    const creations = ids.map((article_id) => () => store.createArticle({ article_id, title: 'One' }));
    const changes = ids.toReversed().map((id) => () => store.updateArticle(id, { title: 'Two' }, undefined));
    commitTogether(database, creations);
    commitTogether(database, changes);
    const parts = database.row<{ count: number }>(
      'SELECT count(DISTINCT segid) AS count FROM search_index_idx',
    );
    expect(parts).toEqual({ count: 2 });
    const find = (text: string) =>
      store.search({ text, limit: 10, includeDraft: true, includePrivate: true });
    expect([find('one').total, find('two').total]).toEqual([0, 3]);
  });

  it('loses only the write that has no room on the disk', () => {
    const { database, add, names } = openCounted();
    database.rows(`PRAGMA max_page_count = ${Number(database.row('PRAGMA page_count')?.page_count) + 3}`);
    const outcomes = commitTogether(database, [add('a'), add('large', 1_000_000), add('b')]);
    expect(outcomes).toEqual([
      { value: 1 },
      { error: expect.objectContaining({ name: 'StoreUnavailable', reason: 'full' }) },
      { value: 1 },
    ]);
    expect(names()).toEqual(['a', 'b']);
  });

  it('fails as a whole if another process holds the lock', () => {
    const { database, add } = openCounted();
    const other = openDatabase(String(database.row('PRAGMA database_list')?.file));
    onTestFinished(() => other.close());
    database.rows('PRAGMA busy_timeout = 0');
    other.run('BEGIN IMMEDIATE');
    const locked = { error: expect.objectContaining({ name: 'StoreUnavailable', reason: 'locked' }) };
    expect(commitTogether(database, [add('a'), add('b')])).toEqual([locked, locked]);
    other.run('ROLLBACK');
  });
});
