import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createOfflineProject } from '../../support/offline-project.ts';
import { fc } from '../../support/properties.ts';
import { buildTwice, expectSameAsFirst, type RunOptions } from './build-twice.ts';
import type { Edits } from './edit.ts';
import { fileEdits, growthEdits, viewEdits } from './help-centre-edits.ts';
import { knowledgeBaseEdits } from './knowledge-base-edits.ts';
import { mishaps } from './mishaps.ts';
import { type Program, program } from './program.ts';
import { siteEdits } from './site-edits.ts';
import { createStage, type Reading, type Stage } from './stage.ts';
import { firstWorld, type World } from './world.ts';
import { startWorldServer } from './world-server.ts';

export const allEdits: Edits = {
  ...knowledgeBaseEdits,
  ...viewEdits,
  ...fileEdits,
  ...growthEdits,
  ...siteEdits,
};

/** Actions before a build: edits, possibly undoing earlier ones, possibly an incident. */
export interface Step {
  readonly edits: readonly (readonly [what: string, pick: number])[];
  /** Number of builds to undo before the edits. */
  readonly back: number;
  readonly mishap: readonly [what: string, pick: number] | null;
  /** Whether edited articles get the date of the step. */
  readonly dated: boolean;
  /** The earlier run whose site the feed continues, and how it is read; `null`: the output's. */
  readonly since: readonly [how: 'folder' | 'address', pick: number] | null;
  /** Threads of the incremental run. */
  readonly threads: number;
}

export interface Sequence {
  readonly reading: Reading;
  readonly steps: readonly Step[];
}

export const plainStep: Step = { edits: [], back: 0, mishap: null, dated: false, since: null, threads: 0 };

const firstMoment = Date.UTC(2026, 2, 1);

/**
 * Builds after every step, incrementally and clean, and at the end from nothing.
 * @throws with the number of the step and its actions
 */
export async function takeSteps({ reading, steps }: Sequence, chosen: Program = program): Promise<void> {
  const project = createOfflineProject();
  const server = await startWorldServer();
  const stage = createStage(project, server, reading, chosen);
  try {
    const worlds: World[] = [];
    for (const [at, step] of [plainStep, ...steps].entries()) {
      try {
        await takeStep(stage, step, worlds, steps.some(needsArchive));
      } catch (error) {
        const { message } = error as Error;
        throw new Error(`step ${at}, ${JSON.stringify(step)}: ${message}`, { cause: error });
      }
    }
    if (existsSync(project.out)) await expectSameAsFirst(stage, worlds.at(-1) ?? firstWorld);
  } finally {
    await stage.clear();
    await server.close();
    await rm(project.folder, { recursive: true, force: true });
  }
}

async function takeStep(stage: Stage, step: Step, worlds: World[], isArchived: boolean): Promise<void> {
  const { project, archive } = stage;
  const last = worlds.at(-1) ?? firstWorld;
  const now = new Date(firstMoment + worlds.length * 60_000).toISOString();
  const start = worlds.at(-1 - (step.back % Math.max(1, worlds.length))) ?? firstWorld;
  let world = step.edits.reduce((edited, [what, pick]) => allEdits[what]?.(edited, pick) ?? edited, start);
  if (step.dated) world = withDates(last, world, now);
  if (step.mishap !== null) await mishaps[step.mishap[0]]?.({ stage, world: last }, step.mishap[1]);
  await stage.show(world);
  const lastRun = archive.last();
  const undamaged = lastRun === null ? null : join(lastRun, 'out');
  const options = { now, threads: step.threads, since: findSite(stage, step), undamaged };
  const outcome = await buildTwice(stage, world, options);
  if (worlds.length === 0 && 'code' in outcome) throw new Error(`the first run ended with ${outcome.code}`);
  worlds.push(world);
  // A user has to remove an output that no run may replace.
  if ('code' in outcome) await rm(project.out, { recursive: true, force: true });
  else if (isArchived) archive.keep();
}

function needsArchive({ mishap, since }: Step): boolean {
  return mishap !== null || since !== null;
}

function findSite({ archive, server }: Stage, { since }: Step): RunOptions['since'] {
  const run = since === null ? null : archive.pick(since[1]);
  if (since === null || run === null) return null;
  const folder = join(run, 'out');
  return { folder, place: since[0] === 'folder' ? folder : server.publish(folder) };
}

/** Sets the date of every changed article to that of the edit. */
function withDates(before: World, { articles, ...rest }: World, now: string): World {
  const dated = Object.entries(articles).map(([id, draft]) => {
    const isSame = JSON.stringify(before.articles[id]) === JSON.stringify(draft);
    return [id, isSame ? draft : { ...draft, updatedAt: now }] as const;
  });
  return { ...rest, articles: Object.fromEntries(dated) };
}

const pick = fc.nat(9999);

const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  edits: fc.array(fc.tuple(fc.constantFrom(...Object.keys(allEdits)), pick), { maxLength: 3 }),
  back: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) },
  ),
  mishap: fc.option(fc.tuple(fc.constantFrom(...Object.keys(mishaps)), pick), { freq: 1 }),
  dated: fc.boolean(),
  since: fc.oneof(
    { weight: 7, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('folder', 'address'), pick) },
  ),
  threads: fc.constant(0),
});

/** Arbitrary steps in any order. */
export const sequenceArbitrary: fc.Arbitrary<Sequence> = fc.record({
  reading: fc.constantFrom('snapshot', 'service'),
  steps: fc.array(stepArbitrary, { minLength: 1, maxLength: 8 }),
});
