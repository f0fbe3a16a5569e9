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

/**
 * Yields what `act` makes of each item, in their order, while it works on the next ones. The first failure is thrown in its place.
 * @param count number of items it works on besides that one
 */
export async function* workAhead<T, R>(
  items: Iterable<T>,
  count: number,
  act: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const started: Promise<R>[] = [];
  for (const item of items) {
    const result = act(item);
    // Its failure is thrown when it is its turn.
    result.catch(() => {});
    started.push(result);
    if (started.length > count) yield await (started.shift() as Promise<R>);
  }
  for (const result of started) yield await result;
}

/** Calls `make` on first use, and returns the same value from then on. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** As {@link once}, for each key. @param most results that are kept: all are forgotten before there would be more */
export function oncePerKey<Key, Value>(
  make: (key: Key) => Value,
  most = Number.POSITIVE_INFINITY,
): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    if (made.size >= most) made.clear();
    made.set(key, value);
    return value;
  };
}
