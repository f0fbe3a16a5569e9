import type { LanguageTag } from '../core/model.ts';
import type { BuildDatabase } from '../output/database/build-database.ts';
import type { ArticleFacts, RenderedPage } from './rendered-article.ts';

/** Enough articles that reading all rows takes few queries, few enough that an edit writes little. */
const articlesPerRow = 64;

/**
 * The facts of some articles by field, which are read in a third of the time of a value for each article. The pages of one article follow those
 * of the one before. What few articles or pages have is stored by their position.
 */
interface FactsColumns {
  readonly id: readonly string[];
  readonly source: readonly string[];
  /** Number of pages of each. */
  readonly pages: readonly number[];
  readonly media: Sparse<NonNullable<ArticleFacts['media']>>;
  readonly language: readonly LanguageTag[];
  readonly hash: readonly string[];
  readonly searchHash: readonly string[];
  readonly chunks: readonly number[];
  readonly tokens: readonly number[];
  /** Sizes of document, chunks, text and source, one after another. */
  readonly bytes: readonly number[];
  readonly files: readonly (readonly string[])[];
  readonly description: readonly string[];
  readonly anchors: readonly string[];
  readonly links: Sparse<readonly string[]>;
  readonly imageHosts: Sparse<RenderedPage['imageHosts']>;
  readonly problems: Sparse<RenderedPage['problems']>;
}

/** Values by position, of those that have one. */
type Sparse<Value> = Readonly<Record<number, Value>>;

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
  return {
    id: articles.map(({ id }) => id),
    source: articles.map(({ source }) => source),
    pages: articles.map((article) => article.pages.length),
    media: sparse(articles, ({ media }) => media),
    language: pages.map(({ language }) => language),
    hash: pages.map(({ hash }) => hash),
    searchHash: pages.map(({ searchHash }) => searchHash),
    chunks: pages.map(({ chunks }) => chunks),
    tokens: pages.map(({ tokens }) => tokens),
    bytes: pages.flatMap(({ bytes }) => [bytes.document, bytes.chunks, bytes.text, bytes.source]),
    files: pages.map(({ files }) => files),
    description: pages.map(({ description }) => description),
    anchors: pages.map(({ anchors }) => anchors.anchors),
    links: sparse(pages, ({ anchors }) => orNull(anchors.links)),
    imageHosts: sparse(pages, ({ imageHosts }) => orNull(imageHosts)),
    problems: sparse(pages, ({ problems }) => orNull(problems)),
  };
}

function sparse<Row, Value>(rows: readonly Row[], pick: (row: Row) => Value | null): Sparse<Value> {
  const values: Record<number, Value> = {};
  for (const [at, row] of rows.entries()) {
    const value = pick(row);
    if (value !== null) values[at] = value;
  }
  return values;
}

function orNull<T>(list: readonly T[]): readonly T[] | null {
  return list.length === 0 ? null : list;
}

function decode(columns: FactsColumns): readonly ArticleFacts[] {
  let end = 0;
  return columns.id.map((id, at) => {
    const start = end;
    end += columns.pages[at] as number;
    const pages: RenderedPage[] = [];
    for (let page = start; page < end; page += 1) pages.push(decodePage(columns, id, page));
    return { id, source: columns.source[at] as string, pages, media: columns.media[at] ?? null };
  });
}

function decodePage(columns: FactsColumns, articleId: string, at: number): RenderedPage {
  const [document, chunks, text, source] = columns.bytes.slice(4 * at, 4 * at + 4) as [
    number,
    number,
    number,
    number,
  ];
  return {
    articleId,
    language: columns.language[at] as string,
    hash: columns.hash[at] as string,
    searchHash: columns.searchHash[at] as string,
    chunks: columns.chunks[at] as number,
    tokens: columns.tokens[at] as number,
    bytes: { document, chunks, text, source },
    files: columns.files[at] as readonly string[],
    description: columns.description[at] as string,
    anchors: { anchors: columns.anchors[at] as string, links: columns.links[at] ?? none },
    imageHosts: columns.imageHosts[at] ?? none,
    problems: columns.problems[at] ?? none,
  };
}

const none: readonly never[] = [];
