import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BuildOptions } from '../../src/build/build.ts';
import type { buildShard } from '../../src/build/build-shard.ts';
import { configSchema } from '../../src/config/schema.ts';
import { loadCompiledProgram, type Program } from '../end-to-end/support/program.ts';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';
import { readTree } from '../support/read-tree.ts';

/** Large enough to start a thread before the work is known (`isWorthThread`). */
const paragraph = `<p>${'A long paragraph about something. '.repeat(750)}</p>`;
const articles = Array.from({ length: 260 }, (_, at) => {
  const id = `article${String(at).padStart(3, '0')}`;
  const body = `<h2>Part ${at}</h2><p>Text of ${id}. <a href="/article/article000">First</a></p>${paragraph}`;
  return { id, categoryId: null, texts: { en: { title: `Title ${at}`, body } } };
});

const shards = ['shard-1', 'shard-2', 'shard-3'];

/** Only compiled, a merge has threads. `npm test` compiles it first. */
describe('a merge of many partitions into a new output, which takes them while the snapshot is read', () => {
  let project: OfflineProject;
  let program: Program;
  const path = (name: string) => join(project.folder, name);
  const merge = async (given: readonly string[], out: string) => {
    const { threads: _, ...options } = project.options({ partitionSizes: { pages: 4, documents: 4 } });
    const run: BuildOptions = given.length === 0 ? options : { ...options, shards: given };
    const cache = `.lectern-${out}`;
    return program.build(configSchema.parse({ siteUrl: 'https://help.example.com', out, cache }), run);
  };
  /** Copies the snapshot, and nothing else of the cache. */
  const copySnapshot = (out: string) => {
    for (const name of readdirSync(project.cache).filter((file) => file.startsWith('snapshot'))) {
      cpSync(join(project.cache, name), join(path(`.lectern-${out}`), name), { recursive: true });
    }
  };

  beforeAll(async () => {
    project = await createOfflineProject();
    program = await loadCompiledProgram();
    await project.write(articles, []);
    const script = fileURLToPath(new URL('../../lib/build/build-shard.js', import.meta.url));
    const compiled = (await import(script)) as { readonly buildShard: typeof buildShard };
    for (const [at, out] of shards.entries()) {
      const config = configSchema.parse({ siteUrl: 'https://help.example.com', out });
      await compiled.buildShard(config, {
        ...project.options({ partitionSizes: { pages: 4, documents: 4 } }),
        shard: { number: at + 1, count: shards.length },
      });
    }
  });
  afterAll(() => project.remove());

  it('gives the bytes of one build', async () => {
    copySnapshot('merged');
    copySnapshot('whole');
    await merge(shards, 'merged');
    await merge([], 'whole');
    expect(await readTree(path('merged'))).toEqual(await readTree(path('whole')));
  });

  it.each<[name: string, code: string, damage: () => readonly string[]]>([
    ['without one of the shards', 'SHARD_MISSING', () => shards.slice(1)],
    ['with a shard given twice', 'SHARD_DUPLICATE', () => [...shards, 'shard-2']],
    [
      'with a page that was changed',
      'SHARD_DAMAGED',
      () => {
        const pages = path('shard-3/pages/en/article');
        const [page = ''] = readdirSync(pages);
        writeFileSync(join(pages, page, 'index.html'), 'x');
        return shards;
      },
    ],
    [
      'with a record that is missing',
      'SHARD_DAMAGED',
      () => {
        const [name = ''] = readdirSync(path('shard-2/partitions'));
        rmSync(path(`shard-2/partitions/${name}`));
        return shards;
      },
    ],
  ])('is refused and leaves nothing behind: %s', async (_name, code, damage) => {
    copySnapshot('refused');
    await expect(merge(damage(), 'refused')).rejects.toMatchObject({ code });
    expect(existsSync(path('refused'))).toBe(false);
    expect(readdirSync(project.folder).filter((name) => name.includes('refused'))).toEqual([
      '.lectern-refused',
    ]);
  });
});
