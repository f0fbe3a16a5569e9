import type { ArticleCreate, ArticleStatus } from '../../api/article.ts';
import { repairText } from '../../api/record-text.ts';
import type { SqlValue } from '../../database/shared-file.ts';
import {
  applyArticleUpdate,
  completeArticle,
  type FullArticle,
  makeId,
  newArticle,
  statusOf,
  withoutBodies,
} from '../records.ts';
import type { Database } from './database.ts';
import {
  type ArticleFilter,
  type ArticlePageRequest,
  type ArticleStore,
  type ArticleText,
  type Changed,
  type Expected,
  isExpected,
} from './store.ts';
import {
  indexVersions,
  isOutOfSchedule,
  ownLanguage,
  readBodyText,
  removeVersions,
  storedLanguage,
} from './version-index.ts';

/** The same functions without promises, because SQLite is synchronous. */
export type Blocking<T> = {
  readonly [Name in keyof T]: T[Name] extends (...values: infer Values) => Promise<infer Result>
    ? (...values: Values) => Result
    : T[Name];
};

/** Dependencies that the parts of the store share. */
export interface StoreContext {
  readonly database: Database;
  readonly accountId: string;
  /** Language of the records' own title and body. */
  readonly defaultLanguage: string;
  /** The time, ISO 8601 in UTC with milliseconds. */
  readonly now: () => string;
  /** Runs `work` as one transaction that changes records, and increases the revision. */
  readonly write: <T>(work: () => T) => T;
}

/** The part of the store for articles. */
export function createArticleStore(context: StoreContext): Blocking<ArticleStore> {
  const { database } = context;
  return {
    listArticles: (filter, page) => listArticles(context, filter, page),
    readArticle: (articleId) => readArticle(database, articleId),
    createArticle: (input) => context.write(() => insertArticle(context, input)),
    updateArticle: (articleId, change, expected) =>
      changeArticle(context, articleId, expected, ({ json }) => {
        const current: FullArticle = JSON.parse(json);
        return replaceArticle(context, applyArticleUpdate(current, change, context.now()), current);
      }),
    deleteArticle: (articleId, expected) =>
      changeArticle(context, articleId, expected, ({ position }) => {
        removeVersions(database, position);
        database.run('DELETE FROM article WHERE position = ?', position);
        return null;
      }),
  };
}

function readArticle(database: Database, articleId: string): ArticleText | null {
  return database.row<ArticleText>(
    'SELECT position, article_id AS articleId, updated_at AS updatedAt, slug, record AS json FROM article WHERE article_id = ?',
    articleId,
  );
}

/** Changes an article in one transaction if it exists and is as expected. */
function changeArticle<T>(
  context: StoreContext,
  articleId: string,
  expected: Expected,
  change: (current: ArticleText) => T,
): Changed<T> {
  return context.write(() => {
    const current = readArticle(context.database, articleId);
    if (current === null) return { outcome: 'not_found' };
    if (!isExpected(current.json, expected)) return { outcome: 'precondition_failed' };
    return { outcome: 'done', record: change(current) };
  });
}

