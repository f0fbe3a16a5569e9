import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { databaseFile, inDatabase } from '../../support/build-database.ts';
import { readTree } from '../../support/read-tree.ts';
import { buildInVain, expectSameOutput } from './build-twice.ts';
import { listFiles } from './copy-tree.ts';
import { damages, exchange, type FileChange, flipBit, keepingTime } from './damages.ts';
import { describeFiles } from './describe-files.ts';
import type { Pick } from './edit.ts';
import type { Interruption } from './interrupted-run.ts';
import { knowledgeBaseEdits } from './knowledge-base-edits.ts';
import type { Stage } from './stage.ts';
import { liveLanguages, type World } from './world.ts';

/** Result and location of the last run. */
export interface Scene {
  readonly stage: Stage;
  readonly world: World;
}

/** An incident between two runs. */
export type Mishap = (scene: Scene, pick: Pick) => Promise<void>;

type Mishaps = Readonly<Record<string, Mishap>>;

/** Changes of the database by another program, of a kind that leaves a valid database. */
const databaseChanges: Readonly<Record<string, string>> = {
  'facts of articles are altered': "UPDATE facts SET facts = replace(facts, 'part-1', 'part-2')",
  'facts of articles are gone': 'DELETE FROM facts WHERE number = 0',
  'details of articles are altered': "UPDATE rendered SET details = replace(details, '1', '2')",
  'details of articles are gone': 'DELETE FROM rendered',
  'keys of articles are altered': "UPDATE rendered SET key = 'other'",
  'articles of the search are altered':
    "UPDATE value SET value = replace(value, '1', '2') WHERE name = 'search'",
  'articles of the search are gone': "DELETE FROM value WHERE name = 'search'",
  'places of texts are altered': "UPDATE value SET value = replace(value, '1', '2') WHERE name = 'feedIndex'",
  'places of texts are gone': "DELETE FROM value WHERE name = 'feedIndex'",
  'the record of the build is altered':
    "UPDATE value SET value = replace(value, '1', '2') WHERE name = 'run'",
  'the files of the build are altered':
    "UPDATE value SET value = replace(value, '1', '2') WHERE name = 'files'",
  'the hashes of files are altered':
    "UPDATE value SET value = replace(value, '1', '2') WHERE name = 'hashes'",
  'the hashes of files are gone': "DELETE FROM value WHERE name = 'hashes'",
  'the database is of another version': 'PRAGMA user_version = 999',
};

const cacheMishaps: Mishaps = {
  ...Object.fromEntries(
    Object.entries(damages).map(([what, change]): [string, Mishap] => [
      `a file of the cache ${what}`,
      ({ stage }, pick) => damageCache(stage, pick, change),
    ]),
  ),
  'a file of the cache has a bit flipped anywhere': ({ stage }, pick) =>
    damageCache(stage, pick, flipBit((pick % 97) / 97)),
  ...Object.fromEntries(
    Object.entries(databaseChanges).map(([what, sql]): [string, Mishap] => [
      what,
      async ({ stage: { project } }) => {
        if (!existsSync(databaseFile(project.cache))) return;
        try {
          inDatabase(project.cache, (database) => database.exec(sql));
        } catch {
          // An earlier mishap has damaged it, and that is enough.
        }
      },
    ]),
  ),
  'a file of the cache is that of an earlier run': async ({ stage: { project, archive } }, pick) => {
    const run = archive.pick(pick);
    const file = run === null ? null : productIn(join(run, 'cache'), Math.floor(pick / 5));
    if (run === null || file === null) return;
    await mkdir(dirname(join(project.cache, file)), { recursive: true });
    await cp(join(run, 'cache', file), join(project.cache, file));
  },
  'two files of the cache change places': async ({ stage: { project } }, pick) => {
    const one = productIn(project.cache, pick);
    const two = productIn(project.cache, Math.floor(pick / 5));
    if (one !== null && two !== null) await exchange(join(project.cache, one), join(project.cache, two));
  },
  'the cache is that of an earlier run': async ({ stage, world }, pick) => {
    const { project, archive } = stage;
    const run = archive.pick(pick);
    if (run === null) return;
    await rm(project.cache, { recursive: true });
    await cp(join(run, 'cache'), project.cache, { recursive: true });
    await stage.show(world);
  },
};

