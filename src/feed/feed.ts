import type { FeedSettings } from '../config/schema.ts';
import type { LanguageTag } from '../foundation/model.ts';
import { type Problem, problem } from '../foundation/problems.ts';
import type { Output } from '../output/output.ts';
import type { Parts } from '../plan/parts.ts';
import type { Plan } from '../plan/plan.ts';
import {
  type FeedFile,
  type FeedPage,
  type FeedPages,
  type FeedTexts,
  type FileKeys,
  planFeedFiles,
  writeFeedFiles,
  writeFeedLists,
} from './feed-files.ts';
import { type FeedOptions, type FeedSummary, finishFeed, type LanguageTotals } from './finish-feed.ts';
import { createSecretGuard, type FoundSecret, findSecrets } from './guard/secrets.ts';
import { readPreviousFeed } from './history/read-previous-feed.ts';
import { compareDocuments, type DocumentState } from './history/track-changes.ts';
import { positionOf, startHistory, startPosition } from './history/write-history.ts';
import type { Openings } from './llms/llms-sections.ts';
import type { FeedFileFacts } from './manifest.ts';

export type { FeedOptions, FeedSummary } from './finish-feed.ts';

/** The pages of a run, without their texts. */
export interface FeedContent {
  readonly pages: FeedPages;
  /** Reads what a page adds to files with many pages. */
  readonly readTexts: (page: FeedPage) => FeedTexts;
  /** First words of the documents that have no description. */
  readonly openings: Openings;
  /** Documents that may have changed, before (by document id) and now. */
  readonly before: ReadonlyMap<string, DocumentState>;
  readonly now: readonly DocumentState[];
  readonly secrets: readonly FoundSecret[];
  /** Keys of the previous output's files. */
  readonly lastKeys: FileKeys;
}

/** The chatbot feed of one run. */
export interface Feed {
  /** `root_hash` of the feed that this one continues; `null` if there is none. */
  readonly previousRootHash: string | null;
  /** Reads the documents of that feed, by document id. Throws `FEED_PREVIOUS_INVALID`. */
  readPrevious(): Promise<ReadonlyMap<string, DocumentState>>;
  /** Writes all files, the manifest last. Throws `SECRET_FOUND` if an article contains a credential. */
  finish(content: FeedContent): Promise<FeedSummary & { readonly keys: FileKeys }>;
  problems(): readonly Problem[];
}

/** Starts a feed and opens the previous one that it continues. Throws `FEED_PREVIOUS_INVALID` if that one is damaged. */
export async function startFeed(
  plan: Plan,
  parts: Parts,
  settings: FeedSettings,
  output: Output,
  options: FeedOptions,
): Promise<Feed> {
  const { readPrevious, openPrevious } = output;
  const reader = options.previous ?? { read: readPrevious, open: openPrevious };
  const previous = await readPreviousFeed(reader);
  const problems: Problem[] = [];
  if (previous === null && options.previous !== undefined) {
    problems.push(problem('PREVIOUS_FEED_MISSING', 'no feed found at the URL of --since'));
  }
  const { lastFeed = null } = options;
  const start = startPosition(
    previous === null ? null : positionOf(previous.manifest),
    lastFeed,
    options.newFeedId,
  );
  if (start.isNew && lastFeed !== null && problems.length === 0) {
    const found = previous === null ? 'no previous feed' : `run ${previous.manifest.run.seq} of the feed`;
    problems.push(
      problem(
        'FEED_RESTARTED',
        `the last build published run ${lastFeed.seq}, and this build found ${found}`,
      ),
    );
  }
  const history = startHistory(output, start, previous, reader, settings.keepRuns);
  const secrets = createSecretGuard(settings.allowSecrets, options.keyOccurrences ?? []);
  for (const found of categorySecrets(plan)) secrets.check(found);
  return {
    previousRootHash: previous?.manifest.root_hash ?? null,
    readPrevious: async () => (await previous?.readStates()) ?? new Map(),
    async finish({ pages, readTexts, openings, before, now, secrets: found, lastKeys }) {
      for (const secret of found) secrets.check(secret);
      secrets.finish();
      const { excluded, languages = null } = options;
      await history.add(compareDocuments(before, now, { articles: plan.articles, excluded, languages }));
      const files = planFeedFiles(plan, parts, pages, settings.llmsFullChars);
      const keys = await writeFeedFiles(files, pages, lastKeys, output, readTexts);
      const lists = await writeFeedLists(plan, parts, files, output);
      const run = await history.finish();
      const facts = new Map([...factsOf(files), ...lists, ...run.facts]);
      const added = { previous: previous?.manifest ?? null, totals: countTotals(pages), openings, facts };
      const summary = await finishFeed(plan, parts, settings, output, options, { ...added, history: run });
      return { ...summary, keys };
    },
    problems: () => problems,
  };
}

function* factsOf(files: readonly FeedFile[]): Generator<readonly [path: string, facts: FeedFileFacts]> {
  for (const { path, facts } of files) if (facts !== null) yield [path, facts];
}

/** Credentials in the titles and descriptions of categories that have a page. */
function* categorySecrets({ categoryPages }: Plan): Generator<FoundSecret> {
  for (const [id, pages] of categoryPages) {
    for (const { language, title, description, url } of pages.values()) {
      const secrets = findSecrets([title, description ?? '', url].join('\n'));
      for (const secret of secrets) yield { ...secret, record: `category ${id}`, language };
    }
  }
}

function countTotals(pages: FeedPages): ReadonlyMap<LanguageTag, LanguageTotals> {
  return new Map(
    [...pages].map(([language, ofLanguage]) => [
      language,
      {
        documents: ofLanguage.length,
        chunks: ofLanguage.reduce((sum, { chunks }) => sum + chunks, 0),
        tokens: ofLanguage.reduce((sum, { tokens }) => sum + tokens, 0),
      },
    ]),
  );
}
