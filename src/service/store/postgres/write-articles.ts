import type { ArticleCreate } from '../../../api/article.ts';
import { type FullArticle, makeId, newArticle, statusOf, withoutBodies } from '../../records.ts';
import { type ArticleText, StoreUnavailable } from '../store.ts';
import { type ArticleVersion, listChangedVersions, versionsPerArticle } from '../version-index.ts';
import { moveRevision } from './migrate-postgres.ts';
import type { Queries } from './postgres-database.ts';

/** An article read from the database. */
export interface WrittenArticle extends ArticleText {
  /** The transaction that wrote this state; every state has a different one. */
  readonly writtenBy: string;
}

/** A new state of an article with everything that is written. */
export interface Replacement {
  readonly text: ArticleText;
  readonly row: ArticleRow & { readonly writtenBy: string; readonly versions: number };
  /** The versions that differ from the previous state. */
  readonly changed: readonly ArticleVersion[];
}

type ArticleRow = ReturnType<typeof rowOf>;

const columns = 'category_id, status, permission_groups, tags, slug, updated_at, meta, record';
const columnTypes =
  'category_id text, status text, permission_groups text[], tags text[], slug text, updated_at text, meta text, record text';
const versionColumns =
  'version_id, position, language, language_key, is_live, title, slug, description, text, publish_at, unpublish_at';
const versionTypes =
  'version integer, language text, "languageKey" text, "isLive" boolean, title text, slug text, description text, text text, "publishAt" text, "unpublishAt" text';
/** Values of the columns of a version that a statement calls `new`. */
const newVersion =
  'new.language, new."languageKey", new."isLive", new.title, new.slug, new.description, new.text, new."publishAt", new."unpublishAt"';

const insertWith = (idColumns: 'article_id' | 'article_id, position') => `
  inserted AS (
    INSERT INTO article (${columns}, ${idColumns})
    SELECT ${columns}, ${idColumns} FROM json_to_record($1::json) AS new (${columnTypes}, article_id text, position bigint)
    ON CONFLICT (article_id) DO NOTHING RETURNING position
  ), inserted_version AS (
    INSERT INTO article_version (${versionColumns})
    SELECT position * ${versionsPerArticle} + version, position, ${newVersion}
    FROM inserted, json_to_recordset($2::json) AS new (${versionTypes})
  ) SELECT position FROM inserted`;

/** Does not wait for rows that other transactions have locked: those articles are about to change. */
const replaceGiven = `
  given AS (
    SELECT * FROM json_to_recordset($2::json)
      AS new (number integer, position bigint, "writtenBy" text, versions integer, ${columnTypes})
  ), locked AS (
    SELECT number, article.position FROM article JOIN given ON given.position = article.position
    WHERE article.position = ANY($1::bigint[]) AND article.xmin::text = "writtenBy"
    FOR NO KEY UPDATE OF article SKIP LOCKED
  ), replaced AS (
    UPDATE article SET (${columns}) =
      (new.category_id, new.status, new.permission_groups, new.tags, new.slug, new.updated_at, new.meta, new.record)
    FROM given AS new JOIN locked USING (number)
    WHERE article.position = ANY($1::bigint[]) AND article.position = new.position
    RETURNING number, article.position, versions
  ), new_version AS (
    SELECT position * ${versionsPerArticle} + version AS version_id, position, new.*
    FROM replaced JOIN json_to_recordset($3::json) AS new (number integer, ${versionTypes}) USING (number)
  ), same_text AS (
    UPDATE article_version AS old SET (language, language_key, is_live, title, slug, description, publish_at, unpublish_at) =
      (new.language, new."languageKey", new."isLive", new.title, new.slug, new.description, new."publishAt", new."unpublishAt")
    FROM new_version AS new WHERE old.version_id = new.version_id AND new.text IS NULL
  ), new_text AS (
    INSERT INTO article_version (${versionColumns})
    SELECT version_id, position, ${newVersion} FROM new_version AS new WHERE text IS NOT NULL
    ON CONFLICT (version_id) DO UPDATE SET language = excluded.language, language_key = excluded.language_key,
      is_live = excluded.is_live, title = excluded.title, slug = excluded.slug, description = excluded.description, text = excluded.text,
      publish_at = excluded.publish_at, unpublish_at = excluded.unpublish_at
  ), removed AS (
    DELETE FROM article_version AS old USING replaced
    WHERE old.position = replaced.position AND old.version_id >= replaced.position * ${versionsPerArticle} + versions
  ) SELECT number FROM replaced`;

/** The statements exist as part of a longer transaction, and as transactions of their own, which increase the revision. */
const withRevision = `WITH moved AS (${moveRevision}),`;
const insertSql = `WITH ${insertWith('article_id')}`;
const insertAlone = `${withRevision} ${insertWith('article_id')}`;
const copySql = `WITH ${insertWith('article_id, position')}`;
const replaceSql = `WITH ${replaceGiven}`;
const replaceAlone = `${withRevision} ${replaceGiven}`;

