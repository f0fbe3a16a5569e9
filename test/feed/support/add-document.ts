import { type FeedSettings, feedSettings } from '../../../src/config/feed-settings.ts';
import type { Document } from '../../../src/content/document.ts';
import { documentLanguage } from '../../../src/feed/document-language.ts';
import type { Feed } from '../../../src/feed/feed.ts';
import type { FeedEntry, FeedEntryBytes } from '../../../src/feed/feed-entry.ts';
import { createEntryMaker, type MakeFeedEntry } from '../../../src/feed/make-feed-entry.ts';
import { loadTokenCounter } from '../../../src/feed/tokens.ts';
import type { Output } from '../../../src/output/output.ts';
import type { Plan } from '../../../src/plan/plan.ts';

let counting: ReturnType<typeof loadTokenCounter> | undefined;

/** What makes the entries of a plan. */
export async function entryMaker(
  plan: Plan,
  { chunks }: Pick<FeedSettings, 'chunks'> = feedSettings.parse({}),
): Promise<MakeFeedEntry> {
  counting ??= loadTokenCounter();
  const countTokens = await counting;
  return createEntryMaker({
    chunks,
    countTokens,
    documentLanguage: (articleId, reader) => documentLanguage(plan.articles, articleId, reader),
  });
}

/** Where a document goes. */
interface Run {
  readonly feed: Feed;
  readonly makeEntry: MakeFeedEntry;
  readonly plan: Plan;
  readonly output: Output;
}

/** Adds a document to a feed, and its twin to the output, as a build does; `carry` is what happens to its entry on the way. */
export async function addDocument(
  { feed, makeEntry, plan, output }: Run,
  { articleId, language }: { readonly articleId: string; readonly language: string },
  document: Document,
  carry: (entry: FeedEntry) => FeedEntryBytes = (entry) => entry,
): Promise<void> {
  const entry = makeEntry(await feed.head(articleId, language), document);
  await feed.add(articleId, language, carry(entry));
  const page = plan.articles.get(articleId)?.pages.get(language);
  if (page !== undefined) await output.write(page.markdown.path, entry.twin);
}

/** An entry as a thread or a cache gives it: its texts are bytes. */
export function toBytes({ facts, ...texts }: FeedEntry): FeedEntryBytes {
  return {
    facts: structuredClone(facts),
    document: Buffer.from(texts.document),
    chunks: Buffer.from(texts.chunks),
    sourceJson: Buffer.from(texts.sourceJson),
    sourceText: Buffer.from(texts.sourceText),
    fullText: Buffer.from(texts.fullText),
  };
}
