import { createHash, hash } from 'node:crypto';
import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { LecternError } from '../../core/errors.ts';
import { deleteCacheFile, openCacheFile, whenFree } from '../../core/sqlite/cache-file.ts';
import { codeOf, DatabaseUnavailable, openSqlite, type Sqlite } from '../../core/sqlite/sqlite.ts';
import type { SnapshotSettings } from '../source.ts';
import { type BodyReader, type BodyStore, corruptSnapshot, createBodyStore } from './body-store.ts';
import { createFileMemory, type FileMemory } from './file-memory.ts';
import type { SnapshotContent, SnapshotHeader, StoredArticle } from './format.ts';

/** Name of the snapshot in the cache folder. */
const snapshotName = 'snapshot.db';

/** The tables' version. Increase it if the tables or the records in them change: a snapshot of another version is never read. */
const version = 20;

/**
 * The records are lines of JSON in blocks, which are read and checked much faster than single rows. Bodies are found by their hash, so a
 * fetch writes only those that are new.
 */
const tables = `
  CREATE TABLE snapshot (id INTEGER PRIMARY KEY CHECK (id = 1), header TEXT NOT NULL, content_hash TEXT NOT NULL, sha256 TEXT NOT NULL);
  CREATE TABLE block (position INTEGER PRIMARY KEY, lines BLOB NOT NULL);
  CREATE TABLE body (sha256 TEXT PRIMARY KEY, body BLOB NOT NULL);
  CREATE TABLE file (path TEXT PRIMARY KEY, made TEXT NOT NULL, made_crc INTEGER NOT NULL);
  CREATE TABLE file_key (id INTEGER PRIMARY KEY CHECK (id = 1), key TEXT NOT NULL);
`;

/**
 * Readers of the last snapshot neither wait for a fetch nor see a part of it. Bodies that were withdrawn are overwritten with zeros. The
 * largest pages, because a page holds whole bodies, and what is left of it is lost.
 */
const setup =
  'PRAGMA page_size = 65536; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000; PRAGMA secure_delete = ON';

const sql = {
  readSnapshot: 'SELECT header, content_hash AS contentHash, sha256 FROM snapshot',
  writeSnapshot: 'INSERT OR REPLACE INTO snapshot VALUES (1, ?, ?, ?)',
  readBlock: 'SELECT lines FROM block WHERE position = ?',
  writeBlock:
    'INSERT INTO block VALUES (?, ?) ON CONFLICT DO UPDATE SET lines = excluded.lines WHERE lines IS NOT excluded.lines',
  removeBlocks: 'DELETE FROM block WHERE position >= ?',
  readBody: 'SELECT body FROM body WHERE sha256 = ?',
  // A damaged body is replaced.
  writeBody:
    'INSERT INTO body VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body WHERE body IS NOT excluded.body',
  removeBody: 'DELETE FROM body WHERE sha256 = ?',
  listBodies: 'SELECT sha256 FROM body',
  readFileKey: 'SELECT key FROM file_key',
  writeFileKey: 'INSERT OR REPLACE INTO file_key VALUES (1, ?)',
  readFiles: 'SELECT path, made, made_crc AS crc FROM file',
  writeFile: 'INSERT OR REPLACE INTO file VALUES (?, ?, ?)',
  removeFile: 'DELETE FROM file WHERE path = ?',
  removeFiles: 'DELETE FROM file',
  findBodies: 'SELECT sha256 FROM body WHERE instr(body, ?) OR instr(body, ?)',
} as const;

/** A snapshot that was read. */
export interface Snapshot {
  readonly header: SnapshotHeader;
  readonly content: SnapshotContent;
  /** SHA-256 of what the content publishes and reports: two reads between which nothing of that changed have the same. */
  readonly contentHash: string;
  /** The bodies as they were when the snapshot was read or written, also while the next one replaces it. */
  readonly bodies: BodyReader;
}

/** The reason why there is no usable snapshot; `why` follows "the snapshot". */
interface NoSnapshot {
  readonly state: 'missing' | 'unusable';
  readonly why: string;
}

/** The next snapshot. As long as it is not committed, the last one is what others read. */
interface SnapshotWriter {
  readonly store: BodyStore;
  readonly openFiles: OpenFileMemory;
  /** Replaces the last snapshot with the bodies that the articles have, and this header and content. */
  commit(header: SnapshotHeader, content: SnapshotContent): Snapshot;
  /** Without `commit`, the last snapshot is left unchanged. Do not call it after `commit`. */
  abandon(): void;
}

