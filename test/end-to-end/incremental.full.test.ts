import { describe, it } from 'vitest';
import { everyNth, fc, runs, timeLimit } from '../support/properties.ts';
import { damages } from './support/damages.ts';
import type { Edits } from './support/edit.ts';
import { fileEdits, growthEdits, viewEdits } from './support/help-centre-edits.ts';
import { knowledgeBaseEdits } from './support/knowledge-base-edits.ts';
import { mishaps } from './support/mishaps.ts';
import { loadCompiledProgram } from './support/program.ts';
import { siteEdits } from './support/site-edits.ts';
import type { Reading } from './support/stage.ts';
import { plainStep, type Sequence, type Step, sequenceArbitrary, takeSteps } from './support/take-steps.ts';

/** Each edit by itself, every other one with the date of the edit. */
function eachEdit(edits: Edits): readonly Step[] {
  return Object.keys(edits).map((what, at) => ({
    ...plainStep,
    edits: [[what, at * 7]],
    dated: at % 2 === 1,
  }));
}

const sentence = (pick: number): Step['edits'] => [['a sentence is added', pick]];

/** Kinds of files that a build has in the feed, and in the cache beside the index of the snapshot. */
const kinds = { feed: 17, cache: 4 };

/** A mishap again and again, with other picks. */
function eachTime(what: string, picks: Iterable<number>): readonly Step[] {
  return Array.from(picks, (pick): Step => ({ ...plainStep, edits: sentence(pick), mishap: [what, pick] }));
}

/**
 * The question of this file: whatever happened between two builds, does the second one write what a build from nothing writes? Steps are
 * edits, damage, failed and killed runs, and parts that are lost or restored. The tests before the last one make sure that every kind of step
 * occurs; the last one tries them in any order.
 */
describe('an incremental build gives the same result as a clean one, and does not replace unchanged files', () => {
  it.each([
    ['knowledge base', knowledgeBaseEdits],
    ['site', siteEdits],
    ['statistics', viewEdits],
  ])('after each edit of the %s', async (_what, edits) => {
    await takeSteps({ reading: 'snapshot', steps: eachEdit(edits) });
  });

  it('after each change of images and downloads, while views are counted', async () => {
    const steps = eachEdit(fileEdits).map((step, at): Step => {
      const views = Object.keys(viewEdits)[at % 4] as string;
      return { ...step, edits: [...step.edits, [views, at]] };
    });
    await takeSteps({ reading: 'service', steps });
  });

  it('after many articles came or went', async () => {
    const [add, remove, double, most] = Object.keys(growthEdits) as [string, string, string, string];
    const whats = [add, double, remove, remove, remove, add, most, double];
    const steps = whats.map((what): Step => ({ ...plainStep, edits: [[what, 0]] }));
    await takeSteps({ reading: 'snapshot', steps });
  });

  it.each<Reading>(['snapshot', 'service'])(
    'after each mishap, alone or with an edit, reading the %s',
    async (reading) => {
      const isOdd = reading === 'service' ? 1 : 0;
      const steps = everyNth(2, Object.keys(mishaps).slice(isOdd)).map(
        (what, at): Step => ({
          ...plainStep,
          edits: at % 2 === isOdd ? sentence(7) : [],
          mishap: [what, at * 11],
        }),
      );
      await takeSteps({ reading, steps });
    },
  );

  it.each<[place: 'feed' | 'cache', reading: Reading]>([
    ['feed', 'snapshot'],
    ['cache', 'service'],
  ])('where a file of the %s was damaged in any way', async (place, reading) => {
    const steps = Object.keys(damages).flatMap((damage) =>
      eachTime(`a file of the ${place} ${damage}`, Array(kinds[place]).keys()),
    );
    // The number of kinds is no multiple of 7, so every kind and every damage occurs.
    await takeSteps({ reading, steps: everyNth(7, steps) });
  });

  it('where a bit of the cache was flipped', async () => {
    const picks = Array.from({ length: 24 }, (_, at) => at * 13);
    await takeSteps({
      reading: 'service',
      steps: eachTime('a file of the cache has a bit flipped anywhere', everyNth(4, picks)),
    });
  });

  it.each(['a run is killed', 'a run finds the disk full'])('where %s at any call', async (what) => {
    const picks = Array.from({ length: 28 }, (_, at) => at * 11);
    await takeSteps({ reading: 'snapshot', steps: eachTime(what, everyNth(4, picks)) });
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

  it('after any edits and mishaps in any order', { tags: 'property' }, async () => {
    const property = fc.asyncProperty(sequenceArbitrary, (sequence: Sequence) => takeSteps(sequence));
    await fc.assert(property, { numRuns: runs(60), ...timeLimit });
  });
});
