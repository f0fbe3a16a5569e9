import { htmlToText } from '../../content/html-to-text.ts';
import { tokenize } from '../../foundation/search-tokens.ts';
import type { StoredArticle } from '../records/article-record.ts';
import type { Database } from './database.ts';
import { ownLanguage, scopeWords } from './search-scope.ts';

/** Versions an article can have: the factor between positions and version ids. */
export const versionsPerArticle = 1000;

/** The position of the article a version belongs to, from the version's id. */
export function positionOfVersion(versionId: number): number {
  return Math.floor(versionId / versionsPerArticle);
}

/** Keeps the plain texts and the search index of an article in step with its record, in the caller's transaction. */
export function indexVersions(database: Database, position: number, article: StoredArticle): void {
  removeVersions(database, position);
  const tags = toIndexText(article.tags.join(' '));
  const versions = [{ ...article, language_code: ownLanguage, is_live: true }, ...article.multilingual];
  for (const [index, version] of versions.entries()) {
    const versionId = position * versionsPerArticle + index;
    const title = version.title ?? '';
    const text = htmlToText(version.body ?? '');
    database.run(
      `INSERT INTO article_version (version_id, position, language, is_live, title, slug, description, text)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      versionId,
      position,
      version.language_code,
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
      toIndexText(text),
    );
  }
}

/** Forgets the plain texts of an article and what the search index knows of it. */
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
