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
