import { type FeedSettings, feedSettings } from '../../../src/config/schema.ts';
import type { Document } from '../../../src/content/document.ts';
import { type FeedOptions, startFeed } from '../../../src/feed/feed.ts';
import { fullTextOptions } from '../../../src/feed/feed-files.ts';
import { translationState } from '../../../src/feed/history/track-changes.ts';
import { fullTextRoom } from '../../../src/feed/llms/full-text.ts';
import {
  documentLanguage,
  findSharedTexts,
  makeDocumentMeta,
  sharedCallouts,
} from '../../../src/feed/records/document-meta.ts';
import {
  createEntryMaker,
  type FeedEntry,
  type MakeFeedEntry,
} from '../../../src/feed/records/make-feed-entry.ts';
import { documentId } from '../../../src/feed/records/record-schemas.ts';
import type { SliceSections } from '../../../src/feed/sections.ts';
import { loadTokenCounter } from '../../../src/feed/tokens/count-tokens.ts';
import type { Problem } from '../../../src/foundation/problems.ts';
import type { Output } from '../../../src/output/output.ts';
import { type PartitionSizes, partitionOf, planPartitions } from '../../../src/plan/partitions.ts';
import type { Plan } from '../../../src/plan/plan.ts';

let counting: ReturnType<typeof loadTokenCounter> | undefined;

/** Creates the function that makes the entries of a plan. */
export async function entryMaker(
  plan: Plan,
  { chunks, llmsFullChars }: Pick<FeedSettings, 'chunks' | 'llmsFullChars'> = feedSettings.parse({}),
): Promise<MakeFeedEntry> {
  counting ??= loadTokenCounter();
  const countTokens = await counting;
  return createEntryMaker({
    chunks,
    countTokens,
    documentLanguage: (articleId, reader) => documentLanguage(plan.articles, articleId, reader),
    fullTextRoom: (tag) => {
      const language = plan.languageByTag.get(tag);
      return language === undefined ? 0 : fullTextRoom(fullTextOptions(plan, language, llmsFullChars));
    },
  });
}

/** Inputs of a feed. */
export interface FeedInput {
  readonly plan: Plan;
  readonly settings: FeedSettings;
  readonly output: Output;
  readonly options: FeedOptions;
  readonly documentOf: (articleId: string, language: string) => Document;
  readonly sizes?: PartitionSizes | undefined;
}

/** Builds a feed partition by partition, with the Markdown twins, as a build does. */
export async function buildFeed(input: FeedInput): Promise<readonly Problem[]> {
  const { plan, settings, output, options, documentOf } = input;
  const partitions = planPartitions(plan, input.sizes);
  const makeEntry = await entryMaker(plan, settings);
  const shared = findSharedTexts(plan);
  const feed = await startFeed(plan, partitions, settings, output, options);
  for (const [partition, articleIds] of partitions.articleIds.entries()) {
    const previous = await feed.previousStates(partition);
    const entries: (readonly [articleId: string, language: string, entry: FeedEntry])[] = [];
    for (const id of articleIds) {
      const article = plan.articles.get(id);
      for (const page of article?.pages.values() ?? []) {
        const { language, markdown } = page;
        if (article === undefined) continue;
        const before = previous.get(documentId(id, language));
        const head = makeDocumentMeta(
          plan,
          article,
          page,
          translationState(article, language, before),
          shared,
        );
        const entry = makeEntry(head, documentOf(id, language), sharedCallouts(shared, page));
        await output.write(markdown.path, entry.twin);
        entries.push([id, language, entry]);
      }
    }
    await feed.addPartition({
      languages: plan.languages.flatMap(({ tag }) => {
        const own = entries.filter(([, language]) => language === tag);
        const sliceOf = ([id]: (typeof own)[number]) => partitionOf(id, partitions.sliceBits);
        const slices = [...new Set(own.map(sliceOf))].map((slice) => {
          const ofSlice = own.filter((entry) => sliceOf(entry) === slice);
          return sectionsOf(
            slice,
            ofSlice.map(([, , entry]) => entry),
          );
        });
        return own.length === 0 ? [] : [{ language: tag, slices }];
      }),
      openings: entries.flatMap(([id, language, { facts }]) =>
        facts.opening === null ? [] : [[id, language, facts.opening] as const],
      ),
      documents: { before: previous, after: entries.map(([, , { facts }]) => facts.state) },
      secrets: entries.flatMap(([articleId, language, { facts }]) =>
        facts.secrets.map((secret) => ({ ...secret, record: articleId, language })),
      ),
    });
  }
  await feed.finish();
  return feed.problems();
}

function sectionsOf(slice: number, entries: readonly FeedEntry[]): SliceSections {
  const sum = (count: (entry: FeedEntry) => number) => entries.reduce((all, entry) => all + count(entry), 0);
  const join = (text: (entry: FeedEntry) => string, separator = '') =>
    Buffer.from(entries.map(text).join(separator));
  return {
    slice,
    totals: {
      documents: entries.length,
      chunks: sum(({ facts }) => facts.chunks),
      tokens: sum(({ facts }) => facts.tokens),
    },
    fullTexts: entries.map(({ fullText }) => [fullText.length, Buffer.byteLength(fullText)]),
    sections: {
      documents: join(({ document }) => document),
      chunks: join(({ chunks }) => chunks),
      sourceJson: join(({ sourceJson }) => sourceJson, ',\n'),
      sourceText: join(({ sourceText }) => sourceText),
      fullText: join(({ fullText }) => fullText),
    },
  };
}
