import { describe, it } from 'vitest';
import { fc, runs, timeLimit } from '../support/properties.ts';
import type { Edits } from './support/edit.ts';
import { fileEdits, growthEdits, viewEdits } from './support/help-centre-edits.ts';
import { knowledgeBaseEdits } from './support/knowledge-base-edits.ts';
import { siteEdits } from './support/site-edits.ts';
import { plainStep, type Sequence, type Step, sequenceArbitrary, takeSteps } from './support/take-steps.ts';

/** Each edit by itself, every other one with the date of the edit. */
function eachEdit(edits: Edits): readonly Step[] {
  return Object.keys(edits).map((what, at) => ({
    ...plainStep,
    edits: [[what, at * 7]],
    dated: at % 2 === 1,
  }));
}

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

  it('after any edits and mishaps in any order', { tags: 'property' }, async () => {
    const property = fc.asyncProperty(sequenceArbitrary, (sequence: Sequence) => takeSteps(sequence));
    await fc.assert(property, { numRuns: runs(4), ...timeLimit });
  });
});
