import type { BuildDatabase } from '../output/database/build-database.ts';
import type { ArticleFacts, RenderedPage } from './rendered-article.ts';

/** Enough articles that reading all rows takes few queries, few enough that an edit writes little. */
const articlesPerRow = 64;

/**
 * The facts of some articles by field, which are read faster than a value for each article. The pages of one article follow those of the one
 * before.
 */
type FactsColumns = {
  readonly [Field in Exclude<keyof ArticleFacts, 'pages'>]: readonly ArticleFacts[Field][];
} & {
  /** Number of pages of each. */
  readonly pages: readonly number[];
  readonly ofPages: {
    readonly [Field in Exclude<keyof RenderedPage, 'articleId'>]: readonly RenderedPage[Field][];
  };
};

/** The facts of all articles of the last build, in the rows of the database. @throws CACHE_DAMAGED */
export function readFacts(database: Pick<BuildDatabase, 'readFacts'>): readonly (readonly ArticleFacts[])[] {
  return database.readFacts().map((row) => decode(JSON.parse(row) as FactsColumns));
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
    if (!isSame) database.writeFacts(number, JSON.stringify(encode(row)));
  }
  database.removeFacts(rows);
}

function encode(articles: readonly ArticleFacts[]): FactsColumns {
  const pages = articles.flatMap((article) => article.pages);
  // All pages have the same fields; the id of its article is stored once.
  const { articleId: _, ...first } = pages[0] ?? {};
  const columnOf = (field: string) => [field, pages.map((page) => page[field as keyof RenderedPage])];
  return {
    id: articles.map(({ id }) => id),
    source: articles.map(({ source }) => source),
    media: articles.map(({ media }) => media),
    pages: articles.map((article) => article.pages.length),
    ofPages: Object.fromEntries(Object.keys(first).map(columnOf)),
  };
}

function decode({ id: ids, source, media, pages: counts, ofPages }: FactsColumns): readonly ArticleFacts[] {
  const columns = Object.entries(ofPages);
  let end = 0;
  return ids.map((id, at) => {
    const start = end;
    end += counts[at] as number;
    const pages: RenderedPage[] = [];
    for (let number = start; number < end; number += 1) {
      const page: Record<string, unknown> = { articleId: id };
      for (const [field, values] of columns) page[field] = values[number];
      pages.push(page as unknown as RenderedPage);
    }
    return { id, source: source[at] as string, pages, media: media[at] ?? null };
  });
}
