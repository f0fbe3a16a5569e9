import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import Libsql from 'libsql';
import type { FeedPosition } from '../../src/feed/history/feed-position.ts';
import { buildDatabaseName, openBuildDatabase } from '../../src/output/database/build-database.ts';
import { readStored, writeStored } from '../../src/pipeline/build-record.ts';

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

type Published = ReturnType<typeof readStored<'published'>>;

/** What a cache knows of its last build, read without changing the file. Throws if it is damaged. */
function readPublished(cache: string): Published {
  return inDatabase(cache, (database) => {
    const row = database.prepare("SELECT value, value_crc AS crc FROM value WHERE name = 'published'").get();
    if (row === undefined) return null;
    const { value, crc } = row as { readonly value: string; readonly crc: number };
    if (crc32(value) !== crc) throw new Error('the value is damaged');
    return JSON.parse(value) as Published;
  });
}

/** The feed that a cache published last; `null` if it has no database, or a damaged one. */
export async function readFeedPosition(cache: string): Promise<FeedPosition | null> {
  if (!existsSync(databaseFile(cache))) return null;
  try {
    return readPublished(cache)?.feed ?? null;
  } catch {
    return null;
  }
}

/** The time after which a file of the output counts as touched (`PublishedOutput.finishedMs`), as the last build stored it. */
export async function readFinishedMs(cache: string): Promise<number> {
  return readPublished(cache)?.finishedMs ?? 0;
}

/** Lets the next build take files that were edited without a trace in size and time for those of the last one: it ignores change times. */
export async function ignoreChangeTimes(cache: string): Promise<void> {
  const database = await openBuildDatabase(cache);
  try {
    const facts = readStored(database, 'published');
    if (facts === null) throw new Error(`no build is known in ${cache}`);
    writeStored(database, 'published', { ...facts, finishedMs: Number.MAX_SAFE_INTEGER });
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
  writeStored(database, 'published', { feed: position, finishedMs: 0 });
  database.close();
}
