import { LecternError } from '../../../core/errors.ts';
import type { SqlValue } from '../../../core/sqlite/sqlite.ts';
import { openDatabase, toSqlDatabase } from '../database.ts';
import type { Queries } from '../sql.ts';
import { readSetting, rebuildOnce, writeSetting } from '../sql-store.ts';
import { databaseUnusable, describeAddress, withConnection } from './postgres-database.ts';
import { withTables } from './postgres-schema.ts';

/** What is copied from one database to another: tables with their columns. All others are made from the records. */
const copied = {
  article: 'position, article_id, category_id, status, is_restricted, slug, updated_at, meta, record',
  category: 'position, category_id, record',
  article_view: 'day, position, count',
  reader_signal: 'kind, day, article_id, language, value, count',
  api_key: 'key_id, name, access, hash, created_at, revoked_at',
};

type CopiedRow = Readonly<Record<string, SqlValue>>;

/** Rows read and written at a time. */
const pageSize = 100;

/** Copies records in order, views, keys and the id of the account inside the transactions of the caller. */
async function copyContent(from: Queries, to: Queries): Promise<void> {
  for (const [table, columns] of Object.entries(copied)) {
    const names = columns.split(', ');
    for await (const rows of readPages(from, table, columns)) {
      const values = rows.map(
        (_, row) => `(${names.map((_, column) => `$${row * names.length + column + 1}`).join(', ')})`,
      );
      await to.run(
        `INSERT INTO ${table} (${columns}) VALUES ${values.join(', ')}`,
        ...rows.flatMap((row) => names.map((name) => row[name] ?? null)),
      );
    }
  }
  await writeSetting(to, 'account_id', String(await readSetting(from, 'account_id')));
}

/** Reads a table. Of those with records, which may be long, only a part is in memory. */
async function* readPages(
  from: Queries,
  table: string,
  columns: string,
): AsyncGenerator<readonly CopiedRow[]> {
  const hasRecords = columns.split(', ').includes('record');
  if (!hasRecords) {
    const rows = await from.rows<CopiedRow>(`SELECT ${columns} FROM ${table}`);
    for (let start = 0; start < rows.length; start += pageSize) yield rows.slice(start, start + pageSize);
    return;
  }
  const page = `SELECT ${columns} FROM ${table} WHERE position > $1 ORDER BY position LIMIT ${pageSize}`;
  for (let after: SqlValue = 0; ; ) {
    const rows: readonly CopiedRow[] = await from.rows<CopiedRow>(page, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.position ?? null;
  }
}

async function readRevision(queries: Queries): Promise<number> {
  const sql = 'SELECT CAST(sum(value) AS bigint) AS value FROM revision';
  return Number((await queries.row<{ value: number }>(sql))?.value);
}

/**
 * Writes one consistent state of a database to a new SQLite file, without the index, which is made when a service opens the file. Does not
 * block writes.
 * @throws DATA_UNUSABLE if it cannot connect or the database is not ours; `DatabaseUnavailable`
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
    await withTables(url, async (target) => {
      await refuseFilled(target, url);
      await copyContent(source, target);
      for (const table of ['article', 'category']) {
        await target.rows(
          `SELECT setval(pg_get_serial_sequence('${table}', 'position'), max(position)) FROM ${table} HAVING count(*) > 0`,
        );
      }
      await target.run("DELETE FROM setting WHERE name = 'index_version'");
      const accountId = String(await readSetting(target, 'account_id'));
      const now = () => new Date().toISOString();
      await rebuildOnce(target, { accountId, defaultLanguage: 'en', now });
      // It never decreases, so that no ETag of a list is used twice.
      await target.run(
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
  const tables = Object.keys(copied).map((table) => `EXISTS (SELECT FROM ${table})`);
  const row = await queries.row<{ isFilled: boolean }>(`SELECT ${tables.join(' OR ')} AS "isFilled"`);
  if (!row?.isFilled) return;
  throw new LecternError('TARGET_EXISTS', `${describeAddress(url)} already contains a knowledge base`, {
    hint: 'create an empty database, and restore into it',
  });
}
