import { resolve } from 'node:path';
import type { ResolvedConfig } from './config/schema.ts';
import type { KnowledgeBase } from './model.ts';
import type { DocumentSettings } from './partitions/make-documents.ts';
import type { ArticlePage, Plan, PlannedArticle } from './plan/plan.ts';
import { planSite } from './plan/plan-site.ts';
import { createSite, type Site } from './site/site.ts';
import type { Source } from './source/source.ts';

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
 * Makes the site of a plan, with templates, texts and assets as they are now.
 * @param folder relative paths of the configuration belong to it
 */
export function createRunSite(
  config: ResolvedConfig,
  plan: Plan,
  source: Source,
  folder: string,
): Promise<Site> {
  return createSite(plan, config.site, {
    templatesFolder: resolve(folder, config.site.templates),
    popular: source.topArticles,
    urls: config.urls,
    iframeHosts: config.content.iframeHosts,
  });
}

/** What the bodies of a run are read with. */
export function documentSettings(config: ResolvedConfig, source: Source): Omit<DocumentSettings, 'links'> {
  const { iframeHosts, classes, callouts, hosts } = config.content;
  return { hosts, excluded: source.knowledgeBase.excluded, policy: { iframeHosts, classes, callouts } };
}

/** The languages of an article, the source language first, whose heading ids the others take. */
export function sourceFirst(article: PlannedArticle): readonly ArticlePage[] {
  const source = article.pages.get(article.sourceLanguage);
  const others = [...article.pages.values()].filter((page) => page !== source);
  return source === undefined ? others : [source, ...others];
}
