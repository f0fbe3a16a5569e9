import { resolve } from 'node:path';
import type { ResolvedConfig } from '../config/schema.ts';
import type { KnowledgeBase } from '../foundation/model.ts';
import type { Plan } from '../plan/plan.ts';
import { planSite } from '../plan/plan-site.ts';
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
