import fc from 'fast-check';

/**
 * The one front door for fast-check. Every run of the suite tries the same cases, so that it never fails by chance;
 * `LECTERN_SEED=N` tries those of another seed, `LECTERN_SEED=random` new ones. `npm run stress:random` hunts with many seeds.
 */
export { fc };

/** How many cases a property is tried on: `count`, times `LECTERN_RUNS` where a hunt asks for more. */
export function runs(count: number): number {
  return count * positiveInteger('LECTERN_RUNS', process.env.LECTERN_RUNS ?? '1');
}

const seed = process.env.LECTERN_SEED ?? '1';

fc.configureGlobal({
  numRuns: runs(100),
  ...(seed === 'random' ? {} : { seed: positiveInteger('LECTERN_SEED', seed) }),
});

function positiveInteger(name: string, value: string): number {
  if (!/^[1-9]\d{0,9}$/.test(value)) throw new Error(`${name} is a positive integer, not "${value}"`);
  return Number(value);
}
