import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { damagedCache, deleteCacheFile, openCacheFile } from '../../core/sqlite/cache-file.ts';
import type { SqlValue } from '../../core/sqlite/sqlite.ts';
import type { PublishedFile } from '../output.ts';

/** Name of the database in the cache folder. */
export const buildDatabaseName = 'build.db';

/** The tables' version. A database of another version is deleted, because it is only a cache. */
const version = 6;

/**
 * Tables with large values have row ids: in the others, SQLite moves values of more than a kilobyte to pages of their own. Columns named
 * `..._crc` are the CRC-32 of a value: SQLite only finds damage to the structure of its file.
 */
const createTables = `
  CREATE TABLE run (
    id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL, record_crc INTEGER NOT NULL, files_crc INTEGER NOT NULL
  );
  CREATE TABLE file (path TEXT PRIMARY KEY, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, mtime_ms REAL NOT NULL) WITHOUT ROWID;
  CREATE TABLE published (id INTEGER PRIMARY KEY CHECK (id = 1), facts TEXT NOT NULL, facts_crc INTEGER NOT NULL);
  CREATE TABLE rendered (
    article_id TEXT PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL, facts TEXT NOT NULL, facts_crc INTEGER NOT NULL
  );
  CREATE TABLE texts (
    article_id TEXT NOT NULL, language TEXT NOT NULL, feed BLOB NOT NULL, feed_crc INTEGER NOT NULL,
    search BLOB NOT NULL, search_crc INTEGER NOT NULL,
    PRIMARY KEY (article_id, language)
  );
  CREATE TABLE search_part (
    language TEXT NOT NULL, part INTEGER NOT NULL, key TEXT NOT NULL, content BLOB NOT NULL, content_crc INTEGER NOT NULL,
    PRIMARY KEY (language, part)
  );
`;

const sql = {
  readRun: 'SELECT record AS value, record_crc AS crc FROM run',
  writeRun: 'INSERT OR REPLACE INTO run VALUES (1, ?, ?, ?)',
  updateRun: 'UPDATE run SET record = ?, record_crc = ?',
  readFilesCrc: 'SELECT files_crc AS crc FROM run',
  readFiles: 'SELECT path, sha256, bytes, mtime_ms AS mtimeMs FROM file',
  writeFile: 'INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?)',
  removeFile: 'DELETE FROM file WHERE path = ?',
  readPublished: 'SELECT facts AS value, facts_crc AS crc FROM published',
  writePublished: 'INSERT OR REPLACE INTO published VALUES (1, ?, ?)',
  readKeys: 'SELECT article_id AS id, source, key FROM rendered',
  readFacts: 'SELECT facts AS value, facts_crc AS crc FROM rendered WHERE article_id = ?',
  writeRendered: 'INSERT OR REPLACE INTO rendered VALUES (?, ?, ?, ?, ?)',
  readKey: 'SELECT source, key FROM rendered WHERE article_id = ?',
  readLanguages: 'SELECT language FROM texts WHERE article_id = ?',
  removeRendered: 'DELETE FROM rendered WHERE article_id = ?',
  writeTexts: 'INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?)',
  removeTexts: 'DELETE FROM texts WHERE article_id = ?',
  readFeedText: 'SELECT feed AS value, feed_crc AS crc FROM texts WHERE article_id = ? AND language = ?',
  readSearchText:
    'SELECT search AS value, search_crc AS crc FROM texts WHERE article_id = ? AND language = ?',
  readSearchKey: 'SELECT key FROM search_part WHERE language = ? AND part = ?',
  readSearchPart:
    'SELECT content AS value, content_crc AS crc FROM search_part WHERE language = ? AND part = ?',
  writeSearchPart: 'INSERT OR REPLACE INTO search_part VALUES (?, ?, ?, ?, ?)',
  removeSearchParts:
    'DELETE FROM search_part WHERE part >= ? OR language NOT IN (SELECT value FROM json_each(?))',
} as const;

