import { resolve } from 'node:path';
import type { ResolvedConfig } from './config/schema.ts';
import type { KnowledgeBase } from './model.ts';
import type { Plan, PlannedArticle } from './plan/plan.ts';
import { planSite } from './plan/plan-site.ts';
import { makeLinkTable } from './render/link-table.ts';
import type { ArticleTask, PrepareSettings } from './render/prepare-article.ts';
import type { Scratch } from './site/search/scratch.ts';
import { builtInTemplates, createSite, type Site } from './site/site.ts';
import type { Source } from './source/source.ts';

/** Plans the site of a knowledge base. */
export function planRun(config: ResolvedConfig, knowledgeBase: KnowledgeBase): ReturnType<typeof planSite> {
  return planSite(knowledgeBase, {
    siteUrl: config.siteUrl,
    siteTitle: config.site.title,
    languages: config.languages,
    urls: config.urls,
  });
}

/**
 * Makes the site of a plan, with templates, texts and assets as they are now.
 * @param folder relative paths of the configuration belong to it
 * @param scratch takes what would need much memory; `null`: everything stays in memory
 */
export function createRunSite(
  config: ResolvedConfig,
  plan: Plan,
  source: Source,
  folder: string,
  scratch: Scratch | null,
): Promise<Site> {
  return createSite(plan, config.site, {
    templatesFolder: resolve(folder, config.site.templates),
    popular: source.topArticles,
    urls: config.urls,
    iframeHosts: config.content.iframeHosts,
    scratch,
  });
}

/** What preparing an article takes. */
export function prepareSettings(config: ResolvedConfig, plan: Plan, source: Source): PrepareSettings {
  const { iframeHosts, classes, callouts, hosts } = config.content;
  return {
    links: makeLinkTable(plan),
    hosts,
    excluded: source.knowledgeBase.excluded,
    policy: { iframeHosts, classes, callouts },
    chunks: config.feed.chunks,
    templates: builtInTemplates,
  };
}

/** One article as preparing takes it, but for its images: the source language first, whose heading ids the others take. */
export async function readTask(
  source: Source,
  site: Site,
  article: PlannedArticle,
): Promise<Omit<ArticleTask, 'media'>> {
  const bodies = await source.readBodies(article.id);
  const pages = sourceFirst(article).flatMap((language) => {
    const page = article.pages.get(language);
    if (page === undefined) return [];
    const search = site.searchHead(article.id, language);
    return [{ language, title: page.title, body: bodies.get(language) ?? '', search }];
  });
  return { id: article.id, pages };
}

function sourceFirst(article: PlannedArticle): readonly string[] {
  const others = [...article.pages.keys()].filter((language) => language !== article.sourceLanguage);
  return [article.sourceLanguage, ...others];
}
