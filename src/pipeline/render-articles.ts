import type { LinkResolution } from '../content/document.ts';
import { inParallel } from '../core/concurrency.ts';
import type { LanguageTag } from '../core/model.ts';
import { type Problem, problem } from '../core/problems.ts';
import { damagedCache } from '../core/sqlite/cache-file.ts';
import { feedLimits } from '../feed/feed-limits.ts';
import type { DocumentState } from '../feed/history/track-changes.ts';
import { buildDatabaseName, type RenderedRow } from '../output/database/build-database.ts';
import type { FileRange } from '../output/output.ts';
import { createHiddenFinder } from '../site/links/hidden-records.ts';
import { createLinkResolver } from '../site/links/resolve-links.ts';
import { articleOf, type PlannedArticle, pageOf } from '../site/plan/plan.ts';
import { addVersions, makeArticleInput } from './article-input.ts';
import { buildKey, hashArticle, hashLinks, hashMedia } from './build-key.ts';
import { readStored, writeStored } from './build-record.ts';
import { hashStructure } from './hash-source.ts';
import type { PlannedBuild } from './plan-build.ts';
import { chooseThreads, type RenderPool } from './render-pool.ts';
import { documentSettings, linkTargetsOf } from './render-settings.ts';
import {
  type ArticleDetails,
  type ArticleFacts,
  pagePaths,
  parseDetails,
  type RenderedArticle,
  type RenderedPage,
  readDetails,
} from './rendered-article.ts';
import { createShownCheck, describeShown, listShown } from './shown-links.ts';
import { readFacts, writeFacts } from './stored-facts.ts';
import { createSearchCheck } from './write-search.ts';

/** A run while its articles are rendered. */
interface Rendering {
  readonly run: PlannedBuild;
  readonly pool: Pick<RenderPool, 'render'>;
  readonly resolverFor: (language: LanguageTag) => (href: string) => LinkResolution;
  /** Whether a word names a record that is not public. */
  readonly isHidden: (name: string) => boolean;
  /** Whether the pages of an article show the same of other articles as in the last build; `null`: all pages do. */
  readonly isShownSame: ReturnType<typeof createShownCheck> | null;
  /** What the last build stored of each article; empty if few are needed, which are then read one by one. */
  readonly rows: ReadonlyMap<string, RenderedRow>;
  /** Whether all search files of a language are as the last build left them. */
  readonly hasSearch: (language: LanguageTag) => boolean;
}

/** All pages of a run: rendered, or found unchanged in the previous output. */
export interface RenderedPages {
  /** Pages by language, in the order of the plan. */
  readonly pages: ReadonlyMap<LanguageTag, readonly RenderedPage[]>;
  /** Documents that may have changed, before (by document id) and now. */
  readonly before: ReadonlyMap<string, DocumentState>;
  readonly now: readonly DocumentState[];
  /** Texts of the rendered pages for the feed. */
  readonly texts: ReadonlyMap<RenderedPage, FileRange>;
  /** What the rendered pages add to the search index (`RenderedArticle.search`). */
  readonly search: ReadonlyMap<RenderedPage, FileRange>;
  /** Problems of the bodies, in the order of the plan. */
  readonly problems: readonly Problem[];
  /** Number of rendered pages; the others are unchanged. */
  readonly renderedPages: number;
}

/** Articles of one task: enough that messages between threads cost little, few enough that all threads end at about the same time. */
const articlesPerTask = 16;

/**
 * Makes the pages of all articles, in threads if there are many: those with the build key of the last run are published again, the others are
 * rendered and stored in the database.
 * @param pool not started yet; it is stopped afterwards
 */
