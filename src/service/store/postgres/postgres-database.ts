// pg is the PostgreSQL driver on which the others are built.
import pg from 'pg';
import { LecternError } from '../../../core/errors.ts';
import { getOrMake } from '../../../core/group-by.ts';
import type { SqlValue } from '../../../core/sqlite/sqlite.ts';
import { DatabaseUnavailable } from '../../../core/sqlite/sqlite.ts';
import type { Queries, SqlDatabase } from '../sql.ts';
import { postgresDialect } from './postgres-dialect.ts';

/** A pool of connections. */
interface PostgresDatabase extends SqlDatabase {
  close(): Promise<void>;
}

/** Application name of our connections, which identifies them in the list of connections. */
const applicationName = 'lectern';

/** Longest wait for a statement or a connection; clients do not wait longer. */
const timeouts = {
  connectionTimeoutMillis: 5_000,
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
  query_timeout: 40_000,
};

/** Opens a pool of at most `maxConnections` connections, without connecting. */
export function openPool(url: string, maxConnections: number): PostgresDatabase {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    ...timeouts,
    idleTimeoutMillis: 0,
    max: maxConnections,
    onConnect: async (client) => {
      await client.query(durable);
      await client.query(planning);
    },
  });
  // A broken connection is replaced when needed. Without these listeners it would end the process: the pool emits errors of idle
  // connections, and a connection in use emits an error besides rejecting its statement.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  let closing: Promise<void> | undefined;
  return {
    ...queriesOf(pool),
    dialect: postgresDialect,
    // A statement has to see what was committed while the one before waited for a lock. PostgreSQL ends a transaction because of another
    // one in a deadlock: it is run again.
    transaction: (work) =>
      repeatConflicts(() => runOnClient(pool, 'BEGIN ISOLATION LEVEL READ COMMITTED', work)),
    close: () => {
      closing ??= pool.end();
      return closing;
    },
  };
}

/**
 * Runs `work` as one transaction on a separate connection, without time limits.
 * @throws DATA_UNUSABLE if it cannot connect, `DatabaseUnavailable` if the connection fails later, errors of `work`
 */
