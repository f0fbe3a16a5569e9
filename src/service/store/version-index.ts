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

/** An article in one of its languages. */
export interface ArticleVersion {
  readonly versionId: number;
  /** As in the record; {@link ownLanguage} for the record's own title and body. */
  readonly language: string;
  readonly languageKey: string;
  readonly isLive: boolean;
  readonly title: string;
  readonly slug: string;
  readonly description: string | null;
  /** Plain text, one block per line. */
  readonly text: string;
  /** Index terms of the fields, with repetitions. */
  readonly terms: {
    readonly title: readonly string[];
    readonly description: readonly string[];
    readonly tags: readonly string[];
    readonly text: readonly string[];
  };
}

/** The article in each of its languages, with what is searched for in it. */
export function* listVersions(position: number, article: FullArticle): Generator<ArticleVersion> {
  const tags = tokenize(article.tags.join(' '));
  const versions = [{ ...article, language_code: ownLanguage, is_live: true }, ...article.multilingual];
  for (const [index, version] of versions.slice(0, versionsPerArticle).entries()) {
    const title = version.title ?? '';
    const text = htmlToText(version.body ?? '');
    yield {
      versionId: position * versionsPerArticle + index,
      language: version.language_code,
      languageKey: languageKey(version.language_code),
      isLive: version.is_live,
      title,
      slug: version.slug ?? '',
      description: version.description,
      text,
      terms: {
        title: tokenize(title),
        description: tokenize(version.description ?? ''),
        tags,
        text: tokenize(text.slice(0, limits.indexedCharacters)),
      },
    };
  }
}

/** Writes the plain texts and the search index of an article, in the caller's transaction. */
export function indexVersions(database: Database, position: number, article: FullArticle): void {
  removeVersions(database, position);
  for (const version of listVersions(position, article)) {
    const { terms } = version;
    database.run(
      `INSERT INTO article_version (version_id, position, language, language_key, is_live, title, slug, description, text)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      version.versionId,
      position,
      version.language,
      version.languageKey,
      version.isLive ? 1 : 0,
      version.title,
      version.slug,
      version.description,
      version.text,
    );
    database.run(
      'INSERT INTO search_index (rowid, scope, title, description, tags, text) VALUES (?, ?, ?, ?, ?, ?)',
      version.versionId,
      scopeWords(article, version.language, version.isLive),
      terms.title.join(' '),
      terms.description.join(' '),
      terms.tags.join(' '),
      terms.text.join(' '),
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
