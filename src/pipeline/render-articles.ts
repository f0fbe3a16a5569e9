import type { LinkResolution } from '../content/document.ts';
import { inParallel } from '../core/concurrency.ts';
import { LecternError } from '../core/errors.ts';
import type { LanguageTag, ReadBodies } from '../core/model.ts';
import { type Problem, problem } from '../core/problems.ts';
import type { Feed } from '../feed/feed.ts';
import type { FoundSecret } from '../feed/guard/secrets.ts';
import type { DocumentState } from '../feed/history/track-changes.ts';
import type { SharedTexts } from '../feed/records/document-meta.ts';
import type { BuildDatabase, RenderedRow } from '../output/database/build-database.ts';
import type { Output } from '../output/output.ts';
import type { Staging } from '../output/staging.ts';
import type { AnchorCheck } from '../site/links/anchors.ts';
import type { Media, UsedMedia } from '../site/media/media.ts';
import type { Site } from '../site/pages/site.ts';
import type { Parts } from '../site/plan/parts.ts';
import type { Plan, PlannedArticle } from '../site/plan/plan.ts';
import { addVersions, makeArticleInput } from './article-input.ts';
import { buildKey, hashArticle, hashLinks, hashMedia } from './build-key.ts';
import type { RenderPool } from './render-pool.ts';
import { type ArticleFacts, type ArticleInput, pagePaths, type RenderedPage } from './rendered-article.ts';
import type { ReadShards } from './shards.ts';

/** What rendering needs of a run. */
interface RenderContext {
  readonly plan: Plan;
  readonly parts: Pick<Parts, 'order'>;
  readonly site: Pick<Site, 'describeArticle' | 'searchMetadata'>;
  /** Texts that many articles share. */
  readonly shared: SharedTexts;
  readonly settings: string;
  /** Whether rows of the database may be reused: they are of the output that is replaced, with the same settings and feed. */
  readonly isReusable: boolean;
  /** Whether also everything that articles show of each other is the same. */
  readonly isMetadataSame: boolean;
  /** Where rendered articles are stored. */
  readonly database: BuildDatabase;
  /** The last build's articles; a shard reads those of another database. */
  readonly known: Pick<BuildDatabase, 'readKeys' | 'readFacts'>;
  /** Articles that other machines rendered; `null`: they are rendered here. */
  readonly shards: ReadShards | null;
  readonly feed: Pick<Feed, 'readPrevious'>;
  readonly media: Media;
  /** Publishes the copies of images and files that a page uses (`Media.publish`); a shard only finds them. */
  readonly useMedia: (addresses: readonly string[]) => Promise<UsedMedia>;
  readonly anchors: AnchorCheck;
  readonly output: Pick<Output, 'reuseAll' | 'adopt' | 'write'>;
  readonly findUnchanged: Staging['findUnchanged'];
  readonly readBodies: ReadBodies;
  readonly resolverFor: (language: LanguageTag) => (href: string) => LinkResolution;
  /** Whether a word names a record that is not public. */
  readonly isHidden: (name: string) => boolean;
  readonly pool: Pick<RenderPool, 'render' | 'capacity'>;
  /** Called with the ids of the articles that are rendered, before the first one is. */
  readonly onStale: (articleIds: readonly string[]) => void;
  /** Called with the number of finished articles. */
  readonly onArticles: (done: number) => void;
}

/** All pages of a run: rendered, or found unchanged in the previous output. */
export interface RenderedPages {
  /** By article id. */
  readonly pages: ReadonlyMap<string, readonly RenderedPage[]>;
  /** Documents that may have changed, before (by document id) and now. */
  readonly before: ReadonlyMap<string, DocumentState>;
  readonly now: readonly DocumentState[];
  readonly secrets: readonly FoundSecret[];
  /** Problems of the bodies, in the order of `Parts.order`. */
  readonly problems: readonly Problem[];
  /** Number of rendered pages; the others are unchanged. */
  readonly renderedPages: number;
}

/** Articles of one task: enough that messages between threads cost little, few enough that all threads end at about the same time. */
const articlesPerTask = 16;

/**
 * Makes the pages of all articles: those with the build key of the last run are published again, the others are rendered and stored in the
 * database.
 */
