import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
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
});
