/** Runs what it is given, at most `limit` at a time, in order of arrival. */
export type Limiter = <T>(act: () => Promise<T>) => Promise<T>;

export function createLimiter(limit: number): Limiter {
  // A set, since taking the first of a long array costs its whole length.
  const waiting = new Set<() => void>();
  let running = 0;
  return async (act) => {
    if (running >= limit) await new Promise<void>((resolve) => void waiting.add(resolve));
    else running += 1;
    try {
      return await act();
    } finally {
      const [next] = waiting;
      // The slot goes straight to the next waiter, so that no new caller takes it.
      if (next === undefined) running -= 1;
      else {
        waiting.delete(next);
        next();
      }
    }
  };
}

/** Runs `act` on every item, at most `limit` at a time; the first failure stops the start of further ones and is thrown. */
export async function inParallel<T>(
  items: Iterable<T>,
  limit: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let hasFailed = false;
  const work = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done && !hasFailed; next = iterator.next()) {
      try {
        await act(next.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
}

/** A value that is made when it is first asked for. */
export interface Once<T> {
  (): T;
  isMade(): boolean;
}

/** Calls `make` with the first question, and gives the same answer ever after. */
export function once<T>(make: () => T): Once<T> {
  let made: { readonly value: T } | null = null;
  const get = (): T => {
    made ??= { value: make() };
    return made.value;
  };
  return Object.assign(get, { isMade: () => made !== null });
}