export async function renderArticles(run: PlannedBuild, pool: RenderPool): Promise<RenderedPages> {
  const { config, options, plan, site, source, staging, database, feed, last } = run;
  const isReusable = last !== null;
  const links = documentSettings(config, source, options.isInPlace);
  const hidden = createHiddenFinder(links);
  const isShownSame = last?.metadata.all === run.metadata.all ? null : renewShown(run);
  const rendering: Rendering = {
    run,
    pool,
    resolverFor: createLinkResolver(plan, links),
    isHidden: (name) => hidden.nameIn(name) !== null,
    isShownSame,
    rows: new Map(
      isReusable && isShownSame !== null ? database.readAllRendered().map((row) => [row.id, row]) : [],
    ),
    hasSearch: createSearchCheck(run),
  };
  const stored = readFacts(database);
  const known = new Map(stored.flat().map((facts) => [facts.id, facts]));
  if (isReusable && known.size !== last.report.articles)
    throw damagedCache(buildDatabaseName, 'what is known of some articles is lost');
  const collector = new PageCollector(run);
  const before = new Map<string, DocumentState>();
  const noteBefore = (id: string): void => {
    for (const document of readDetails(database, id).documents) before.set(document.id, document);
  };
  const stale: string[] = [];
  for (const id of plan.articles.keys()) {
    const last = known.get(id);
    if (isReusable && last !== undefined && (await isReused(rendering, articleOf(plan, id), last)))
      collector.addReused(last);
    else {
      stale.push(id);
      if (isReusable && last !== undefined) noteBefore(id);
    }
  }
  for (const id of known.keys()) {
    if (plan.articles.has(id)) continue;
    if (isReusable) noteBefore(id);
    database.removeRendered(id);
  }
  const documents = isReusable ? before : await feed.readPrevious();
  const bytes = (source.stats.bodyBytes * stale.length) / Math.max(1, plan.articles.size);
  const settings = {
    ...{ ...links, links: linkTargetsOf(plan), theme: site?.theme ?? null },
    chunks: feedLimits.chunks,
    workspace: staging.workspace(),
  };
  pool.start(settings, options.threads ?? chooseThreads(bytes));
  await inParallel(divide(stale, articlesPerTask), pool.capacity(), async (ids) => {
    for (const article of await render(rendering, ids, documents)) collector.addRendered(article);
  });
  // The threads need as much memory as the rest of the build.
  await pool.stop();
  writeFacts(database, stored, collector.facts());
  return collector.finish(documents ?? new Map());
}

/** Stores what pages show of other articles now. @returns how to compare it with what they showed in the last build */
function renewShown({
  database,
  last,
  plan,
  site,
  source,
  shared,
  metadata,
}: PlannedBuild): ReturnType<typeof createShownCheck> {
  const before = last === null ? null : readStored(database, 'shown');
  const now = describeShown(hashStructure(source, shared, plan), metadata.languages, plan, site, before);
  writeStored(database, 'shown', now);
  return createShownCheck(before, now, plan, site);
}

/** Publishes an article of the previous output again. @returns `false` if it, its media or its files have changed */
async function isReused(
  { run, resolverFor, isHidden, isShownSame, hasSearch, rows }: Rendering,
  article: PlannedArticle,
  { id, source, pages, media: used }: ArticleFacts,
): Promise<boolean> {
  const { plan, site, shared, settings, database, media, staging, previousTexts } = run;
  const hasSameSource = source === hashArticle(article);
  if (!hasSameSource || isShownSame !== null) {
    const row = rows.get(id) ?? database.readRendered(id);
    const { links, shown } = parseDetails(row);
    if (!hasSameSource || isShownSame?.(article, shown) === false) {
      const input = makeArticleInput(plan, site, shared, article);
      if (buildKey(settings, input, hashLinks(links, resolverFor, isHidden)) !== row.key) return false;
    }
  }
  if (used !== null) {
    const { images, files } = used.requested;
    if (images.length + files.length > 0 && hashMedia(await media.repeat(used.requested)) !== used.hash)
      return false;
  }
  if (!pages.every(previousTexts.has)) return false;
  if (!pages.every(({ language, searchHash }) => searchHash === '' || hasSearch(language))) return false;
  if (used !== null && !(await media.reuse(used.files, staging))) return false;
  return (await staging.reuseAll(pages.flatMap((page) => page.files))) !== null;
}

