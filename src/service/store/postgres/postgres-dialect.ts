import { type Dialect, formatQuery } from '../sql.ts';

/** Number of counters whose sum is the revision. Each connection uses one of them, so that writes do not wait for each other. */
export const revisionSlots = 32;

/** An arbitrary number, the same in every version: the lock for filling an empty database. */
const fillLock = 7_283_641_906;

/** PostgreSQL: the search index is a table of text search vectors with a GIN index. */
export const postgresDialect: Dialect = {
  indexId: 'version_id',
  // By the bare column, PostgreSQL would look through all versions, newest first, instead of using the index of words.
  newestFirst: 'version_id + 0 DESC',
  matches: (parameter) => `terms @@ ${parameter}::tsquery`,
  formatQuery: (query) =>
    formatQuery(query, { and: ' & ', or: ' | ', andNot: ' & !', quote: "'", prefix: ':*' }),
  insertIndex:
    "INSERT INTO search_index (version_id, terms) VALUES ($1, array_to_tsvector(string_to_array($2, ' ')))",
  countMatches: `SELECT (SELECT count(*) FROM search_index WHERE terms @@ query.value::tsquery) AS count
    FROM json_array_elements_text($1::json) WITH ORDINALITY AS query (value, key) ORDER BY query.key`,
  listed: (parameter) => `(SELECT value::bigint FROM json_array_elements_text(${parameter}::json))`,
  forUpdate: 'FOR UPDATE',
  forKeyShare: 'FOR KEY SHARE',
  lockForFilling: `SELECT pg_advisory_xact_lock(${fillLock})`,
  revisionSlot: `pg_backend_pid() % ${revisionSlots}`,
};
