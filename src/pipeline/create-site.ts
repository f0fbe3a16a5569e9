import { resolve } from 'node:path';
import type { ResolvedConfig } from '../core/config/schema.ts';
import type { PerLanguage } from '../core/language.ts';
import type { ArticleTranslation, KnowledgeBase } from '../core/model.ts';
import type { RunSecret } from '../core/run-secrets.ts';
import { relativePath } from '../core/user-folder.ts';
import { isOutputName } from '../output/foreign-files.ts';
import { widgetPath } from '../site/pages/headers-file.ts';
import { listPublicFiles, type PublicFiles } from '../site/pages/public-files.ts';
import type { KnownRelated } from '../site/pages/related.ts';
import { createSite, type Site } from '../site/pages/site.ts';
import type { PageAddress, Plan } from '../site/plan/plan.ts';
import { homeOf, planSite } from '../site/plan/plan-site.ts';
import type { Source } from '../source/source.ts';
import type { UserFiles } from './user-files.ts';

/**
 * Plans the site of a knowledge base.
 * @param folder base of relative paths in the configuration
 * @param isInPlace the pages exist already, in the folder of the source (`BuildOptions.isInPlace`)
 */
export async function planRun(
  config: ResolvedConfig,
  { knowledgeBase, topArticles }: Pick<Source, 'knowledgeBase' | 'topArticles'>,
  folder: string,
  isInPlace = false,
): Promise<ReturnType<typeof planSite>> {
  const settings = {
    siteUrl: config.siteUrl,
    siteTitle: config.site.title ?? (await projectTitle(config, knowledgeBase, folder)) ?? 'Help centre',
    languages: config.languages,
    urls: config.urls,
    popular: topArticles,
    fallback: config.site.fallback,
    ...(isInPlace ? { existingFile: existingFileIn(config, folder) } : {}),
  };
  return planSite(knowledgeBase, settings);
}

/** Finds the files of pages in the folder of the source, relative to it and `/`-separated. */
function existingFileIn({ source }: ResolvedConfig, folder: string): (page: ArticleTranslation) => string {
  const root = 'path' in source ? resolve(folder, source.path) : folder;
  return ({ file }) => relativePath(root, resolve(folder, file ?? ''));
}

/** The name of the built site that is the source, or the title of the page at the top of a folder, by language. */
async function projectTitle(
  config: ResolvedConfig,
  { articles, defaultLanguage }: KnowledgeBase,
  folder: string,
): Promise<PerLanguage | null> {
  const { source } = config;
  if (source.kind === 'site') {
    const { readSiteFacts } = await import('../source/built-site/site-facts.ts');
    const others = articles.flatMap(({ translations }) =>
      translations.filter((one) => one.language === defaultLanguage && homeOf(one) === null),
    );
    return readSiteFacts(resolve(folder, source.path), others.map(existingFileIn(config, folder))).name;
  }
  if (source.kind !== 'folder') return null;
  const homes = articles.flatMap(({ translations }) => translations.filter((one) => homeOf(one) !== null));
  const titles = homes.map(({ language, title }) => [language, title] as const);
  const isName = titles.some(
    ([language, title]) => language === defaultLanguage && !unnamed.test(title.trim()),
  );
  return isName ? Object.fromEntries(titles) : null;
}

/** Titles of home pages that name no project. */
const unnamed = /^(?:index|home|readme|introduction|overview|welcome|getting started|documentation|docs)$/i;

/** Pages and files at the root that a file of the user may replace. */
const replaceable = new Set(['robots.txt', '404.html', 'index.html']);

/** The user's files. Rules of hosts are appended to those of Lectern; other files with a path that Lectern uses are not published. */
function readPublicFiles(
  folder: string,
  plan: Plan,
  { site, redirects }: Pick<ResolvedConfig, 'site' | 'redirects'>,
  secrets: readonly RunSecret[],
  out: string,
): PublicFiles {
  const taken = findTaken(plan, listPublicFiles(folder));
  const hasRedirects = redirects.formats.some((format) => format === 'netlify' || format === 'cloudflare');
  const useOf = (path: string) => {
    const [root = ''] = path.split('/');
    if (path === '_headers') return 'appended';
    if (path === '_redirects') return hasRedirects ? 'appended' : 'published';
    if (replaceable.has(path)) return 'published';
    const isWidget = path === widgetPath && site.widget !== undefined;
    const isTaken =
      isWidget || isOutputName(root) || taken.has(path) || plan.languageByTag.get(root) !== undefined;
    return isTaken ? 'replaced' : 'published';
  };
  return listPublicFiles(folder, secrets, useOf, out);
}

/** The public files that have the path of a page or of one of its parent folders. */
function findTaken(plan: Plan, { paths }: PublicFiles): ReadonlySet<string> {
  const taken = new Set<string>();
  if (paths.size === 0) return taken;
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
 * @throws as `createSite` does
 */
export function createRunSite(
  config: ResolvedConfig,
  plan: Plan,
  { templatesFolder, publicFolder, out, secrets }: UserFiles,
  knownRelated: KnownRelated = () => null,
): Promise<Site> {
  return createSite(plan, config.site, {
    templatesFolder,
    publicFiles: readPublicFiles(publicFolder, plan, config, secrets, out),
    secrets,
    urls: config.urls,
    iframeHosts: config.content.iframeHosts,
    csp: config.headers.csp,
    noindex: config.noindex,
    knownRelated,
  });
}
