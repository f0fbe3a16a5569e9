import type { LanguageTag } from '../foundation/model.ts';
import type { LinkTarget, LinkTargetPages, LinkTargets } from '../links/resolve-links.ts';
import type { Plan } from '../plan/plan.ts';

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
