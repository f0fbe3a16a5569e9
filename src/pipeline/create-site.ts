import { join } from 'node:path';
import type { ResolvedConfig } from '../config/schema.ts';
import { LecternError } from '../foundation/errors.ts';
import type { KnowledgeBase } from '../foundation/model.ts';
import type { RunSecret } from '../foundation/run-secrets.ts';
import { isOutputName } from '../output/foreign-files.ts';
import type { PageAddress, Plan } from '../plan/plan.ts';
import { planSite } from '../plan/plan-site.ts';
import { listPublicFiles, type PublicFiles } from '../site/public-files.ts';
import { createSite, type Site } from '../site/site.ts';
import type { Source } from '../source/source.ts';
import type { UserFiles } from './user-files.ts';

/** Plans the site of a knowledge base. */
export function planRun(config: ResolvedConfig, knowledgeBase: KnowledgeBase): ReturnType<typeof planSite> {
  const settings = {
    siteUrl: config.siteUrl,
    siteTitle: config.site.title,
    languages: config.languages,
    urls: config.urls,
    fallback: config.site.fallback,
  };
  return planSite(knowledgeBase, settings);
}

/**
 * The user's files that are published unchanged.
 * @throws PUBLIC_FILE_TAKEN
 */
function readPublicFiles(folder: string, plan: Plan, secrets: readonly RunSecret[]): PublicFiles {
  const files = listPublicFiles(folder, secrets);
  if (files.paths.size === 0) return files;
  const taken = findTaken(plan, files);
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

/** The public files that have the path of a page or of one of its parent folders. */
function findTaken(plan: Plan, { paths }: PublicFiles): ReadonlySet<string> {
  const taken = new Set<string>();
  const take = (pages: Iterable<PageAddress>): void => {
    for (const { path } of pages) {
      for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
        if (paths.has(at)) taken.add(at);
      }
    }
  };
  for (const { pages } of plan.articles.values()) take(pages.values());
  for (const pages of plan.categoryPages.values()) take(pages.values());
  return taken;
}

/**
 * Creates the site of a plan, with the current templates, texts and assets.
 * @throws PUBLIC_FILE_TAKEN, and as `createSite` does
 */
export function createRunSite(
  config: ResolvedConfig,
  plan: Plan,
  source: Source,
  { templatesFolder, publicFolder, secrets }: UserFiles,
): Promise<Site> {
  return createSite(plan, config.site, {
    templatesFolder,
    publicFiles: readPublicFiles(publicFolder, plan, secrets),
    secrets,
    popular: source.topArticles,
    urls: config.urls,
    iframeHosts: config.content.iframeHosts,
    csp: config.headers.csp,
  });
}
