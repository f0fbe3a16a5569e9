import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { LecternError } from '../core/errors.ts';
import { makeFolder } from '../core/file-system.ts';
import {
  copyDatabase,
  type DatabaseContents,
  inspectDatabase,
  isInUse,
  renewRevision,
} from './store/database.ts';
import { reasonOf } from './store/store.ts';

/** A checked copy of a data file. */
interface Copy extends DatabaseContents {
  /** Absolute path. */
  readonly file: string;
  readonly sizeBytes: number;
}

/** A restored data file. */
interface Restored extends Copy {
  /** Absolute path of the previous data file, which was renamed; `null` if there was none. */
  readonly previous: string | null;
}

/**
 * Copies a data file in one consistent state, even while a service writes to it; the copy contains every write acknowledged before. It gets
 * its name only when it is complete, checked and on disk.
 * @param mayReplace whether to replace an existing file with that name, unless a process uses it
 * @throws DATA_UNUSABLE, TARGET_EXISTS (exit 2), PATH_UNUSABLE
 */
export function backUp(dataFile: string, target: string, mayReplace: boolean): Copy {
  const [source, file] = [resolve(dataFile), resolve(target)];
  if (!existsSync(source)) throw missing(source, 'pass the file of the service with --data');
  if (isPartOf(source, file)) throw exists(file, 'choose another name for the backup');
  refuseTaken(file, mayReplace);
  const { partial, contents } = copyChecked(source, file);
  replaceBackup(partial, file);
  return { file, ...contents, sizeBytes: statSync(file).size };
}

/**
 * Creates a data file from a backup, which is copied and checked before anything else changes. An existing data file is renamed, not
 * deleted, and only with `mayReplace`; never while a service uses it.
 * @throws DATA_UNUSABLE, TARGET_EXISTS (exit 2), PATH_UNUSABLE
 */
export function restore(backup: string, dataFile: string, mayReplace: boolean): Restored {
  const [source, file] = [resolve(backup), resolve(dataFile)];
  if (!existsSync(source)) throw missing(source, 'pass a file of lectern service backup');
  if (isPartOf(source, file)) throw exists(file, 'choose another file with --data');
  refuseFolder(file);
  if (existsSync(file) && !mayReplace) {
    throw exists(
      file,
      'choose another file with --data, or pass --force to replace it (the old file is renamed)',
    );
  }
  const { partial, contents } = copyChecked(source, file, renewRevision);
  refuseBusy(partial, file, 'stop the service and run lectern service restore again');
  const name = freeName(`${file}.previous`);
  const previous = existsSync(file) ? name : null;
  moveDatabase(file, name);
  renameSync(partial, file);
  return { file, ...contents, sizeBytes: statSync(file).size, previous };
}

/** A restored PostgreSQL database. */
interface RestoredDatabase extends DatabaseContents {
  /** Its URL without the password. */
  readonly database: string;
}

/**
 * Copies a PostgreSQL database in one consistent state into an SQLite file, as {@link backUp} does with a data file.
 * @throws TARGET_EXISTS (exit 2), DATA_UNUSABLE, PATH_UNUSABLE
 */
