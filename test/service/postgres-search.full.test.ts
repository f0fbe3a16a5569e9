import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { backUpDatabase, restoreDatabase } from '../../src/service/backup.ts';
import { connectDatabase } from '../../src/service/store/database.ts';
import { openStore } from '../../src/service/store/open-store.ts';
import type { Store } from '../../src/service/store/store.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { describeWith } from '../support/tools.ts';
import { makeFolder } from './support/service.ts';

describeWith('postgres', 'a search in PostgreSQL', (program) => {
  let server: PostgresServer;
  beforeAll(() => {
    server = startPostgres(program, '-c fsync=off -c wal_level=logical');
  });
  afterAll(() => server.remove());

  async function open(url: string): Promise<Store> {
    const store = await openStore(url, { defaultLanguage: 'en', clock: Date.now });
    onTestFinished(() => store.close());
    return store;
  }

  async function find(store: Store | undefined, text: string): Promise<readonly string[]> {
    const scope = { includeDraft: true, includePrivate: true };
    const result = await store?.search({ text, limit: 1000, ...scope });
    return (result?.hits ?? []).map(({ title }) => title).sort();
  }

  it('finds on every replica what any of them has acknowledged, while both write', async () => {
    const url = await server.createDatabase();
    const stores = await Promise.all([open(url), open(url)]);
    const kept: string[] = [];
    const write = async (writer: number) => {
      for (let step = 0; step < 12; step += 1) {
        const [here, there] = (writer + step) % 2 === 0 ? stores : [...stores].reverse();
        const word = `word${writer}x${step}x`;
        const id = (await here?.createArticle({ title: word, is_published: true }))?.articleId ?? '';
        expect(await find(there, word)).toEqual([word]);
        await there?.updateArticle(id, { title: `new${word}` }, undefined);
        expect([await find(here, word), await find(here, `new${word}`)]).toEqual([[], [`new${word}`]]);
        if (step % 3 === 0) {
          await here?.deleteArticle(id, undefined);
          expect(await find(there, `new${word}`)).toEqual([]);
        } else kept.push(`new${word}`);
      }
    };
    await Promise.all([0, 1, 2, 3].map(write));
    for (const store of stores) expect(await find(store, 'newword')).toEqual(kept.sort());
  });

  it('finds what a transaction wrote that began before others and is committed after them', async () => {
    const url = await server.createDatabase();
    const [store, other] = [await open(url), await open(url)];
    const { articleId = '' } = (await store.createArticle({ title: 'First' })) ?? {};
    const client = new pg.Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('BEGIN');
    await client.query("UPDATE article SET meta = replace(meta, 'First', 'Slow')");
    await client.query("UPDATE article_version SET title = 'Slow'");
    await other.createArticle({ title: 'Second' });
    for (const each of [store, other]) {
      expect([await find(each, 'first'), await find(each, 'second')]).toEqual([['First'], ['Second']]);
    }
    await other.createArticle({ title: 'Third' });
    expect(await find(store, 'third')).toEqual(['Third']);
    await client.query('COMMIT');
    for (const each of [store, other]) {
      expect([await find(each, 'first'), await find(each, 'slow')]).toEqual([[], ['Slow']]);
    }
    await store.deleteArticle(articleId, undefined);
    expect(await find(other, 'slow')).toEqual([]);
  });

  it('follows the database to another server, where transactions have other numbers', async () => {
    const url = await server.createDatabase();
    const store = await open(url);
    for (const title of ['Kept word', 'Lost word', 'Changed word']) await store.createArticle({ title });
    expect(await find(store, 'word')).toHaveLength(3);
    // A change that a replica of the server never received and that another client made there, without an entry in the store's log.
    server.query(
      url,
      `SET session_replication_role = replica;
       DELETE FROM article_version WHERE title = 'Lost word'; DELETE FROM article WHERE slug = 'lost-word';
       UPDATE article SET meta = replace(meta, 'Changed', 'Other'), updated_at = '2030-01-01T00:00:00.000Z' WHERE slug = 'changed-word';
       UPDATE article_change SET changed_in = '3'`,
    );
    expect(await find(store, 'word')).toHaveLength(3);
    server.stop();
    await expect(find(store, 'word')).rejects.toThrow('the database is unreachable');
    server.start();
    expect(await find(store, 'word')).toEqual(['Kept word', 'Other word']);
  });

  it('does not take transactions of a server from which the database was moved for later ones', async () => {
    const url = await server.createDatabase();
    await (await openStore(url, { defaultLanguage: 'en', clock: Date.now })).close();
    server.query(url, "INSERT INTO article_change VALUES (99, '99999999')");
    const store = await open(url);
    await store.createArticle({ title: 'Found' });
    expect(await find(store, 'found')).toEqual(['Found']);
    expect(server.query(url, 'SELECT count(*) FROM article_change')).toBe('1');
  });

  it('finds what was restored while a replica was disconnected, and no earlier articles', async () => {
    // While it is cut off it does not connect again by itself.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const url = await server.createDatabase();
    const [store, copy] = [await open(url), join(makeFolder(), 'copy.sqlite')];
    await store.createArticle({ title: 'Word restored' });
    await backUpDatabase(url, copy, false);
    for (const title of ['Word 2', 'Word 3']) await store.createArticle({ title });
    expect(await find(store, 'word')).toHaveLength(3);
    const others =
      "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'lectern'";
    server.query(url, `SELECT pg_terminate_backend(pid) ${others}`);
    await expect.poll(() => server.query(url, `SELECT count(*) ${others}`)).toBe('0');
    await restoreDatabase(copy, url, true);
    expect(await find(store, 'word')).toEqual(['Word restored']);
  });

  it.each([
    [
      'makes the trigger last',
      'DROP TRIGGER article_changed ON article',
      'CREATE TRIGGER article_changed AFTER INSERT OR UPDATE OR DELETE ON article FOR EACH ROW EXECUTE FUNCTION note_article_change()',
    ],
    [
      'disables all triggers',
      'ALTER TABLE article DISABLE TRIGGER ALL',
      'ALTER TABLE article ENABLE TRIGGER ALL',
    ],
    ['replaces the rows in one transaction', 'BEGIN', 'COMMIT'],
  ])('finds what a tool restored that %s, at once', async (_, start, end) => {
    const url = await server.createDatabase();
    const store = await open(url);
    for (const title of ['Word 1', 'Word 2']) await store.createArticle({ title });
    server.query(
      url,
      'CREATE TABLE copy AS SELECT * FROM article; CREATE TABLE texts AS SELECT * FROM article_version',
    );
    await store.createArticle({ title: 'Word 3' });
    const tool = new pg.Client(url);
    await tool.connect();
    onTestFinished(() => tool.end());
    const steps = [
      start,
      'TRUNCATE article CASCADE',
      'INSERT INTO article SELECT * FROM copy WHERE position = 1',
      'INSERT INTO article SELECT * FROM copy WHERE position = 2',
      'INSERT INTO article_version SELECT * FROM texts',
      "UPDATE article_change SET changed_in = '3'",
      end,
    ];
    expect(await find(store, 'word')).toHaveLength(3);
    const isLocked = start === 'BEGIN';
    for (const step of steps) {
      if (!isLocked) await find(store, 'word');
      await tool.query(step);
    }
    expect(await find(store, 'word')).toEqual(['Word 1', 'Word 2']);
  });

  it('notes changes whatever the search path is, and also in a schema that was renamed', async () => {
    const url = await server.createDatabase();
    const store = await open(url);
    await store.createArticle({ title: 'Word' });
    expect(await find(store, 'word')).toEqual(['Word']);
    const change = (schema: string, title: string) =>
      server.query(
        url,
        `SET search_path = ''; UPDATE ${schema}.article SET meta = jsonb_set(meta::jsonb, '{title}', '"${title}"')::text;
         UPDATE ${schema}.article_version SET title = '${title}'`,
      );
    change('public', 'Changed');
    expect(await find(store, 'changed')).toEqual(['Changed']);
    server.query(url, 'ALTER SCHEMA public RENAME TO other');
    change('other', 'Renamed');
    const renamed = await open(`${url}&options=${encodeURIComponent('-c search_path=other')}`);
    await renamed.createArticle({ title: 'Renamed too' });
    expect(await find(renamed, 'renamed')).toEqual(['Renamed', 'Renamed too']);
  });

  it('finds at once what a tool changed that disables the triggers of its session', async () => {
    const url = await server.createDatabase();
    const store = await open(url);
    for (const title of ['Word changed', 'Word deleted']) await store.createArticle({ title });
    expect(await find(store, 'word')).toHaveLength(2);
    server.query(
      url,
      `SET session_replication_role = replica; DELETE FROM article WHERE slug = 'word-deleted';
       UPDATE article_version SET title = 'Word new' WHERE slug = 'word-changed';
       UPDATE article SET meta = replace(meta, 'changed', 'new') WHERE slug = 'word-changed'`,
    );
    expect(await find(store, 'word')).toEqual(['Word new']);
  });

  it('finds in a subscriber of logical replication what the publisher has sent, and then what is written there', async () => {
    const [from, to] = [await server.createDatabase(), await server.createDatabase()];
    const [publisher, subscriber] = [await open(from), await open(to)];
    await publisher.createArticle({ title: 'Word copied' });
    server.query(from, 'CREATE PUBLICATION articles FOR ALL TABLES');
    server.query(from, "SELECT pg_create_logical_replication_slot('articles', 'pgoutput')");
    server.query(to, 'TRUNCATE revision, setting');
    server.query(
      to,
      `CREATE SUBSCRIPTION articles CONNECTION '${from}' PUBLICATION articles WITH (create_slot = false)`,
    );
    onTestFinished(() => {
      server.query(to, 'DROP SUBSCRIPTION IF EXISTS articles');
    });
    await expect.poll(() => find(subscriber, 'word'), { timeout: 20_000 }).toEqual(['Word copied']);
    await expect
      .poll(
        () => server.query(to, "SELECT srrelid::regclass FROM pg_subscription_rel WHERE srsubstate <> 'r'"),
        {
          timeout: 20_000,
        },
      )
      .toBe('');
    const sent = await publisher.createArticle({ title: 'Word sent' });
    const deleted = await publisher.createArticle({ title: 'Word deleted' });
    await expect
      .poll(() => find(subscriber, 'word'), { timeout: 20_000 })
      .toEqual(['Word copied', 'Word deleted', 'Word sent']);
    await publisher.updateArticle(sent?.articleId ?? '', { title: 'Word changed' }, undefined);
    await publisher.deleteArticle(deleted?.articleId ?? '', undefined);
    await expect
      .poll(() => find(subscriber, 'word'), { timeout: 20_000 })
      .toEqual(['Word changed', 'Word copied']);
    server.query(to, 'DROP SUBSCRIPTION articles');
    await subscriber.updateArticle(sent?.articleId ?? '', { title: 'Word here' }, undefined);
    expect(await find(subscriber, 'word')).toEqual(['Word copied', 'Word here']);
  });

  it('forgets deleted articles when a replica starts, and others that have not seen that find none of them', async () => {
    // The other replica does nothing by itself.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const url = await server.createDatabase();
    const [late, store] = [await open(url), await open(url)];
    const kept = await store.createArticle({ title: 'Word kept' });
    const { articleId = '' } = (await store.createArticle({ title: 'Word deleted' })) ?? {};
    expect(await find(late, 'word')).toHaveLength(2);
    await store.deleteArticle(articleId, undefined);
    await open(url);
    expect(server.query(url, 'SELECT position FROM article_change')).toBe(String(kept?.position));
    expect(await find(late, 'word')).toEqual(['Word kept']);
    expect(await find(store, 'word')).toEqual(['Word kept']);
  });

  it('finds the articles of a database of the first version', async () => {
    const url = await server.createDatabase();
    const first = await openStore(url, { defaultLanguage: 'en', clock: Date.now });
    await first.createArticle({
      title: 'Old',
      body: '<p>text</p>',
      multilingual: [{ language_code: 'de', title: 'Alt' }],
    });
    await first.close();
    server.query(
      url,
      `DROP TABLE article_change; DROP FUNCTION note_article_change CASCADE;
       ALTER TABLE article_version DROP publish_at, DROP unpublish_at;
       ALTER TABLE article_version ADD title_terms tsvector, ADD terms tsvector, ADD is_closed boolean, ADD is_draft boolean;
       UPDATE setting SET value = '1' WHERE name = 'schema_version'`,
    );
    const store = await open(url);
    expect([await find(store, 'text'), await find(store, 'alt')]).toEqual([['Old'], ['Alt']]);
    await store.createArticle({ title: 'New text' });
    expect(await find(store, 'text')).toEqual(['New text', 'Old']);
  });

  it('keeps its index in a folder that is removed with the store, or after a kill by the next one', async () => {
    const folder = makeFolder();
    const url = await server.createDatabase();
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const killed = join(folder, 'lectern-search-killed');
    mkdirSync(killed);
    mkdirSync(join(folder, 'other'));
    const yesterday = Date.now() / 1000 - 86_400;
    utimesSync(killed, yesterday, yesterday);
    const store = await openStore(url, { defaultLanguage: 'en', clock: Date.now });
    expect(readdirSync(folder)).toHaveLength(2);
    await store.createArticle({ title: 'Word' });
    expect(await find(store, 'word')).toEqual(['Word']);
    expect(existsSync(killed)).toBe(false);
    // One that is used is not removed, however old it is.
    const [name = ''] = readdirSync(folder).filter((entry) => entry.startsWith('lectern-search-'));
    utimesSync(join(folder, name), yesterday, yesterday);
    const second = await openStore(url, { defaultLanguage: 'en', clock: Date.now });
    expect([await find(second, 'word'), await find(store, 'word')]).toEqual([['Word'], ['Word']]);
    expect(readdirSync(folder)).toHaveLength(3);
    await Promise.all([store.close(), second.close()]);
    expect(readdirSync(folder)).toEqual(['other']);
  });

  it('is refused if creating the index takes too long, and answered as soon as it exists', async () => {
    const url = await server.createDatabase();
    const store = await open(url);
    await store.createArticle({ title: 'Word' });
    const client = new pg.Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('BEGIN; LOCK TABLE article');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const refused = find(store, 'word').catch((error) => error);
    const waiting =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
    vi.advanceTimersByTime(20_000);
    expect(await refused).toMatchObject({
      reason: 'locked',
      cause: { message: 'the search index is being created' },
    });
    vi.useRealTimers();
    await client.query('ROLLBACK');
    expect(await find(store, 'word')).toEqual(['Word']);
  });

  it('does not wait for all writes of a long time', async () => {
    const folder = makeFolder();
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const store = await open(await server.createDatabase());
    expect(await find(store, 'word')).toEqual([]);
    for (let n = 0; n < 20; n += 1) await store.createArticle({ title: `Word ${n}` });
    const [name = ''] = readdirSync(folder);
    const index = connectDatabase(join(folder, name, 'search.sqlite'));
    onTestFinished(() => index.close());
    await expect.poll(() => index.row('SELECT count(*) AS count FROM article')).toEqual({ count: 20 });
    expect(await find(store, 'word')).toHaveLength(20);
  });

  it('gives articles their own ids if a restored database has other articles at the same positions', async () => {
    const url = await server.createDatabase();
    const store = await open(url);
    const ids = [];
    for (const title of ['Word A', 'Word B']) ids.push((await store.createArticle({ title }))?.articleId);
    const findIds = async () => {
      const { hits } = await store.search({
        text: 'word',
        limit: 9,
        includeDraft: true,
        includePrivate: true,
      });
      return Object.fromEntries(hits.map(({ title, articleId }) => [title, articleId]));
    };
    expect(await findIds()).toEqual({ 'Word A': ids[0], 'Word B': ids[1] });
    const [first, second] = server
      .query(url, 'SELECT position FROM article ORDER BY position')
      .split('\n')
      .map(Number);
    const give = (position: number | undefined, id: string) =>
      `UPDATE article SET article_id = '${id}', meta = jsonb_set(meta::jsonb, '{article_id}', '"${id}"')::text WHERE position = ${position}`;
    server.query(
      url,
      `BEGIN; ${give(first, 'spare')}; ${give(second, String(ids[0]))}; ${give(first, String(ids[1]))}; COMMIT`,
    );
    expect(await findIds()).toEqual({ 'Word A': ids[1], 'Word B': ids[0] });
  });

  it('makes its index again after the files were removed', async () => {
    const folder = makeFolder();
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const store = await open(await server.createDatabase());
    await store.createArticle({ title: 'Word' });
    expect(await find(store, 'word')).toEqual(['Word']);
    const [name = ''] = readdirSync(folder);
    rmSync(join(folder, name), { recursive: true });
    // Readers that have the removed file open may still answer; others start with the searches.
    const answers = await Promise.all(Array.from({ length: 12 }, () => find(store, 'word')));
    expect(answers).toEqual(answers.map(() => ['Word']));
    await store.createArticle({ title: 'Word 2' });
    expect(await find(store, 'word')).toEqual(['Word', 'Word 2']);
  });

  it('reports that the index cannot be created, leaves nothing behind, and creates it as soon as it can', async () => {
    const folder = makeFolder();
    const missing = join(folder, 'missing');
    vi.stubEnv('TMPDIR', missing);
    onTestFinished(() => void vi.unstubAllEnvs());
    const store = await open(await server.createDatabase());
    await store.createArticle({ title: 'Word' });
    expect(await find(store, 'word').catch((error) => error)).toMatchObject({
      reason: 'unindexed',
      cause: { message: expect.stringContaining(`${missing} (TMPDIR) cannot be written: ENOENT`) },
    });
    mkdirSync(missing);
    expect(await find(store, 'word')).toEqual(['Word']);
    expect(readdirSync(missing)).toHaveLength(1);
  });

  it('says once why an index cannot be made for probes, which try again after ten seconds', async () => {
    const missing = join(makeFolder(), 'missing');
    vi.stubEnv('TMPDIR', missing);
    onTestFinished(() => void vi.unstubAllEnvs());
    const failures: unknown[] = [];
    let [now, asked] = [Date.now(), 0];
    const store = await openStore(await server.createDatabase(), {
      defaultLanguage: 'en',
      clock: () => now,
      onFailure: (error) => void failures.push(error),
    });
    onTestFinished(() => store.close());
    const probe = async () => {
      asked += 1;
      return store.isReady();
    };
    await expect.poll(async () => [await probe(), failures.length]).toEqual([false, 1]);
    expect(String(failures[0])).toContain(`${missing} (TMPDIR) cannot be written: ENOENT`);
    now += 10_000;
    for (let n = 0; n < 5; n += 1) expect(await probe()).toBe(false);
    mkdirSync(missing);
    for (let n = 0; n < 5; n += 1) expect(await probe()).toBe(false);
    expect([failures.length, readdirSync(missing), asked > 10]).toEqual([1, [], true]);
    now += 10_000;
    await expect.poll(probe).toBe(true);
  });

  it('indexes the rest after an error in the middle', async () => {
    const url = await server.createDatabase();
    const store = await open(url);
    expect(await find(store, 'word')).toEqual([]);
    for (let n = 0; n < 150; n += 1) await store.createArticle({ title: `Word ${n}` });
    // Text that no index can read as JSON: of the second batch.
    server.query(
      url,
      `CREATE TABLE whole AS SELECT position, meta FROM article ORDER BY position DESC LIMIT 1;
       UPDATE article SET meta = '{' WHERE position = (SELECT position FROM whole)`,
    );
    await expect(find(store, 'word')).rejects.toThrow();
    server.query(
      url,
      `SET session_replication_role = replica;
       UPDATE article SET meta = whole.meta FROM whole WHERE whole.position = article.position;
       UPDATE article_change SET changed_in = '3'`,
    );
    expect(await find(store, 'word')).toHaveLength(150);
  });

  it('can be closed while its index is being made', async () => {
    const folder = makeFolder();
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const url = await server.createDatabase();
    const store = await openStore(url, { defaultLanguage: 'en', clock: Date.now });
    for (let n = 0; n < 20; n += 1) await store.createArticle({ title: `Word ${n}` });
    const found = find(store, 'word').catch(() => 'refused');
    await store.close();
    await found;
    expect(readdirSync(folder)).toEqual([]);
  });
});
