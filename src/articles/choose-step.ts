import type { ResolvedConfig } from '../config/schema.ts';
import { createLinkResolver } from '../links.ts';
import { describeFolder } from '../output/describe-folder.ts';
import type { Plan, PlannedArticle } from '../plan/plan.ts';
import { createCacheKey, leadsTheSame } from '../render/cache-key.ts';
import { type RenderSettings, writeMediaTable } from '../render/make-article.ts';
import type { ArticleStep } from '../render/make-articles.ts';
import { outlineArticle } from '../render/outline-article.ts';
import type { Source } from '../source/source.ts';
import { sourceFirst } from '../stages.ts';
import { ownPart } from '../standing/article-record.ts';
import { keepStanding, resolutionsOf, type StandingArticle } from '../standing/standing-article.ts';
import type { ArticleSinks, RenderMeans } from './sinks.ts';

/** Says of an article what is to be done: let it stand, take what an earlier run made of the same, or make it. */
export function createStepper(
  source: Source,
  plan: Plan,
  config: ResolvedConfig,
  settings: RenderSettings,
  { site, feed, media, output }: ArticleSinks,
  { cache, last }: RenderMeans,
): (article: PlannedArticle) => Promise<ArticleStep<StandingArticle>> {
  const templates = settings.theme.templateFolders.map((folder) => describeFolder(folder, 'content'));
  const keyOf = createCacheKey(settings, [templates, config.media, config.baseUrl]);
  const resolverFor = createLinkResolver(plan, settings);
  return async (article) => {
    const found = last?.find(article.id) ?? null;
    if (found !== null && last?.hasSameFaces && found.record.own === ownPart(article)) {
      const standing = await keepStanding(found, output);
      if (standing !== null) return { kind: 'standing', article: standing };
    }
    const pages = sourceFirst(article);
    const outline = await outlineArticle(article, pages, site, feed);
    const key = keyOf(outline);
    if (found?.record.key === key && leadsTheSame(resolutionsOf(found), resolverFor)) {
      const standing = await keepStanding(found, output);
      if (standing !== null) return { kind: 'standing', article: standing };
    }
    const recalled = cache?.recall(key) ?? null;
    const known =
      recalled !== null && leadsTheSame(recalled.facts.resolutions, resolverFor) ? recalled : null;
    // Without anything to re-host, the bodies need not even be read.
    if (known?.facts.media === null) return { kind: 'recalled', key, article: known };
    const stored = await source.readBodies(article.id);
    const bodies = pages.map(({ language }) => stored.get(language) ?? '');
    const table = await media.prepare(bodies);
    if (known !== null && known.facts.media === writeMediaTable(table)) {
      return { kind: 'recalled', key, article: known };
    }
    return { kind: 'task', key, task: { ...outline, bodies, media: table } };
  };
}
