import { limits } from '../../api/fields.ts';
import { htmlToText } from '../../content/html-to-text.ts';
import { languageKey } from '../../foundation/language.ts';
import { tokenize } from '../../foundation/search-tokens.ts';
import type { FullArticle } from '../records/article-record.ts';
import type { Database } from './database.ts';
import type { SearchRequest } from './store.ts';

/** Factor between positions and version ids: more than the versions an article can have. */
export const versionsPerArticle = 1000;

/** The position of the article a version belongs to, from the version's id. */
export function positionOfVersion(versionId: number): number {
  return Math.floor(versionId / versionsPerArticle);
}

/** Writes the plain texts and the search index of an article, in the caller's transaction. */
export function indexVersions(database: Database, position: number, article: FullArticle): void {
  removeVersions(database, position);
  const tags = toIndexText(article.tags.join(' '));
  const versions = [{ ...article, language_code: ownLanguage, is_live: true }, ...article.multilingual];
  for (const [index, version] of versions.slice(0, versionsPerArticle).entries()) {
    const versionId = position * versionsPerArticle + index;
    const title = version.title ?? '';
    const text = htmlToText(version.body ?? '');
    database.run(
      `INSERT INTO article_version (version_id, position, language, language_key, is_live, title, slug, description, text)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      versionId,
      position,
      version.language_code,
      languageKey(version.language_code),
      version.is_live ? 1 : 0,
      title,
      version.slug ?? '',
      version.description,
      text,
    );
    database.run(
      'INSERT INTO search_index (rowid, scope, title, description, tags, text) VALUES (?, ?, ?, ?, ?, ?)',
      versionId,
      scopeWords(article, version.language_code, version.is_live),
      toIndexText(title),
      toIndexText(version.description ?? ''),
      tags,
      toIndexText(text.slice(0, limits.indexedCharacters)),
    );
  }
}

/** Removes the plain texts and the search index of an article. */
export function removeVersions(database: Database, position: number): void {
  database.run(
    'DELETE FROM search_index WHERE rowid IN (SELECT version_id FROM article_version WHERE position = ?)',
    position,
  );
  database.run('DELETE FROM article_version WHERE position = ?', position);
}

function toIndexText(text: string): string {
  return tokenize(text).join(' ');
}

/** Language of the record's own title and body among the versions: which one it is, is a setting and not data. */
export const ownLanguage = '';

/** The {@link languageKey} of the versions of a language in the store. */
export function storedLanguage(language: string, defaultLanguage: string): string {
  const key = languageKey(language);
  return key === languageKey(defaultLanguage) ? ownLanguage : key;
}

/** The words in the index that say who may read a version and which language it is in. */
export function scopeWords(article: FullArticle, language: string, isLive: boolean): string {
  const isClosed = article.is_private || Boolean(article.permission_groups?.length);
  const isDraft = !article.is_published || !isLive;
  return `${accessWord(isClosed, isDraft)} ${languageWord(language)}`;
}

/** The full-text expression for what a search may find; holds words of ours only. */
export function scopeExpression(request: SearchRequest, defaultLanguage: string): string {
  const words = [false, ...(request.includePrivate ? [true] : [])].flatMap((isClosed) =>
    [false, ...(request.includeDraft ? [true] : [])].map((isDraft) => accessWord(isClosed, isDraft)),
  );
  const access = `(${words.join(' OR ')})`;
  if (request.language === undefined) return access;
  const language = storedLanguage(request.language, defaultLanguage);
  return `${access} AND ${languageWord(language)}`;
}

/** A private-use character: it begins index words that no text and no search can contain. */
const mark = '\u{E000}';

function accessWord(isClosed: boolean, isDraft: boolean): string {
  if (isClosed) return `${mark}${isDraft ? 'closeddraft' : 'closed'}`;
  return `${mark}${isDraft ? 'draft' : 'open'}`;
}

/** A language tag as one word of letters and digits; it can be no word for access. */
function languageWord(language: string): string {
  return `${mark}${language === ownLanguage ? 'own' : `in${languageKey(language).replaceAll('-', '0')}`}`;
}
