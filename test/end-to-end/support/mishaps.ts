import { cpSync, existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OfflineProject } from '../../support/offline-project.ts';
import { readTree } from '../../support/read-tree.ts';
import { buildInVain } from './build-twice.ts';
import { knowledgeBaseEdits, type Pick } from './knowledge-base-edits.ts';
import { type World, writeWorld } from './world.ts';

/** Where runs of a project are kept, the first one first. */
export interface Archive {
  /** Keeps output and cache as they are now. */
  keep(): void;
  /** Folder with the `out` and `cache` of some run; `null` before the first. */
  pick(pick: Pick): string | null;
}

export interface Scene {
  readonly project: OfflineProject;
  readonly world: World;
  readonly archive: Archive;
}

/** Something that happens between two runs. */
export type Mishap = (scene: Scene, pick: Pick) => Promise<void>;

type FileChange = (file: string) => Promise<void>;

const damages: Readonly<Record<string, FileChange>> = {
  'is deleted': (file) => rm(file),
  'is cut': async (file) => truncate(file, Math.floor((await stat(file)).size / 2)),
  'is altered': async (file) => {
    const bytes = await readFile(file);
    bytes.set([0x20, 0x37, 0x20], Math.floor(bytes.length / 3));
    await writeFile(file, bytes);
  },
  'is emptied': (file) => truncate(file),
};

const cacheMishaps: Readonly<Record<string, Mishap>> = {
  ...Object.fromEntries(
    Object.entries(damages).map(([what, change]): [string, Mishap] => [
      `a file of the cache ${what}`,
      async ({ project }, pick) => {
        const file = await anyCacheFile(project.cache, pick);
        if (file !== null) await change(join(project.cache, file));
      },
    ]),
  ),
  'a file of the cache is that of an earlier run': async ({ project, archive }, pick) => {
    const run = archive.pick(pick);
    const file = run === null ? null : await anyCacheFile(join(run, 'cache'), Math.floor(pick / 5));
    if (run === null || file === null) return;
    await mkdir(dirname(join(project.cache, file)), { recursive: true });
    await cp(join(run, 'cache', file), join(project.cache, file));
  },
  'the cache is that of an earlier run': async ({ project, world, archive }, pick) => {
    const run = archive.pick(pick);
    if (run === null) return;
    await rm(project.cache, { recursive: true });
    await cp(join(run, 'cache'), project.cache, { recursive: true });
    await writeWorld(project, world);
  },
  'the cache is deleted': ({ project }) => project.forget(),
  'cache and output come from a copy': async ({ project }) => {
    for (const folder of [project.cache, project.out]) await replaceByCopy(folder);
  },
};

const outputMishaps: Readonly<Record<string, Mishap>> = {
  ...Object.fromEntries(
    Object.entries(damages).map(([what, change]): [string, Mishap] => [
      `a file of the output ${what}`,
      async ({ project }, pick) => {
        const files = [...(await readTree(project.out).catch(() => new Map())).keys()].sort();
        if (files.length > 0) await change(join(project.out, String(files[pick % files.length])));
      },
    ]),
  ),
  'a file is added to the output': async ({ project }, pick) => {
    const folder = join(project.out, pick % 2 === 0 ? 'en' : 'of/somebody');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `own-${pick % 3}.html`), 'own');
  },
  'a folder of the output is deleted': ({ project }, pick) =>
    rm(join(project.out, pick % 2 === 0 ? 'en' : 'feed/de'), { recursive: true, force: true }),
  'all times of the output are others': async ({ project }) => {
    const files = [...(await readTree(project.out).catch(() => new Map())).keys()];
    for (const file of files) await utimes(join(project.out, String(file)), 1_700_000_000, 1_700_000_000);
  },
  'the output is deleted': ({ project }) => rm(project.out, { recursive: true, force: true }),
  'the output is that of an earlier run': async ({ project, archive }, pick) => {
    const run = archive.pick(pick);
    if (run === null) return;
    await rm(project.out, { recursive: true, force: true });
    await cp(join(run, 'out'), project.out, { recursive: true }).catch(() => {});
  },
};

/** Runs that come to nothing, or go elsewhere; afterwards the world is what it was. */
const otherRuns: Readonly<Record<string, Mishap>> = {
  'a strict run fails': async ({ project, world }) => {
    const edit = knowledgeBaseEdits['a link to nowhere is added'];
    await writeWorld(project, edit === undefined ? world : edit(world, 1));
    await buildInVain(project, world.config, { strict: true }, 'STRICT');
    await writeWorld(project, world);
  },
  'a run that would remove much is stopped': async ({ project, world }) => {
    const [first] = Object.values(world.articles);
    if (first === undefined) return;
    const less = { ...world, articles: { [first.id]: first } };
    const hasOutput = existsSync(join(project.out, 'feed/manifest.json'));
    if (!hasOutput || countTexts(less) > 0.8 * countTexts(world)) return;
    await writeWorld(project, less);
    await buildInVain(project, world.config, { allowMassDelete: false }, 'MASS_DELETE');
    await writeWorld(project, world);
  },
  'a template is broken': async ({ project, world }) => {
    const templates = { ...world.templates, 'hooks/article-after.eta': '<% if (' };
    await writeWorld(project, { ...world, templates });
    await buildInVain(project, world.config, {}, 'TEMPLATE_FAILED');
    await writeWorld(project, world);
  },
  'a run goes into another folder': async ({ project, world }) => {
    await project.build({ ...world.config, out: 'other', site: { title: 'Elsewhere' } });
  },
};

/** Everything that can happen between two runs, by what is said of it. */
export const mishaps: Readonly<Record<string, Mishap>> = { ...cacheMishaps, ...outputMishaps, ...otherRuns };

/** @param folder where runs are copied to; it need not exist */
export function createArchive(project: OfflineProject, folder: string): Archive {
  let kept = 0;
  return {
    keep() {
      const run = join(folder, String(kept));
      cpSync(project.cache, join(run, 'cache'), { recursive: true });
      cpSync(project.out, join(run, 'out'), { recursive: true });
      kept += 1;
    },
    pick: (pick) => (kept === 0 ? null : join(folder, String(pick % kept))),
  };
}

/** Texts in published languages. */
function countTexts({ articles, config: { languages } }: World): number {
  const tags = Object.values(articles).flatMap(({ texts }) => Object.keys(texts));
  return tags.filter((tag) => languages?.includes(tag) ?? true).length;
}

/** One of the files runs remember things in, sometimes of the tree they keep; the snapshot is what is to be built. */
async function anyCacheFile(cache: string, pick: Pick): Promise<string | null> {
  const paths = [...(await readTree(cache)).keys()].filter((path) => !path.startsWith('snapshot')).sort();
  const isOfTree = (path: string) => path.startsWith('spare-output/');
  const some = paths.filter((path) => isOfTree(path) === (pick % 3 === 0));
  return some[pick % Math.max(1, some.length)] ?? null;
}

async function replaceByCopy(folder: string): Promise<void> {
  await cp(folder, `${folder}-copy`, { recursive: true });
  await rm(folder, { recursive: true });
  await rename(`${folder}-copy`, folder);
}
