import type { Database } from './database.ts';

/** What became of one of several works. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/**
 * Runs several writes and makes them durable together: one wait for the disk instead of one each. One that fails leaves no
 * trace and does not touch the others. When this returns, every outcome with a value is on disk.
 */
export function commitTogether(database: Database, works: readonly (() => unknown)[]): readonly Outcome[] {
  const alone = () => works.map((work) => attempt(() => database.transaction(work)));
  if (works.length < 2) return alone();
  const together = attempt(() =>
    database.transaction(() =>
      works.map((work) => {
        const outcome = attempt(() => database.savepoint(work));
        // SQLite ends the whole transaction where it has no room left.
        if ('error' in outcome && !database.isInTransaction()) throw outcome.error;
        return outcome;
      }),
    ),
  );
  return 'value' in together ? together.value : alone();
}

function attempt<T>(work: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}
