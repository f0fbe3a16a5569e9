import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';
import { fc, runs } from '../support/properties.ts';
import { buildTwice } from './support/build-twice.ts';
import { knowledgeBaseEdits } from './support/knowledge-base-edits.ts';
import { createArchive, mishaps } from './support/mishaps.ts';
import { siteEdits } from './support/site-edits.ts';
import { firstWorld, type World, writeWorld } from './support/world.ts';

const firstMoment = Date.UTC(2026, 2, 1);
const edits = { ...knowledgeBaseEdits, ...siteEdits };

/** What is done before a build: edits, perhaps taking back what was done since an earlier one, perhaps a mishap. */
interface Step {
  readonly edits: readonly (readonly [what: string, pick: number])[];
  /** How many builds are taken back before the edits. */
  readonly back: number;
  readonly mishap: readonly [what: string, pick: number] | null;
}

const firstStep: Step = { edits: [], back: 0, mishap: null };

let project: OfflineProject;
beforeEach(async () => {
  project = await createOfflineProject();
});
afterEach(async () => {
  await project.remove();
  await rm(archiveFolder(), { recursive: true, force: true });
});
const archiveFolder = () => `${project.folder}-archive`;

/** Builds after every step, with and without what earlier runs left. */
async function take(steps: readonly Step[]): Promise<void> {
  for (const folder of [project.folder, archiveFolder()]) await rm(folder, { recursive: true, force: true });
  const archive = createArchive(project, archiveFolder());
  const worlds: World[] = [];
  for (const { edits: chosen, back, mishap } of [firstStep, ...steps]) {
    const last = worlds.at(-1) ?? firstWorld;
    let world = worlds.at(-1 - (back % Math.max(1, worlds.length))) ?? firstWorld;
    for (const [what, pick] of chosen) world = edits[what]?.(world, pick) ?? world;
    if (mishap !== null) await mishaps[mishap[0]]?.({ project, world: last, archive }, mishap[1]);
    await writeWorld(project, world);
    const now = new Date(firstMoment + worlds.length * 60_000).toISOString();
    const outcome = await buildTwice(project, world.config, now);
    if (worlds.length === 0) expect(outcome).toHaveProperty('report');
    worlds.push(world);
    // Somebody has to clear away what no run may replace.
    if ('code' in outcome) await rm(project.out, { recursive: true, force: true });
    else if (steps.some(({ mishap }) => mishap !== null)) archive.keep();
  }
}

const pick = fc.nat(9999);
const chosenEdit = fc.tuple(fc.constantFrom(...Object.keys(edits)), pick);
const step: fc.Arbitrary<Step> = fc.record({
  edits: fc.array(chosenEdit, { maxLength: 3 }),
  back: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) },
  ),
  mishap: fc.option(fc.tuple(fc.constantFrom(...Object.keys(mishaps)), pick), { freq: 1 }),
});

describe('an incremental build gives what a clean one gives, and moves no file that stays the same', () => {
  it.each([
    ['knowledge base', knowledgeBaseEdits],
    ['site', siteEdits],
  ])('after each edit of the %s', async (_what, some) => {
    await take(Object.keys(some).map((what, at) => ({ edits: [[what, at * 7]], back: 0, mishap: null })));
  });

  it.each<[what: string, edits: Step['edits']]>([
    ['alone', []],
    ['and an edit', [['a sentence is added', 7]]],
  ])('after each mishap %s', async (_what, edits) => {
    await take(Object.keys(mishaps).map((what, at): Step => ({ edits, back: 0, mishap: [what, at * 11] })));
  });

  it('after any of them in any order', { tags: 'property' }, async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), take), {
      numRuns: runs(4),
    });
  });
});
