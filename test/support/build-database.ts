import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { LecternError } from '../../src/core/errors.ts';
import type { FeedPosition } from '../../src/feed/history/write-history.ts';
import { buildDatabaseName, openBuildDatabase } from '../../src/output/database/build-database.ts';
import { readPublished, writePublished } from '../../src/pipeline/build-record.ts';

/** The database of a cache folder. */
export const databaseFile = (cache: string): string => join(cache, buildDatabaseName);

/** Reads or changes the tables of a cache's database as another program would. */
export function inDatabase<T>(cache: string, act: (database: Libsql.Database) => T): T {
  const database = new Libsql(databaseFile(cache));
  try {
    return act(database);
  } finally {
    database.close();
  }
}

/** The feed that a cache published last; `null` if it has no database, or a damaged one. */
export async function readFeedPosition(cache: string): Promise<FeedPosition | null> {
  if (!existsSync(databaseFile(cache))) return null;
  try {
    const database = await openBuildDatabase(cache, { isReadOnly: true });
    try {
      return readPublished(database)?.feed ?? null;
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof LecternError) return null;
    throw error;
  }
}

/** The time after which a file of the output counts as touched (`PublishedOutput.finishedMs`), as the last build stored it. */
export async function readFinishedMs(cache: string): Promise<number> {
  const database = await openBuildDatabase(cache, { isReadOnly: true });
  try {
    return readPublished(database)?.finishedMs ?? 0;
  } finally {
    database.close();
  }
}

/** Lets the next build take files that were edited without a trace in size and time for those of the last one: it ignores change times. */
export async function ignoreChangeTimes(cache: string): Promise<void> {
  const database = await openBuildDatabase(cache);
  try {
    const facts = readPublished(database);
    if (facts === null) throw new Error(`no build is known in ${cache}`);
    writePublished(database, { ...facts, finishedMs: Number.MAX_SAFE_INTEGER });
  } finally {
    database.close();
  }
}

/** Gives a cache without a database one that knows only the feed that another cache published last. */
export async function copyFeedPosition(from: string, to: string): Promise<void> {
  const position = await readFeedPosition(from);
  if (position === null) return;
  const database = await openBuildDatabase(to);
  database.begin();
  // A build of no output.
  database.writeValue('run', '{}');
  database.commit();
  writePublished(database, { feed: position, finishedMs: 0 });
  database.close();
}
