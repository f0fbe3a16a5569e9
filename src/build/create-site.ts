import { join, resolve } from 'node:path';
import type { ResolvedConfig } from '../config/schema.ts';
import { LecternError } from '../foundation/errors.ts';
import type { KnowledgeBase } from '../foundation/model.ts';
import { isOutputName } from '../output/foreign-files.ts';
import type { Plan } from '../plan/plan.ts';
import { planSite } from '../plan/plan-site.ts';
import { listPublicFiles, type PublicFiles } from '../site/public-files.ts';
import { createSite, type Site } from '../site/site.ts';
import type { Source } from '../source/source.ts';

/** Plans the site of a knowledge base. */
export function planRun(config: ResolvedConfig, knowledgeBase: KnowledgeBase): ReturnType<typeof planSite> {
  return planSite(knowledgeBase, {
    siteUrl: config.siteUrl,
    siteTitle: config.site.title,
    languages: config.languages,
    urls: config.urls,
    fallback: config.site.fallback,
  });
}

/**
 * The user's files that are published unchanged.
 * @throws PUBLIC_FILE_TAKEN
 */
function readPublicFiles(folder: string, plan: Plan): PublicFiles {
  const files = listPublicFiles(folder);
  if (files.paths.size === 0) return files;
  const taken = new Set(plan.languages.map(({ tag }) => tag));
  const pagesOf = [...[...plan.articles.values()].map(({ pages }) => pages), ...plan.categoryPages.values()];
  for (const pages of pagesOf) for (const { path } of pages.values()) addWithFolders(path, taken);
  for (const path of files.paths) {
    const [root = ''] = path.split('/');
    if (!isOutputName(root) && !taken.has(path) && plan.languageByTag.get(root) === undefined) continue;
    throw new LecternError(
      'PUBLIC_FILE_TAKEN',
      `${join(folder, path)} would replace a file that Lectern writes`,
      {
        hint: 'move or rename the file; see docs/site.md',
        exitCode: 2,
      },
    );
  }
  return files;
}

/** Adds a path and its parent folders: no file can have the path of a folder. */
function addWithFolders(path: string, taken: Set<string>): void {
  for (let at = path; at !== '' && !taken.has(at); at = at.slice(0, Math.max(0, at.lastIndexOf('/'))))
    taken.add(at);
}

/**
 * Creates the site of a plan, with the current templates, texts and assets.
 * @param folder base of relative paths in the configuration
 */
export function createRunSite(
  config: ResolvedConfig,
  plan: Plan,
  source: Source,
  folder: string,
): Promise<Site> {
  return createSite(plan, config.site, {
    templatesFolder: resolve(folder, config.site.templates),
    publicFiles: readPublicFiles(resolve(folder, config.site.public), plan),
    popular: source.topArticles,
    urls: config.urls,
    iframeHosts: config.content.iframeHosts,
    csp: config.headers.csp,
  });
}
