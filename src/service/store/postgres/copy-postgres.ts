import { repairText } from '../../../api/record-text.ts';
import type { SqlValue } from '../../../database/shared-file.ts';
import { LecternError } from '../../../foundation/errors.ts';
import { openDatabase } from '../database.ts';
import { openSqliteStore } from '../sqlite-store.ts';
import { migratePostgres, readSetting, writeSetting } from './migrate-postgres.ts';
import {
  databaseUnusable,
  describeAddress,
  otherConnections,
  type Queries,
  withConnection,
} from './postgres-database.ts';
import { indexVersion, keyColumns, readRevision } from './postgres-store.ts';
import { copyPostgresArticle } from './write-articles.ts';

interface PositionedRecord {
  readonly position: number;
  readonly record: string;
}

interface ViewRow {
  readonly day: string;
  readonly position: number;
  readonly count: number;
}

interface KeyRow {
  readonly keyId: string;
  readonly name: string;
  readonly access: string;
  readonly hash: Uint8Array;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

/** Rows read and written at a time. */
const pageSize = 100;
const mostViews = 5000;

/**
 * Writes one consistent state of a database to a new SQLite file: records in order, views, keys, ids and revision. Does not block writes.
 * @throws DATABASE_UNUSABLE if it cannot connect or the database is not ours; DATA_FILE_UNUSABLE, `StoreUnavailable`
 */
export async function exportPostgres(url: string, file: string): Promise<void> {
  await withConnection(url, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (queries) => {
    await checkIsOurs(queries, url);
    const database = openDatabase(file);
    const insert = (sql: string, rows: readonly (readonly SqlValue[])[]) =>
      database.transaction(() => {
        for (const row of rows) database.run(sql, ...row);
      });
    try {
      await eachPage<PositionedRecord>(queries, 'article', (rows) =>
        // The other columns are filled from the record when the index is created.
        insert(
          `INSERT INTO article (position, article_id, status, is_restricted, slug, updated_at, meta, record)
           VALUES (?, ?, 'draft', 1, '', '', '', ?)`,
          rows.map(({ position, record }) => [position, JSON.parse(record).article_id, record]),
        ),
      );
      await eachPage<PositionedRecord>(queries, 'category', (rows) =>
        insert(
          'INSERT INTO category (position, category_id, record) VALUES (?, ?, ?)',
          rows.map(({ position, record }) => [position, JSON.parse(record).category_id, record]),
        ),
      );
      const views = await queries.rows<ViewRow>('SELECT day, position, count FROM article_view');
      insert(
        'INSERT INTO article_view (day, position, count) VALUES (?, ?, ?)',
        views.map(({ day, position, count }) => [day, position, count]),
      );
      const keys = await queries.rows<KeyRow>(`SELECT ${keyColumns} FROM api_key`);
      insert(
        `INSERT INTO api_key (key_id, name, access, hash, created_at, expires_at, revoked_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        keys.map((key) => [
          key.keyId,
          key.name,
          key.access,
          key.hash,
          key.createdAt,
          key.expiresAt,
          key.revokedAt,
        ]),
      );
      insert('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)', [
        ['account_id', await readSetting(queries, 'account_id')],
        // Creating the index counts as one more write.
        ['revision', String(Number(await readRevision(queries)) - 1)],
      ]);
    } finally {
      database.close();
    }
  });
  // Opening a file without index creates the index.
  const store = await openSqliteStore(file, { defaultLanguage: 'en', clock: Date.now });
  await store.close();
}

async function checkIsOurs(queries: Queries, url: string): Promise<void> {
  const row = await queries.row<{ isOurs: boolean }>(
    `SELECT to_regclass('setting') IS NOT NULL AND to_regclass('article_version') IS NOT NULL AS "isOurs"`,
  );
  if (row?.isOurs !== true) throw databaseUnusable(url, new Error('it is not a knowledge base of Lectern'));
}

async function eachPage<T extends { readonly position: number }>(
  queries: Queries,
  table: 'article' | 'category',
  write: (rows: readonly T[]) => void,
): Promise<void> {
  const sql = `SELECT position, record FROM ${table} WHERE position > $1 ORDER BY position LIMIT ${pageSize}`;
  for (let after = 0; ; ) {
    const rows = await queries.rows<T>(sql, after);
    write(rows);
    if (rows.length < pageSize) return;
    after = rows.at(-1)?.position ?? after;
  }
}

/**
 * Fills a database from an SQLite file of the newest schema, all or nothing; returns the URL of the database without its password.
 * @param mayReplace whether to delete the content of the database
 * @throws DATABASE_NOT_EMPTY (exit 2), DATA_FILE_BUSY, DATABASE_UNUSABLE
 */
export async function importPostgres(file: string, url: string, mayReplace: boolean): Promise<string> {
  const source = openDatabase(file);
  try {
    await migratePostgres(url, async (queries) => {
      await clearDatabase(queries, url, mayReplace);
      for (let after = 0; ; ) {
        const row = source.row<{ position: number; record: string }>(
          'SELECT position, record FROM article WHERE position > ? ORDER BY position LIMIT 1',
          after,
        );
        if (row === null) break;
        after = row.position;
        await copyPostgresArticle(queries, row.position, repairText(JSON.parse(row.record)));
      }
      for (const row of source.rows<PositionedRecord>('SELECT position, record FROM category')) {
        const category = repairText(JSON.parse(row.record));
        await queries.run(
          'INSERT INTO category (position, category_id, record) VALUES ($1, $2, $3)',
          row.position,
          category.category_id,
          JSON.stringify(category),
        );
      }
      for (const table of ['article', 'category']) {
        await queries.rows(
          `SELECT setval(pg_get_serial_sequence('${table}', 'position'), max(position)) FROM ${table} HAVING count(*) > 0`,
        );
      }
      const views = source.rows<ViewRow>('SELECT day, position, count FROM article_view');
      for (let start = 0; start < views.length; start += mostViews) {
        const page = views.slice(start, start + mostViews);
        await queries.run(
          'INSERT INTO article_view (day, position, count) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])',
          page.map(({ day }) => day),
          page.map(({ position }) => position),
          page.map(({ count }) => count),
        );
      }
      await copyKeys(source.rows<KeyRow>(`SELECT ${keyColumns} FROM api_key`), queries);
      const setting = (name: string) =>
        String(source.row<{ value: string }>('SELECT value FROM setting WHERE name = ?', name)?.value);
      await writeSetting(queries, 'account_id', setting('account_id'));
      await writeSetting(queries, 'index_version', indexVersion);
      // It never decreases, so that no ETag of a list is used twice.
      await queries.run(
        `UPDATE revision SET value = value + greatest(1, $1::bigint - (SELECT sum(value) FROM revision)) WHERE slot = 0`,
        setting('revision'),
      );
    });
  } finally {
    source.close();
  }
  return describeAddress(url);
}

async function clearDatabase(queries: Queries, url: string, mayReplace: boolean): Promise<void> {
  const row = await queries.row<{ isFilled: boolean }>(
    `SELECT EXISTS (SELECT FROM article) OR EXISTS (SELECT FROM category) OR EXISTS (SELECT FROM api_key) AS "isFilled"`,
  );
  if (row?.isFilled && !mayReplace) {
    throw new LecternError(
      'DATABASE_NOT_EMPTY',
      `${describeAddress(url)} already contains a knowledge base`,
      {
        hint: 'choose another database with --data, or back it up and pass --force to replace everything in it',
        exitCode: 2,
      },
    );
  }
  if (await hasOtherConnections(queries)) {
    throw new LecternError(
      'DATA_FILE_BUSY',
      `another process uses ${describeAddress(url)}; nothing was changed`,
      {
        hint: 'stop the service and run lectern service restore again',
      },
    );
  }
  await queries.run('TRUNCATE article, article_version, article_view, category, api_key');
  // For a replica that was disconnected: all its articles are outdated.
  await queries.run('UPDATE article_change SET changed_in = pg_current_xact_id()');
}

/**
 * Whether a service uses the database. Waits, because PostgreSQL needs a moment to end the connections of a service that was just stopped.
 */
async function hasOtherConnections(queries: Queries): Promise<boolean> {
  for (let waits = 20; ; waits -= 1) {
    const others = await queries.row<{ count: number }>(otherConnections);
    if (others === null || others.count === 0) return false;
    if (waits === 0) return true;
    // Within a transaction, PostgreSQL caches this list.
    await queries.rows('SELECT pg_sleep(0.1), pg_stat_clear_snapshot()');
  }
}

async function copyKeys(keys: readonly KeyRow[], queries: Queries): Promise<void> {
  for (const key of keys) {
    await queries.run(
      `INSERT INTO api_key (key_id, name, access, hash, created_at, expires_at, revoked_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      key.keyId,
      key.name,
      key.access,
      // The SQLite driver returns an ArrayBuffer.
      Buffer.from(key.hash),
      key.createdAt,
      key.expiresAt,
      key.revokedAt,
    );
  }
}
