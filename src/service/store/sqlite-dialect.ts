import { type Dialect, formatQuery } from './sql.ts';

/** SQLite: the search index is an FTS5 table, in which a row has the id of its version. */
export const sqliteDialect: Dialect = {
  indexId: 'rowid',
  newestFirst: 'rowid DESC',
  matches: (parameter) => `search_index MATCH ${parameter}`,
  formatQuery: (query) =>
    formatQuery(query, { and: ' AND ', or: ' OR ', andNot: ' NOT ', quote: '"', prefix: '*' }),
  insertIndex: 'INSERT INTO search_index (rowid, terms) VALUES ($1, $2)',
  countMatches: `SELECT (SELECT count(*) FROM search_index WHERE search_index MATCH query.value) AS count
    FROM json_each($1) AS query ORDER BY query.key`,
  listed: (parameter) => `(SELECT value FROM json_each(${parameter}))`,
  // Transactions that write run one after the other.
  forUpdate: '',
  forKeyShare: '',
  lockForFilling: '',
  revisionSlot: '0',
};
