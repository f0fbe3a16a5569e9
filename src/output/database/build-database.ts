import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { damagedCache, deleteCacheFile, openCacheFile } from '../../core/sqlite/cache-file.ts';

/** Name of the database in the cache folder. */
export const buildDatabaseName = 'build.db';

/** The tables' version. A database of another version is deleted, because it is only a cache. */
const version = 20;

/**
 * Tables with large values have row ids: in the others, SQLite moves values of more than a kilobyte to pages of their own. Columns named
 * `..._crc` are the CRC-32 of a value: SQLite only finds damage to the structure of its file.
 */
const createTables = `
  CREATE TABLE value (name TEXT PRIMARY KEY, value TEXT NOT NULL, value_crc INTEGER NOT NULL);
  CREATE TABLE facts (number INTEGER PRIMARY KEY, facts TEXT NOT NULL, facts_crc INTEGER NOT NULL);
  CREATE TABLE rendered (
    article_id TEXT PRIMARY KEY, key TEXT NOT NULL, details TEXT NOT NULL, details_crc INTEGER NOT NULL
  );
`;

const renderedRow = 'article_id AS id, key, details AS value, details_crc AS crc';

const sql = {
  readValue: 'SELECT value, value_crc AS crc FROM value WHERE name = ?',
  writeValue: 'INSERT OR REPLACE INTO value VALUES (?, ?, ?)',
  readFacts: 'SELECT facts AS value, facts_crc AS crc FROM facts ORDER BY number',
  writeFacts: 'INSERT OR REPLACE INTO facts VALUES (?, ?, ?)',
  removeFacts: 'DELETE FROM facts WHERE number >= ?',
  readRendered: `SELECT ${renderedRow} FROM rendered WHERE article_id = ?`,
  readAllRendered: `SELECT ${renderedRow} FROM rendered`,
  writeRendered: 'INSERT OR REPLACE INTO rendered VALUES (?, ?, ?, ?)',
  removeRendered: 'DELETE FROM rendered WHERE article_id = ?',
} as const;

/** What a build needs of a rendered article only if something that concerns it changed. */
export interface RenderedRow {
  readonly id: string;
  /** Build key: hash of everything its pages show. */
  readonly key: string;
  /** As JSON. */
  readonly details: string;
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
  /** What every build needs to know of the rendered articles, in rows of many. @throws CACHE_DAMAGED */
  readFacts(): readonly string[];
  /** @param number of the row, from 0 */
  writeFacts(number: number, facts: string): void;
  /** Removes the rows from a number on. */
  removeFacts(from: number): void;
  /** @throws CACHE_DAMAGED if there is none */
  readRendered(articleId: string): RenderedRow;
  /** All rendered articles: one query for all takes half as long as one for each. @throws CACHE_DAMAGED */
  readAllRendered(): readonly RenderedRow[];
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
  const check = <Row extends Checked>(found: Row): Row => {
    if (crc32(found.value) !== found.crc)
      throw damagedCache(file, `a value has another checksum than ${found.crc}`);
    return found;
  };
  const toRow = (stored: StoredRow): RenderedRow => ({
    id: stored.id,
    key: stored.key,
    details: check(stored).value,
  });
  let isOpen = true;
  let isKept = !isNew;
  return {
    readValue(name) {
      const found = row<Checked>(sql.readValue, name);
      return found === null ? null : check(found).value;
    },
    writeValue(name, value) {
      run(sql.writeValue, name, value, crc32(value));
    },
    readFacts: () => rows<Checked>(sql.readFacts).map((found) => check(found).value),
    writeFacts(number, facts) {
      run(sql.writeFacts, number, facts, crc32(facts));
    },
    removeFacts(from) {
      run(sql.removeFacts, from);
    },
    readRendered(id) {
      const found = row<StoredRow>(sql.readRendered, id);
      if (found === null) throw damagedCache(file, `nothing is stored for ${id}`);
      return toRow(found);
    },
    readAllRendered: () => rows<StoredRow>(sql.readAllRendered).map(toRow),
    writeRendered({ id, key, details }) {
      run(sql.writeRendered, id, key, details, crc32(details));
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
interface Checked {
  readonly value: string;
  readonly crc: number;
}

/** A row of `rendered`. @see RenderedRow */
interface StoredRow extends Omit<RenderedRow, 'details'>, Checked {}
