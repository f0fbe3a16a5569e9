import { setImmediate } from 'node:timers/promises';

/** Runs functions, at most `limit` at a time, in the order of the calls. */
type Limiter = <T>(act: () => Promise<T>) => Promise<T>;

export function createLimiter(limit: number): Limiter {
  // A set, because removing the first element of a long array takes time proportional to its length.
  const waiting = new Set<() => void>();
  let running = 0;
  return async (act) => {
    if (running >= limit) await new Promise<void>((resolve) => void waiting.add(resolve));
    else running += 1;
    try {
      return await act();
    } finally {
      const [next] = waiting;
      // The slot is passed directly to the next waiter, so that no new caller takes it.
      if (next === undefined) running -= 1;
      else {
        waiting.delete(next);
        next();
      }
    }
  };
}

/** Runs `act` on every item, at most `limit` at a time. After the first failure no further ones are started, and it is thrown. */
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

/** Maximum number of items per call. */
const mostShared = 100;

/**
 * Batches calls: while one call of `answer` is running, further items wait for the next call, which gets all of them.
 * @param answer returns the answers in the order of the items
 * @param longestWaitMs after which the next call starts anyway, because the running one may hang
 */
export function shareCalls<Item, Answer>(
  answer: (items: readonly Item[]) => Promise<readonly Answer[]>,
  longestWaitMs = 10,
): (item: Item) => Promise<Answer> {
  interface Group {
    readonly items: Item[];
    readonly answers: Promise<readonly Answer[]>;
  }
  let waiting: Group | null = null;
  let running: Promise<unknown> | null = null;
  const start = (): Group => {
    const items: Item[] = [];
    const run = async (before: Promise<unknown> | null): Promise<readonly Answer[]> => {
      // Includes items of the same turn of the event loop.
      await (before === null ? setImmediate() : settledOrLate(before, longestWaitMs));
      if (waiting === group) waiting = null;
      return answer(items);
    };
    const group: Group = { items, answers: run(running) };
    const settled = group.answers
      .catch(() => {})
      .then(() => {
        if (running === settled) running = null;
      });
    running = settled;
    return group;
  };
  return async (item) => {
    if (waiting === null || waiting.items.length === mostShared) waiting = start();
    const index = waiting.items.push(item) - 1;
    return (await waiting.answers)[index] as Answer;
  };
}

async function settledOrLate(settled: Promise<unknown>, longestWaitMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, longestWaitMs).unref();
    void settled.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** A value that is created on first use. */
interface Once<T> {
  (): T;
  isMade(): boolean;
}

/** Calls `make` on first use, and returns the same value from then on. */
export function once<T>(make: () => T): Once<T> {
  let made: { readonly value: T } | null = null;
  const get = (): T => {
    made ??= { value: make() };
    return made.value;
  };
  return Object.assign(get, { isMade: () => made !== null });
}
