import type { ArticleCreate, ArticleStatus } from '../../core/api/article.ts';
import type { SqlValue } from '../../core/sqlite/sqlite.ts';
import {
  applyArticleUpdate,
  type FullArticle,
  makeId,
  newArticle,
  statusOf,
  withoutBodies,
} from '../records.ts';
import { ownLanguage } from './index-words.ts';
import type { Queries, SqlDatabase } from './sql.ts';
import {
  type ArticleFilter,
  type ArticlePageRequest,
  type ArticleText,
  type Changed,
  type Expected,
  isExpected,
  type Store,
} from './store.ts';
import {
  type IndexContext,
  outOfSchedule,
  removeVersions,
  storedLanguage,
  versionsPerArticle,
  writeVersions,
} from './version-index.ts';

/** Dependencies that the parts of the store share. */
export interface StoreContext extends IndexContext {
  readonly database: SqlDatabase;
  readonly accountId: string;
  /** The time, ISO 8601 in UTC with milliseconds. */
  readonly now: () => string;
  /** Runs `work` as one transaction that changes records, and increases the revision. */
  readonly write: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
}

const selectArticle = `SELECT position, article_id AS "articleId", slug, record AS json
  FROM article WHERE article_id = $1`;

/** The part of the store for articles. */
export function createArticleStore(
  context: StoreContext,
): Pick<Store, 'listArticles' | 'readArticle' | 'createArticle' | 'updateArticle' | 'deleteArticle'> {
  const { database, dialect } = context;
  /** Changes an article in one transaction if it exists and is as expected. */
  const changeArticle = <T>(
    articleId: string,
    expected: Expected,
    change: (queries: Queries, current: ArticleText) => Promise<T>,
  ): Promise<Changed<T>> =>
    context.write(async (queries) => {
      const current = await queries.row<ArticleText>(`${selectArticle} ${dialect.forUpdate}`, articleId);
      if (current === null) return { outcome: 'not_found' };
      if (!isExpected(current.json, expected)) return { outcome: 'precondition_failed' };
      return { outcome: 'done', record: await change(queries, current) };
    });
  return {
    listArticles: (filter, page) => listArticles(context, filter, page),
    readArticle: (articleId) => database.row<ArticleText>(selectArticle, articleId),
    createArticle: (input) => context.write((queries) => insertArticle(context, queries, input)),
    updateArticle: (articleId, change, expected) =>
      changeArticle(articleId, expected, (queries, { position, json }) => {
        const current: FullArticle = JSON.parse(json);
        const article = applyArticleUpdate(current, change, context.now());
        return replaceArticle(context, queries, position, article, current);
      }),
    deleteArticle: (articleId, expected) =>
      changeArticle(articleId, expected, async (queries, { position }) => {
        await removeVersions(dialect, queries, position);
        await queries.run('DELETE FROM article WHERE position = $1', position);
        return null;
      }),
  };
}

const columns = 'category_id, status, is_restricted, slug, updated_at, meta, record';

function columnsOf(article: FullArticle, json: string): readonly SqlValue[] {
  return [
    article.category_id,
    statusOf(article),
    article.permission_groups?.length ? 1 : 0,
    article.slug,
    article.updated_at,
    JSON.stringify(withoutBodies(article)),
    json,
  ];
}

/** Writes one new article inside the caller's transaction; `null` if the requested id is already used. */
export async function insertArticle(
  context: StoreContext,
  queries: Queries,
  input: ArticleCreate,
): Promise<ArticleText | null> {
  for (;;) {
    const origin = { id: input.article_id ?? makeId(), accountId: context.accountId, now: context.now() };
    const article = newArticle(input, origin);
    const json = JSON.stringify(article);
    const row = await queries.row<{ position: number }>(
      `INSERT INTO article (${columns}, article_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (article_id) DO NOTHING RETURNING position`,
      ...columnsOf(article, json),
      article.article_id,
    );
    if (row !== null) return indexArticle(context, queries, row.position, article, json, null);
    if (input.article_id !== undefined) return null;
  }
}

