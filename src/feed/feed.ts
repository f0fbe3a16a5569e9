import { LecternError } from '../core/errors.ts';
import type { LanguageTag } from '../core/model.ts';
import { type Problem, problem } from '../core/problems.ts';
import type { FileRange, Output } from '../output/output.ts';
import type { Plan } from '../site/plan/plan.ts';
import {
  type FeedIndex,
  type FeedPage,
  type FeedPages,
  type openPreviousTexts,
  planFeedFiles,
  recordBytes,
  textIn,
  type WriteOnce,
  writeFeedFiles,
} from './feed-files.ts';
import type { LimitedFeedSettings } from './feed-limits.ts';
import { type FeedOptions, finishFeed } from './finish-feed.ts';
import { positionOf, startPosition } from './history/feed-position.ts';
import { type PreviousFeed, readPreviousFeed } from './history/read-previous-feed.ts';
import { compareDocuments, type DocumentState } from './history/track-changes.ts';
import { writeHistory } from './history/write-history.ts';
import { recordState } from './read/manifest.ts';
import { documentId, isDocumentOf } from './records/record-schemas.ts';

/** The pages of a run, without their texts. */
interface FeedContent {
  readonly pages: FeedPages;
  /** Texts of the pages that were rendered (`encodeTexts`). The others are in the previous output. */
  readonly texts: ReadonlyMap<FeedPage, FileRange>;
  readonly previousTexts: ReturnType<typeof openPreviousTexts>;
  /** Documents that may have changed, before (by document id) and now. */
  readonly before: ReadonlyMap<string, DocumentState>;
  readonly now: readonly DocumentState[];
  readonly writeOnce: WriteOnce;
  /** Hash of the titles and places of the articles of each language. */
  readonly metadata: Readonly<Record<LanguageTag, string>>;
}

/** Summary of the published feed. */
export interface FeedSummary {
  readonly feedId: string;
  /** Number of the run; if nothing changed, that of the previous run. */
  readonly seq: number;
  /** Number of documents that are new, changed or removed since the previous run. */
  readonly changes: number;
  /** `run.state` of the manifest. */
  readonly state: string;
}

/** The chatbot feed of one run. */
export interface Feed {
  /** `run.state` of the feed that this one continues; `null` if there is none. */
  readonly previousState: string | null;
  /** Reads the documents of that feed, by document id; `null` if there is none. Throws `FEED_PREVIOUS_INVALID`. */
  readPrevious(): Promise<ReadonlyMap<string, DocumentState> | null>;
  /** Writes all files, the manifest last. */
  finish(content: FeedContent): Promise<FeedSummary & { readonly index: FeedIndex }>;
  problems(): readonly Problem[];
}

/** Starts a feed and opens the previous one that it continues. Throws `FEED_PREVIOUS_INVALID` if that one is damaged. */
export async function startFeed(
  plan: Plan,
  settings: LimitedFeedSettings,
  output: Output,
  options: FeedOptions,
): Promise<Feed> {
  const read = options.previous ?? output.readPrevious;
  const previous = await readPreviousFeed(read);
  const problems: Problem[] = [];
  if (previous === null && options.previous !== undefined) {
    problems.push(problem('FEED_RESTARTED', 'no feed found at the URL or in the folder of --since'));
  }
  const { lastFeed = null } = options;
  const start = startPosition(
    previous === null ? null : positionOf(previous.manifest),
    lastFeed,
    options.newFeedId,
  );
  if (start.isNew && lastFeed !== null && problems.length === 0) {
    const found = previous === null ? 'no previous feed' : `run ${previous.manifest.run.seq} of the feed`;
    const message = `the last build published run ${lastFeed.seq}, and this build found ${found}`;
    problems.push(problem('FEED_RESTARTED', message));
  }
  const { forget = [] } = options;
  await refuseForgetting(forget, plan, previous);
  return {
    previousState: previous?.manifest.run.state ?? null,
    readPrevious: async () => (await previous?.readStates()) ?? null,
    async finish({ pages, texts, previousTexts, before, now, writeOnce, metadata }) {
      const { excluded, languages = null } = options;
      const files = planFeedFiles(plan, pages);
      const findText: Parameters<typeof writeFeedFiles>[3] = (page, form) => {
        const own = texts.get(page);
        return own === undefined ? previousTexts.find(page, form) : textIn(page, form, own);
      };
      const index = await writeFeedFiles(files, previousTexts.index, output, findText, writeOnce);
      const changes = compareDocuments(before, now, { articles: plan.articles, excluded, languages });
      const rendered = new Map(
        Array.from(texts.keys(), (page) => [documentId(page.articleId, page.language), page] as const),
      );
      const changed = changes.upserted.map(({ id }) => rendered.get(id) as FeedPage);
      const all = [...pages.values()].flat();
      const history = await writeHistory(output, start, previous, read, settings.keepRuns, {
        ...changes,
        forget,
        feedBytes: recordBytes(all),
        recordBytes: recordBytes(changed),
        readRecords({ id }) {
          const page = rendered.get(id) as FeedPage;
          const own = texts.get(page) as FileRange;
          return {
            document: output.readRange(textIn(page, 'document', own)).toString(),
            chunks: output.readRange(textIn(page, 'chunks', own)).toString(),
          };
        },
      });
      const state = recordState(all.map((page) => [documentId(page.articleId, page.language), page.hash]));
      await finishFeed(plan, settings, output, options, {
        ...{ previous: previous?.manifest ?? null, files, history, state, writeOnce, metadata },
      });
      const { feedId, seq, changes: count } = history;
      return { feedId, seq, changes: count, state, index };
    },
    problems: () => problems,
  };
}

/** @throws FORGET_REFUSED */
async function refuseForgetting(
  articleIds: readonly string[],
  plan: Plan,
  previous: PreviousFeed | null,
): Promise<void> {
  if (articleIds.length === 0) return;
  const deleted = (await previous?.readDeleted()) ?? [];
  for (const id of articleIds) {
    if (plan.articles.has(id)) {
      throw new LecternError('FORGET_REFUSED', `the article ${id} is public`, {
        hint: 'delete or hide it, build, and try again',
      });
    }
    if (!deleted.some((documentId) => isDocumentOf(documentId, id))) {
      throw new LecternError('FORGET_REFUSED', `nothing is left of an article ${id}`, {
        hint: 'check the id; its deletion was erased before, or is not among the published changes any more, or it was never published',
      });
    }
  }
}
