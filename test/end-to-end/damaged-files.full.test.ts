import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';
import { buildTwice, type CleanBuild } from './support/build-twice.ts';
import { copyTree, listFiles } from './support/copy-tree.ts';
import { damages, exchange, type FileChange, flipBit, keepingTime } from './support/damages.ts';
import type { Edits } from './support/edit.ts';
import { fileEdits, viewEdits } from './support/help-centre-edits.ts';
import { knowledgeBaseEdits } from './support/knowledge-base-edits.ts';
import { program } from './support/program.ts';
import { createStage, type Stage } from './support/stage.ts';
import { firstWorld, type World } from './support/world.ts';
import { startWorldServer, type WorldServer } from './support/world-server.ts';

const edits: Edits = { ...knowledgeBaseEdits, ...viewEdits, ...fileEdits };

/** Two worlds in turn, so that every run has something to do, and most of the last one to reuse. */
const worlds = [
  firstWorld,
  ['a sentence is added', 'the body holds an image itself', 'the most viewed article is viewed more'].reduce(
    (world, what, at) => edits[what]?.(world, at + 5) ?? world,
    firstWorld,
  ),
] as const satisfies readonly World[];

/** Two worlds with the same articles: nothing is rendered, and every record of the cache is used again. */
const sameArticles = [
  firstWorld,
  edits['the most viewed article is viewed more']?.(firstWorld, 5) ?? firstWorld,
] as const satisfies readonly World[];

let project: OfflineProject;
let server: WorldServer;
let stage: Stage;
/** A damaged cache is no input of a clean build: the runs of most tests have the same one. */
const cleanBuilds = new Map<string, CleanBuild>();
let run = 0;
/** Copy of the output as the last run left it. */
let undamaged: string;
let shown: readonly World[] = worlds;
beforeAll(async () => {
  server = await startWorldServer();
});
beforeEach(async () => {
  project = await createOfflineProject();
  stage = createStage(project, server, 'service', program);
  run = 0;
  shown = worlds;
  for (let at = 0; at < 2; at += 1) {
    const { world, now } = await showNext();
    expect(await stage.run(world, {}, { now })).not.toHaveProperty('code');
  }
  undamaged = `${project.folder}-undamaged`;
  copyTree(project.out, undamaged);
});
afterEach(async () => {
  rmSync(undamaged, { recursive: true });
  await project.remove();
});
afterAll(() => server.close());

/** Lets the next run read the other world. */
async function showNext(): Promise<{ readonly world: World; readonly now: string }> {
  const world = shown[run % 2] as World;
  run += 1;
  await stage.show(world);
  return { world, now: new Date(run * 60_000).toISOString() };
}

/** Builds the other world as `buildTwice` does. */
async function buildNext(): Promise<void> {
  const { world, now } = await showNext();
  const outcome = await buildTwice(stage, world, { now, threads: 0, since: null, undamaged, cleanBuilds });
  if ('code' in outcome) {
    // No run may replace the changed folder, so a user has to remove it.
    rmSync(project.out, { recursive: true, force: true });
    expect(await stage.run(world)).not.toHaveProperty('code');
  }
  copyTree(project.out, undamaged);
}

/** Damages the files one after the other, and builds after each; says which file it was that a build was wrong after. */
async function tryEach(
  folder: string,
  wants: (path: string) => boolean,
  damage: (path: string) => Promise<void>,
): Promise<void> {
  const tried = new Set<string>();
  for (;;) {
    const path = listFiles(folder).find((file) => wants(file) && !tried.has(kindOf(file)));
    if (path === undefined) break;
    tried.add(kindOf(path));
    await damage(path);
    await buildNext().catch((cause: Error) => {
      throw new Error(`after damage to ${path}: ${cause.message}`, { cause });
    });
  }
  expect(tried.size).toBeGreaterThan(2);
}

/** Files of one kind differ in hashes, ids, titles and languages. */
function kindOf(path: string): string {
  return path.replaceAll(/\b[0-9a-f]{6,}\b|\b\d+\b|\/[a-z]{10}-[^/]+/g, '#').replaceAll(/\bde\b/g, 'en');
}

describe('a build is right where, of every kind, a file of the cache', () => {
  it.each(Object.entries(damages))('%s', async (what, damage) => {
    // A folder under the name of the index is nothing a run can replace: it says CACHE_UNWRITABLE.
    const wants = (path: string) => what !== 'is a folder' || !path.startsWith('snapshot.jsonl');
    await tryEach(project.cache, wants, (path) => keepingTime(damage)(join(project.cache, path)));
  });

  it.each([0.15, 0.3, 0.6, 0.9])('has a bit flipped at %d of its length', async (part) => {
    shown = sameArticles;
    for (let at = 0; at < 2; at += 1) await buildNext();
    await tryEach(
      project.cache,
      () => true,
      (path) => keepingTime(flipBit(part))(join(project.cache, path)),
    );
  });

  it('has changed places with another', async () => {
    await tryEach(
      project.cache,
      () => true,
      async (path) => {
        const files = listFiles(project.cache);
        // Not with the first one, the mark of a cache: a folder without mark and snapshot belongs to somebody else.
        const at = files.indexOf(path);
        const next = files[at + 1] ?? files[at - 1] ?? path;
        await exchange(join(project.cache, path), join(project.cache, next));
      },
    );
  });
});

describe('a build repairs damage to the last output:', () => {
  it.each(Object.entries(damages))('a file of the feed %s', async (_what, damage) => {
    const wants = (path: string) => /^feed\/|^addresses|^llms/.test(path);
    await tryEach(project.out, wants, (path) => damage(join(project.out, path)));
  });

  it.each(Object.entries(damages))('files of the site %s', async (_what, damage) => {
    await damageSite(damage);
    await buildNext();
  });

  it('files have another content, and the size and time they had', async () => {
    await damageSite(keepingTime(damages['has one bit flipped'] as FileChange));
    await buildNext();
  });

  it('files and folders were added', async () => {
    for (const name of ['en/article/own', 'en', 'assets', 'feed/en', 'of/somebody']) {
      mkdirSync(join(project.out, name), { recursive: true });
      writeFileSync(join(project.out, name, 'own.html'), 'own');
    }
    await buildNext();
  });
});

/** Damages one file of every kind outside the feed. */
async function damageSite(damage: FileChange): Promise<void> {
  const files = listFiles(project.out).filter((path) => !/^feed\//.test(path));
  const byKind = new Map(files.map((path) => [kindOf(path), path]));
  for (const path of byKind.values()) await damage(join(project.out, path));
}
