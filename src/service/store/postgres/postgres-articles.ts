import { setTimeout as sleep } from 'node:timers/promises';
import type { ArticleCreate } from '../../../api/article.ts';
import {
  applyArticleUpdate,
  type FullArticle,
  makeId,
  newArticle,
  statusOf,
  withoutBodies,
} from '../../records.ts';
import { listLongBodies, longBody, type StoreCall } from '../sqlite-threads.ts';
import {
  type ArticleFilter,
  type ArticlePageRequest,
  type ArticleState,
  type ArticleText,
  type Changed,
  type Expected,
  isExpected,
  type Store,
} from '../store.ts';
import {
  listVersions,
  ownLanguage,
  type ReadText,
  storedLanguage,
  versionsPerArticle,
} from '../version-index.ts';
import type { PostgresDatabase, PostgresValue, Queries } from './postgres-database.ts';

/** Dependencies that the parts of the store share. */
export interface PostgresContext {
  readonly database: PostgresDatabase;
  readonly accountId: string;
  /** Language of the records' own title and body. */
  readonly defaultLanguage: string;
  /** Converts bodies to text without blocking other requests. */
  readonly now: () => string;
  /** Reads bodies without blocking other requests. */
  readonly readText: ReadText;
  /** Runs `work` as one transaction that changes records, and increases the revision. */
  readonly write: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
}

type ArticleStore = Pick<
  Store,
  'listArticles' | 'readArticle' | 'isCurrent' | 'createArticle' | 'updateArticle' | 'deleteArticle'
>;

const selectText =
  'SELECT position, article_id AS "articleId", updated_at AS "updatedAt", slug, record AS json FROM article WHERE article_id = $1';

/** The part of the store for articles. */
export function createPostgresArticles(context: PostgresContext): ArticleStore {
  const { database } = context;
  return {
    listArticles: (filter, page) => listArticles(context, filter, page),
    readArticle: (articleId) => database.row<ArticleText>(selectText, articleId),
    isCurrent: createCurrentCheck(database),
    createArticle: async (input) => {
      const texts = await readLongBodies(context, { method: 'createArticle', values: [input] });
      const readText = (html: string) => texts.get(html) ?? context.readText(html);
      return context.write((queries) => insertPostgresArticle({ ...context, readText }, queries, input));
    },
    updateArticle: async (articleId, change, expected) => {
      const given = await readLongBodies(context, { method: 'updateArticle', values: [articleId, change] });
      return changeArticle(context, articleId, expected, async (queries, { position, json }) => {
        const previous: FullArticle = JSON.parse(json);
        const texts = new Map([...(await readLongTexts(queries, position, previous)), ...given]);
        return replacePostgresArticle(
          queries,
          position,
          applyArticleUpdate(previous, change, context.now()),
          (html) => texts.get(html) ?? context.readText(html),
        );
      });
    },
    deleteArticle: (articleId, expected) =>
      changeArticle(context, articleId, expected, async (queries, { position }) => {
        await queries.run('DELETE FROM article WHERE position = $1', position);
        return null;
      }),
  };
}

const selectStates =
  'SELECT position, article_id AS "articleId", updated_at AS "updatedAt" FROM article WHERE position = ANY($1::bigint[])';

/**
 * Checks that arrive while a statement is running share the next one, which takes little longer than for one article.
 * @param longestWaitMs time after which the next one is sent anyway, because a connection may be broken
 */
export function createCurrentCheck(
  database: Pick<Queries, 'rows'>,
  longestWaitMs = 10,
): ArticleStore['isCurrent'] {
  let positions: number[] = [];
  let next: Promise<ReadonlyMap<number, ArticleState>> | null = null;
  let previous: Promise<unknown> = Promise.resolve();
  const read = async (): Promise<ReadonlyMap<number, ArticleState>> => {
    await Promise.race([previous, sleep(longestWaitMs, null, { ref: false })]);
    const asked = positions;
    positions = [];
    next = null;
    const reading = database.rows<ArticleState>(selectStates, asked);
    previous = reading.catch(() => {});
    return new Map((await reading).map((row) => [row.position, row]));
  };
  return async ({ position, articleId, updatedAt }) => {
    positions.push(position);
    next ??= read();
    const state = (await next).get(position);
    return state?.articleId === articleId && state.updatedAt === updatedAt;
  };
}

/** Converts the long bodies of a write to plain text before its transaction starts, so that other writes do not wait for its locks. */
async function readLongBodies(
  { readText }: PostgresContext,
  call: StoreCall,
): Promise<ReadonlyMap<string, string>> {
  const bodies = listLongBodies(call);
  const texts = await Promise.all(bodies.map((html) => readText(html)));
  return new Map(bodies.map((html, index) => [html, texts[index] ?? '']));
}

/** The plain texts of an article's long bodies, from its versions in the database. */
async function readLongTexts(
  queries: Queries,
  position: number,
  { body, multilingual }: FullArticle,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const [index, html] of [body, ...multilingual.map((translation) => translation.body)].entries()) {
    if (html === null || html.length <= longBody || texts.has(html)) continue;
    const versionId = position * versionsPerArticle + index;
    const sql = 'SELECT text FROM article_version WHERE version_id = $1';
    const row = await queries.row<{ text: string }>(sql, versionId);
    if (row !== null) texts.set(html, row.text);
  }
  return texts;
}