/** @param previous the article before the change; `null`: it is not in the index */
async function replaceArticle(
  context: StoreContext,
  queries: Queries,
  position: number,
  article: FullArticle,
  previous: FullArticle | null,
): Promise<ArticleText> {
  const json = JSON.stringify(article);
  await queries.run(
    `UPDATE article SET (${columns}) = ($1, $2, $3, $4, $5, $6, $7) WHERE position = $8`,
    ...columnsOf(article, json),
    position,
  );
  return indexArticle(context, queries, position, article, json, previous);
}

/** Writes the columns and the index of all records again, in the caller's transaction. */
export async function rebuildArticles(context: StoreContext, queries: Queries): Promise<void> {
  for (let position = 0; ; ) {
    const row = await queries.row<{ position: number; record: string }>(
      `SELECT position, record FROM article WHERE position > $1 ORDER BY position LIMIT 1 ${context.dialect.forUpdate}`,
      position,
    );
    if (row === null) return;
    position = row.position;
    await removeVersions(context.dialect, queries, position);
    await replaceArticle(context, queries, position, JSON.parse(row.record) as FullArticle, null);
  }
}

async function indexArticle(
  context: StoreContext,
  queries: Queries,
  position: number,
  article: FullArticle,
  json: string,
  previous: FullArticle | null,
): Promise<ArticleText> {
  const labels = labelsOf(article);
  if (previous === null || JSON.stringify(labelsOf(previous)) !== JSON.stringify(labels)) {
    await queries.run('DELETE FROM article_label WHERE position = $1', position);
    const insert = 'INSERT INTO article_label (kind, value, position) VALUES ($1, $2, $3)';
    for (const [kind, value] of labels) await queries.run(insert, kind, value, position);
  }
  await writeVersions(context, queries, position, article, previous);
  return { position, articleId: article.article_id, slug: article.slug, json };
}

function labelsOf(article: FullArticle): readonly (readonly [kind: 'tag' | 'group', value: string])[] {
  return [
    ...article.tags.map((tag) => ['tag', tag] as const),
    ...(article.permission_groups ?? []).map((group) => ['group', group] as const),
  ];
}

/** SQL condition for a status at a time: articles outside of their schedule are drafts. */
function statusCondition(wanted: ArticleStatus, status: string, now: string): string {
  // The record's own version is the first one.
  const isScheduled = `position * ${versionsPerArticle} IN ${outOfSchedule(now)}`;
  return wanted === 'draft'
    ? `(status = ${status} OR ${isScheduled})`
    : `status = ${status} AND NOT ${isScheduled}`;
}

/** Limits memory for long records, in bytes of UTF-8: a page ends with the record that reaches this size. */
const maxPageBytes = 1024 * 1024;

async function listArticles(
  { database, defaultLanguage, now }: StoreContext,
  filter: ArticleFilter,
  page: ArticlePageRequest,
): Promise<readonly ArticleText[]> {
  // PostgreSQL does not accept NUL, and no text of a record contains it.
  if (Object.values(filter).some((value) => value?.includes('\0'))) return [];
  const values: SqlValue[] = [page.after, page.limit, page.skip];
  const conditions = ['position > $1'];
  const add = (value: string) => `$${values.push(value)}`;
  const narrow = (condition: (parameter: string) => string, value: string | undefined) => {
    if (value !== undefined) conditions.push(condition(add(value)));
  };
  const labelled = (kind: string) => (value: string) =>
    `position IN (SELECT position FROM article_label WHERE kind = '${kind}' AND value = ${value})`;
  const { status } = filter;
  if (status !== undefined) conditions.push(statusCondition(status, add(status), add(now())));
  narrow((value) => `category_id = ${value}`, filter.category_id);
  narrow((value) => `updated_at < ${value}`, filter.updated_at_before);
  narrow((value) => `updated_at > ${value}`, filter.updated_at_after);
  narrow(labelled('tag'), filter.tag);
  narrow(labelled('group'), filter.permission_group_id);
  const language = filter.language_code && storedLanguage(filter.language_code, defaultLanguage);
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
     SELECT article.position, article_id AS "articleId", slug, ${json} AS json
     FROM sized CROSS JOIN article WHERE article.position = sized.position AND bytes_before < ${maxPageBytes} ORDER BY sized.position`,
    ...values,
  );
}
