import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readTree } from '../../support/read-tree.ts';
import { buildInVain, expectSameOutput } from './build-twice.ts';
import { damages, exchange } from './damages.ts';
import { describeFiles } from './describe-files.ts';
import type { Pick } from './edit.ts';
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

const cacheMishaps: Mishaps = {
  ...Object.fromEntries(
    Object.entries(damages).map(([what, change]): [string, Mishap] => [
      `a file of the cache ${what}`,
      async ({ stage: { project } }, pick) => {
        const file = await anyCacheFile(project.cache, pick);
        if (file !== null) await change(join(project.cache, file));
      },
    ]),
  ),
  'a file of the cache is that of an earlier run': async ({ stage: { project, archive } }, pick) => {
    const run = archive.pick(pick);
    const file = run === null ? null : await anyCacheFile(join(run, 'cache'), Math.floor(pick / 5));
    if (run === null || file === null) return;
    await mkdir(dirname(join(project.cache, file)), { recursive: true });
    await cp(join(run, 'cache', file), join(project.cache, file));
  },
  'two files of the cache change places': async ({ stage: { project } }, pick) => {
    const one = await anyCacheFile(project.cache, pick);
    const two = await anyCacheFile(project.cache, Math.floor(pick / 5));
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

const outputMishaps: Mishaps = {
  ...Object.fromEntries(
    Object.entries(damages).map(([what, change]): [string, Mishap] => [
      `a file of the output ${what}`,
      async ({ stage: { project } }, pick) => {
        const tree = await readTree(project.out).catch(() => new Map<string, unknown>());
        const files = [...tree.keys()].sort();
        if (files.length > 0) await change(join(project.out, String(files[pick % files.length])));
      },
    ]),
  ),
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

/** One of the files in which runs store data; not the snapshot, which is the input. */
async function anyCacheFile(cache: string, pick: Pick): Promise<string | null> {
  const paths = [...(await readTree(cache)).keys()].filter((path) => !path.startsWith('snapshot')).sort();
  return paths[pick % Math.max(1, paths.length)] ?? null;
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