/** Incidents in which parts of cache and output are missing or restored from a copy, as in CI jobs. */
const restoredParts: Mishaps = {
  'only the output is kept': ({ stage }) => forgetCache(stage),
  'only the cache is kept': ({ stage: { project } }) => rm(project.out, { recursive: true, force: true }),
  'neither cache nor output is kept': async ({ stage }) => {
    await forgetCache(stage);
    await rm(stage.project.out, { recursive: true, force: true });
  },
  'cache and output come from a copy': async ({ stage: { project } }) => {
    for (const folder of [project.cache, project.out]) await replaceByCopy(folder);
  },
  'only the cache comes from a copy': ({ stage: { project } }) => replaceByCopy(project.cache),
  'only the output comes from a copy': ({ stage: { project } }) => replaceByCopy(project.out),
};

/** Files of an output that a later build reads. */
const isRead = (path: string) => /^feed\/|^addresses\.json/.test(path);

const outputMishaps: Mishaps = {
  ...Object.fromEntries(
    Object.entries(damages).flatMap(([what, change]): [string, Mishap][] => [
      [
        `a file of the feed ${what}`,
        async ({ stage: { project } }, pick) => {
          const file = pickOfEachKind(listFiles(project.out).filter(isRead), pick);
          if (file !== null) await change(join(project.out, file));
        },
      ],
      [
        `a file of every other kind of the output ${what}`,
        async ({ stage: { project } }) => {
          const files = listFiles(project.out).filter((path) => !isRead(path));
          for (const [file] of byKind(files).values())
            if (file !== undefined) await change(join(project.out, file));
        },
      ],
    ]),
  ),
  'a file of the output has other bytes, but its size and time': async ({ stage: { project } }, pick) => {
    const file = pickOfEachKind(listFiles(project.out), pick);
    if (file !== null) await keepingTime(flipBit(0.5))(join(project.out, file));
  },
  'a file is added to the output': async ({ stage, world }, pick) => {
    const { out } = stage.project;
    const file = join(out, pick % 2 === 0 ? 'en' : 'somebody', `own-${pick % 3}.html`);
    const isNew = !existsSync(dirname(file));
    const hasList = existsSync(join(out, 'output-files.txt'));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, 'own');
    if (hasList) await buildInVain(stage, world, {}, 'OUTPUT_FOREIGN_FILES');
    await rm(isNew ? dirname(file) : file, { recursive: true });
  },
  'a folder of the output is deleted': ({ stage: { project } }, pick) =>
    rm(join(project.out, pick % 2 === 0 ? 'en' : 'feed/de'), { recursive: true, force: true }),
  'all times of the output are others': async ({ stage: { project } }) => {
    const files = [...(await readTree(project.out).catch(() => new Map())).keys()];
    for (const file of files) await utimes(join(project.out, String(file)), 1_700_000_000, 1_700_000_000);
  },
  'the output is that of an earlier run': async ({ stage: { project, archive } }, pick) => {
    const run = archive.pick(pick);
    if (run === null) return;
    await rm(project.out, { recursive: true, force: true });
    await cp(join(run, 'out'), project.out, { recursive: true }).catch(() => {});
  },
};

