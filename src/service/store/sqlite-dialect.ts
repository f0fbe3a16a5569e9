import type { Dialect, IndexTerm } from './sql.ts';

/** Words are in quotes, and consist of letters and digits only, so that input is never syntax. */
function formatTerm({ word, isPrefix }: IndexTerm): string {
  return `"${word}"${isPrefix ? '*' : ''}`;
}

/** SQLite: the search index is an FTS5 table, in which a row has the id of its version. */
export const sqliteDialect: Dialect = {
  indexId: 'rowid',
  newestFirst: 'rowid DESC',
  matches: (parameter) => `search_index MATCH ${parameter}`,
  formatQuery: ({ groups, match, required, excluded }) => {
    const all = groups.map(
      (group) => `(${group.map((terms) => `(${terms.map(formatTerm).join(' AND ')})`).join(' OR ')})`,
    );
    const wanted = [
      `(${all.join(match === 'all' ? ' AND ' : ' OR ')})`,
      ...required.map((word) => `"${word}"`),
    ].join(' AND ');
    return excluded.length === 0
      ? wanted
      : `(${wanted}) NOT (${excluded.map((word) => `"${word}"`).join(' OR ')})`;
  },
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
