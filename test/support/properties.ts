import fc from 'fast-check';

/**
 * The only file that imports fast-check. Every run of the suite tries the same cases, so that it never fails at random; `LECTERN_SEED=N`
 * tries those of another seed, `LECTERN_SEED=random` new ones. `npm run stress:random` tries many seeds. The quick suite (`LECTERN_QUICK`,
 * see vitest.config.ts) tries the first tenth of the cases.
 */
export { fc };

/** Number of cases of a property: `count`, a tenth in the quick suite, `LECTERN_RUNS` times as many in a stress run. */
export function runs(count: number): number {
  if (process.env.LECTERN_QUICK !== undefined) return Math.ceil(count / 10);
  return count * positiveInteger('LECTERN_RUNS', process.env.LECTERN_RUNS ?? '1');
}

/**
 * For properties whose cases take seconds: reports the smallest counterexample so far before the test's own time limit ends it without one.
 */
export const timeLimit = {
  interruptAfterTimeLimit: process.env.LECTERN_RUNS === undefined ? 270_000 : 3_300_000,
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