/**
 * Opens what the last run made of the files of a source. It is empty if that run had another key.
 * @param key of the program and the settings that decide what is made
 * @param nowMs when this run began, before it read the files
 */
export type OpenFileMemory = (key: string, nowMs: number) => FileMemory;

/** Reads the snapshot of a cache folder, or returns the reason why there is none. The caller closes `bodies`. @throws LOCKED */
export async function readSnapshot(folder: string): Promise<Snapshot | NoSnapshot> {
  const database = openReader(folder);
  if ('state' in database) return database;
  const all: SnapshotLine[] = [];
  const read = guarded(folder, () =>
    readChecked(database, (lines) => {
      for (const line of JSON.parse(`[${lines.toString('utf8')}]`) as SnapshotLine[]) all.push(line);
    }),
  );
  if ('state' in read) {
    database.close();
    return read;
  }
  return { ...read, content: readContent(all), bodies: createBodyReader(database, folder) };
}

/**
 * Header and hash of the snapshot in a cache folder, if it is undamaged; bodies are not read. `null` if there is none, if opening it would
 * fail, or if the schedule of a record has shown or hidden something since.
 * @param contentHash if given, a snapshot with another hash is not read, and the result is `null`
 */
export async function checkSnapshot(
  folder: string,
  contentHash?: string,
): Promise<Pick<Snapshot, 'header' | 'contentHash'> | null> {
  const database = openReader(folder);
  if ('state' in database) return null;
  try {
    const read = guarded(folder, () => {
      const isOther =
        contentHash !== undefined &&
        database.row<StoredSnapshot>(sql.readSnapshot)?.contentHash !== contentHash;
      return isOther ? null : readChecked(database, () => {});
    });
    if (read === null || 'state' in read) return null;
    const { scheduleMs = Number.POSITIVE_INFINITY } = read.header;
    return Date.now() < scheduleMs ? read : null;
  } finally {
    database.close();
  }
}

/** Opens the file as it is now: its transaction sees nothing of later fetches. @throws LOCKED */
function openReader(folder: string): Sqlite | NoSnapshot {
  const file = snapshotFile(folder);
  try {
    if (!statSync(file).isFile()) return unusable('is not a file');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { state: 'missing', why: 'does not exist' };
    return unusable(`cannot be read (${code})`);
  }
  return guarded<Sqlite | NoSnapshot>(folder, () => {
    const database = openSqlite(file, { isReadOnly: true, lockWaitMs: maxWaitMs });
    database.exec('BEGIN');
    const found = database.row<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
    if (found === version) return database;
    database.close();
    return unusable(found === 0 ? 'is empty' : `has the format ${found}`);
  });
}

interface StoredSnapshot {
  readonly header: string;
  readonly contentHash: string;
  /** Checksum of `header`, `contentHash` and the blocks. */
  readonly sha256: string;
}

/**
 * Reads header and blocks, and compares them with the checksum.
 * @param take gets the lines of each block, separated by commas
 */
function readChecked(
  database: Sqlite,
  take: (lines: Buffer) => void,
): Pick<Snapshot, 'header' | 'contentHash'> | NoSnapshot {
  const stored = database.row<StoredSnapshot>(sql.readSnapshot);
  if (stored === null) return { state: 'missing', why: 'was never completed' };
  // The missing end of a file that was cut is read as zeros.
  if (typeof stored.header !== 'string') return unusable('is cut off');
  const { contentHash } = stored;
  const digest = createHash('sha256');
  for (let position = 0; ; position += 1) {
    const block = database.row<{ lines: Buffer }>(sql.readBlock, position);
    if (block === null) break;
    digest.update(block.lines);
    take(block.lines);
  }
  if (checksumOf(stored.header, contentHash, digest.digest('hex')) !== stored.sha256)
    return unusable('does not match its checksum');
  return { header: JSON.parse(stored.header) as SnapshotHeader, contentHash };
}

function createBodyReader(database: Sqlite, folder: string): BodyReader {
  const { read } = createBodyStore(bodiesIn(database));
  return {
    read: (article) => orCorrupt(folder, () => read(article)),
    find: (...texts) =>
      orCorrupt(
        folder,
        () =>
          new Set(
            database
              .rows<{ sha256: string }>(sql.findBodies, ...texts.map((text) => Buffer.from(text)))
              .map(({ sha256 }) => sha256),
          ),
      ),
    close: () => database.close(),
  };
}

