import { mkdirSync, readdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashTree } from '../support/hash-tree.ts';
import { canMount, mountDisk, unmountDisk } from '../support/mounted-disk.ts';
import {
  type CommandLineProject,
  createCommandLineProject,
  type Reuse,
  reuseOf,
} from './support/command-line.ts';
import { knowledgeBaseEdits } from './support/knowledge-base-edits.ts';
import { createFillers, firstWorld, type World } from './support/world.ts';

/** So many articles that they are rendered in several tasks. */
const world: World = {
  ...firstWorld,
  articles: {
    ...firstWorld.articles,
    ...Object.fromEntries(createFillers(0, 80).map((draft) => [draft.id, draft])),
  },
};

/** One article with another text in one language; nothing else shows it. */
const edited = edit(world, 'a sentence is added', 5);

/** Every article with another text: a run of it has a lot to forget. */
const rewritten: World = {
  ...world,
  articles: Object.fromEntries(
    Object.entries(world.articles).map(([id, draft]) => {
      const texts = Object.entries(draft.texts).map(([language, text]) => {
        return [language, { ...text, sentences: [...text.sentences, 'All is new.'] }];
      });
      return [id, { ...draft, texts: Object.fromEntries(texts) }];
    }),
  ),
};

let project: CommandLineProject;
/** Pages that a run of one edit renders and reuses if nothing failed before. */
let usual: Reuse;
beforeAll(async () => {
  project = await createCommandLineProject();
  await publish(world);
  await project.show(edited);
  usual = reuseOf(await project.build());
  expect(usual.reused).toBeGreaterThan(usual.rendered);
});

/** Runs that come to their end, before and after those that do not. */
async function publish(shown: World, ...flags: readonly string[]): Promise<void> {
  await project.show(shown);
  expect(await project.build(...flags)).toMatchObject({ code: 0, stderr: '' });
}

const isStaging = () => readdirSync(project.folder).some((name) => name.startsWith('.dist.staging-'));

/** Runs that do not come to their end, each with the code it ends with. */
const failures: Readonly<Record<string, () => Promise<unknown>>> = {
  'a template that is broken': async () => {
    await project.show({ ...rewritten, templates: { 'hooks/article-after.eta': '<% if (' } });
    return failWith('TEMPLATE_FAILED');
  },
  'warnings in a strict run': async () => {
    await project.show(edit(rewritten, 'a link to nowhere is added', 1));
    return failWith('STRICT', '--strict');
  },
  'a credential in the last article of a strict run': async () => {
    const last = Object.values(rewritten.articles).at(-1) as World['articles'][string];
    const key = `<p>ghp_${'a1B2c3'.repeat(6)}</p>`;
    const texts = Object.entries(last.texts).map(([language, text]) => [language, { ...text, markup: key }]);
    const draft = { ...last, texts: Object.fromEntries(texts) };
    await project.show({ ...rewritten, articles: { ...rewritten.articles, [last.id]: draft } });
    return failWith('STRICT', '--strict');
  },
  'a kill while it writes': async () => {
    await project.show(rewritten);
    const { signal } = await project.buildUntil(isStaging);
    expect(signal).toBe('SIGKILL');
  },
};

async function failWith(code: string, ...flags: readonly string[]): Promise<void> {
  const run = await project.build(...flags);
  expect({ ...run, report: null }).toMatchObject({ code: 1, stderr: expect.stringContaining(code) });
}

describe('a run that fails', () => {
  beforeEach(() => publish(world));

  it.each(Object.entries(failures))(
    'does not change the output, and the next run can still reuse it: %s',
    async (_what, fail) => {
      const before = await hashTree(project.out);
      await fail();
      expect(await hashTree(project.out)).toEqual(before);
      await project.show(edited);
      expect(reuseOf(await project.build())).toEqual(usual);
    },
  );

  it('never costs the next run its reuse, however often it fails', async () => {
    for (const fail of Object.values(failures)) await fail();
    await project.show(edited);
    expect(reuseOf(await project.build())).toEqual(usual);
  });
});

describe.skipIf(!canMount)(`a disk that is full${canMount ? '' : ' (needs root)'}`, () => {
  const fill = async (folder: string) => {
    const file = await open(join(folder, 'fill'), 'w');
    try {
      for (;;) await file.write(Buffer.alloc(4096));
    } catch {
      await file.close();
    }
  };

  const flags = ['--out', 'published/dist', '--cache', 'cache/of-lectern'];
  beforeAll(() => {
    for (const folder of ['published', 'cache']) mountDisk(makeFolder(folder), 'size=40m');
  });
  afterAll(() => {
    for (const folder of ['published', 'cache']) unmountDisk(join(project.folder, folder));
  });

  it.each([
    ['of the output', 'published', 'OUTPUT_UNWRITABLE'],
    ['of the cache', 'cache', 'CACHE_UNUSABLE'],
  ])('%s never costs the next run its reuse, once there is room', async (_what, name, errorCode) => {
    const disk = join(project.folder, name);
    await publish(world, ...flags);
    const before = await hashTree(join(project.folder, 'published/dist'));
    await fill(disk);
    try {
      await project.show(rewritten);
      expect(await project.build(...flags)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(errorCode),
      });
      expect(await hashTree(join(project.folder, 'published/dist'))).toEqual(before);
    } finally {
      await rm(join(disk, 'fill'));
    }
    await project.show(edited);
    expect(reuseOf(await project.build(...flags))).toEqual(usual);
  });
});

function makeFolder(name: string): string {
  const folder = join(project.folder, name);
  mkdirSync(folder);
  return folder;
}

function edit(from: World, what: string, pick: number): World {
  return knowledgeBaseEdits[what]?.(from, pick) ?? from;
}
