import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildShard } from '../../src/build/build-shard.ts';
import { configSchema } from '../../src/config/schema.ts';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';
import { openFiles } from '../support/open-files.ts';

/** Together longer than the part of a spill file that stays in memory, also in the table of the written files. */
const articles = Array.from({ length: 350 }, (_none, at) => ({
  id: `a${String(at).padStart(9, '0')}`,
  categoryId: null,
  texts: {
    en: {
      title: `Article ${at}`,
      slug: `${'long-'.repeat(30)}${at}`,
      description: 'x'.repeat(800),
      body: '',
    },
  },
}));

describe('a process whose build failed has no file open', () => {
  let project: OfflineProject;
  beforeEach(async () => {
    project = await createOfflineProject();
    await project.write(articles, []);
  });
  afterEach(() => project.remove());

  it('if the cache belongs to another program', async () => {
    await project.build();
    for (const name of ['CACHEDIR.TAG', 'snapshot.jsonl']) await rm(join(project.cache, name));
    await expect(project.build()).rejects.toMatchObject({ code: 'CACHE_NOT_OURS' });
    expect(await openFiles(project.folder)).toEqual([]);
  });

  it('if a shard has the snapshot of another language', async () => {
    const config = configSchema.parse({ defaultLanguage: 'de', out: 'shard' });
    const options = { ...project.options({}), shard: { number: 1, count: 2 } };
    await expect(buildShard(config, options)).rejects.toMatchObject({ code: 'SNAPSHOT_FOREIGN' });
    expect(await openFiles(project.folder)).toEqual([]);
  });

  it('if a shard continues a published feed, and the certificate for it cannot be read', async () => {
    const config = configSchema.parse({ defaultLanguage: 'en', out: 'shard', tls: { ca: 'missing.pem' } });
    const options = { ...project.options({}), since: 'https://127.0.0.1/', shard: { number: 1, count: 2 } };
    await expect(buildShard(config, options)).rejects.toMatchObject({ code: 'CA_UNREADABLE' });
    expect(await openFiles(project.folder)).toEqual([]);
  });
});
