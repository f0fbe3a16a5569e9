import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { ArticleUpdate } from '../../src/core/api/article.ts';
import { backUp, restore } from '../../src/service/backup.ts';
import { createKey, listKeys } from '../../src/service/keys.ts';
import { readSeed } from '../../src/service/seed.ts';
import { openStore } from '../../src/service/store/open-store.ts';
import { recordTag } from '../../src/service/store/store.ts';
import { runLectern } from '../support/lectern.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { everyNth } from '../support/properties.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeWith } from '../support/tools.ts';
import { callService, openTestStore, startTestService } from './support/service.ts';

const sample = fileURLToPath(new URL('../../sample', import.meta.url));
const options = { defaultLanguage: 'en', clock: Date.now };

describeWith('postgres', 'a knowledge base in PostgreSQL', (program) => {
  let server: PostgresServer;
  beforeAll(() => {
    server = startPostgres(program);
  });
  afterAll(() => server.remove());

  it('is created once by processes that start at the same time', async () => {
    const url = await server.createDatabase();
    const stores = await Promise.all([1, 2, 3, 4].map(() => openTestStore(url)));
    expect(new Set(stores.map(({ accountId }) => accountId)).size).toBe(1);
    expect(server.query(url, "SELECT value FROM setting WHERE name = 'schema_version'")).toBe('11');
    await Promise.all(stores.map((store, n) => store.createArticle({ title: `Title ${n}` })));
    const page = { includeBody: false, after: 0, skip: 0, limit: 10 };
    expect(await stores[0]?.listArticles({}, page)).toHaveLength(4);
    expect(await stores[3]?.revision()).toBe('4');
  });

  it('is refused when it has other tables, and no error names the password', async () => {
    const url = (await server.createDatabase()).replace('user=postgres', 'user=postgres&password=secret-1');
    await (await openStore(url, options)).close();
    server.query(url, "UPDATE setting SET value = '99' WHERE name = 'schema_version'");
    for (const [address, message] of [
      [url, /its version is 99, and this Lectern knows version 11/],
      [
        'postgres://me:secret-1@127.0.0.1:1/kb',
        /^postgres:\/\/me@127\.0\.0\.1:1\/kb cannot be used: .*REFUSED/,
      ],
      ['postgres://me:secret-1@:x/kb', /URL of the database is not valid/],
    ] as const) {
      const error = await openStore(address, options).catch((error) => error);
      expect(error).toMatchObject({ code: 'DATA_UNUSABLE', message: expect.stringMatching(message) });
      expect(JSON.stringify([error.message, error.hint, error.stack])).not.toContain('secret-1');
    }
  });

  it('is used by a role that may change records and not create tables', async () => {
    const url = await server.createDatabase();
    await (await openTestStore(url)).createArticle({ title: 'First' });
    const rights = ['SELECT, INSERT, UPDATE, DELETE ON ALL TABLES', 'USAGE ON ALL SEQUENCES'];
    const grants = rights.map((right) => `GRANT ${right} IN SCHEMA public TO writer;`);
    server.query(
      url,
      `CREATE ROLE writer LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC; ${grants.join(' ')}`,
    );
    const store = await openTestStore(url.replace('user=postgres', 'user=writer'));
    await store.createArticle({ title: 'Second' });
    expect(await store.listArticles({}, { includeBody: false, after: 0, skip: 0, limit: 10 })).toHaveLength(
      2,
    );
  });

  it('is filled once by services that start together', async () => {
    const records = { articles: [{ title: 'First' }], categories: [{ title: 'Shop' }] };
    // On such a server, a transaction does not see what was committed while it waited for a lock.
    const repeatable = await server.createDatabase();
    const name = new URL(repeatable.replace(':///', '://x/')).pathname.slice(1);
    server.query(repeatable, `ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`);
    for (const data of [join(temporaryFolder(), 'kb.sqlite'), await server.createDatabase(), repeatable]) {
      const stores = await Promise.all([
        openTestStore(data),
        openTestStore(data),
        openTestStore(data),
        openTestStore(data),
      ]);
      const filled = await Promise.all(stores.map((store) => store.fill(records)));
      expect(filled.filter((taken) => taken !== null)).toEqual([[]]);
      expect(await stores[0]?.listCategories()).toHaveLength(1);
      const page = { limit: 10, includeBody: false, after: 0, skip: 0 };
      expect(await stores[0]?.listArticles({}, page)).toHaveLength(1);
    }
  });

  it('loses no edit where replicas change the same articles at the same time', async () => {
    const url = await server.createDatabase();
    const stores = await Promise.all([openTestStore(url), openTestStore(url)]);
    const ids = ['one', 'two'];
    for (const id of ids)
      await stores[0]?.createArticle({ title: id, article_id: id, body: `body of ${id}` });
    const languages = Array.from({ length: 30 }, (_, n) => `de-x${n}`);
    const edits = languages.flatMap((language, n) =>
      ids.map((id) => {
        const translation = { language_code: language, title: `${id} ${n}`, body: `text of ${id} ${n}` };
        return stores[n % 2]?.updateArticle(id, { multilingual: [translation] }, undefined);
      }),
    );
    for (const edit of await Promise.all(edits)) expect(edit).toMatchObject({ outcome: 'done' });
    for (const id of ids) {
      const article = JSON.parse((await stores[0]?.readArticle(id))?.json ?? '');
      const stored = server.query(
        url,
        `SELECT language, title, text FROM article_version JOIN version_text USING (version_id) JOIN article USING (position) WHERE article_id = '${id}' ORDER BY version_id`,
      );
      const expected = languages.map((language, n) => [language, `${id} ${n}`, `text of ${id} ${n}`]);
      const own = ['', id, `body of ${id}`];
      const inOrder = article.multilingual.map(
        (each: { language_code: string; title: string; body: string }) => [
          each.language_code,
          each.title,
          each.body,
        ],
      );
      expect([...inOrder].sort()).toEqual(expected.sort());
      expect(stored.split('\n')).toEqual([own, ...inOrder].map((columns) => columns.join('|')));
    }
    // Of those that expect the same state, one is carried out.
    const { json = '' } = (await stores[0]?.readArticle('one')) ?? {};
    const expected = { tags: [recordTag(json, '')], context: '' };
    const racing = ids
      .concat(ids)
      .map((_, n) => stores[n % 2]?.updateArticle('one', { title: `Title ${n}` }, expected));
    const outcomes = (await Promise.all(racing)).map((changed) => changed?.outcome).sort();
    expect(outcomes).toEqual(['done', 'precondition_failed', 'precondition_failed', 'precondition_failed']);
  });

  it('waits for the lock of another transaction on an article, and delays no other article', async () => {
    const url = await server.createDatabase();
    const store = await openTestStore(url);
    for (const id of ['locked', 'free']) await store.createArticle({ title: id, article_id: id });
    const client = new pg.Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(
      "BEGIN; UPDATE article SET slug = 'by-hand', record = replace(record, '\"locked\"', '\"by hand\"') WHERE article_id = 'locked'",
    );
    const waiting = store.updateArticle('locked', { tags: ['late'] }, undefined);
    expect(await store.updateArticle('free', { title: 'Changed' }, undefined)).toMatchObject({
      outcome: 'done',
    });
    await client.query('COMMIT');
    expect(await waiting).toMatchObject({ outcome: 'done' });
    const record = JSON.parse((await store.readArticle('locked'))?.json ?? '');
    expect(record).toMatchObject({ tags: ['late'], title: 'by hand' });
  });

  it('writes the languages of an article that change, and removes those that are gone', async () => {
    const url = await server.createDatabase();
    const store = await openTestStore(url);
    const multilingual = ['de', 'fr'].map((language) => ({
      language_code: language,
      title: language,
      body: `body ${language}`,
    }));
    await store.createArticle({ title: 'Own', article_id: 'one', body: 'body own', multilingual });
    const rows = (columns: string) =>
      server
        .query(
          url,
          `SELECT ${columns} FROM article_version JOIN version_text USING (version_id) ORDER BY version_id`,
        )
        .split('\n');
    const written = rows('article_version.xmin');
    await store.updateArticle('one', { multilingual: [{ language_code: 'de', title: 'neu' }] }, undefined);
    expect(rows('title, text')).toEqual(['Own|body own', 'neu|body de', 'fr|body fr']);
    expect(rows('article_version.xmin').map((xmin, n) => xmin === written[n])).toEqual([true, false, true]);
    await store.updateArticle(
      'one',
      { multilingual: [{ language_code: 'de', is_deleted: true }] },
      undefined,
    );
    expect(rows('language, title, text')).toEqual(['|Own|body own', 'fr|fr|body fr']);
  });

  it('refuses one of several updates at the same time, and carries out the others', async () => {
    const url = await server.createDatabase();
    const store = await openTestStore(url);
    server.query(url, "ALTER TABLE article ADD CHECK (slug <> 'refused')");
    const ids = Array.from({ length: 8 }, (_, n) => `article${n}`);
    for (const id of ids) await store.createArticle({ title: id, article_id: id });
    const updates = ids.map((id, n) =>
      store.updateArticle(id, { slug: n === 3 ? 'refused' : `new-${n}` }, undefined),
    );
    const settled = await Promise.allSettled(updates);
    const failures = settled.flatMap((result, n) =>
      result.status === 'rejected' ? [[n, result.reason.code]] : [],
    );
    expect(failures).toEqual([[3, '23514']]);
    const slugs = server.query(url, 'SELECT slug FROM article ORDER BY position').split('\n');
    expect(slugs).toEqual(ids.map((id, n) => (n === 3 ? id : `new-${n}`)));
  });

  it('finds the same articles as SQLite', async () => {
    const seed = readSeed(sample);
    const text = Array.from({ length: 25_000 }, (_, n) =>
      String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
    );
    const long = {
      article_id: 'longlonglo',
      title: 'Long',
      is_published: true,
      body: `<p>${text.join('')} 密码重置 ending</p>`,
    };
    const articles = [...seed.articles, long];
    const stores = [
      await openTestStore(join(temporaryFolder(), 'kb.sqlite')),
      await openTestStore(await server.createDatabase()),
    ];
    for (const store of stores) await store.fill({ ...seed, articles });
    const titles = seed.articles.flatMap(({ title, multilingual }) => [
      title,
      ...(multilingual ?? []).map((version) => version.title ?? ''),
    ]);
    const typed = titles.map((title) => title.slice(0, Math.ceil(title.length / 2)));
    const queries = [
      ...[titles, typed].flatMap((all) => everyNth(4, all)),
      ...[
        'the',
        'how to',
        'ein',
        'password',
        'reset passw',
        'export csv file',
        'a b c',
        '密码',
        '密码重置',
        '码',
        '置密',
      ],
      ...['ending', 'what is the best way to do it', 'nowhere at all', 'é', 'مقال', '日本', 'x'],
    ];
    const compare = async (): Promise<number> => {
      let found = 0;
      for (const query of queries) {
        for (const scope of [
          { include_private: false, include_draft: false },
          { include_private: true, include_draft: true },
          { include_private: false, include_draft: false, language_code: 'de' },
        ]) {
          const [one, two] = await Promise.all(
            stores.map((store) => store.search({ query: query, limit: 100, ...scope })),
          );
          // The record has dates, and the id of the account.
          const withoutMeta = (result: typeof one) => ({
            ...result,
            hits: result?.hits.map((hit) => ({ ...hit, meta: null })),
          });
          expect([query, withoutMeta(two)]).toEqual([query, withoutMeta(one)]);
          found += one?.total ?? 0;
        }
      }
      return found;
    };
    expect(await compare()).toBeGreaterThan(500);
    const changes: readonly ArticleUpdate[] = [
      { title: 'How to export a password' },
      { tags: ['password', 'export'] },
      { is_private: true },
      { multilingual: [{ language_code: 'de', title: 'Ein neuer Titel', is_live: false }] },
      { multilingual: [{ language_code: 'de', is_deleted: true }], description: 'the best way' },
    ];
    for (const [index, { article_id: id = '' }] of articles.entries()) {
      const change = changes[index % 6];
      for (const store of stores) {
        if (change === undefined) await store.deleteArticle(id, undefined);
        else expect(await store.updateArticle(id, change, undefined)).toMatchObject({ outcome: 'done' });
      }
    }
    expect(await compare()).toBeGreaterThan(250);
  });

  it('moves to SQLite and back with ids, order, views and keys', async () => {
    const first = await server.createDatabase();
    const service = await startTestService({ data: first, seed: sample });
    const { key } = await createKey(first, 'reader', 'read');
    const views = (path: string) => service.call(path, { method: 'POST', body: { count: 3 } });
    const { articles } = (await service.call('/article')).json;
    expect((await views(`/stats/article/${articles[1].article_id}`)).status).toBe(200);
    await service.call(`/article/${articles[0].article_id}`, { method: 'DELETE' });
    const paths = [
      '/article?include_body=true',
      '/category',
      '/stats/article',
      '/source',
      '/article?tag=basics',
    ];
    const before = await Promise.all(paths.map(async (path) => (await service.call(path)).text));

    const folder = temporaryFolder();
    const copy = join(folder, 'copy.sqlite');
    expect(await backUp(first, copy)).toMatchObject({
      file: copy,
      articles: articles.length - 1,
    });
    await expect(backUp(first, copy)).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    expect(readdirSync(folder)).toEqual(['copy.sqlite']);
    const file = join(temporaryFolder(), 'kb.sqlite');
    await restore(copy, file);
    const again = join(temporaryFolder(), 'again.sqlite');
    await backUp(file, again);
    const second = await server.createDatabase();
    const restored = await restore(again, second);
    expect(restored).toMatchObject({
      articles: articles.length - 1,
      database: expect.stringContaining('/kb'),
    });

    const revision = await (await openTestStore(first)).revision();
    for (const data of [file, second]) {
      const moved = await startTestService({ data });
      const after = await Promise.all(
        paths.map(async (path) => (await callService(moved, path, { key })).text),
      );
      expect(after).toEqual(before);
      const store = await openTestStore(data);
      // A restore makes lists change, so that no client takes its copy for the restored one.
      expect(Number(await store.revision())).toBeGreaterThan(Number(revision));
      const { article } = (
        await moved.call('/article', { method: 'POST', body: { title: 'Zyzzyva', is_published: true } })
      ).json;
      const list = (await moved.call('/article')).json.articles;
      expect(list.at(-1).article_id).toBe(article.article_id);
      expect((await moved.call('/search?query=zyzz')).json.articles).toMatchObject([{ title: 'Zyzzyva' }]);
    }
  });

  it('has no revision after a restore that its original may have had since the backup', async () => {
    const first = await server.createDatabase();
    const original = await openTestStore(first);
    const copy = join(temporaryFolder(), 'copy.sqlite');
    await backUp(first, copy);
    for (const title of ['First', 'Second', 'Third']) await original.createArticle({ title });
    const second = await server.createDatabase();
    await restore(copy, second);
    const revision = Number(await (await openTestStore(second)).revision());
    expect(revision).toBeGreaterThan(Number(await original.revision()));
  });

  it('is never replaced by a restore', async () => {
    const url = await server.createDatabase();
    const copy = join(temporaryFolder(), 'copy.sqlite');
    const { keyId } = await createKey(url, 'reader', 'read');
    await backUp(url, copy);
    await expect(restore(copy, url)).rejects.toMatchObject({ code: 'TARGET_EXISTS', exitCode: 2 });
    expect(await listKeys(url)).toMatchObject([{ keyId }]);
    await expect(restore(join(temporaryFolder(), 'none'), url)).rejects.toMatchObject({
      code: 'DATA_UNUSABLE',
    });
  });

  it('is used by the commands through LECTERN_DATA', async () => {
    const cwd = temporaryFolder();
    const env = { LECTERN_DATA: await server.createDatabase() };
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runLectern(args, { cwd, env });
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout);
    };
    const { keyId } = await run('service', 'keys', 'create', 'reader');
    expect(await run('service', 'keys', 'list')).toMatchObject({ keys: [{ keyId, name: 'reader' }] });
    expect(await run('service', 'backup', 'copy.sqlite')).toMatchObject({ articles: 0 });
    expect(await run('service', 'keys', 'revoke', keyId)).toEqual({ revoked: keyId });
    expect(readdirSync(cwd)).toEqual(['copy.sqlite']);
  });

  it('answers 503 while the database is away, and works again when it is back', async () => {
    const url = await server.createDatabase();
    const service = await startTestService({ data: url });
    const root = { ...service, baseUrl: new URL(service.baseUrl).origin };
    const ready = async () => (await callService(root, '/readyz', { key: null })).status;
    const create = (title: string) => service.call('/article', { method: 'POST', body: { title } });
    await expect.poll(ready).toBe(200);
    expect((await create('First')).status).toBe(200);
    server.stop();
    for (const answer of [
      await create('Second'),
      await service.call('/article'),
      await service.call('/search?query=x'),
    ]) {
      expect([answer.status, answer.headers['retry-after'], answer.json.error.code]).toEqual([
        503,
        '1',
        'database_unavailable',
      ]);
    }
    expect([await ready(), (await callService(root, '/healthz', { key: null })).status]).toEqual([503, 200]);
    server.start();
    expect([await ready(), (await create('Third')).status]).toEqual([200, 200]);
    const { articles } = (await service.call('/article')).json;
    expect(articles.map((article: { title: string }) => article.title)).toEqual(['First', 'Third']);
  });
});
