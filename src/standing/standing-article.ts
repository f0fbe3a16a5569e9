import type { Output } from '../output/output.ts';
import type { ArticleRecord, RepeatedFacts } from './article-record.ts';
import type { FoundArticle } from './last-articles.ts';

/** An article that stands in the previous output as it would be published now; its files are kept already. */
export interface StandingArticle {
  readonly record: ArticleRecord;
  readonly facts: RepeatedFacts;
  readonly positions: FoundArticle['positions'];
}

/** Keeps the files of an article that is to stand; `null` when the previous output has not all of them any more. */
export async function keepStanding(
  { record, positions }: FoundArticle,
  facts: RepeatedFacts,
  output: Pick<Output, 'keepAll'>,
): Promise<StandingArticle | null> {
  const isKept = await output.keepAll(facts.pages.flatMap(({ files }) => files));
  return isKept ? { record, facts, positions } : null;
}

/** @throws SyntaxError when it is no JSON, which the checksum of the records rules out */
export function parseFacts({ record }: FoundArticle): RepeatedFacts {
  return JSON.parse(record.facts) as RepeatedFacts;
}
