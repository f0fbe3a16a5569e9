import { htmlToText } from '../../content/write/write-text.ts';
import { languageKey } from '../../core/language.ts';
import type { LanguageWords } from '../../core/search/language-words.ts';
import type { FullArticle } from '../records.ts';
import { ownLanguage, type SearchableVersion, toVersionWords } from './index-words.ts';
import type { Dialect, Queries } from './sql.ts';

/** Factor between positions and version ids: more than an article can have versions. */
export const versionsPerArticle = 1000;

/** The position of the article of a version, from the version's id. */
export function positionOfVersion(versionId: number): number {
  return Math.floor(versionId / versionsPerArticle);
}

/** The {@link languageKey} of a language's versions in the store. */
export function storedLanguage(language: string, defaultLanguage: string): string {
  const key = languageKey(language);
  return key === languageKey(defaultLanguage) ? ownLanguage : key;
}

/**
 * Subquery of the ids of versions that are not public at a time.
 * @param now the parameter with the time
 */
export function outOfSchedule(now: string): string {
  return `(SELECT version_id FROM article_version WHERE publish_at > ${now}
    UNION ALL SELECT version_id FROM article_version WHERE unpublish_at <= ${now})`;
}

/** An article in one of its languages. */
interface VersionSource extends Omit<SearchableVersion, 'text' | 'languageKey'> {
  /** As in the record; {@link ownLanguage} for the record's own title and body. */
  readonly language: string;
  readonly isLive: boolean;
  readonly slug: string;
  readonly description: string | null;
  /** Author HTML. */
  readonly body: string;
  /** The time from which, and until which, article and translation are public; `null`: no bound. */
  readonly publishAt: string | null;
  readonly unpublishAt: string | null;
}

function listSources(article: FullArticle): readonly VersionSource[] {
  const { publish_at: from, unpublish_at: until, is_private, is_published, permission_groups } = article;
  const own = { ...article, language_code: ownLanguage, is_live: true };
  return [own, ...article.multilingual].slice(0, versionsPerArticle).map((version) => ({
    language: version.language_code,
    isLive: version.is_live,
    title: version.title ?? '',
    slug: version.slug ?? '',
    description: version.description,
    hints: [version.description ?? '', ...article.tags].join(' '),
    body: version.body ?? '',
    isClosed: is_private || Boolean(permission_groups?.length),
    isDraft: !is_published || !version.is_live,
    publishAt: pick(from, version.publish_at, (a, b) => a > b),
    unpublishAt: pick(until, version.unpublish_at, (a, b) => a < b),
  }));
}

function pick(a: string | null, b: string | null, prefers: (a: string, b: string) => boolean): string | null {
  if (a === null || b === null) return a ?? b;
  return prefers(a, b) ? a : b;
}

/** Dependencies of the index. */
export interface IndexContext {
  readonly dialect: Dialect;
  /** Language of the records' own title and body. */
  readonly defaultLanguage: string;
  /** Stems and stop words of a language. */
  readonly loadWords: (language: string) => Promise<LanguageWords>;
}

const versionColumns =
  'position, language, language_key, is_live, title, slug, description, publish_at, unpublish_at, title_length, hint_length, text_length';
const writeVersion = upsert('article_version', versionColumns);
const writeText = upsert('version_text', 'title_terms, hint_terms, text_terms, text');

function upsert(table: string, columns: string): string {
  const names = columns.split(', ');
  return `INSERT INTO ${table} (version_id, ${columns}) VALUES ($1, ${names.map((_, n) => `$${n + 2}`).join(', ')})
    ON CONFLICT (version_id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
}

/**
 * Writes the versions of an article, with their texts and index words, in the caller's transaction: everything, or only the differences from
 * `previous`.
 * @param previous `null`: the article has no versions yet
 */
export async function writeVersions(
  context: IndexContext,
  queries: Queries,
  position: number,
  article: FullArticle,
  previous: FullArticle | null,
): Promise<void> {
  const { dialect, defaultLanguage, loadWords } = context;
  const before = previous === null ? [] : listSources(previous);
  const after = listSources(article);
  const idOf = (number: number) => position * versionsPerArticle + number;
  for (let number = after.length; number < before.length; number += 1) {
    await removeVersion(dialect, queries, idOf(number));
  }
  for (const [number, source] of after.entries()) {
    const old = before[number];
    if (old !== undefined && isSame(old, source)) continue;
    const id = idOf(number);
    const known = old?.body === source.body ? await readText(queries, id) : null;
    const text = known ?? htmlToText(source.body);
    const key = languageKey(source.language);
    const { language, isLive, title, slug, description, publishAt, unpublishAt } = source;
    const words = toVersionWords(
      { ...source, languageKey: key, text },
      await loadWords(language === ownLanguage ? defaultLanguage : language),
    );
    await queries.run(
      writeVersion,
      id,
      position,
      language,
      key,
      isLive ? 1 : 0,
      title,
      slug,
      description,
      publishAt,
      unpublishAt,
      words.title.count,
      words.hints.count,
      words.text.count,
    );
    await queries.run(writeText, id, words.title.terms, words.hints.terms, words.text.terms, text);
    if (old !== undefined) await queries.run(`DELETE FROM search_index WHERE ${dialect.indexId} = $1`, id);
    await queries.run(dialect.insertIndex, id, words.index);
  }
}

function isSame(before: VersionSource, after: VersionSource): boolean {
  return (Object.keys(after) as (keyof VersionSource)[]).every((name) => before[name] === after[name]);
}

async function readText(queries: Queries, versionId: number): Promise<string | null> {
  const sql = 'SELECT text FROM version_text WHERE version_id = $1';
  return (await queries.row<{ text: string }>(sql, versionId))?.text ?? null;
}

async function removeVersion(dialect: Dialect, queries: Queries, versionId: number): Promise<void> {
  await queries.run(`DELETE FROM search_index WHERE ${dialect.indexId} = $1`, versionId);
  await queries.run('DELETE FROM article_version WHERE version_id = $1', versionId);
}

/** Removes all versions of an article. */
export async function removeVersions(dialect: Dialect, queries: Queries, position: number): Promise<void> {
  await queries.run(
    `DELETE FROM search_index WHERE ${dialect.indexId} IN (SELECT version_id FROM article_version WHERE position = $1)`,
    position,
  );
  await queries.run('DELETE FROM article_version WHERE position = $1', position);
}
