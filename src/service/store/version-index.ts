import { limits } from '../../api/record-text.ts';
import { htmlToText } from '../../content/write/write-text.ts';
import { languageKey } from '../../foundation/language.ts';
import { isPair, tokenize } from '../../foundation/search-tokens.ts';
import type { FullArticle } from '../records.ts';
import type { Database } from './database.ts';
import type { SearchRequest } from './store.ts';

/** Factor between positions and version ids: more than an article can have versions. */
export const versionsPerArticle = 1000;

/** The position of the article of a version, from the version's id. */
export function positionOfVersion(versionId: number): number {
  return Math.floor(versionId / versionsPerArticle);
}

/** The searchable and quotable text of an author body. */
interface BodyText {
  /** Plain text, one block per line. If it is longer than what is searched: its beginning and one more character. */
  readonly text: string;
  /** The index words of its beginning. */
  readonly indexText: string;
}

/** Converts an author body to text: the expensive part of writing an article. */
export function readBodyText(html: string): BodyText {
  return toBodyText(htmlToText(html));
}

/** The same for a body that is already plain text. */
export function toBodyText(text: string): BodyText {
  return {
    text: text.slice(0, limits.indexedCharacters + 1),
    indexText: omitRepetitions(tokenize(text.slice(0, limits.indexedCharacters))).join(' '),
  };
}

/**
 * The complete text of a version; the stored text may be only its beginning.
 * @param stored its `text`, read in the same {@link Database.snapshot}
 */
export function readWholeText(database: Database, versionId: number, stored: string): string {
  if (stored.length <= limits.indexedCharacters) return stored;
  const sql = 'SELECT record FROM article WHERE position = ?';
  const record = database.row<{ record: string }>(sql, positionOfVersion(versionId))?.record ?? '{}';
  return htmlToText(listSources(JSON.parse(record))[versionId % versionsPerArticle]?.body ?? '');
}

/** An article in one of its languages, with everything its index entry needs. */
interface VersionSource {
  /** As in the record; {@link ownLanguage} for the record's own title and body. */
  readonly language: string;
  readonly isLive: boolean;
  readonly title: string;
  readonly slug: string;
  readonly description: string | null;
  readonly body: string;
  readonly tags: string;
  /** The time from which, and until which, article and translation are public; `null`: no bound. */
  readonly publishAt: string | null;
  readonly unpublishAt: string | null;
}

function listSources(article: FullArticle): readonly VersionSource[] {
  const tags = article.tags.join(' ');
  const own = { ...article, language_code: ownLanguage, is_live: true };
  const { publish_at: from, unpublish_at: until } = article;
  return [own, ...article.multilingual].slice(0, versionsPerArticle).map((version) => ({
    language: version.language_code,
    isLive: version.is_live,
    title: version.title ?? '',
    slug: version.slug ?? '',
    description: version.description,
    body: version.body ?? '',
    tags,
    publishAt: pick(from, version.publish_at, (a, b) => a > b),
    unpublishAt: pick(until, version.unpublish_at, (a, b) => a < b),
  }));
}

function pick(a: string | null, b: string | null, prefers: (a: string, b: string) => boolean): string | null {
  if (a === null || b === null) return a ?? b;
  return prefers(a, b) ? a : b;
}

/** An article in one of its languages, with its plain text. */
export interface ArticleVersion extends Omit<VersionSource, 'body' | 'tags'> {
  /** Index of the version in the article. */
  readonly version: number;
  readonly languageKey: string;
  /** Plain text, one block per line; `null`: unchanged. */
  readonly text: string | null;
}

/**
 * The versions of an article that differ from the previous ones.
 * @param previous `null`: returns all versions
 */
