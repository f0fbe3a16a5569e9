import fc from 'fast-check';

/**
 * The only file that imports fast-check. Every run of the suite tries the same cases, so that it never fails at random; `LECTERN_SEED=N`
 * tries those of another seed, `LECTERN_SEED=random` new ones. `npm run stress:random` tries many seeds.
 */
export { fc };

const times = positiveInteger('LECTERN_RUNS', process.env.LECTERN_RUNS ?? '1');

/** Number of cases of a property: a tenth of `count`; every night (`LECTERN_RUNS=10`) all of them, and more in a stress run. */
export function runs(count: number): number {
  return Math.ceil((count * times) / 10);
}

/** Of cases that ask the same question, the first and then every nth; every night all of them. */
export function everyNth<T>(n: number, cases: readonly T[]): readonly T[] {
  return times < 10 ? cases.filter((_, at) => at % n === 0) : cases;
}

/**
 * For properties whose cases take seconds: reports the smallest counterexample so far before the test's own time limit ends it without one.
 */
export const timeLimit = {
  interruptAfterTimeLimit: times === 1 ? 270_000 : 3_300_000,
  markInterruptAsFailure: true,
};

const seed = process.env.LECTERN_SEED ?? '1';

fc.configureGlobal({
  numRuns: runs(100),
  ...(seed === 'random' ? {} : { seed: positiveInteger('LECTERN_SEED', seed) }),
});

function positiveInteger(name: string, value: string): number {
  if (!/^[1-9]\d{0,9}$/.test(value)) throw new Error(`${name} is a positive integer, not "${value}"`);
  return Number(value);
}
