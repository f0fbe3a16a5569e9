import type { ResolvedConfig } from '../config/schema.ts';
import type { Plan } from '../plan/plan.ts';
import { type Problem, problem } from '../problems.ts';
import type { PageFacts } from '../render/article-facts.ts';
import { makeLinkTable } from '../render/link-table.ts';
import type { RenderSettings } from '../render/make-article.ts';
import { makeArticles } from '../render/make-articles.ts';
import { unpackArticle } from '../render/packed-article.ts';
import { readAhead } from '../render/read-ahead.ts';
import { builtInTemplates } from '../site/built-in-templates.ts';
import type { Source } from '../source/source.ts';
import { documentSettings } from '../stages.ts';
import { ownPart } from '../standing/article-record.ts';
import { createStepper } from './choose-step.ts';
import { plannedArticle, publishArticle, repeatArticle } from './publish-article.ts';
import type { ArticleSinks, RenderMeans } from './sinks.ts';

/** Articles whose images may be on their way at the same time. */
const articlesAhead = 16;

/**
 * Sends every article in each of its languages through content, site and feed, sorted by id. One that is as the last run
 * published it stands. What is made of another alone is made in `threads` beside this one, or was made by an earlier run;
 * everything that depends on order happens here.
 * @returns the odd things found in the bodies, with article id and language
 */
export async function renderArticles(
  source: Source,
  plan: Plan,
  config: ResolvedConfig,
  sinks: ArticleSinks,
  means: RenderMeans,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const settings: RenderSettings = {
    ...documentSettings(config, source),
    links: makeLinkTable(plan),
    chunks: config.feed.chunks,
    theme: sinks.site.theme,
    templates: builtInTemplates,
  };
  const { cache, next, threads } = means;
  const steps = readAhead(
    plan.articles.values(),
    articlesAhead,
    createStepper(source, plan, config, settings, sinks, means),
  );
  let done = 0;
  for await (const ready of makeArticles(steps, settings, threads)) {
    if (ready.kind === 'standing') {
      const { record, pages } = ready.article;
      cache?.keep(record.key);
      next.add({ ...record, pages: await repeatArticle(plan, ready.article, sinks) });
      for (const page of pages) problems.push(...problemsOf(record.id, page));
    } else {
      const article = ready.kind === 'recalled' ? ready.article : unpackArticle(ready.packed);
      if (ready.kind === 'made') cache?.remember(ready.key, ready.packed);
      const { facts } = article;
      const own = ownPart(plannedArticle(plan, facts.id));
      next.add({ id: facts.id, own, key: ready.key, ...(await publishArticle(plan, article, sinks)) });
      for (const page of facts.pages) problems.push(...problemsOf(facts.id, page));
    }
    done += 1;
    sinks.onArticle(done);
  }
  return problems;
}

function problemsOf(
  articleId: string,
  { language, problems }: Pick<PageFacts, 'language' | 'problems'>,
): readonly Problem[] {
  return problems.map(({ code, message }) => problem(code, message, { articleId, language }));
}
