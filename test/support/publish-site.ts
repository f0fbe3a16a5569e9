import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UserConfig } from '../../src/core/config/schema.ts';
import type { BuildReport } from '../../src/core/report.ts';
import { type ServedKnowledgeBase, serveKnowledgeBase } from '../source/support/knowledge-base-server.ts';
import { translatedArticle, translatedCategory } from '../source/support/records.ts';
import { writeTree } from './folder-layouts.ts';
import { readTree } from './read-tree.ts';
import { serve } from './serve.ts';
import type { SiteFiles } from './static-server.ts';

/** Records of the API, with the views of their articles if the service counts them. */
export type Records = ServedKnowledgeBase;

/** Files of the project beside its configuration, such as `public/logo.svg`, by path. */
export type ProjectFiles = Readonly<Record<string, string | Uint8Array>>;

export interface PublishedSite {
  /** Everything that the build wrote. */
  readonly files: SiteFiles;
  readonly report: BuildReport;
}

/** The compiled library, whose builds start threads (`npm test` compiles it first). */
const loadLibrary = () =>
  import(new URL('../../lib/index.js', import.meta.url).href) as Promise<typeof import('../../src/index.ts')>;

/** Sites that were published with the same arguments: tests that only read them share them. */
const published = new Map<string, Promise<PublishedSite>>();

/**
 * Publishes records as `lectern build` does: a server on this machine gives them as the API does, `build` of the library reads them and writes a
 * folder, and `files` is what is in it.
 */
export function publishSite(
  records: Records,
  config: UserConfig = {},
  project: ProjectFiles = {},
): Promise<PublishedSite> {
  const key = hash('sha256', JSON.stringify([records, config, project]));
  const site = published.get(key) ?? publish(records, config, project);
  published.set(key, site);
  return site;
}

async function publish(records: Records, config: UserConfig, project: ProjectFiles): Promise<PublishedSite> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-site-'));
  const { origin, close } = await serve(serveKnowledgeBase(records));
  try {
    writeTree(folder, project);
    const { build } = await loadLibrary();
    const report = await build(
      {
        baseUrl: `${origin}/v1`,
        siteUrl: 'https://help.example.com',
        ...config,
        site: { title: 'Acme Help', contact: 'mailto:help@example.com', ...config.site },
      },
      { apiKey: 'key-of-the-tests', folder, insecureLoopback: true },
    );
    return { files: await readTree(join(folder, config.out ?? 'dist')), report };
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Articles of one language: titles and bodies by id. @param topics title of the top category of each, in order; absent: none */
export function pageRecords(
  language: string,
  pages: Readonly<Record<string, readonly [title: string, body: string]>>,
  topics: readonly string[] = [],
): Records {
  const names = [...new Set(topics)];
  const idOf = (topic: string | undefined) =>
    topic === undefined ? null : `c${String(names.indexOf(topic)).padStart(9, '0')}`;
  return {
    articles: Object.entries(pages).map(([id, page], at) =>
      translatedArticle(id, { [language]: page }, { category_id: idOf(topics[at]) }),
    ),
    categories: names.map((name) => translatedCategory(idOf(name) ?? '', { [language]: name })),
    views: Object.fromEntries(
      Object.keys(pages)
        .slice(0, 3)
        .map((id) => [id, 1]),
    ),
  };
}