export async function withConnection<T>(
  url: string,
  start: string,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const encoding = await client.query('SHOW server_encoding');
    if (!/^utf8$/i.test(encoding.rows[0]?.server_encoding)) throw new Error('its encoding is not UTF-8');
  } catch (cause) {
    await client.end().catch(() => {});
    throw databaseUnusable(url, cause);
  }
  try {
    return await runTransaction(client, `${start}; ${withoutTimeouts}`, work);
  } catch (error) {
    throw explain(error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Removes the time limits of the server, database or role for one transaction. PostgreSQL before version 17 lacks the last one. */
const withoutTimeouts = `SELECT set_config(name, '0', true) FROM pg_settings
  WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;

/** DATA_UNUSABLE: a database that cannot be reached or is not a Lectern database. The message does not contain the password. */
export function databaseUnusable(url: string, cause: unknown): LecternError {
  if (cause instanceof LecternError) return cause;
  const error = cause instanceof DatabaseUnavailable ? cause.cause : cause;
  const { message = '', code = '' } = error as { readonly message?: string; readonly code?: string };
  const isPooler = /startup parameter|prepared statement/.test(message);
  return new LecternError('DATA_UNUSABLE', `${describeAddress(url)} cannot be used: ${message || code}`, {
    hint: isPooler
      ? 'pass the URL of PostgreSQL itself, not of a connection pooler such as PgBouncer'
      : 'check the URL, the user and that PostgreSQL is running, or update Lectern if a newer version wrote the database',
    cause: error,
  });
}

/** The URL of a database without its password and parameters. */
export function describeAddress(url: string): string {
  const { protocol, username, host, pathname, searchParams } = parseAddress(url);
  const user = username === '' ? '' : `${username}@`;
  return `${protocol}//${user}${host === noHost ? (searchParams.get('host') ?? '') : host}${pathname}`;
}

/** Placeholder for the missing host in a socket URL with a user, which `URL` cannot parse. */
const noHost = 'socket';

function parseAddress(url: string): URL {
  try {
    return new URL(url.replace('@/', `@${noHost}/`).replace(':///', `://${noHost}/`));
  } catch {
    // Omits the cause, which would contain the password.
    throw new LecternError('DATA_UNUSABLE', 'the URL of the database is not valid', {
      hint: 'pass --data postgres://USER@HOST:PORT/DATABASE; escape special characters of the password with %',
      exitCode: 2,
    });
  }
}

function connectionOptions(url: string): pg.ClientConfig {
  parseAddress(url);
  return {
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    types: { getTypeParser: getTypeParser as typeof pg.types.getTypeParser },
  };
}

const bigint = 20;

/** Counts and positions are far below 2 ** 53. */
function getTypeParser(type: number, format?: 'text' | 'binary') {
  return type === bigint ? Number : pg.types.getTypeParser(type, format as 'text');
}

/** A write is acknowledged only after it is on disk, even if the server is configured to be faster; does not change a stricter setting. */
const durable = `SELECT set_config('synchronous_commit', 'local', false) WHERE current_setting('synchronous_commit') = 'off'`;

/**
 * Every statement has an index. PostgreSQL would read whole tables for words that many articles have, because it does not count the cost of
 * reading long values, and would compile such statements first.
 */
const planning = "SELECT set_config('enable_seqscan', 'off', false), set_config('jit', 'off', false)";

/** Each connection identifies prepared statements by name. */
const names = new Map<string, string>();
const nameOf = (sql: string): string => getOrMake(names, sql, () => `s${names.size}`);

/** Rejects with PostgreSQL's own error, or with `DatabaseUnavailable` if there is no response. */
async function send(
  connection: pg.Pool | pg.Client | pg.PoolClient,
  query: pg.QueryConfig | string,
): Promise<pg.QueryResult> {
  try {
    return await (connection as pg.Client).query(query as pg.QueryConfig);
  } catch (error) {
    throw error instanceof pg.DatabaseError ? error : new DatabaseUnavailable('unreachable', error);
  }
}

function queriesOf(connection: pg.Pool | pg.Client | pg.PoolClient): Queries {
  const prepared = (sql: string, values: readonly SqlValue[]) => {
    const query = { name: nameOf(sql), text: sql, values: [...values] };
    if (!(connection instanceof pg.Pool)) return send(connection, query);
    // Inside a transaction, the caller needs the original error.
    const answer = () => repeatConflicts(() => send(connection, query));
    return /^\s*(?:SELECT|WITH)/.test(sql) ? readAgain(answer) : answer();
  };
  const rows = async <T>(sql: string, ...values: readonly SqlValue[]) =>
    (await prepared(sql, values)).rows as T[];
  return {
    run: async (sql, ...values) => (await prepared(sql, values)).rowCount ?? 0,
    rows,
    row: async <T>(sql: string, ...values: readonly SqlValue[]) => (await rows<T>(sql, ...values))[0] ?? null,
  };
}

/** Repeats a read once on another connection if its connection breaks. */
async function readAgain<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isUnreachable = error instanceof DatabaseUnavailable && error.reason === 'unreachable';
    // After a timeout, another connection does not help.
    if (!isUnreachable || /time/i.test((error.cause as Error).message)) throw error;
    return read();
  }
}

/** Runs `work` between the statements that start and end a transaction. */
async function runTransaction<T>(
  client: pg.Client | pg.PoolClient,
  start: string,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  try {
    await send(client, start);
    const result = await work(queriesOf(client));
    await send(client, 'COMMIT');
    return result;
  } catch (error) {
    // Without a response, the connection cannot be reused.
    if (error instanceof DatabaseUnavailable) throw error;
    await send(client, 'ROLLBACK').catch(() => {
      // The first error says why PostgreSQL has ended the connection.
      throw new DatabaseUnavailable('unreachable', error);
    });
    throw error;
  }
}

async function runOnClient<T>(
  pool: pg.Pool,
  start: string,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  const client = await connect(pool);
  let isBroken = false;
  try {
    return await runTransaction(client, start, work);
  } catch (error) {
    isBroken = error instanceof DatabaseUnavailable;
    throw error;
  } finally {
    client.release(isBroken);
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw explain(error instanceof pg.DatabaseError ? error : new DatabaseUnavailable('unreachable', error));
  }
}

const maxAttempts = 5;

async function repeatConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || !isConflict(error)) throw explain(error);
    }
  }
}

/** Whether an error is a serialization failure or deadlock: the transaction was undone and can be retried immediately. */
function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01');
}

/**
 * SQLSTATE classes and codes (Appendix A of the PostgreSQL documentation) after which a later request can succeed, if only because an
 * administrator has restored tables or permissions.
 */
const unreachable = /^(?:08|28|57P|58|XX00[12]|3D000|3F000|42P01|42501|53300|25006|25P0[34])/;
const busy = /^(?:57014|55P03|40001|40P01|53200)/;

/** Converts PostgreSQL errors that are not our bugs to `DatabaseUnavailable`. */
function explain(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const { code = '' } = error;
  if (code === '53100') return new DatabaseUnavailable('full', error);
  if (unreachable.test(code)) return new DatabaseUnavailable('unreachable', error);
  return busy.test(code) ? new DatabaseUnavailable('locked', error) : error;
}
