import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { damagedCache, deleteCacheFile, openCacheFile } from '../../core/sqlite/cache-file.ts';
import type { SqlValue } from '../../core/sqlite/sqlite.ts';

/** Name of the database in the cache folder. */
export const buildDatabaseName = 'build.db';

/** The tables' version. A database of another version is deleted, because it is only a cache. */
const version = 17;

/**
 * Tables with large values have row ids: in the others, SQLite moves values of more than a kilobyte to pages of their own. Columns named
 * `..._crc` are the CRC-32 of a value: SQLite only finds damage to the structure of its file.
 */
const createTables = `
  CREATE TABLE value (name TEXT PRIMARY KEY, value TEXT NOT NULL, value_crc INTEGER NOT NULL);
  CREATE TABLE rendered (
    article_id TEXT PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL,
    facts TEXT NOT NULL, facts_crc INTEGER NOT NULL, details TEXT NOT NULL, details_crc INTEGER NOT NULL
  );
`;

const sql = {
  readValue: 'SELECT value, value_crc AS crc FROM value WHERE name = ?',
  writeValue: 'INSERT OR REPLACE INTO value VALUES (?, ?, ?)',
  readRendered:
    'SELECT article_id AS id, source, key, facts, facts_crc AS factsCrc, iif(?, details, NULL) AS details, details_crc AS detailsCrc FROM rendered',
  readDetails: 'SELECT details AS value, details_crc AS crc FROM rendered WHERE article_id = ?',
  writeRendered: 'INSERT OR REPLACE INTO rendered VALUES (?, ?, ?, ?, ?, ?, ?)',
  removeRendered: 'DELETE FROM rendered WHERE article_id = ?',
} as const;

/** A rendered article, as the last build left it. */
interface RenderedRow {
  readonly id: string;
  /** Hash of its own record: bodies and edit dates. */
  readonly source: string;
  /** Build key: hash of everything its pages show. */
  readonly key: string;
  /** What every build needs to know of its pages, as JSON. */
  readonly facts: string;
  /** What a build needs only if something that concerns the article changed, as JSON. */
  readonly details: string;
}

/** A rendered article with its details if they were asked for. */
export interface LastArticle extends Omit<RenderedRow, 'details'> {
  readonly details: string | null;
}

/**
 * What else is stored, as JSON: the last build, the files of its output and, joined, their hashes, where those with many articles have their
 * texts, which articles are in the parts of its search, what its pages showed of other articles, and what is known of it since its output is in
 * place.
 */
type ValueName = 'run' | 'files' | 'hashes' | 'feedIndex' | 'search' | 'shown' | 'published';

/**
 * The build database `.lectern/build.db`: what the last build rendered and published. It is a cache: it may be deleted at any time, and
 * then the next build renders everything. All changes of a build are one transaction, so a build that fails or is killed leaves the
 * database of the build before.
 */
export interface BuildDatabase {
  /** `null` if nothing is stored. */
  readValue(name: ValueName): string | null;
  /** Outside of the transaction of a build, the value is stored at once. */
  writeValue(name: ValueName, value: string): void;
  /** All rendered articles: one query for all takes half as long as one for each. @throws CACHE_DAMAGED */
  readRendered(withDetails: boolean): readonly LastArticle[];
  /** @throws CACHE_DAMAGED if there are none */
  readDetails(articleId: string): string;
  /** Replaces everything about an article. */
  writeRendered(row: RenderedRow): void;
  removeRendered(articleId: string): void;
  /** Starts the transaction of a build. @throws CACHE_UNUSABLE, LOCKED */
  begin(): void;
  /** Ends it: its output is about to be put in place. */
  commit(): void;
  /** Without `commit`, all changes are undone, and a new file is deleted. Safe to call twice. */
  close(): void;
}

/**
 * Opens the database of a cache folder. One that is damaged or of another version is deleted first.
 * @param folder absolute path of the cache folder
 * @throws CACHE_UNUSABLE, LOCKED, DRIVER_MISSING
 */
export async function openBuildDatabase(folder: string): Promise<BuildDatabase> {
  const file = join(folder, buildDatabaseName);
  const { run, row, rows, begin, commit, close, isNew } = await openCacheFile(file, {
    tables: createTables,
    version,
    // A killed build is undone by the journal. Only a power failure can damage the file, and then it is deleted.
    // What was withdrawn must not stay in free pages: deleted rows are overwritten with zeros.
    setup: 'PRAGMA synchronous = OFF; PRAGMA cache_size = -32000; PRAGMA secure_delete = ON',
  });
  const check = (value: string | Uint8Array | null, crc: number): void => {
    if (value !== null && crc32(value) !== crc)
      throw damagedCache(file, `a value has another checksum than ${crc}`);
  };
  const find = <T extends string | Uint8Array>(text: string, ...keys: readonly SqlValue[]): T | null => {
    const found = row<Checked<T>>(text, ...keys);
    if (found !== null) check(found.value, found.crc);
    return found?.value ?? null;
  };
  const get = <T extends string | Uint8Array>(text: string, ...keys: readonly SqlValue[]): T => {
    const value = find<T>(text, ...keys);
    if (value === null) throw damagedCache(file, `nothing is stored for ${keys.join(' ')}`);
    return value;
  };
  let isOpen = true;
  let isKept = !isNew;
  return {
    readValue: (name) => find(sql.readValue, name),
    writeValue(name, value) {
      run(sql.writeValue, name, value, crc32(value));
    },
    readRendered(withDetails) {
      type Row = LastArticle & { readonly factsCrc: number; readonly detailsCrc: number };
      const all = rows<Row>(sql.readRendered, Number(withDetails));
      for (const { facts, factsCrc, details, detailsCrc } of all) {
        check(facts, factsCrc);
        check(details, detailsCrc);
      }
      return all;
    },
    readDetails: (id) => get(sql.readDetails, id),
    writeRendered({ id, source, key, facts, details }) {
      run(sql.writeRendered, id, source, key, facts, crc32(facts), details, crc32(details));
    },
    removeRendered(id) {
      run(sql.removeRendered, id);
    },
    begin,
    commit() {
      commit();
      isKept = true;
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      close();
      if (!isKept) deleteCacheFile(file);
    },
  };
}

/** Deletes the database of a cache folder, with the journal that a killed build may have left beside it. */
export function deleteBuildDatabase(folder: string): void {
  deleteCacheFile(join(folder, buildDatabaseName));
}

/** A value with the checksum it was stored with. */
interface Checked<T> {
  readonly value: T;
  readonly crc: number;
}