/** Dependencies for writing new articles. */
export interface InsertContext {
  readonly accountId: string;
  /** The time, ISO 8601 in UTC with milliseconds. */
  readonly now: () => string;
}

/**
 * Writes one new article; `null` if the requested id is already used.
 * @param isAlone whether it runs in a separate transaction
 */
export async function insertPostgresArticle(
  { accountId, now }: InsertContext,
  queries: Queries,
  input: ArticleCreate,
  isAlone: boolean,
): Promise<ArticleText | null> {
  for (;;) {
    const article = newArticle(input, { id: input.article_id ?? makeId(), accountId, now: now() });
    const row = rowOf(article);
    const versions = listChangedVersions(article, null);
    const sql = isAlone ? insertAlone : insertSql;
    const inserted = await queries.row<{ position: number }>(
      sql,
      JSON.stringify(row),
      JSON.stringify(versions),
    );
    if (inserted !== null) return textOf(inserted.position, row);
    if (input.article_id !== undefined) return null;
  }
}

/** Writes an article of another database with its position. */
export async function copyPostgresArticle(
  queries: Queries,
  position: number,
  article: FullArticle,
): Promise<void> {
  const versions = listChangedVersions(article, null);
  await queries.run(copySql, JSON.stringify({ ...rowOf(article), position }), JSON.stringify(versions));
}

/**
 * Prepares a replacement of an article.
 * @param previous the record that was read, whose texts are reused; `null`: all bodies are converted again
 */
export function prepareReplacement(
  { position, writtenBy }: Pick<WrittenArticle, 'position' | 'writtenBy'>,
  article: FullArticle,
  previous: FullArticle | null,
): Replacement {
  const row = rowOf(article);
  return {
    text: textOf(position, row),
    row: { ...row, writtenBy, versions: article.multilingual.length + 1 },
    changed: listChangedVersions(article, previous),
  };
}

/**
 * Replaces articles in the caller's transaction. Returns for each whether it was replaced; it is not if it has changed since it was read.
 */
export function replaceArticles(
  queries: Queries,
  replacements: readonly Replacement[],
): Promise<readonly boolean[]> {
  return runReplace(replaceSql, queries, replacements);
}

/** Whether an article was replaced, or why it cannot be. */
type Replaced = { readonly isDone: boolean } | { readonly error: unknown };

/** Replaces articles in one transaction. If it fails because of one of them, each article gets a separate transaction. */
export async function replaceEach(
  queries: Queries,
  replacements: readonly Replacement[],
): Promise<readonly Replaced[]> {
  try {
    const done = await runReplace(replaceAlone, queries, replacements);
    return done.map((isDone) => ({ isDone }));
  } catch (error) {
    if (replacements.length === 1 || !isOfOneArticle(error)) return replacements.map(() => ({ error }));
    const each = await Promise.all(replacements.map((replacement) => replaceEach(queries, [replacement])));
    return each.flat();
  }
}

/**
 * SQLSTATE classes and codes that one row can cause: invalid data, a violated constraint, a value that is too long for an index, an
 * exception of a trigger.
 */
const ofOneRow = /^(?:22|23|54000|P0)/;

/** Whether a batch may have failed because of one article; a smaller one may also fit on a full disk. */
function isOfOneArticle(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return error.reason === 'full';
  return ofOneRow.test(String((error as { readonly code?: unknown }).code));
}

async function runReplace(
  sql: string,
  queries: Queries,
  replacements: readonly Replacement[],
): Promise<readonly boolean[]> {
  const rows = await queries.rows<{ number: number }>(
    sql,
    replacements.map(({ text }) => text.position),
    JSON.stringify(
      replacements.map(({ row, text }, number) => ({ ...row, number, position: text.position })),
    ),
    JSON.stringify(
      replacements.flatMap(({ changed }, number) => changed.map((version) => ({ ...version, number }))),
    ),
  );
  const done = new Set(rows.map(({ number }) => number));
  return replacements.map((_, number) => done.has(number));
}

function rowOf(article: FullArticle) {
  return {
    article_id: article.article_id,
    category_id: article.category_id,
    status: statusOf(article),
    permission_groups: article.permission_groups ?? [],
    tags: article.tags,
    slug: article.slug,
    updated_at: article.updated_at,
    meta: JSON.stringify(withoutBodies(article)),
    record: JSON.stringify(article),
  };
}

function textOf(position: number, row: ArticleRow): ArticleText {
  return { position, articleId: row.article_id, updatedAt: row.updated_at, slug: row.slug, json: row.record };
}
