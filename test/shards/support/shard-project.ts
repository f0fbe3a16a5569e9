import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { buildShard, type ShardOptions } from '../../../src/build/build-shard.ts';
import { configSchema, type UserConfig } from '../../../src/config/schema.ts';
import type { BuildReport } from '../../../src/foundation/report.ts';
import {
  createOfflineProject,
  type OfflineProject,
  type WrittenArticle,
} from '../../support/offline-project.ts';

const partitionSizes = { pages: 4, documents: 4 };
const settings = { siteUrl: 'https://help.example.com', output: { compress: ['gz' as const] } };

/** A project that is built in shards; its partitions are small, so that each shard has several. */
export interface ShardProject extends Pick<OfflineProject, 'folder' | 'remove'> {
  path(name: string): string;
  /** Replaces the snapshot: 24 articles, the last of them with this text. */
  write(lastText?: string, count?: number): Promise<void>;
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
  /** Copies only the snapshot of the cache. @returns the name of the copy */
  copySnapshot(): Promise<string>;
}

export async function openShardProject(): Promise<ShardProject> {
  const project = await createOfflineProject();
  const path = (name: string) => join(project.folder, name);
  const build = (more: Partial<UserConfig>, options: { readonly shards?: readonly string[] }) =>
    project.build({ ...settings, ...more }, { partitionSizes, ...options });
  const write = (lastText = 'Text', count = 24) =>
    project.write(
      Array.from({ length: count }, (_, at) => article(at, at === 23 ? lastText : 'Text')),
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
        ...project.options({ partitionSizes }),
        shard: { number, count },
        ...options,
      });
      return out;
    },
    merge: (shards, more = {}) => build(more, { shards }),
    buildWhole: (more = {}) => build(more, {}),
    async copySnapshot() {
      const isRecord = /[/\\](?:builds|partitions|staging-base|lock|feed\.record)(?:[/\\]|$)/;
      const filter = (file: string) => !isRecord.test(file.slice(project.cache.length));
      await cp(project.cache, path('.copy'), { recursive: true, filter });
      return '.copy';
    },
  };
}

function article(at: number, text: string): WrittenArticle {
  const id = `article${String(at).padStart(3, '0')}`;
  const next = `article${String((at + 1) % 24).padStart(3, '0')}`;
  const body = `<h2>Part</h2><p>${text} ${at}. <a href="/article/${next}">Next</a> <a href="/article/gonegonego">Gone</a></p>`;
  const texts = { en: { title: `Title ${at}`, body }, de: { title: `Titel ${at}`, body } };
  return { id, categoryId: null, texts: at % 3 === 0 ? texts : { en: texts.en } };
}

/** Numbers of the partitions that a shard rendered. @param folder of the shard */
export function readRendered(folder: string): readonly number[] {
  const info = JSON.parse(readFileSync(join(folder, 'shard.json'), 'utf8')) as {
    readonly rendered: readonly number[];
  };
  return info.rendered;
}