/** A rendered article, as the last build left it. */
export interface RenderedRow {
  readonly id: string;
  /** Hash of its own record: bodies and edit dates. */
  readonly source: string;
  /** Build key: hash of everything its pages show. */
  readonly key: string;
  /** What other files need to know of its pages, as JSON. */
  readonly facts: string;
}

/** Compressed texts of a rendered article in one language: its parts of files with many articles. */
export interface PageTexts {
  readonly language: string;
  /** `FeedTexts` */
  readonly feed: Uint8Array;
  /** `SearchEntry` */
  readonly search: Uint8Array;
}

/**
 * The build database `.lectern/build.db`: what the last build rendered and published. It is a cache: it may be deleted at any time, and
 * then the next build renders everything. All changes of a build are one transaction, so a build that fails or is killed leaves the
 * database of the build before.
 */
export interface BuildDatabase {
  /** The last build, as JSON; `null` if there is none. */
  readRun(): string | null;
  /** The files of its output. */
  readFiles(): readonly PublishedFile[];
  /** What is known of the last build since its output is in place, as JSON; `null` if nothing. */
  readPublished(): string | null;
  /** All rendered articles, without their facts. */
  readKeys(): readonly Omit<RenderedRow, 'facts'>[];
  /** @throws CACHE_DAMAGED if there is none */
  readFacts(articleId: string): string;
  /** Everything about an article, as `writeRendered` stores it; `null` if there is nothing. */
  readRendered(articleId: string): { readonly row: RenderedRow; readonly texts: readonly PageTexts[] } | null;
  /** Replaces everything about an article. */
  writeRendered(row: RenderedRow, texts: readonly PageTexts[]): void;
  removeRendered(articleId: string): void;
  /** @throws CACHE_DAMAGED if there is none */
  readFeedText(articleId: string, language: string): Uint8Array;
  /** @throws CACHE_DAMAGED if there is none */
  readSearchText(articleId: string, language: string): Uint8Array;
  /** Starts the transaction of a build. @throws CACHE_UNUSABLE, CACHE_LOCKED */
  begin(): void;
  /** Ends it. @param run the build whose output is about to be put in place: its record, as JSON, and all its files */
  commit(run: { readonly record: string; readonly files: readonly PublishedFile[] }): void;
  /** Replaces the record of the last build, as JSON, outside of the transaction of a build. */
  updateRun(record: string): void;
  /** Stores facts about the last build, as JSON, after the swap. */
  writePublished(facts: string): void;
  /** A part of the search index of a language, compressed; `null` if there is none. */
  readSearchPart(
    language: string,
    part: number,
  ): { readonly key: string; readonly content: Uint8Array } | null;
  writeSearchPart(language: string, part: number, key: string, content: Uint8Array): void;
  /** Removes the parts of other languages, and those with larger numbers. @param parts number of parts */
  keepSearchParts(languages: readonly string[], parts: number): void;
  /** Without `commit`, all changes are undone, and a new file is deleted. Safe to call twice. */
  close(): void;
}

interface OpenOptions {
  /** The file is not changed: a damaged one, or one of another version, is an error. */
  readonly isReadOnly?: boolean;
}

/**
 * Opens the database of a cache folder. One that is damaged or of another version is deleted first.
 * @param folder absolute path of the cache folder
 * @throws CACHE_UNUSABLE, CACHE_LOCKED, DRIVER_MISSING
 */
