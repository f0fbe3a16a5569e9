import type { Document } from '../../../src/content/document.ts';
import { introductionOf } from '../../../src/content/introduction.ts';
import type { Problem } from '../../../src/core/problems.ts';
import { startFeed } from '../../../src/feed/feed.ts';
import { type FeedPage, openPreviousTexts } from '../../../src/feed/feed-files.ts';
import { feedLimits, type LimitedFeedSettings } from '../../../src/feed/feed-limits.ts';
import type { FeedOptions } from '../../../src/feed/finish-feed.ts';
import { versionOfPage } from '../../../src/feed/history/track-changes.ts';
import { findSharedTexts, makeDocumentMeta, sharedBlocks } from '../../../src/feed/records/document-meta.ts';
import {
  createEntryMaker,
  type FeedEntry,
  type MakeFeedEntry,
} from '../../../src/feed/records/make-feed-entry.ts';
import { documentId } from '../../../src/feed/records/record-schemas.ts';
import { loadTokenCounter } from '../../../src/feed/tokens/count-tokens.ts';
import { twinAddress } from '../../../src/site/plan/page-url.ts';
import type { Plan } from '../../../src/site/plan/plan.ts';
import type { MemoryOutput } from './memory-output.ts';

let counting: ReturnType<typeof loadTokenCounter> | undefined;

/** Creates the function that makes entries. */
export async function entryMaker({
  chunks,
}: Pick<LimitedFeedSettings, 'chunks'> = feedLimits): Promise<MakeFeedEntry> {
  counting ??= loadTokenCounter();
  const countTokens = await counting;
  return createEntryMaker({ chunks, countTokens });
}

/** Inputs of a feed. */
export interface FeedInput {
  readonly plan: Plan;
  readonly settings: LimitedFeedSettings;
  readonly output: MemoryOutput;
  readonly options: FeedOptions;
  readonly documentOf: (articleId: string, language: string) => Document;
}

/** Builds a feed with the Markdown twins, as a build does. */
export async function buildFeed(input: FeedInput): Promise<readonly Problem[]> {
  const { plan, settings, output, options, documentOf } = input;
  const makeEntry = await entryMaker(settings);
  const shared = findSharedTexts(plan);
  const feed = await startFeed(plan, settings, output, options);
  const before = await feed.readPrevious();
  const pages = new Map<string, FeedPage[]>(plan.languages.map(({ tag }) => [tag, []]));
  const entries = new Map<FeedPage, FeedEntry>();
  for (const [id, article] of plan.articles) {
    for (const page of article.pages.values()) {
      const { language } = page;
      if (article === undefined) continue;
      const version = versionOfPage(
        article,
        language,
        before === null ? null : before.get(documentId(id, language)),
      );
      const head = { ...makeDocumentMeta(plan, article, page, shared), ...version };
      const document = documentOf(id, language);
      const { many, most } = sharedBlocks(shared, page);
      const entry = makeEntry(head, document, most, () => introductionOf(document, '', many));
      await output.write(twinAddress(plan, page).path, entry.twin);
      const { chunks, tokens, description } = entry.facts;
      const added: FeedPage = {
        articleId: id,
        language,
        hash: entry.facts.state.hash,
        ...{ chunks, tokens, description },
        bytes: entry.encoded.bytes,
      };
      pages.get(language)?.push(added);
      entries.set(added, entry);
    }
  }
  await feed.finish({
    pages,
    texts: new Map([...entries].map(([page, entry]) => [page, output.keepAside(entry.encoded.joined)])),
    previousTexts: openPreviousTexts({}, output),
    before: before ?? new Map(),
    now: [...entries.values()].map(({ facts }) => facts.state),
    writeOnce: async (_name, _key, write) => void (await write()),
    metadata: {},
  });
  return feed.problems();
}