export function listChangedVersions(
  article: FullArticle,
  previous: FullArticle | null,
): readonly ArticleVersion[] {
  const before = previous === null ? [] : listSources(previous);
  const changed: ArticleVersion[] = [];
  for (const [version, source] of listSources(article).entries()) {
    if (isSame(before[version], source)) continue;
    const { body, tags: _, ...rest } = source;
    const text = before[version]?.body === body ? null : htmlToText(body);
    changed.push({ ...rest, version, languageKey: languageKey(source.language), text });
  }
  return changed;
}

/**
 * Writes the plain texts and the search index of an article in the caller's transaction: everything, or only the differences from
 * `previous`.
 * @param previous `null`: the article is not in the index
 */
export function indexVersions(
  database: Database,
  readText: (html: string) => BodyText,
  position: number,
  article: FullArticle,
  previous: FullArticle | null,
): void {
  const scoped = (full: FullArticle) =>
    listSources(full).map((source) => ({
      ...source,
      scope: scopeWords(full, source.language, source.isLive),
    }));
  const before = previous === null ? [] : scoped(previous);
  const after = scoped(article);
  const idOf = (index: number) => position * versionsPerArticle + index;
  const isStale = (index: number) => !isSame(before[index], after[index]);
  const readOrKeep = ({ body }: VersionSource): BodyText => {
    const same = before.findIndex((version) => version.body === body);
    const kept = same === -1 ? null : readVersionText(database, idOf(same));
    return kept === null ? readText(body) : toBodyText(kept);
  };
  const stale = after.flatMap((version, index) =>
    isStale(index) ? [{ versionId: idOf(index), version, body: readOrKeep(version) }] : [],
  );
  for (const index of before.keys()) if (isStale(index)) removeVersion(database, idOf(index));
  for (const { versionId, version, body } of stale) {
    database.run(
      `INSERT INTO article_version (version_id, position, language, language_key, is_live, title, slug, description, text, publish_at, unpublish_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      versionId,
      position,
      version.language,
      languageKey(version.language),
      version.isLive ? 1 : 0,
      version.title,
      version.slug,
      version.description,
      body.text,
      version.publishAt,
      version.unpublishAt,
    );
    database.defer(writeIndex, {
      versionId,
      entry: {
        scope: version.scope,
        title: toIndexText(version.title),
        description: toIndexText(version.description ?? ''),
        tags: toIndexText(version.tags),
        text: body.indexText,
      },
    });
  }
}

/** A change to the search index. */
interface IndexChange {
  readonly versionId: number;
  /** `null` if it is removed. */
  readonly entry: {
    readonly scope: string;
    readonly title: string;
    readonly description: string;
    readonly tags: string;
    readonly text: string;
  } | null;
}

/**
 * Applies all index changes of a transaction. FTS5 starts a new segment of its index whenever a row has a smaller id than the one before,
 * and later merges the segments, which is most of the cost of a write. Sorted by id, the changes of many writes form one segment.
 */
function writeIndex(database: Database, changes: readonly IndexChange[]): void {
  const last = new Map(changes.map(({ versionId, entry }) => [versionId, entry]));
  const ids = [...last.keys()].sort((a, b) => a - b);
  const removed = new Set(changes.flatMap(({ versionId, entry }) => (entry === null ? [versionId] : [])));
  for (const versionId of ids) {
    if (!removed.has(versionId)) continue;
    database.run('DELETE FROM search_index WHERE rowid = ?', versionId);
    database.run('DELETE FROM title_index WHERE rowid = ?', versionId);
  }
  for (const versionId of ids) {
    const entry = last.get(versionId) ?? null;
    if (entry === null) continue;
    database.run(
      'INSERT INTO search_index (rowid, scope, title, description, tags, text) VALUES (?, ?, ?, ?, ?, ?)',
      versionId,
      entry.scope,
      entry.title,
      entry.description,
      entry.tags,
      entry.text,
    );
    database.run(
      'INSERT INTO title_index (rowid, scope, title) VALUES (?, ?, ?)',
      versionId,
      entry.scope,
      entry.title,
    );
  }
}

function isSame<Source extends VersionSource>(
  before: Source | undefined,
  after: Source | undefined,
): boolean {
  if (before === undefined || after === undefined) return before === after;
  return (Object.keys(after) as (keyof Source)[]).every((name) => before[name] === after[name]);
}

function readVersionText(database: Database, versionId: number): string | null {
  const sql = 'SELECT text FROM article_version WHERE version_id = ?';
  return database.row<{ text: string }>(sql, versionId)?.text ?? null;
}

function removeVersion(database: Database, versionId: number): void {
  database.run('DELETE FROM article_version WHERE version_id = ?', versionId);
  database.defer(writeIndex, { versionId, entry: null });
}

/** Removes the plain texts and the search index of an article. */
export function removeVersions(database: Database, position: number): void {
  const sql = 'SELECT version_id AS versionId FROM article_version WHERE position = ?';
  for (const { versionId } of database.rows<{ versionId: number }>(sql, position)) {
    removeVersion(database, versionId);
  }
}

function toIndexText(text: string): string {
  return tokenize(text).join(' ');
}

/** Maximum occurrences of a word of a text in the index. More hardly change its rank, but ranking reads each, mostly of common words. */
const mostOccurrences = 8;

/** Keeps all pairs, because they are searched as phrases. This joins no phrases: a run of pairs ends with a single character. */
function omitRepetitions(terms: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  return terms.filter((term) => {
    const count = (counts.get(term) ?? 0) + 1;
    counts.set(term, count);
    return count <= mostOccurrences || isPair(term);
  });
}

/** Placeholder among the versions for the language of the record's own title and body, because that language is a setting and not data. */
export const ownLanguage = '';

/** The {@link languageKey} of a language's versions in the store. */
export function storedLanguage(language: string, defaultLanguage: string): string {
  const key = languageKey(language);
  return key === languageKey(defaultLanguage) ? ownLanguage : key;
}

/** The index words for the access and language of a version. */
export function scopeWords(article: FullArticle, language: string, isLive: boolean): string {
  const isClosed = article.is_private || Boolean(article.permission_groups?.length);
  const isDraft = !article.is_published || !isLive;
  return `${accessWord(isClosed, isDraft)} ${languageWord(language)}`;
}

/**
 * Restricts a full-text expression to what a search may find. Excludes hidden texts instead of requiring the word for visible ones: the
 * ranking reads every text with a word of the expression, and most texts are public.
 */
export function narrowToScope(expression: string, request: SearchRequest, defaultLanguage: string): string {
  const hidden = [
    ...(request.includePrivate ? [] : [accessWord(true, false)]),
    ...(request.includeDraft ? [] : [accessWord(false, true)]),
    ...(request.includePrivate && request.includeDraft ? [] : [accessWord(true, true)]),
  ];
  const visible = hidden.length === 0 ? `(${expression})` : `((${expression}) NOT (${hidden.join(' OR ')}))`;
  if (request.language === undefined) return visible;
  return `${visible} AND ${languageWord(storedLanguage(request.language, defaultLanguage))}`;
}

/**
 * SQL condition for versions outside of their schedule. It names the columns of the partial index.
 * @param now the parameter with the time
 */
export function isOutOfSchedule(now: string): string {
  return `(publish_at IS NOT NULL OR unpublish_at IS NOT NULL) AND (publish_at > ${now} OR unpublish_at <= ${now})`;
}

/** A private-use character: it starts index words that no text and no search can contain. */
const mark = '\u{E000}';

function accessWord(isClosed: boolean, isDraft: boolean): string {
  if (isClosed) return `${mark}${isDraft ? 'closeddraft' : 'closed'}`;
  return `${mark}${isDraft ? 'draft' : 'open'}`;
}

/** A language tag as one word of letters and digits; never equal to a word for access. */
function languageWord(language: string): string {
  return `${mark}${language === ownLanguage ? 'own' : `in${languageKey(language).replaceAll('-', '0')}`}`;
}