/** Renders articles and stores them in the database. */
async function render(
  { run, pool }: Rendering,
  ids: readonly string[],
  documentsBefore: ReadonlyMap<string, DocumentState> | null,
): Promise<readonly FinishedArticle[]> {
  const { plan, site, shared, settings, source, media, staging, database } = run;
  const prepared = await Promise.all(
    ids.map(async (id) => {
      const article = articleOf(plan, id);
      const input = addVersions(article, makeArticleInput(plan, site, shared, article), documentsBefore);
      // Also of languages that are not published.
      const stored = await source.readBodies(id);
      const bodies = input.pages.map(({ language }) => stored.get(language) ?? '');
      return { article, input, bodies, media: await media.prepare(bodies) };
    }),
  );
  const result = await pool.render({
    articles: prepared.map(({ input, bodies, media }) => ({ ...input, bodies, media: media?.table ?? null })),
    previousFiles: staging.findUnchanged(prepared.flatMap(({ input }) => pagePaths(input))),
  });
  staging.adopt(result.files);
  const finished: FinishedArticle[] = [];
  for (const [at, rendered] of result.articles.entries()) {
    const { article, input, media: own } = prepared[at] as (typeof prepared)[number];
    const { id, pages, documents, links, linked, texts, search } = rendered;
    const files = new Set<string>();
    const failed: (readonly [string, LanguageTag])[] = [];
    for (const [number, { language }] of pages.entries()) {
      const used = await media.publish(rendered.media[number] ?? [], staging);
      for (const path of used.files) files.add(path);
      for (const address of used.failed) failed.push([address, language]);
    }
    const requested = own?.request ?? nothing;
    const hasMedia = requested.images.length + requested.files.length + files.size + failed.length > 0;
    const facts: ArticleFacts = {
      ...{ id, source: hashArticle(article), pages },
      media: hasMedia ? { requested, hash: hashMedia(own?.table ?? null), files: [...files], failed } : null,
    };
    const details: ArticleDetails = { documents, links, shown: listShown(input.pages, linked) };
    const key = buildKey(settings, input, links.hash);
    database.writeRendered({ id, key, details: JSON.stringify(details) });
    finished.push({ facts, documents, texts, search });
  }
  return finished;
}

/** An article that was rendered in this run. */
interface FinishedArticle extends Pick<RenderedArticle, 'documents' | 'texts' | 'search'> {
  readonly facts: ArticleFacts;
}

const nothing = { images: [], files: [] };

function divide<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}

/** Collects what the rest of a build needs of all pages. Results come in any order, and are read in the order of the plan. */
class PageCollector {
  private readonly run: PlannedBuild;
  private readonly articles = new Map<string, ArticleFacts>();
  private readonly now: DocumentState[] = [];
  private readonly texts = new Map<RenderedPage, FileRange>();
  private readonly search = new Map<RenderedPage, FileRange>();
  private renderedPages = 0;

  constructor(run: PlannedBuild) {
    this.run = run;
  }

  addRendered({ facts, documents, texts, search }: FinishedArticle): void {
    this.now.push(...documents);
    for (const [at, page] of facts.pages.entries()) {
      this.texts.set(page, texts[at] as FileRange);
      if (search.length > 0) this.search.set(page, search[at] as FileRange);
    }
    this.renderedPages += facts.pages.length;
    this.addReused(facts);
  }

  addReused(facts: ArticleFacts): void {
    this.articles.set(facts.id, facts);
    const { options, plan } = this.run;
    options.onProgress?.({ kind: 'rendering', done: this.articles.size, total: plan.articles.size });
  }

  /** Those of all articles, in the order of the plan. */
  facts(): readonly ArticleFacts[] {
    return Array.from(this.run.plan.articles.keys(), (id) => this.articles.get(id) as ArticleFacts);
  }

  finish(before: ReadonlyMap<string, DocumentState>): RenderedPages {
    const { plan, media, anchors } = this.run;
    const problems: Problem[] = [];
    const sorted = new Map(plan.languages.map(({ tag }) => [tag, [] as RenderedPage[]]));
    for (const { id: articleId, pages, media: used } of this.facts()) {
      for (const [address, language] of used?.failed ?? [])
        media.reportFailed(address, { articleId, language });
      media.notePages(pages);
      for (const page of pages) {
        const { language } = page;
        sorted.get(language)?.push(page);
        anchors.add(pageOf(articleOf(plan, articleId), language), page.anchors);
        for (const { code, message } of page.problems) {
          problems.push(problem(code, message, { articleId, language }));
        }
      }
    }
    const { now, texts, search, renderedPages } = this;
    return { pages: sorted, before, now, texts, search, problems, renderedPages };
  }
}
