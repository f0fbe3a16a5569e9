import { LecternError } from '../../../core/errors.ts';
import type { SqlValue } from '../../../core/sqlite/sqlite.ts';
import { openDatabase, toSqlDatabase } from '../database.ts';
import type { Queries } from '../sql.ts';
import { readSetting, rebuildOnce, writeSetting } from '../sql-store.ts';
import { databaseUnusable, describeAddress, withConnection } from './postgres-database.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { withTables } from './postgres-schema.ts';

/** What is copied from one database to another, and the columns of each table. All other tables and columns are made from the records. */
const copied = [
  { table: 'article', columns: 'position, article_id, record', isPaged: true },
  { table: 'category', columns: 'position, category_id, record', isPaged: true },
  { table: 'article_view', columns: 'day, position, count', isPaged: false },
  { table: 'reader_signal', columns: 'kind, day, article_id, language, value, count', isPaged: false },
  {
    table: 'api_key',
    columns: 'key_id, name, access, hash, created_at, revoked_at',
    isPaged: false,
  },
] as const;

/** Columns of a copied article that must have a value until the article is indexed. */
const unindexed = { status: "'draft'", is_restricted: '1', slug: "''", updated_at: "''", meta: "''" };

/** Rows read and written at a time. */
const pageSize = 100;

/** Copies records in order, views, keys and the id of the account inside the transactions of the caller. */
async function copyContent(from: Queries, to: Queries): Promise<void> {
  for (const { table, columns, isPaged } of copied) {
    const names = columns.split(', ');
    const fixed = table === 'article' ? Object.entries(unindexed) : [];
    const insert = (rows: number) => {
      const values = Array.from({ length: rows }, (_, row) => [
        ...names.map((_, column) => `$${row * names.length + column + 1}`),
        ...fixed.map(([, value]) => value),
      ]);
      const all = [...names, ...fixed.map(([name]) => name)];
      return `INSERT INTO ${table} (${all.join(', ')}) VALUES ${values.map((row) => `(${row.join(', ')})`).join(', ')}`;
    };
    const write = async (rows: readonly Readonly<Record<string, SqlValue>>[]) => {
      if (rows.length === 0) return;
      await to.run(insert(rows.length), ...rows.flatMap((row) => names.map((name) => toValue(row[name]))));
    };
    if (isPaged) {
      const page = `SELECT ${columns} FROM ${table} WHERE position > $1 ORDER BY position LIMIT ${pageSize}`;
      for (let after = 0, isLast = false; !isLast; ) {
        const rows = await from.rows<Record<string, SqlValue>>(page, after);
        await write(rows);
        after = Number(rows.at(-1)?.position ?? after);
        isLast = rows.length < pageSize;
      }
    } else {
      const rows = await from.rows<Record<string, SqlValue>>(`SELECT ${columns} FROM ${table}`);
      for (let start = 0; start < rows.length; start += pageSize)
        await write(rows.slice(start, start + pageSize));
    }
  }
  await writeSetting(to, 'account_id', String(await readSetting(from, 'account_id')));
}

/** The SQLite driver returns an ArrayBuffer. */
function toValue(value: SqlValue | ArrayBuffer | undefined): SqlValue {
  return value instanceof ArrayBuffer ? Buffer.from(value) : (value ?? null);
}

const selectRevision = 'SELECT CAST(sum(value) AS bigint) AS value FROM revision';

async function readRevision(queries: Queries): Promise<number> {
  return Number((await queries.row<{ value: number }>(selectRevision))?.value);
}

/**
 * Writes one consistent state of a database to a new SQLite file, without the index, which is made when a service opens the file. Does not
 * block writes.
 * @throws DATA_UNUSABLE if it cannot connect or the database is not ours; DATA_UNUSABLE, `DatabaseUnavailable`
 */
export async function exportPostgres(url: string, file: string): Promise<void> {
  await withConnection(url, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (queries) => {
    await checkIsOurs(queries, url);
    const database = openDatabase(file);
    const target = toSqlDatabase(database);
    try {
      await database.transaction(async () => {
        await copyContent(queries, target);
        await target.run('UPDATE revision SET value = $1 WHERE slot = 0', await readRevision(queries));
      });
    } finally {
      database.close();
    }
  });
}

async function checkIsOurs(queries: Queries, url: string): Promise<void> {
  const row = await queries.row<{ isOurs: boolean }>(
    `SELECT to_regclass('setting') IS NOT NULL AND to_regclass('article_version') IS NOT NULL AS "isOurs"`,
  );
  if (row?.isOurs !== true) throw databaseUnusable(url, new Error('it is not a knowledge base of Lectern'));
}

/**
 * Fills an empty database from a data file, all or nothing; returns the URL of the database without its password.
 * @throws TARGET_EXISTS (exit 2), DATA_UNUSABLE
 */
export async function importPostgres(file: string, url: string): Promise<string> {
  const database = openDatabase(file);
  const source = toSqlDatabase(database);
  try {
    await withTables(url, async (queries) => {
      await refuseFilled(queries, url);
      await copyContent(source, queries);
      for (const table of ['article', 'category']) {
        await queries.rows(
          `SELECT setval(pg_get_serial_sequence('${table}', 'position'), max(position)) FROM ${table} HAVING count(*) > 0`,
        );
      }
      await queries.run("DELETE FROM setting WHERE name = 'index_version'");
      const accountId = String(await readSetting(queries, 'account_id'));
      await rebuildOnce(
        { ...queries, dialect: postgresDialect, transaction: (work) => work(queries) },
        { accountId, defaultLanguage: 'en', now: () => new Date().toISOString() },
      );
      // It never decreases, so that no ETag of a list is used twice.
      await queries.run(
        `UPDATE revision SET value = value + greatest(1, $1::bigint - (SELECT sum(value) FROM revision)) WHERE slot = 0`,
        await readRevision(source),
      );
    });
  } finally {
    database.close();
  }
  return describeAddress(url);
}

async function refuseFilled(queries: Queries, url: string): Promise<void> {
  const tables = copied.map(({ table }) => `EXISTS (SELECT FROM ${table})`);
  const row = await queries.row<{ isFilled: boolean }>(`SELECT ${tables.join(' OR ')} AS "isFilled"`);
  if (!row?.isFilled) return;
  throw new LecternError('TARGET_EXISTS', `${describeAddress(url)} already contains a knowledge base`, {
    hint: 'create an empty database, and restore into it',
    exitCode: 2,
  });
}