export async function renderArticles(context: RenderContext): Promise<RenderedPages> {
  const { plan, parts, known, isReusable, feed } = context;
  const rows = new Map(known.readKeys().map((row) => [row.id, row] as const));
  const collector = new PageCollector(context);
  const before = new Map<string, DocumentState>();
  const noteBefore = (id: string): void => {
    for (const { document } of readFacts(known, id).pages) before.set(document.id, document);
  };
  const stale: string[] = [];
  for (const id of parts.order) {
    const row = rows.get(id);
    const facts = isReusable && row !== undefined ? await reuse(context, articleOf(plan, id), row) : null;
    if (facts !== null) collector.addReused(id, facts);
    else {
      stale.push(id);
      if (isReusable && row !== undefined) noteBefore(id);
    }
  }
  for (const id of rows.keys()) {
    if (plan.articles.has(id)) continue;
    if (isReusable) noteBefore(id);
    context.database.removeRendered(id);
  }
  const documents = isReusable ? before : await feed.readPrevious();
  context.onStale(stale);
  await inParallel(divide(stale, articlesPerTask), context.pool.capacity(), async (ids) => {
    const rendered =
      context.shards === null
        ? await render(context, ids, documents)
        : await takeRendered(context, ids, context.shards);
    for (const [id, facts] of rendered) collector.addRendered(id, facts);
  });
  return collector.finish(documents ?? new Map());
}

/** Publishes an article of the previous output again; `null` if it, its media or its files have changed. */
async function reuse(
  context: RenderContext,
  article: PlannedArticle,
  row: Omit<RenderedRow, 'facts'>,
): Promise<ArticleFacts | null> {
  const { known, settings, isMetadataSame, media, output, resolverFor, isHidden } = context;
  const isSame = isMetadataSame && row.source === hashArticle(article);
  const facts = readFacts(known, article.id);
  if (!isSame) {
    const input = makeArticleInput(context.plan, context.site, context.shared, article);
    if (buildKey(settings, input, hashLinks(facts.links, resolverFor, isHidden)) !== row.key) return null;
  }
  const { asked, hash, files } = facts.media;
  if (asked.images.length + asked.files.length > 0 && hashMedia(await media.repeat(asked)) !== hash)
    return null;
  if (!(await media.reuse(files, output))) return null;
  const paths = facts.pages.flatMap((page) => page.files);
  return (await output.reuseAll(paths)) === null ? null : facts;
}

/** Renders articles and stores them in the database. */
async function render(
  context: RenderContext,
  ids: readonly string[],
  documentsBefore: ReadonlyMap<string, DocumentState> | null,
): Promise<readonly (readonly [id: string, facts: ArticleFacts])[]> {
  const { plan, site, shared, settings, readBodies, media, useMedia, findUnchanged, output, pool, database } =
    context;
  const prepared = await Promise.all(
    ids.map(async (id) => {
      const article = articleOf(plan, id);
      const input = addVersions(article, makeArticleInput(plan, site, shared, article), documentsBefore);
      const bodies = bodiesOf(input, await readBodies(id));
      return { article, input, bodies, media: await media.prepare(bodies) };
    }),
  );
  const result = await pool.render({
    articles: prepared.map(({ input, bodies, media }) => ({ ...input, bodies, media: media?.table ?? null })),
    previousFiles: findUnchanged(prepared.flatMap(({ input }) => pagePaths(input))),
  });
  output.adopt(result.files);
  const finished: (readonly [string, ArticleFacts])[] = [];
  for (const [at, rendered] of result.articles.entries()) {
    const { article, input, media: own } = prepared[at] as (typeof prepared)[number];
    const { id, pages, links, texts } = rendered;
    const files = new Set<string>();
    const failed: (readonly [string, LanguageTag])[] = [];
    for (const [number, { language }] of pages.entries()) {
      const used = await useMedia(rendered.media[number] ?? []);
      for (const path of used.files) files.add(path);
      for (const address of used.failed) failed.push([address, language]);
    }
    const facts: ArticleFacts = {
      pages,
      links,
      media: {
        asked: own?.request ?? nothing,
        hash: hashMedia(own?.table ?? null),
        files: [...files],
        failed,
      },
    };
    const key = buildKey(settings, input, links.hash);
    database.writeRendered({ id, source: hashArticle(article), key, facts: JSON.stringify(facts) }, texts);
    finished.push([id, facts]);
  }
  return finished;
}