export async function openBuildDatabase(
  folder: string,
  { isReadOnly = false }: OpenOptions = {},
): Promise<BuildDatabase> {
  const file = join(folder, buildDatabaseName);
  const { run, row, rows, begin, commit, close, isNew } = await openCacheFile(file, {
    tables: createTables,
    version,
    // A killed build is undone by the journal. Only a power failure can damage the file, and then it is deleted.
    // What was withdrawn must not stay in free pages: deleted rows are overwritten with zeros.
    setup: 'PRAGMA synchronous = OFF; PRAGMA cache_size = -32000; PRAGMA secure_delete = ON',
    isReadOnly,
  });
  const find = <T extends string | Uint8Array>(text: string, ...keys: readonly SqlValue[]): T | null => {
    const found = row<Checked<T>>(text, ...keys);
    if (found !== null && crc32(found.value) !== found.crc) {
      throw damagedCache(file, `a value has another checksum than ${found.crc}`);
    }
    return found?.value ?? null;
  };
  const get = <T extends string | Uint8Array>(text: string, ...keys: readonly SqlValue[]): T => {
    const value = find<T>(text, ...keys);
    if (value === null) throw damagedCache(file, `nothing is stored for ${keys.join(' ')}`);
    return value;
  };
  const readFiles = () => rows<PublishedFile>(sql.readFiles);
  let isOpen = true;
  let isKept = !isNew;
  return {
    readRun: () => find(sql.readRun),
    readFiles() {
      const files = readFiles();
      const crc = row<{ readonly crc: number }>(sql.readFilesCrc)?.crc ?? 0;
      if (crc !== crcOfFiles(files)) throw damagedCache(file, 'the files have another checksum');
      return files;
    },
    readPublished: () => find(sql.readPublished),
    readKeys: () => rows<Omit<RenderedRow, 'facts'>>(sql.readKeys),
    readFacts: (id) => get(sql.readFacts, id),
    readRendered(id) {
      const keys = row<Pick<RenderedRow, 'source' | 'key'>>(sql.readKey, id);
      if (keys === null) return null;
      const languages = rows<{ readonly language: string }>(sql.readLanguages, id);
      return {
        row: { id, ...keys, facts: get<string>(sql.readFacts, id) },
        texts: languages.map(({ language }) => ({
          language,
          feed: get<Uint8Array>(sql.readFeedText, id, language),
          search: get<Uint8Array>(sql.readSearchText, id, language),
        })),
      };
    },
    writeRendered({ id, source, key, facts }, texts) {
      run(sql.removeTexts, id);
      run(sql.writeRendered, id, source, key, facts, crc32(facts));
      for (const { language, feed, search } of texts) {
        run(sql.writeTexts, id, language, feed, crc32(feed), search, crc32(search));
      }
    },
    removeRendered(id) {
      run(sql.removeTexts, id);
      run(sql.removeRendered, id);
    },
    readFeedText: (id, language) => get(sql.readFeedText, id, language),
    readSearchText: (id, language) => get(sql.readSearchText, id, language),
    begin,
    commit({ record, files }) {
      run(sql.writeRun, record, crc32(record), crcOfFiles(files));
      const before = new Map(readFiles().map((file) => [file.path, file]));
      for (const { path, sha256, bytes, mtimeMs } of files) {
        const last = before.get(path);
        before.delete(path);
        if (last?.sha256 === sha256 && last.bytes === bytes && last.mtimeMs === mtimeMs) continue;
        run(sql.writeFile, path, sha256, bytes, mtimeMs);
      }
      for (const path of before.keys()) run(sql.removeFile, path);
      commit();
      isKept = true;
    },
    updateRun(record) {
      run(sql.updateRun, record, crc32(record));
    },
    writePublished(facts) {
      run(sql.writePublished, facts, crc32(facts));
    },
    readSearchPart(language, part) {
      const found = row<{ readonly key: string }>(sql.readSearchKey, language, part);
      return found && { key: found.key, content: get(sql.readSearchPart, language, part) };
    },
    writeSearchPart(language, part, key, content) {
      run(sql.writeSearchPart, language, part, key, content, crc32(content));
    },
    keepSearchParts(languages, parts) {
      run(sql.removeSearchParts, parts, JSON.stringify(languages));
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

/** Checksum of files in any order. */
function crcOfFiles(files: readonly PublishedFile[]): number {
  let sum = 0;
  for (const { path, sha256, bytes, mtimeMs } of files) {
    sum = (sum + crc32(`${path} ${sha256} ${bytes} ${mtimeMs}`)) >>> 0;
  }
  return sum;
}
