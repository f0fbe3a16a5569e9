import { existsSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { LecternError } from '../core/errors.ts';
import { closeAfter, makeFolder } from '../core/file-system.ts';
import { copyDatabase, type DatabaseContents, inspectDatabase, renewRevision } from './store/database.ts';
import { isPostgres } from './store/open-store.ts';
import { reasonOf } from './store/store.ts';

/** A checked copy of the data of a service. */
interface Copy extends DatabaseContents {
  /** Absolute path. */
  readonly file: string;
  readonly sizeBytes: number;
}

/** A restored PostgreSQL database. */
interface RestoredDatabase extends DatabaseContents {
  /** Its URL without the password. */
  readonly database: string;
}

/**
 * Copies the data of a service in one consistent state into a new SQLite file, even while a service writes to it; the copy contains every write
 * acknowledged before. It gets its name only when it is complete, checked and on disk.
 * @param data SQLite file, or URL of a PostgreSQL database
 * @throws DATA_UNUSABLE, TARGET_EXISTS (exit 2), PATH_UNUSABLE
 */
export async function backUp(data: string, target: string): Promise<Copy> {
  const file = resolve(target);
  if (!isPostgres(data)) refuseMissing(resolve(data), 'pass the file of the service with --data');
  refuseTaken(file, 'choose another name for the backup');
  if (!isPostgres(data)) return copyChecked(resolve(data), file);
  const { exportPostgres } = await import('./store/postgres/copy-postgres.ts');
  const { describeAddress } = await import('./store/postgres/postgres-database.ts');
  makeFolder(dirname(file));
  return inFolder(`${file}.`, async (folder) => {
    const filled = join(folder, 'kb.sqlite');
    await exportPostgres(data, filled).catch((cause) => {
      throw cause.code === 'DATA_UNUSABLE' ? cause : copyFailed(describeAddress(data), file, cause);
    });
    return copyChecked(filled, file);
  });
}

/**
 * Creates the data of a service from a backup, which is copied and checked before anything else changes.
 * @param data a new SQLite file, or URL of an empty PostgreSQL database
 * @throws DATA_UNUSABLE, TARGET_EXISTS (exit 2), PATH_UNUSABLE
 */
export async function restore(backup: string, data: string): Promise<Copy | RestoredDatabase> {
  const source = resolve(backup);
  refuseMissing(source, 'pass a file of lectern service backup');
  if (!isPostgres(data)) {
    const file = resolve(data);
    refuseTaken(
      file,
      'stop the service, move the old file away together with its -wal and -shm, and restore again',
    );
    return copyChecked(source, file, renewRevision);
  }
  const { importPostgres } = await import('./store/postgres/copy-postgres.ts');
  return inFolder(join(tmpdir(), 'lectern-restore-'), async (folder) => {
    const { file, articles, categories } = copyChecked(source, join(folder, 'kb.sqlite'), renewRevision);
    return { database: await importPostgres(file, data), articles, categories };
  });
}

async function inFolder<T>(start: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(start);
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Copies a database to a file next to its target, checks the copy, changes it with `adapt`, flushes it to disk, and gives it its name. */
function copyChecked(source: string, file: string, adapt: (file: string) => void = () => {}): Copy {
  const partial = `${file}.${process.pid}.partial`;
  try {
    makeFolder(dirname(file));
    rmSync(partial, { force: true });
    copyDatabase(source, partial);
    const contents = inspectDatabase(partial);
    adapt(partial);
    closeAfter(openSync(partial, 'r+'), fsyncSync);
    renameSync(partial, file);
    return { file, ...contents, sizeBytes: statSync(file).size };
  } catch (cause) {
    rmSync(partial, { force: true });
    throw copyFailed(source, file, cause);
  }
}

function copyFailed(source: string, target: string, cause: unknown): LecternError {
  return new LecternError('PATH_UNUSABLE', `${source} cannot be copied to ${target}: ${reasonOf(cause)}`, {
    hint: 'nothing was changed; check that the first contains a knowledge base of Lectern, and free space and permissions of the second',
    cause,
  });
}

function refuseMissing(file: string, hint: string): void {
  if (existsSync(file)) return;
  throw new LecternError('DATA_UNUSABLE', `the file ${file} does not exist`, { hint, exitCode: 2 });
}

/** Refuses also the files that a killed process left of a deleted database: SQLite would apply them to a new file with that name. */
function refuseTaken(file: string, hint: string): void {
  const taken = ['', '-wal', '-shm'].map((suffix) => file + suffix).find((one) => existsSync(one));
  if (taken !== undefined) throw new LecternError('TARGET_EXISTS', `${taken} already exists`, { hint });
}
