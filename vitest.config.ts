import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { listRest, readTests } from './test/support/suites.ts';

/**
 * Packages are resolved as Node resolves them for users. Vite adds the condition `development`, under which packages such as
 * micromark load a build with assertions that is several times slower.
 */
const resolveAsNode: Plugin = {
  name: 'resolve-as-node',
  configEnvironment(_name, { resolve }) {
    if (resolve?.conditions === undefined) return;
    resolve.conditions = resolve.conditions.filter((name) => !name.startsWith('development'));
  },
};

/** Those that take half a minute or more, then the other files of the full suite: at the end, short files then occupy all workers. */
const longest = [
  /(?:incremental|snippets|accessibility|languages|titles|search-layers)\.full\.test\.ts$/,
  /\.full\.test\.ts$/,
  /./,
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => longest.findIndex((names) => names.test(moduleId));
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

/**
 * Three suites. `npm test` is the quick one (`--mode quick`): `*.test.ts` but `*.full.test.ts`. `npm run test:full` and a bare `vitest run` are the
 * full one. `--mode rest` is the full one without the files that do the same in the quick one (`test/support/suites.ts`): CI runs it after the
 * quick one, on the same commit. `npm run test:nightly` (`--mode nightly`) is for every night, and before a release: also `*.nightly.test.ts`, which
 * install the package with every package manager, and the clients of platforms, and start containers and web servers, and all cases where the other suites try a part
 * (`test/support/properties.ts`).
 */
export default defineConfig(({ mode }) => {
  const isNightly = mode === 'nightly';
  const tries = process.env.LECTERN_RUNS ?? (isNightly ? '10' : '1');
  return {
    plugins: [resolveAsNode],
    test: {
      include: mode === 'rest' ? rest() : ['test/**/*.test.ts'],
      exclude: [
        ...configDefaults.exclude,
        ...(isNightly ? [] : ['**/*.nightly.test.ts']),
        ...(mode === 'quick' ? ['**/*.full.test.ts'] : []),
      ],
      env: { LECTERN_RUNS: tries },
      setupFiles: ['test/support/set-up.ts'],
      sequence: { sequencer: LongestFirst },
      // No test changes its process for the next file, so modules are loaded once per worker: half the time on two cores.
      isolate: false,
      maxWorkers: '100%',
      // Tests make very many short-lived objects: larger young generations save a tenth of the processor's time.
      execArgv: ['--max-semi-space-size=64'],
      // For what hangs; a busy machine of few cores is several times slower than a quiet one.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 60_000 } },
      tags: [
        {
          name: 'property',
          description: 'Tries one property on many generated cases.',
          // A hunt asks for many more cases than the suite does.
          timeout: tries === '1' ? 300_000 : 3_600_000,
        },
      ],
    },
  };
});

function rest(): string[] {
  return listRest(readTests(fileURLToPath(new URL('test', import.meta.url)))).map((path) => `test/${path}`);
}