/** Runs that fail or write elsewhere; afterwards the world is unchanged. */
const otherRuns: Mishaps = {
  'a run is killed': (scene, pick) => interrupt(scene, 'kill', pick),
  'a run finds the disk full': (scene, pick) => interrupt(scene, 'full disk', pick),
  'a strict run fails': async ({ stage, world }) => {
    const edit = knowledgeBaseEdits['a link to nowhere is added'];
    const odd = edit === undefined ? world : edit(world, 1);
    await stage.show(odd);
    await buildInVain(stage, odd, { strict: true }, 'STRICT');
    await stage.show(world);
  },
  'a run that would remove much is stopped': async ({ stage, world }) => {
    const first = Object.values(world.articles).find((draft) => liveLanguages(draft).includes('en'));
    if (first === undefined) return;
    const less = { ...world, articles: { [first.id]: first } };
    const hasOutput = existsSync(join(stage.project.out, 'feed/manifest.json'));
    if (!hasOutput || countTexts(less) > 0.7 * countTexts(world)) return;
    await stage.show(less);
    await buildInVain(stage, less, { allowMassDelete: false }, 'MASS_DELETE');
    await stage.show(world);
  },
  'a template is broken': async ({ stage, world }) => {
    const templates = { ...world.templates, 'hooks/article-after.eta': '<% if (' };
    await stage.show({ ...world, templates });
    await buildInVain(stage, world, {}, 'TEMPLATE_FAILED');
    await stage.show(world);
  },
  'a run goes into another folder': async ({ stage, world }) => {
    await stage.run(world, { out: 'other', site: { title: 'Elsewhere' } });
  },
  'the same is built once more, without the network': async ({ stage, world }) => {
    const before = describeFiles(stage.project.out);
    if (before.size === 0) return;
    await stage.run(world, {}, { offline: true });
    expectSameOutput(before, describeFiles(stage.project.out));
  },
};

/** All incidents between two runs, by description. */
export const mishaps: Mishaps = {
  ...cacheMishaps,
  ...restoredParts,
  ...outputMishaps,
  ...otherRuns,
};

/** Texts in published languages. */
function countTexts({ articles, config: { languages } }: World): number {
  const tags = Object.values(articles).flatMap(liveLanguages);
  return tags.filter((tag) => languages?.includes(tag) ?? true).length;
}

/** A run of an edited world is interrupted. A run of so few articles makes about 330 calls. */
async function interrupt({ stage, world }: Scene, how: Interruption, pick: Pick): Promise<void> {
  const edited = knowledgeBaseEdits['a sentence is added']?.(world, pick) ?? world;
  await stage.show(edited);
  await stage.interrupt(edited, how, 1 + (pick % 330));
  await stage.show(world);
}

/** The snapshot is the input of builds that do not ask the service. Nothing but a database may change its journals while it is open. */
async function damageCache({ project, reading }: Stage, pick: Pick, change: FileChange): Promise<void> {
  const isInput = (path: string) => path.startsWith(reading === 'service' ? 'snapshot.db-' : 'snapshot');
  const file = pickOfEachKind(
    listFiles(project.cache).filter((path) => !isInput(path)),
    pick,
  );
  if (file !== null) await keepingTime(change)(join(project.cache, file));
}

/** A file that builds wrote to a cache; not the snapshot. `null` if there is none. */
function productIn(cache: string, pick: Pick): string | null {
  return pickOfEachKind(
    listFiles(cache).filter((path) => !path.startsWith('snapshot')),
    pick,
  );
}

/** Successive picks choose files of different kinds. */
function pickOfEachKind(files: readonly string[], pick: Pick): string | null {
  const kinds = [...byKind(files).values()];
  const ofKind = kinds[pick % Math.max(1, kinds.length)] ?? [];
  return ofKind[Math.floor(pick / Math.max(1, kinds.length)) % Math.max(1, ofKind.length)] ?? null;
}

/** Files of one kind differ in hashes, ids, titles and languages. */
function byKind(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const kinds = new Map<string, string[]>();
  for (const path of files) {
    const kind = path
      .replaceAll(/\b[0-9a-f]{6,}\b|\b\d+\b|\/[a-z]{10}-[^/]+/g, '#')
      .replaceAll(/\b(?:de|ja)\b/g, 'en');
    kinds.set(kind, [...(kinds.get(kind) ?? []), path]);
  }
  return kinds;
}

async function replaceByCopy(folder: string): Promise<void> {
  await cp(folder, `${folder}-copy`, { recursive: true });
  await rm(folder, { recursive: true });
  await rename(`${folder}-copy`, folder);
}

async function forgetCache({ project, reading }: Stage): Promise<void> {
  const names = (await readdir(project.cache)).filter(
    (name) => reading === 'service' || !name.startsWith('snapshot'),
  );
  for (const name of names) await rm(join(project.cache, name), { recursive: true });
}
