import type { BuildDatabase } from '../output/database/build-database.ts';
import type { ArticleFacts } from './rendered-article.ts';

/** Enough articles that reading all rows takes few queries, few enough that an edit writes little. */
const articlesPerRow = 64;

/** The facts of all articles of the last build, in the rows of the database. @throws CACHE_DAMAGED */
export function readFacts(database: Pick<BuildDatabase, 'readFacts'>): readonly (readonly ArticleFacts[])[] {
  return database.readFacts().map((row) => JSON.parse(row) as ArticleFacts[]);
}

/**
 * Stores the facts of all articles for the next build.
 * @param stored result of {@link readFacts}: a row whose articles are the same objects is not written again
 */
export function writeFacts(
  database: Pick<BuildDatabase, 'writeFacts' | 'removeFacts'>,
  stored: readonly (readonly ArticleFacts[])[],
  facts: readonly ArticleFacts[],
): void {
  const rows = Math.ceil(facts.length / articlesPerRow);
  for (let number = 0; number < rows; number += 1) {
    const row = facts.slice(number * articlesPerRow, (number + 1) * articlesPerRow);
    const last = stored[number];
    const isSame = last?.length === row.length && row.every((article, at) => article === last[at]);
    if (!isSame) database.writeFacts(number, JSON.stringify(row));
  }
  database.removeFacts(rows);
}
