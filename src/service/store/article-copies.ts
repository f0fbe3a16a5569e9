import type { FullArticle, withoutBodies } from '../records.ts';
import type { Blocking, StoreContext } from './article-store.ts';
import { indexVersions, removeVersions, toBodyText } from './version-index.ts';

/** What the search needs of an article in another database. */
export interface SearchableArticle {
  readonly position: number;
  readonly articleId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly updatedAt: string;
  /** The record without bodies, as JSON text. */
  readonly meta: string;
  /** The plain texts of its versions in order, as JSON text. */
  readonly texts: string;
}

/** An SQLite file that contains only the searchable data of another database. */
export interface ArticleCopies {
  /** Replaces the articles at these positions by their copies, and removes those without a copy. */
  copyArticles(positions: readonly number[], copies: readonly SearchableArticle[]): Promise<void>;
  /**
   * Positions of articles that differ, or that exist only here; ascending.
   * @param states position, id and time of the last change of all articles, as JSON text: a list of triples
   */
  listOutdatedCopies(states: string): Promise<readonly number[]>;
}

/** The part of the store for copies. */
export function createArticleCopies(context: StoreContext): Blocking<ArticleCopies> {
  const { database } = context;
  const remove = (position: number): void => {
    removeVersions(database, position);
    database.run('DELETE FROM article WHERE position = ?', position);
  };
  return {
    copyArticles: (positions, copies) =>
      database.transaction(() => {
        const byPosition = new Map(copies.map((copy) => [copy.position, copy]));
        for (const position of positions) {
          const copy = byPosition.get(position);
          if (copy === undefined) remove(position);
          else {
            // After a restore, articles may have the former positions of others.
            const others = database.rows<{ position: number }>(
              `SELECT position FROM article WHERE position = ? AND article_id <> ?
               UNION ALL SELECT position FROM article WHERE article_id = ? AND position <> ?`,
              position,
              copy.articleId,
              copy.articleId,
              position,
            );
            for (const other of others) remove(other.position);
            writeCopy(context, copy);
          }
        }
      }),
    listOutdatedCopies: (states) => {
      const rows = database.rows<{ position: number; articleId: string; updatedAt: string }>(
        'SELECT position, article_id AS articleId, updated_at AS updatedAt FROM article',
      );
      const known = new Map(rows.map((row) => [row.position, row]));
      const outdated: number[] = [];
      const all: readonly (readonly [number, string, string])[] = JSON.parse(states);
      for (const [position, articleId, updatedAt] of all) {
        const row = known.get(position);
        if (row?.articleId !== articleId || row.updatedAt !== updatedAt) outdated.push(position);
        known.delete(position);
      }
      return [...known.keys(), ...outdated].sort((a, b) => a - b);
    },
  };
}

function writeCopy({ database }: StoreContext, copy: SearchableArticle): void {
  const previous = readCopy(database, copy.position);
  // The other columns are for lists, which are never read here.
  database.run(
    `INSERT INTO article (position, article_id, status, is_restricted, slug, updated_at, meta, record)
     VALUES (?, ?, 'draft', 1, '', ?, ?, '')
     ON CONFLICT (position) DO UPDATE SET updated_at = excluded.updated_at, meta = excluded.meta`,
    copy.position,
    copy.articleId,
    copy.updatedAt,
    copy.meta,
  );
  indexVersions(database, toBodyText, copy.position, withTexts(copy.meta, JSON.parse(copy.texts)), previous);
}

function readCopy(database: StoreContext['database'], position: number): FullArticle | null {
  const row = database.row<{ meta: string }>('SELECT meta FROM article WHERE position = ?', position);
  if (row === null) return null;
  const texts = database.rows<{ text: string }>(
    'SELECT text FROM article_version WHERE position = ? ORDER BY version_id',
    position,
  );
  return withTexts(
    row.meta,
    texts.map(({ text }) => text),
  );
}

/** The record with plain texts instead of bodies. */
function withTexts(meta: string, texts: readonly string[]): FullArticle {
  const article: ReturnType<typeof withoutBodies> = JSON.parse(meta);
  return {
    ...article,
    body: texts[0] ?? '',
    multilingual: article.multilingual.map((translation, index) => ({
      ...translation,
      body: texts[index + 1] ?? '',
    })),
  };
}
