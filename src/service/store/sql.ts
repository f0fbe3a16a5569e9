import type { SqlValue } from '../../core/sqlite/sqlite.ts';

/**
 * Runs SQL with the parameters `$1`, `$2`, … on a database, or in a transaction. Statements are written once for SQLite and PostgreSQL; what
 * differs is in the {@link Dialect}. Every function can reject with `DatabaseUnavailable`.
 */
export interface Queries {
  /** Runs one statement; returns the number of changed rows. */
  run(sql: string, ...values: readonly SqlValue[]): Promise<number>;
  /** The caller must make sure that the query selects the columns that it reads. */
  rows<T>(sql: string, ...values: readonly SqlValue[]): Promise<readonly T[]>;
  row<T>(sql: string, ...values: readonly SqlValue[]): Promise<T | null>;
}

/** A database that holds a knowledge base. */
export interface SqlDatabase extends Queries {
  readonly dialect: Dialect;
  /** Runs `work` as one transaction, which is on disk when the promise resolves. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
}

/** What the two databases say differently. */
export interface Dialect {
  /** The column of `search_index` with the id of a version. */
  readonly indexId: string;
  /** Order of the rows of `search_index`. */
  readonly newestFirst: string;
  /** Condition: a row of `search_index` matches a formatted query. */
  readonly matches: (parameter: string) => string;
  readonly formatQuery: (query: IndexQuery) => string;
  /** Adds the version `$1` with the index words `$2`, which are separated by spaces. */
  readonly insertIndex: string;
  /** Number of rows of `search_index` for each of a JSON list of formatted queries, in order: `count`. */
  readonly countMatches: string;
  /** Subquery of the numbers in a JSON list. */
  readonly listed: (parameter: string) => string;
  /** Locks the selected row until the end of the transaction: against changes, or only against deletion. */
  readonly forUpdate: string;
  readonly forKeyShare: string;
  /** Waits for another process that fills the database; empty if transactions wait for each other anyway. */
  readonly lockForFilling: string;
  /** The counter of the revision that a transaction increases. */
  readonly revisionSlot: string;
}

/** A search term: an index word, or the beginning of one. */
export interface IndexTerm {
  readonly word: string;
  readonly isPrefix: boolean;
}

/** Alternatives, each of which is a list of terms that must all occur. */
export type TermGroup = readonly (readonly IndexTerm[])[];

/** A query for `search_index`. */
export interface IndexQuery {
  readonly groups: readonly TermGroup[];
  /** Whether a text must have all groups, or any. */
  readonly match: 'all' | 'any';
  /** Words that a text must have, and must not have. */
  readonly required: readonly string[];
  readonly excluded: readonly string[];
}

/** How a database writes a query for `search_index`. */
interface QuerySyntax {
  readonly and: string;
  readonly or: string;
  readonly andNot: string;
  readonly quote: string;
  /** After a word that is the beginning of others. */
  readonly prefix: string;
}

/** Writes a query. Words are in quotes, and consist of letters and digits only, so that input is never syntax. */
export function formatQuery({ groups, match, required, excluded }: IndexQuery, syntax: QuerySyntax): string {
  const { and, or, andNot, quote, prefix } = syntax;
  const formatTerm = ({ word, isPrefix }: IndexTerm) => `${quote}${word}${quote}${isPrefix ? prefix : ''}`;
  const formatWord = (word: string) => formatTerm({ word, isPrefix: false });
  const all = groups.map(
    (group) => `(${group.map((terms) => `(${terms.map(formatTerm).join(and)})`).join(or)})`,
  );
  const wanted = [`(${all.join(match === 'all' ? and : or)})`, ...required.map(formatWord)].join(and);
  return excluded.length === 0 ? wanted : `(${wanted})${andNot}(${excluded.map(formatWord).join(or)})`;
}