function bodiesIn(database: Sqlite): Parameters<typeof createBodyStore>[0] {
  return {
    get: (sha256) => database.row<{ body: Buffer }>(sql.readBody, sha256)?.body ?? null,
    set: (sha256, body) => void database.run(sql.writeBody, sha256, body),
  };
}

/**
 * Begins the next snapshot of a cache folder, which is created if missing. A file that is damaged or of another version is made again.
 * @throws CACHE_UNUSABLE, LOCKED, here and in every method; CACHE_DAMAGED if the file turns out to be damaged
 */
export async function beginSnapshot(folder: string): Promise<SnapshotWriter> {
  const file = snapshotFile(folder);
  const database = await openCacheFile(file, { tables, version, setup, waitMs: maxWaitMs });
  try {
    await whenFree(maxWaitMs, database.begin);
  } catch (error) {
    database.close();
    throw error;
  }
  const { put, has } = createBodyStore(bodiesIn(database));
  const files = createFileTable(database);
  return {
    store: { put, has },
    openFiles: files.open,
    commit(header, content) {
      const contentHash = writeContent(database, header, content);
      removeUnused(database, content);
      files.write();
      database.commit();
      // What was withdrawn was removed from the file; this also removes it from its journal.
      database.exec('PRAGMA wal_checkpoint(TRUNCATE); BEGIN');
      // While others read the last snapshot, the new one is in the journal only. Previews watch the time of the file.
      const now = new Date();
      utimesSync(file, now, now);
      // The transaction begins with the first statement.
      database.row(sql.readSnapshot);
      return { header, content, contentHash, bodies: createBodyReader(database, folder) };
    },
    abandon() {
      database.close();
      if (database.isNew) deleteSnapshot(folder);
    },
  };
}

/** The file of the snapshot in a cache folder. A new snapshot changes its time, and reading it does not. */
export function snapshotFile(folder: string): string {
  return join(folder, snapshotName);
}

/** Deletes the snapshot of a cache folder. Those who have opened it keep what they have. */
export function deleteSnapshot(folder: string): void {
  deleteCacheFile(snapshotFile(folder));
}

/** Longest wait for another process that writes a snapshot. */
const maxWaitMs = 10_000;
const blockLength = 1024 * 1024;

/** Writes the blocks that have changed. @returns the hash of the content */
function writeContent(database: Sqlite, header: SnapshotHeader, content: SnapshotContent): string {
  const text = JSON.stringify(header);
  const [digest, ofBlocks] = [createHash('sha256'), createHash('sha256')];
  let position = 0;
  let block = '';
  const writeBlock = (): void => {
    const lines = Buffer.from(block);
    ofBlocks.update(lines);
    database.run(sql.writeBlock, position, lines);
    position += 1;
    block = '';
  };
  for (const { shown, line } of contentLines(content)) {
    digest.update(`${shown}\n`);
    block += `${block === '' ? '' : ',\n'}${line}`;
    if (block.length >= blockLength) writeBlock();
  }
  if (block !== '') writeBlock();
  database.run(sql.removeBlocks, position);
  const contentHash = digest.digest('hex');
  database.run(sql.writeSnapshot, text, contentHash, checksumOf(text, contentHash, ofBlocks.digest('hex')));
  return contentHash;
}

function checksumOf(header: string, contentHash: string, blocks: string): string {
  return hash('sha256', header + contentHash + blocks);
}

/** The rows of {@link FileMemory}. */
function createFileTable(database: Sqlite) {
  const known = new Map<string, string>();
  const used = new Set<string>();
  const made = new Map<string, () => string | null>();
  const open: OpenFileMemory = (key, nowMs) => {
    if (database.row<{ key: string }>(sql.readFileKey)?.key === key) {
      const rows = database.rows<{ path: string; made: string; crc: number }>(sql.readFiles);
      for (const { path, made, crc } of rows) if (crc32(made) === crc) known.set(path, made);
    } else {
      database.run(sql.removeFiles);
      database.run(sql.writeFileKey, key);
    }
    const find = (path: string): string | null => {
      used.add(path);
      return known.get(path) ?? null;
    };
    return createFileMemory(find, (path, text) => void made.set(path, text), nowMs);
  };
  return {
    open,
    /** Writes what was made in this run, and removes the rows of files that it did not ask for, or that are no longer public. */
    write(): void {
      if (used.size === 0) database.run(sql.removeFiles);
      for (const path of known.keys()) if (!used.has(path)) database.run(sql.removeFile, path);
      for (const [path, textOf] of made) {
        const text = textOf();
        if (text === null) database.run(sql.removeFile, path);
        else database.run(sql.writeFile, path, text, crc32(text));
      }
    },
  };
}

