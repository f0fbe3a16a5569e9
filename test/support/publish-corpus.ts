import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UserConfig } from '../../src/core/config/schema.ts';
import { type PublishedSite, publishSite } from './publish-site.ts';
import { corporaFolder } from './tools.ts';

/** Publishes one of the shared corpora. */
export async function publishCorpus(name: string, config: UserConfig = {}): Promise<PublishedSite> {
  return publishSite(JSON.parse(await readFile(join(corporaFolder, `${name}.json`), 'utf8')), config);
}
