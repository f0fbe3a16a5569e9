import type { Output } from '../output/output.ts';
import type { LinkRecord } from '../render/make-documents.ts';
import type { ArticleRecord, RepeatedPage } from './article-record.ts';
import type { FoundArticle } from './last-articles.ts';

/** An article that stands in the previous output as it would be published now; its files are kept already. */
export interface StandingArticle {
  readonly record: ArticleRecord;
  readonly pages: readonly RepeatedPage[];
  readonly positions: FoundArticle['positions'];
}

/** Keeps the files of an article that is to stand; `null` when the previous output has not all of them any more. */
export async function keepStanding(
  { record, positions }: FoundArticle,
  output: Pick<Output, 'keepAll'>,
): Promise<StandingArticle | null> {
  // The checksum of the records rules out that it is no JSON.
  const pages = JSON.parse(record.facts) as readonly RepeatedPage[];
  const isKept = await output.keepAll(pages.flatMap(({ files }) => files));
  return isKept ? { record, pages, positions } : null;
}

/** Where the links of an article led when it was made. */
export function resolutionsOf({ record }: FoundArticle): readonly LinkRecord[] {
  return JSON.parse(record.resolutions) as readonly LinkRecord[];
}
