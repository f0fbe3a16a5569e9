import { describe, it } from 'vitest';
import { mishaps } from './support/mishaps.ts';
import { loadCompiledProgram } from './support/program.ts';
import type { Reading } from './support/stage.ts';
import { plainStep, type Step, takeSteps } from './support/take-steps.ts';

const sentence = (pick: number): Step['edits'] => [['a sentence is added', pick]];

describe('an incremental build gives the same result as a clean one', () => {
  it.each<[what: string, reading: Reading, edits: Step['edits']]>([
    ['alone', 'snapshot', []],
    ['and an edit', 'service', sentence(7)],
  ])('after each mishap %s', async (_what, reading, edits) => {
    const steps = Object.keys(mishaps).map(
      (what, at): Step => ({ ...plainStep, edits, mishap: [what, at * 11] }),
    );
    await takeSteps({ reading, steps });
  });

  it.each<[how: string, mishap: Step['mishap']]>([
    ['kept', null],
    ['lost', ['only the cache is kept', 0]],
  ])('that continues the feed of another place, with its own output %s', async (_how, mishap) => {
    const places: readonly Step['since'][] = [
      ['folder', 0],
      ['address', 1],
      ['address', 0],
    ];
    const steps = places.flatMap((since, at): Step[] => [
      { ...plainStep, edits: sentence(at * 7), dated: true },
      { ...plainStep, edits: [['the title is changed', at * 7]], since, mishap },
      { ...plainStep, since, mishap },
    ]);
    await takeSteps({ reading: 'snapshot', steps });
  });

  it('with any number of threads', async () => {
    const steps = [2, 0, 1].map((threads, at): Step => ({ ...plainStep, edits: sentence(at * 7), threads }));
    await takeSteps({ reading: 'snapshot', steps }, await loadCompiledProgram());
  });
});