/** Writes one new article inside the caller's transaction; `null` if the requested id is already used. */
export function insertArticle(context: StoreContext, input: ArticleCreate): ArticleText | null {
  const { database, accountId } = context;
  const isTaken = (id: string) => database.row('SELECT 1 FROM article WHERE article_id = ?', id) !== null;
  if (input.article_id !== undefined && isTaken(input.article_id)) return null;
  let id = input.article_id ?? makeId();
  while (isTaken(id)) id = makeId();
  const article = newArticle(input, { id, accountId, now: context.now() });
  const json = JSON.stringify(article);
  database.run(
    `INSERT INTO article (category_id, status, is_restricted, slug, updated_at, meta, record, article_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...columnsOf(article, json),
  );
  return indexArticle(context, article, json, null);
}

/** @param previous the article before the change; `null`: it is not in the index */
function replaceArticle(
  context: StoreContext,
  article: FullArticle,
  previous: FullArticle | null,
): ArticleText {
  const json = JSON.stringify(article);
  context.database.run(
    `UPDATE article SET category_id = ?, status = ?, is_restricted = ?, slug = ?, updated_at = ?, meta = ?, record = ?
     WHERE article_id = ?`,
    ...columnsOf(article, json),
  );
  return indexArticle(context, article, json, previous);
}

function columnsOf(article: FullArticle, json: string): readonly SqlValue[] {
  return [
    article.category_id,
    statusOf(article),
    article.permission_groups?.length ? 1 : 0,
    article.slug,
    article.updated_at,
    JSON.stringify(withoutBodies(article)),
    json,
    article.article_id,
  ];
}

/** Repairs records of an older file, which may contain text that is now refused, and rewrites their index; in the caller's transaction. */
export function rebuildArticles(context: StoreContext): void {
  const { database } = context;
  let position = 0;
  for (;;) {
    const row = database.row<{ position: number; record: string }>(
      'SELECT position, record FROM article WHERE position > ? ORDER BY position LIMIT 1',
      position,
    );
    if (row === null) return;
    position = row.position;
    removeVersions(database, position);
    replaceArticle(context, completeArticle(repairText(JSON.parse(row.record) as FullArticle)), null);
  }
}

/** Updates the tags and versions used as filters of lists. */
function indexArticle(
  context: StoreContext,
  article: FullArticle,
  json: string,
  previous: FullArticle | null,
): ArticleText {
  const { database } = context;
  const { position } = database.row<{ position: number }>(
    'SELECT position FROM article WHERE article_id = ?',
    article.article_id,
  ) ?? { position: 0 };
  if (previous === null || JSON.stringify(previous.tags) !== JSON.stringify(article.tags)) {
    database.run('DELETE FROM article_tag WHERE position = ?', position);
    for (const tag of article.tags) {
      database.run('INSERT INTO article_tag (tag, position) VALUES (?, ?)', tag, position);
    }
  }
  indexVersions(database, readBodyText, position, article, previous);
  const { article_id: articleId, updated_at: updatedAt, slug } = article;
  return { position, articleId, updatedAt, slug, json };
}

/** SQL condition for a status at a time: articles outside of their schedule are drafts. Its parameters are the status, and twice the time. */
export function statusCondition(wanted: ArticleStatus, status: string, now: string): string {
  const scheduled = `(SELECT position FROM article_version WHERE language = '${ownLanguage}' AND ${isOutOfSchedule(now)})`;
  return wanted === 'draft'
    ? `(status = ${status} OR position IN ${scheduled})`
    : `status = ${status} AND position NOT IN ${scheduled}`;
}

function listArticles(
  { database, defaultLanguage, now }: StoreContext,
  filter: ArticleFilter,
  page: ArticlePageRequest,
): readonly ArticleText[] {
  const conditions: string[] = ['position > ?'];
  const values: SqlValue[] = [page.after];
  const narrow = (condition: string, value: string | undefined) => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(value);
  };
  narrow('category_id = ?', filter.categoryId);
  if (filter.status !== undefined) {
    conditions.push(statusCondition(filter.status, '?', '?'));
    values.push(filter.status, now(), now());
  }
  narrow('updated_at < ?', filter.updatedBefore);
  narrow('updated_at > ?', filter.updatedAfter);
  narrow('position IN (SELECT position FROM article_tag WHERE tag = ?)', filter.tag);
  narrow(
    "EXISTS (SELECT 1 FROM json_each(meta, '$.permission_groups') WHERE value = ?)",
    filter.permissionGroupId,
  );
  const language = filter.language && storedLanguage(filter.language, defaultLanguage);
  if (language !== ownLanguage) {
    narrow('position IN (SELECT position FROM article_version WHERE language_key = ?)', language);
  }
  const json = page.includeBody ? 'record' : 'meta';
  // Reads the length of a text without the text.
  return database.rows<ArticleText>(
    `WITH page AS (
       SELECT position, octet_length(${json}) AS bytes FROM article WHERE ${conditions.join(' AND ')} ORDER BY position LIMIT ? OFFSET ?
     ), sized AS (
       SELECT position, sum(bytes) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) - bytes AS bytes_before FROM page
     )
     SELECT article.position, article_id AS articleId, updated_at AS updatedAt, slug, ${json} AS json
     FROM sized CROSS JOIN article ON article.position = sized.position WHERE bytes_before < ? ORDER BY sized.position`,
    ...values,
    page.limit,
    page.skip,
    page.maxBytes,
  );
}
