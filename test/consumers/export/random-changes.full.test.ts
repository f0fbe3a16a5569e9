import { beforeAll, expect, it } from 'vitest';
import { targetNames } from '../../../src/consumers/export/target.ts';
import { buildSample } from '../../feed/support/build-sample.ts';
import type { MemoryOutput } from '../../feed/support/memory-output.ts';
import { fc, runs, timeLimit } from '../../support/properties.ts';
import { type Step, steps } from '../follow/support/conformance.ts';
import { openExports } from './support/export-sample.ts';
import { type PlatformStore, platforms } from './support/platforms.ts';

let exports: ReturnType<typeof openExports>;
beforeAll(() => {
  exports = openExports();
});

const pushedTargets = targetNames.filter((name) => name !== 'parquet' && name !== 'jsonl');

it('pushes, change by change, give every platform the same content as one full export', {
  tags: 'property',
}, async () => {
  let cursors = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all: readonly Step[]) => {
      const run = cursors++;
      const stores = new Map(pushedTargets.map((target) => [target, new Map() as PlatformStore]));
      let previous: MemoryOutput | null = null;
      for (const [at, step] of all.entries()) {
        const built: MemoryOutput = await buildSample(step.site, {
          previous: step.isNew ? null : previous,
          newFeedId: at.toString(16).padStart(32, '0'),
          settings: { chunks: { targetTokens: step.targetTokens } },
        });
        for (const [target, store] of stores) {
          const cursor = `${exports.folder}/${target}-${run}.json`;
          const { files } = await exports.push(target, built, { cursor, allowMassDelete: true });
          platforms[target](files, store);
          const whole: PlatformStore = new Map();
          platforms[target]((await exports.run(target, built)).files, whole);
          expect(Object.fromEntries(store), target).toEqual(Object.fromEntries(whole));
        }
        previous = built;
      }
    }),
    { ...timeLimit, numRuns: runs(5) },
  );
});
