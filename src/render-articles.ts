import type { AnchorCheck } from './anchor-check.ts';
import type { ResolvedConfig } from './config/schema.ts';
import type { Feed } from './feed/feed.ts';
import { createLinkResolver } from './links.ts';
import type { Media } from './media/media.ts';
import { describeFolder } from './output/describe-folder.ts';
import type { Output } from './output/output.ts';
import type { Plan, PlannedArticle } from './plan/plan.ts';
import { type Problem, problem } from './problems.ts';
import type { ArticleCache } from './render/article-cache.ts';
import type { PageFacts } from './render/article-facts.ts';
import { createCacheKey, leadsTheSame } from './render/cache-key.ts';
import { makeLinkTable } from './render/link-table.ts';
import { feedTexts, type RenderSettings, writeMediaTable } from './render/make-article.ts';
import { type ArticleStep, makeArticles } from './render/make-articles.ts';
import { outlineArticle } from './render/outline-article.ts';
import { unpackArticle } from './render/packed-article.ts';
import { readAhead } from './render/read-ahead.ts';
import { builtInTemplates } from './site/built-in-templates.ts';
import type { Site } from './site/site.ts';
import type { Source } from './source/source.ts';
import { documentSettings, sourceFirst } from './stages.ts';

/** Where made articles go. */
export interface ArticleSinks {
  readonly site: Site;
  readonly feed: Feed;
  readonly anchors: AnchorCheck;
  readonly media: Media;
  readonly output: Output;
  /** Told how many articles are done. */
  readonly onArticle: (done: number) => void;
}

/** How articles are made. */
export interface RenderMeans {
  /** Threads beside this one. */
  readonly threads: number;
  /** What earlier runs made, if that is kept. */
  readonly cache: ArticleCache | null;
}

/** Articles whose images may be on their way at the same time. */
const articlesAhead = 16;

/**
 * Sends every article in each of its languages through content, site and feed, sorted by id. What is made of one article
 * alone is made in `threads` beside this one, or was made by an earlier run; everything that depends on order happens here.
 * @returns the odd things found in the bodies, with article id and language
 */
export async function renderArticles(
  source: Source,
  plan: Plan,
  config: ResolvedConfig,
  sinks: ArticleSinks,
  { threads, cache }: RenderMeans,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const settings: RenderSettings = {
    ...documentSettings(config, source),
    links: makeLinkTable(plan),
    chunks: config.feed.chunks,
    theme: sinks.site.theme,
    templates: builtInTemplates,
  };
  const takeStep = createStepper(source, plan, config, settings, sinks, cache);
  const steps = readAhead(plan.articles.values(), articlesAhead, takeStep);
  let done = 0;
  for await (const ready of makeArticles(steps, settings, threads)) {
    const { facts, texts } = ready.kind === 'recalled' ? ready.article : unpackArticle(ready.packed);
    if (ready.kind === 'made') cache?.remember(ready.key, ready.packed);
    let at = 0;
    for (const page of facts.pages) {
      const count = page.files.length + feedTexts.length;
      problems.push(...problemsOf(facts.id, page));
      await publishPage(plan, facts.id, page, texts.slice(at, at + count), sinks);
      at += count;
    }
    done += 1;
    sinks.onArticle(done);
  }
  return problems;
}

/** Says of an article what is to be done: take what an earlier run made of the same, or make it. */
function createStepper(
  source: Source,
  plan: Plan,
  config: ResolvedConfig,
  settings: RenderSettings,
  { site, feed, media }: ArticleSinks,
  cache: ArticleCache | null,
): (article: PlannedArticle) => Promise<ArticleStep> {
  const templates = settings.theme.templateFolders.map((folder) => describeFolder(folder, 'content'));
  const keyOf = createCacheKey(settings, [templates, config.media, config.baseUrl]);
  const resolverFor = createLinkResolver(plan, settings);
  return async (article) => {
    const pages = sourceFirst(article);
    const outline = await outlineArticle(article, pages, site, feed);
    const key = keyOf(outline);
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

function problemsOf(articleId: string, { language, problems }: PageFacts): readonly Problem[] {
  return problems.map(({ code, message }) => problem(code, message, { articleId, language }));
}

async function publishPage(
  plan: Plan,
  id: string,
  facts: PageFacts,
  texts: readonly Uint8Array[],
  { site, feed, output, anchors, media }: ArticleSinks,
): Promise<void> {
  const { language, files } = facts;
  for (const [at, { path, sha256 }] of files.entries()) {
    await output.write(path, texts[at] as Uint8Array, sha256);
  }
  await media.publish(facts.media, { articleId: id, language }, output);
  site.addToSearch(language, facts.search);
  await feed.add(id, language, { facts: facts.feed, ...feedTextsOf(texts.slice(files.length)) });
  const page = plan.articles.get(id)?.pages.get(language);
  if (page !== undefined) anchors.add(page, facts.anchors);
}

function feedTextsOf(texts: readonly Uint8Array[]): Record<(typeof feedTexts)[number], Uint8Array> {
  return Object.fromEntries(feedTexts.map((name, at) => [name, texts[at]])) as ReturnType<typeof feedTextsOf>;
}
