import { languageKey } from '../../foundation/language.ts';
import type { Blocking, StoreContext } from './article-store.ts';
import type { SqlValue } from './database.ts';
import type { SourceText, Store } from './store.ts';
import { ownLanguage, storedLanguage } from './version-index.ts';

/** The part of the store that gives public texts. */
export function createSourceStore({
  database,
  defaultLanguage,
}: StoreContext): Blocking<Pick<Store, 'listSources'>> {
  return {
    listSources: ({ language, after, limit }) => {
      const conditions = ['(version.position, version.language) > (?, ?)'];
      const values: SqlValue[] = [after?.position ?? 0, after?.storedLanguage ?? ''];
      if (language !== undefined) {
        conditions.push('version.language_key = ?');
        values.push(storedLanguage(language, defaultLanguage));
      }
      return database.rows<SourceText>(
        `SELECT version.position, version.language AS storedLanguage, article.article_id AS articleId, article.category_id AS categoryId,
                CASE version.language WHEN ? THEN ? ELSE version.language END AS language,
                version.title, version.slug, article.meta,
                article.updated_at AS updatedAt, version.text
         FROM article_version AS version JOIN article ON article.position = version.position
         WHERE ${conditions.join(' AND ')}
           AND status = 'published' AND is_restricted = 0 AND is_live = 1
           AND title <> '' AND text <> '' AND version.language_key <> ?
         ORDER BY version.position, version.language LIMIT ?`,
        ownLanguage,
        defaultLanguage,
        ...values,
        // A translation into the default language only fills what the record itself lacks.
        languageKey(defaultLanguage),
        limit,
      );
    },
  };
}
