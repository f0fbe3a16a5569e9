import { join } from 'node:path';
import Libsql from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commitTogether, openDatabase } from '../../../src/service/store/database.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite-store.ts';
import { recordTag, type Store } from '../../../src/service/store/store.ts';
import { fc, runs } from '../../support/properties.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openTestStore } from '../support/service.ts';

const options = { defaultLanguage: 'en', clock: () => Date.parse('2026-01-01') };

function openStore(file = join(temporaryFolder(), 'kb.sqlite')): Promise<Store> {
  return openTestStore(file, options.clock);
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
  const articles = await store.listArticles({}, { includeBody: true, after: 0, skip: 0, limit: 100 });
  const found = ['red green blue', 'long', 'short', 'rot', 'rouge'].map((text) =>
    store.search({ query: text, limit: 10, include_draft: true, include_private: true }),
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
      (await store.search({ query: text, limit: 10, include_draft: true, include_private: false })).total;
    expect(await Promise.all(['last1', 'last2', 'last3', 'last4', 'word'].map(found))).toEqual([
      1, 0, 1, 0, 4,
    ]);
  });

  it.each(['in one store', 'in two stores of one file'])(
    '%s with one If-Match: exactly one is carried out',
    async (where) => {
      const file = join(temporaryFolder(), 'kb.sqlite');
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
    const file = join(temporaryFolder(), 'kb.sqlite');
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
  const file = join(temporaryFolder(), 'kb.sqlite');
  const other = new Libsql(file);
  other.exec('BEGIN EXCLUSIVE; CREATE TABLE first (name TEXT)');
  // The first attempt is made before this returns.
  const opening = openStore(file);
  other.exec('ROLLBACK');
  other.close();
  expect(await (await opening).isEmpty()).toBe(true);
});

function openFile() {
  const database = openDatabase(join(temporaryFolder(), 'kb.sqlite'));
  onTestFinished(() => database.close());
  const add =
    (name: string, bytes = 1) =>
    async () =>
      database.run('INSERT INTO category (category_id, record) VALUES (?, ?)', name, 'x'.repeat(bytes));
  const names = () =>
    database.rows<{ name: string }>('SELECT category_id AS name FROM category').map(({ name }) => name);
  return { database, add, names };
}

describe('a group of writes', () => {
  it('shares one transaction, and one that fails is undone without affecting the others', async () => {
    const { database, add, names } = openFile();
    let begun = 0;
    const counted: typeof database = {
      ...database,
      transaction: (work) => {
        if (!database.isInTransaction()) begun += 1;
        return database.transaction(work);
      },
    };
    const failing = async () => {
      await add('half')();
      throw new Error('half way');
    };
    const outcomes = await commitTogether(counted, [add('a'), failing, add('b'), add('a'), add('c')]);
    expect(outcomes.map((outcome) => ('error' in outcome ? 'failed' : outcome.value))).toEqual([
      1,
      'failed',
      1,
      'failed',
      1,
    ]);
    expect([names(), begun, database.isInTransaction()]).toEqual([['a', 'b', 'c'], 1, false]);
  });

  it('loses only the write that has no room on the disk', async () => {
    const { database, add, names } = openFile();
    database.rows(`PRAGMA max_page_count = ${Number(database.row('PRAGMA page_count')?.page_count) + 3}`);
    const outcomes = await commitTogether(database, [add('a'), add('large', 1_000_000), add('b')]);
    expect(outcomes).toEqual([
      { value: 1 },
      { error: expect.objectContaining({ name: 'DatabaseUnavailable', reason: 'full' }) },
      { value: 1 },
    ]);
    expect(names()).toEqual(['a', 'b']);
  });

  it('fails as a whole if another process holds the lock', async () => {
    const { database, add } = openFile();
    const other = openDatabase(String(database.row('PRAGMA database_list')?.file));
    onTestFinished(() => other.close());
    database.rows('PRAGMA busy_timeout = 0');
    other.run('BEGIN IMMEDIATE');
    const locked = { error: expect.objectContaining({ name: 'DatabaseUnavailable', reason: 'locked' }) };
    expect(await commitTogether(database, [add('a'), add('b')])).toEqual([locked, locked]);
    other.run('ROLLBACK');
  });
});
