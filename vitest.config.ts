import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
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