/** Stores articles that other machines rendered, and publishes their pages. @throws SHARD_DAMAGED, SHARD_FOREIGN */
async function takeRendered(
  context: RenderContext,
  ids: readonly string[],
  readShards: ReadShards,
): Promise<readonly (readonly [id: string, facts: ArticleFacts])[]> {
  const { plan, site, shared, settings, media, output, database, readBodies, resolverFor, isHidden } =
    context;
  const taken: (readonly [string, ArticleFacts])[] = [];
  for (const id of ids) {
    const { folder, row, texts, page } = readShards(id);
    const facts = JSON.parse(row.facts) as ArticleFacts;
    const input = makeArticleInput(plan, site, shared, articleOf(plan, id));
    const key = buildKey(settings, input, hashLinks(facts.links, resolverFor, isHidden));
    const { asked, files, hash } = facts.media;
    const hasMedia = asked.images.length + asked.files.length + files.length > 0;
    const own = hasMedia ? await media.prepare(bodiesOf(input, await readBodies(id))) : null;
    if (key !== row.key || hashMedia(own?.table ?? null) !== hash) {
      throw new LecternError(
        'SHARD_FOREIGN',
        `${folder} has the article ${id} with other copies of images and files, or other links, than this run`,
        { hint: 'build all shards and merge them with one cache folder of lectern fetch, media included' },
      );
    }
    await media.copy(files, output);
    const writing = facts.pages.flatMap((each) => each.files.map(page));
    await Promise.all(writing.map(({ path, content, sha256 }) => output.write(path, content, sha256)));
    database.writeRendered(row, texts);
    taken.push([id, facts]);
  }
  return taken;
}

const nothing = { images: [], files: [] };

/** @param stored bodies by language, also of languages that are not published */
function bodiesOf({ pages }: ArticleInput, stored: ReadonlyMap<LanguageTag, string>): readonly string[] {
  return pages.map(({ language }) => stored.get(language) ?? '');
}

function readFacts(database: Pick<BuildDatabase, 'readFacts'>, id: string): ArticleFacts {
  return JSON.parse(database.readFacts(id)) as ArticleFacts;
}

/** @throws if the plan has no such article, which is a bug */
function articleOf(plan: Plan, id: string): PlannedArticle {
  const article = plan.articles.get(id);
  if (article === undefined) throw new Error(`${id} is not planned`);
  return article;
}

function divide<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}

/** Collects what the rest of a build needs of all pages. Results come in any order, and are read in the order of `Parts.order`. */
class PageCollector {
  private readonly context: RenderContext;
  private readonly articles = new Map<string, Pick<ArticleFacts, 'pages' | 'media'>>();
  private readonly now: DocumentState[] = [];
  private renderedPages = 0;

  constructor(context: RenderContext) {
    this.context = context;
  }

  addRendered(id: string, facts: ArticleFacts): void {
    this.now.push(...facts.pages.map(({ document }) => document));
    this.renderedPages += facts.pages.length;
    this.addReused(id, facts);
  }

  addReused(id: string, { pages, media }: ArticleFacts): void {
    this.articles.set(id, { pages, media });
    this.context.onArticles(this.articles.size);
  }

  finish(before: ReadonlyMap<string, DocumentState>): RenderedPages {
    const { plan, parts, media, anchors } = this.context;
    const problems: Problem[] = [];
    const secrets: FoundSecret[] = [];
    for (const articleId of parts.order) {
      const { pages, media: used } = this.articles.get(articleId) as ArticleFacts;
      for (const [address, language] of used.failed) media.reportFailed(address, { articleId, language });
      media.notePages(pages);
      for (const page of pages) {
        const { language } = page;
        const planned = articleOf(plan, articleId).pages.get(language);
        if (planned === undefined) throw new Error(`${articleId} has no planned page in ${language}`);
        anchors.add(planned, page.anchors);
        for (const { code, message } of page.problems) {
          problems.push(problem(code, message, { articleId, language }));
        }
        for (const secret of page.secrets) secrets.push({ ...secret, record: articleId, language });
      }
    }
    const pages = new Map([...this.articles].map(([id, article]) => [id, article.pages]));
    return { pages, before, now: this.now, secrets, problems, renderedPages: this.renderedPages };
  }
}