export async function backUpDatabase(url: string, target: string, mayReplace: boolean): Promise<Copy> {
  const file = resolve(target);
  refuseTaken(file, mayReplace);
  const { exportPostgres } = await import('./store/postgres/copy-postgres.ts');
  const { describeAddress } = await import('./store/postgres/postgres-database.ts');
  makeFolder(dirname(file));
  const folder = mkdtempSync(`${file}.`);
  try {
    const filled = join(folder, 'kb.sqlite');
    await exportPostgres(url, filled).catch((cause) => {
      throw cause.code === 'DATA_UNUSABLE' ? cause : copyFailed(describeAddress(url), file, cause);
    });
    const { partial, contents } = copyChecked(filled, file);
    replaceBackup(partial, file);
    return { file, ...contents, sizeBytes: statSync(file).size };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Fills a PostgreSQL database from a backup, which is copied and checked before anything changes. Existing content is replaced only with
 * `mayReplace`, in one transaction, and never while a service uses the database.
 * @throws DATA_UNUSABLE, TARGET_EXISTS (exit 2), PATH_UNUSABLE
 */
export async function restoreDatabase(
  backup: string,
  url: string,
  mayReplace: boolean,
): Promise<RestoredDatabase> {
  const source = resolve(backup);
  if (!existsSync(source)) throw missing(source, 'pass a file of lectern service backup');
  const { importPostgres } = await import('./store/postgres/copy-postgres.ts');
  const folder = mkdtempSync(join(tmpdir(), 'lectern-restore-'));
  try {
    const { partial, contents } = copyChecked(source, join(folder, 'kb.sqlite'), renewRevision);
    return { database: await importPostgres(partial, url, mayReplace), ...contents };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Copies a database to a file next to its target, checks the copy, changes it with `adapt`, and flushes it to disk. */
function copyChecked(
  source: string,
  target: string,
  adapt: (file: string) => void = () => {},
): { partial: string; contents: DatabaseContents } {
  const partial = `${target}.${process.pid}.partial`;
  try {
    makeFolder(dirname(target));
    rmSync(partial, { force: true });
    copyDatabase(source, partial);
    const contents = inspectDatabase(partial);
    adapt(partial);
    flush(partial);
    return { partial, contents };
  } catch (cause) {
    rmSync(partial, { force: true });
    throw copyFailed(source, target, cause);
  }
}

function copyFailed(source: string, target: string, cause: unknown): LecternError {
  return new LecternError('PATH_UNUSABLE', `${source} cannot be copied to ${target}: ${reasonOf(cause)}`, {
    hint: 'nothing was changed; check that the first contains a knowledge base of Lectern, and free space and permissions of the second',
    cause,
  });
}

/** Suffixes of the database file and of SQLite's files next to it, which contain the latest writes. */
const suffixes = ['-wal', '-shm', ''];

/** Whether `file` is `database` or one of its files, also through symbolic links. */
function isPartOf(database: string, file: string): boolean {
  return suffixes.some((suffix) => realPath(realpathSync(database) + suffix) === realPath(file));
}

/** The real path of a file; neither the file nor its folder need exist. */
function realPath(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  return dirname(file) === file ? file : join(realPath(dirname(file)), basename(file));
}

function replaceBackup(partial: string, file: string): void {
  refuseBusy(partial, file, 'choose another name for the backup, or stop that process');
  // SQLite would apply the files of a killed process to the new file.
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  renameSync(partial, file);
}

function refuseBusy(partial: string, file: string, hint: string): void {
  if (!existsSync(file) || !isInUse(file)) return;
  rmSync(partial);
  throw new LecternError('DATA_UNUSABLE', `another process uses ${file}; nothing was changed`, { hint });
}

/** Moves a database, or files that a killed process left of a deleted one: SQLite would apply these to a new file with that name. */
function moveDatabase(from: string, to: string): void {
  for (const suffix of suffixes) {
    if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
  }
}

function freeName(name: string): string {
  for (let number = 2, free = name; ; number += 1) {
    if (!suffixes.some((suffix) => existsSync(free + suffix))) return free;
    free = `${name}-${number}`;
  }
}

function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function missing(file: string, hint: string): LecternError {
  return new LecternError('DATA_UNUSABLE', `the file ${file} does not exist`, { hint, exitCode: 2 });
}

function refuseTaken(file: string, mayReplace: boolean): void {
  refuseFolder(file);
  if (existsSync(file) && !mayReplace)
    throw exists(file, 'choose another name, or pass --force to replace it');
}

function refuseFolder(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new LecternError('PATH_UNUSABLE', `${file} is a folder, not a file`, {
    hint: 'pass the path of a file',
    exitCode: 2,
  });
}

function exists(file: string, hint: string): LecternError {
  return new LecternError('TARGET_EXISTS', `${file} already exists`, { hint, exitCode: 2 });
}