/** Changes an article in one transaction, with a row lock, if it exists and is as expected. */
function changeArticle<T>(
  context: PostgresContext,
  articleId: string,
  expected: Expected,
  change: (queries: Queries, current: ArticleText) => Promise<T>,
): Promise<Changed<T>> {
  return context.write(async (queries) => {
    const current = await queries.row<ArticleText>(`${selectText} FOR UPDATE`, articleId);
    if (current === null) return { outcome: 'not_found' };
    if (!isExpected(current.json, expected)) return { outcome: 'precondition_failed' };
    return { outcome: 'done', record: await change(queries, current) };
  });
}

/** Writes one new article; `null` if the requested id is already used. */
export async function insertPostgresArticle(
  context: Pick<PostgresContext, 'accountId' | 'now' | 'readText'>,
  queries: Queries,
  input: ArticleCreate,
): Promise<ArticleText | null> {
  for (;;) {
    const id = input.article_id ?? makeId();
    const article = newArticle(input, { id, accountId: context.accountId, now: context.now() });
    const row = await queries.row<{ position: number }>(
      `INSERT INTO article (category_id, status, permission_groups, tags, slug, updated_at, meta, record, article_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (article_id) DO NOTHING RETURNING position`,
      ...columnsOf(article),
    );
    if (row !== null) return writeVersions(queries, row.position, article, context.readText);
    if (input.article_id !== undefined) return null;
  }
}

/** Replaces an article and its versions. */
export async function replacePostgresArticle(
  queries: Queries,
  position: number,
  article: FullArticle,
  readText?: ReadText,
): Promise<ArticleText> {
  await queries.run(
    `UPDATE article SET category_id = $1, status = $2, permission_groups = $3, tags = $4, slug = $5, updated_at = $6,
       meta = $7, record = $8
     WHERE article_id = $9`,
    ...columnsOf(article),
  );
  await queries.run('DELETE FROM article_version WHERE position = $1', position);
  return writeVersions(queries, position, article, readText);
}

/** Writes an article of another database with its position. */
export async function copyPostgresArticle(
  queries: Queries,
  position: number,
  article: FullArticle,
): Promise<void> {
  await queries.run(
    `INSERT INTO article (category_id, status, permission_groups, tags, slug, updated_at, meta, record, article_id, position)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    ...columnsOf(article),
    position,
  );
  await writeVersions(queries, position, article);
}

function columnsOf(article: FullArticle): PostgresValue[] {
  return [
    article.category_id,
    statusOf(article),
    article.permission_groups ?? [],
    article.tags,
    article.slug,
    article.updated_at,
    JSON.stringify(withoutBodies(article)),
    JSON.stringify(article),
    article.article_id,
  ];
}

async function writeVersions(
  queries: Queries,
  position: number,
  article: FullArticle,
  readText?: ReadText,
): Promise<ArticleText> {
  for await (const version of listVersions(position, article, readText)) {
    await queries.run(
      `INSERT INTO article_version (version_id, position, language, language_key, is_live, title, slug, description, text)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      version.versionId,
      position,
      version.language,
      version.languageKey,
      version.isLive,
      version.title,
      version.slug,
      version.description,
      version.text,
    );
  }
  const { article_id: articleId, updated_at: updatedAt, slug } = article;
  return { position, articleId, updatedAt, slug, json: JSON.stringify(article) };
}

async function listArticles(
  { database, defaultLanguage }: PostgresContext,
  filter: ArticleFilter,
  page: ArticlePageRequest,
): Promise<readonly ArticleText[]> {
  // PostgreSQL does not accept NUL, and no text of a record contains it.
  if (Object.values(filter).some((value) => value?.includes('\0'))) return [];
  const values: PostgresValue[] = [page.after, page.limit, page.skip, page.maxBytes];
  const conditions = ['position > $1'];
  const narrow = (condition: (parameter: string) => string, value: string | undefined) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  narrow((value) => `category_id = ${value}`, filter.categoryId);
  narrow((value) => `status = ${value}`, filter.status);
  narrow((value) => `updated_at < ${value}`, filter.updatedBefore);
  narrow((value) => `updated_at > ${value}`, filter.updatedAfter);
  narrow((value) => `tags @> ARRAY[${value}]`, filter.tag);
  narrow((value) => `permission_groups @> ARRAY[${value}]`, filter.permissionGroupId);
  const language = filter.language && storedLanguage(filter.language, defaultLanguage);
  if (language !== ownLanguage) {
    narrow(
      (value) => `position IN (SELECT position FROM article_version WHERE language_key = ${value})`,
      language,
    );
  }
  const json = page.includeBody ? 'record' : 'meta';
  // Reads the length of a text without the text.
  return database.rows<ArticleText>(
    `WITH page AS (
       SELECT position, octet_length(${json}) AS bytes FROM article WHERE ${conditions.join(' AND ')} ORDER BY position LIMIT $2 OFFSET $3
     ), sized AS (
       SELECT position, sum(bytes) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) - bytes AS bytes_before FROM page
     )
     SELECT position, article_id AS "articleId", updated_at AS "updatedAt", slug, ${json} AS json
     FROM sized JOIN article USING (position) WHERE bytes_before < $4 ORDER BY position`,
    ...values,
  );
}
