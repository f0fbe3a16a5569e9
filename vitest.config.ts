import { configDefaults, defineConfig } from 'vitest/config';

/**
 * Two suites: `npm test` is the quick one (`--mode quick`), everything but `*.full.test.ts`, with a tenth of the generated
 * cases; `npm run test:full` and a bare `vitest run` are the full one.
 */
export default defineConfig(({ mode }) => {
  const isQuick = mode === 'quick';
  return {
    test: {
      include: ['test/**/*.test.ts'],
      exclude: [...configDefaults.exclude, ...(isQuick ? ['**/*.full.test.ts'] : [])],
      env: isQuick ? { LECTERN_QUICK: '1' } : {},
      // No test changes its process for the next file, so modules are loaded once per worker: half the time on two cores.
      isolate: false,
      maxWorkers: '100%',
      // For what hangs; a busy machine of few cores is several times slower than a quiet one.
      testTimeout: 120_000,
      hookTimeout: 240_000,
      expect: { poll: { timeout: 60_000 } },
      tags: [
        {
          name: 'property',
          description: 'Tries one property on many generated cases.',
          // A hunt asks for many more cases than the suite does.
          timeout: process.env.LECTERN_RUNS === undefined ? 180_000 : 3_600_000,
        },
      ],
    },
  };
});
