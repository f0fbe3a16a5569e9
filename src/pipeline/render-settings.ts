import type { ResolvedConfig } from '../core/config/schema.ts';
import type { LanguageTag } from '../core/model.ts';
import type { LinkTarget, LinkTargetPages, LinkTargets } from '../site/links/resolve-links.ts';
import type { Plan } from '../site/plan/plan.ts';
import type { Source } from '../source/source.ts';
import type { DocumentSettings } from './make-documents.ts';

/** Settings for reading the bodies of a run. @param isInPlace `BuildOptions.isInPlace` */
export function documentSettings(
  config: ResolvedConfig,
  source: Source,
  isInPlace = false,
): Omit<DocumentSettings, 'links'> {
  const { iframeHosts, classes, callouts, hosts } = config.content;
  return {
    hosts,
    keepsIds: isInPlace,
    hasGitHubIds: config.source.kind === 'folder',
    siteUrl: config.siteUrl ?? null,
    apiUrl: config.baseUrl ?? null,
    excluded: source.knowledgeBase.excluded,
    hiddenNames: source.hiddenNames,
    hasZendeskUrls:
      config.source.kind === 'zendesk' || (config.redirects.movedFrom ?? []).includes('zendesk'),
    policy: { iframeHosts, classes, callouts },
    allowSecrets: config.feed.allowSecrets,
  };
}

/** The part of a plan that links need. Plain data, which every thread gets a copy of. */
export function linkTargetsOf(plan: Plan): LinkTargets {
  return {
    articles: new Map(Array.from(plan.articles, ([id, { pages }]) => [id, { pages: targetsOf(pages) }])),
    categoryPages: new Map(Array.from(plan.categoryPages, ([id, pages]) => [id, targetsOf(pages)])),
  };
}

function targetsOf(pages: ReadonlyMap<LanguageTag, LinkTarget>): LinkTargetPages {
  return new Map(Array.from(pages, ([tag, { language, href, url }]) => [tag, { language, href, url }]));
}
