import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { configSchema, type UserConfig } from '../../../src/core/config/schema.ts';
import type { BuildReport } from '../../../src/core/report.ts';
import { openBuildDatabase } from '../../../src/output/database/build-database.ts';
import { buildShard, type ShardOptions } from '../../../src/pipeline/build-shard.ts';
import {
  createOfflineProject,
  type OfflineProject,
  type WrittenArticle,
} from '../../support/offline-project.ts';

const partSizes = { pages: 4, documents: 4 };
const settings = { siteUrl: 'https://help.example.com', output: { compress: ['gz' as const] } };

/** What is written to the snapshot: so many articles, and title and text of the last one of 24. */
interface Content {
  readonly count?: number;
  readonly title?: string;
  readonly text?: string;
}

/** A project that is built in shards; its files with many articles are small, so that there are several. */
export interface ShardProject extends Pick<OfflineProject, 'folder' | 'remove'> {
  path(name: string): string;
  /** Replaces the snapshot. */
  write(content?: Content): Promise<void>;
  /** Builds the shard into `shard-<number>`. @returns that name */
  buildShard(
    number: number,
    count: number,
    options?: Partial<ShardOptions>,
    more?: Partial<UserConfig>,
  ): Promise<string>;
  merge(shards: readonly string[], more?: Partial<UserConfig>): Promise<BuildReport>;
  /** Builds everything in one run. */
  buildWhole(more?: Partial<UserConfig>): Promise<BuildReport>;
  /** Copies only the snapshot of the cache, into `.copy`. @returns that name */
  copySnapshot(): Promise<string>;
}

export async function openShardProject(): Promise<ShardProject> {
  const project = await createOfflineProject();
  const path = (name: string) => join(project.folder, name);
  const build = (more: Partial<UserConfig>, options: { readonly shards?: readonly string[] }) =>
    project.build({ ...settings, ...more }, { partSizes, ...options });
  const write = ({ count = 24, ...last }: Content = {}) =>
    project.write(
      Array.from({ length: count }, (_, at) => article(at, at === 23 ? last : {})),
      [],
    );
  await write();
  return {
    folder: project.folder,
    remove: project.remove,
    path,
    write,
    async buildShard(number, count, options = {}, more = {}) {
      const out = `shard-${number}`;
      await buildShard(configSchema.parse({ ...settings, ...more, out }), {
        ...project.options({ partSizes }),
        shard: { number, count },
        ...options,
      });
      return out;
    },
    merge: (shards, more = {}) => build(more, { shards }),
    buildWhole: (more = {}) => build(more, {}),
    async copySnapshot() {
      const names = (await readdir(project.cache)).filter((name) => name.startsWith('snapshot'));
      for (const name of names) {
        await cp(join(project.cache, name), path(`.copy/${name}`), { recursive: true });
      }
      return '.copy';
    },
  };
}

function article(at: number, { title = 'Title', text = 'Text' }: Content): WrittenArticle {
  const id = `article${String(at).padStart(3, '0')}`;
  const next = `article${String((at + 1) % 24).padStart(3, '0')}`;
  const body = `<h2>Part</h2><p>${text} ${at}. <a href="/article/${next}">Next</a> <a href="/article/gonegonego">Gone</a></p>`;
  const texts = { en: { title: `${title} ${at}`, body }, de: { title: `Titel ${at}`, body } };
  return { id, categoryId: null, texts: at % 3 === 0 ? texts : { en: texts.en } };
}

/** Ids of the articles that a shard rendered. @param folder of the shard */
export async function readRendered(folder: string): Promise<readonly string[]> {
  const database = await openBuildDatabase(folder, { isReadOnly: true });
  try {
    return database.readKeys().map(({ id }) => id);
  } finally {
    database.close();
  }
}
