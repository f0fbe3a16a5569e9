import { join } from 'node:path';
import Libsql from 'libsql';

/** The snapshot in a cache folder. */
export const snapshotFile = (cache: string): string => join(cache, 'snapshot.db');

/** Changes the tables of a snapshot as another program, or a bad disk, would. */
export function inSnapshot<T>(cache: string, act: (database: Libsql.Database) => T): T {
  const database = new Libsql(snapshotFile(cache));
  try {
    return act(database);
  } finally {
    database.close();
  }
}

/** Damages the body of an article, and leaves its size and hash as they are. */
export function damageBody(cache: string, text: string): void {
  const changed = inSnapshot(
    cache,
    (database) =>
      database
        .prepare('UPDATE body SET body = ? || substr(body, 3) WHERE instr(body, ?)')
        .run('XX', Buffer.from(text)).changes,
  );
  if (changed === 0) throw new Error(`no body contains ${text}`);
}