/** Removes the bodies that no article has. */
function removeUnused(database: Sqlite, { articles }: SnapshotContent): void {
  const used = new Set(
    articles.flatMap(({ article }) => article.translations.map(({ bodyHash }) => bodyHash)),
  );
  for (const { sha256 } of database.rows<{ sha256: string }>(sql.listBodies)) {
    if (!used.delete(sha256)) database.run(sql.removeBody, sha256);
  }
  const [missing] = used;
  if (missing !== undefined) throw new Error(`the body with the hash ${missing} was not stored`);
}

/** What only the next reading needs of an article: it changes with files and fields that are not published, such as a new file beside the pages. */
type Known = Pick<StoredArticle, 'fingerprint' | 'targets'>;

/** A line of the content: an article, or everything else, in the last line. */
type SnapshotLine =
  | { readonly a: Omit<StoredArticle, keyof Known>; readonly known: Known }
  | { readonly rest: Rest };

/** `SnapshotContent` without articles, as JSON: a map is the list of its entries. */
type Rest = {
  readonly [Field in Exclude<keyof SnapshotContent, 'articles'>]: SnapshotContent[Field] extends ReadonlyMap<
    infer Key,
    infer Value
  >
    ? readonly (readonly [Key, Value])[]
    : SnapshotContent[Field];
};

/** The lines of the content, and what each contributes to its hash. */
function* contentLines({
  articles,
  ...rest
}: SnapshotContent): Generator<{ readonly shown: string; readonly line: string }> {
  for (const { fingerprint, targets, ...article } of articles) {
    const shown = JSON.stringify(article);
    yield { shown, line: `{"a":${shown},"known":${JSON.stringify({ fingerprint, targets })}}` };
  }
  const toPlain = (_key: string, value: unknown): unknown => (value instanceof Map ? [...value] : value);
  const shown = JSON.stringify(rest, toPlain);
  yield { shown, line: `{"rest":${shown}}` };
}

function readContent(lines: readonly SnapshotLine[]): SnapshotContent {
  const articles = lines.flatMap((line) => ('a' in line ? { ...line.a, ...line.known } : []));
  const { rest } = lines.at(-1) as { readonly rest: Rest };
  const maps = { excluded: new Map(rest.excluded), excludedFiles: new Map(rest.excludedFiles) };
  const others = { hiddenNames: new Map(rest.hiddenNames), topArticles: new Map(rest.topArticles) };
  return { articles, ...rest, ...maps, ...others };
}

/** Runs a reading function: a damaged file is no usable snapshot. @throws LOCKED */
function guarded<T>(folder: string, read: () => T): T | NoSnapshot {
  try {
    return read();
  } catch (error) {
    if (error instanceof DatabaseUnavailable && error.reason === 'locked') {
      throw new LecternError('LOCKED', `another run is using the snapshot in ${folder}`, {
        hint: 'wait until it has ended',
        cause: error,
      });
    }
    // JSON is damaged only if the file was changed together with its checksum.
    if (codeOf(error) === '' && !(error instanceof SyntaxError)) throw error;
    return unusable(`cannot be read (${codeOf(error) || 'no JSON'})`);
  }
}

/** Runs a function that reads bodies. @throws SNAPSHOT_UNUSABLE if the file is damaged */
function orCorrupt<T>(folder: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isDamage =
      codeOf(error) !== '' || (error instanceof LecternError && error.code === 'CACHE_DAMAGED');
    if (!isDamage) throw error;
    throw corruptSnapshot(`the snapshot in ${folder} is damaged`, error);
  }
}

function unusable(why: string): NoSnapshot {
  return { state: 'unusable', why };
}

/** Why a snapshot does not belong to this knowledge base, in words that follow "the snapshot"; `null` if it does. */
export function whyForeign(
  header: SnapshotHeader,
  { identity, defaultLanguage }: Pick<SnapshotSettings, 'identity' | 'defaultLanguage'>,
): string | null {
  if (identity !== null && header.identity !== identity)
    return `belongs to another source, ${header.identity}`;
  if (header.defaultLanguage !== defaultLanguage) {
    return `was made with the default language ${header.defaultLanguage}`;
  }
  return null;
}
