import type { AnchorCheck } from './anchor-check.ts';
import type { ResolvedConfig } from './config/schema.ts';
import { documentLanguage } from './feed/document-language.ts';
import type { Feed } from './feed/feed.ts';
import { createEntryMaker, type MakeFeedEntry } from './feed/make-feed-entry.ts';
import { loadTokenCounter } from './feed/tokens.ts';
import { createLinkResolver } from './links.ts';
import type { Media } from './media/media.ts';
import type { Output } from './output/output.ts';
import type { Plan } from './plan/plan.ts';
import { type Problem, problem } from './problems.ts';
import { cacheKey, leadsTheSame } from './render/cache-key.ts';
import type { ArticleTask, PreparedPage, PrepareSettings } from './render/prepare-article.ts';
import { type Memory, prepareArticles } from './render/prepare-articles.ts';
import type { PreparedCache } from './render/prepared-cache.ts';
import { readAhead } from './render/read-ahead.ts';
import { createArticleRenderer, type RenderArticle } from './site/render-article.ts';
import type { Site } from './site/site.ts';
import type { Source } from './source/source.ts';
import { prepareSettings, readTask } from './stages.ts';

/** Where rendered articles go. */
export interface ArticleSinks {
  readonly site: Site;
  readonly feed: Feed;
  readonly anchors: AnchorCheck;
  readonly media: Media;
  readonly output: Output;
  /** Told how many articles are done. */
  readonly onArticle: (done: number) => void;
}

/** How articles are prepared. */
export interface RenderMeans {
  /** Threads beside this one. */
  readonly threads: number;
  /** What earlier runs prepared, if that is kept. */
  readonly cache: PreparedCache | null;
}

/** Articles whose images may be on their way at the same time. */
const articlesAhead = 16;

/**
 * Sends every article in each of its languages through content, site and feed, sorted by id. What one parse of a body
 * gives is made in `threads` beside this one; everything that depends on order happens here.
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
  const settings = prepareSettings(config, plan, source);
  const makers: PageMakers = {
    renderPage: createArticleRenderer(sinks.site.theme),
    makeEntry: createEntryMaker({
      chunks: settings.chunks,
      countTokens: await loadTokenCounter(),
      documentLanguage: (articleId, reader) => documentLanguage(plan, articleId, reader),
    }),
  };
  let done = 0;
  for await (const { id, pages } of prepareArticles(
    readAhead(articleTasks(source, plan, sinks.site), articlesAhead, async (task) => ({
      ...task,
      media: await sinks.media.prepare(task.pages.map(({ body }) => body)),
    })),
    settings,
    threads,
    createMemory(cache, plan, settings),
  )) {
    for (const prepared of pages) {
      for (const { code, message } of prepared.document.problems) {
        problems.push(problem(code, message, { articleId: id, language: prepared.language }));
      }
      await publishPage(plan, id, prepared, makers, sinks);
    }
    done += 1;
    sinks.onArticle(done);
  }
  return problems;
}

/** An article is recalled when it was prepared from the same and its links still lead where they led. */
function createMemory(cache: PreparedCache | null, plan: Plan, settings: PrepareSettings): Memory {
  const resolverFor = createLinkResolver(plan, settings);
  return {
    recall(task) {
      const article = cache?.recall(cacheKey(task, settings)) ?? null;
      return article !== null && leadsTheSame(article, resolverFor) ? article : null;
    },
    remember: (task, article) => cache?.remember(cacheKey(task, settings), article),
  };
}

async function* articleTasks(
  source: Source,
  plan: Plan,
  site: Site,
): AsyncGenerator<Omit<ArticleTask, 'media'>> {
  for (const article of plan.articles.values()) yield readTask(source, site, article);
}

/** What makes a page and a feed entry of a document. */
interface PageMakers {
  readonly renderPage: RenderArticle;
  readonly makeEntry: MakeFeedEntry;
}

async function publishPage(
  plan: Plan,
  id: string,
  { language, document, search }: PreparedPage,
  { renderPage, makeEntry }: PageMakers,
  { site, feed, output, anchors, media }: ArticleSinks,
): Promise<void> {
  for (const head of site.describeArticle(id, language)) {
    const file = renderPage(head, document);
    await output.write(file.path, file.content);
  }
  await media.publish(document, { articleId: id, language }, output);
  site.addToSearch(language, search);
  await feed.add(id, language, makeEntry(await feed.head(id, language), document));
  const page = plan.articles.get(id)?.pages.get(language);
  if (page !== undefined) anchors.add(page, document);
}
