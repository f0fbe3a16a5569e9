import type { FeedSettings } from '../config/schema.ts';
import type { LanguageTag } from '../foundation/model.ts';
import { type Problem, problem } from '../foundation/problems.ts';
import { createSpillFile } from '../foundation/spill-file.ts';
import type { Output } from '../output/output.ts';
import type { Partitions } from '../plan/partitions.ts';
import type { Plan } from '../plan/plan.ts';
import { openFeedFiles } from './feed-files.ts';
import { type FeedOptions, type FeedSummary, finishFeed } from './finish-feed.ts';
import { createSecretGuard, type FoundSecret, findSecrets } from './guard/secrets.ts';
import { readPreviousFeed } from './history/read-previous-feed.ts';
import { compareDocuments, type DocumentState } from './history/track-changes.ts';
import { positionOf, startHistory, startPosition } from './history/write-history.ts';
import { createOpenings } from './llms/llms-sections.ts';
import type { LanguageSections, LanguageTotals, SectionRanges } from './sections.ts';

export type { FeedOptions, FeedSummary } from './finish-feed.ts';

/** The part of the feed from one partition. */
export interface PartitionFeed {
  /** One entry per language that has a document in the partition. */
  readonly languages: readonly LanguageSections[];
  /** First words of the documents that have no description. */
  readonly openings: readonly (readonly [articleId: string, language: LanguageTag, words: string])[];
  /** All of its documents, in the previous feed and now; `null` if they are the same. */
  readonly documents: {
    readonly before: ReadonlyMap<string, DocumentState>;
    readonly after: readonly DocumentState[];
  } | null;
  readonly secrets: readonly FoundSecret[];
}

/** Locations of the sections of a partition, by language, in the order of its slices. */
export type PartitionRanges = Readonly<Record<LanguageTag, readonly SectionRanges[]>>;

/** The chatbot feed of one run: add all partitions in order, then finish once. Only a small record per page stays in memory. */
export interface Feed {
  /** `root_hash` of the feed that this one continues; `null` if there is none. */
  readonly previousRootHash: string | null;
  /** The previous feed's documents of a partition's articles, by document id. */
  previousStates(partition: number): Promise<ReadonlyMap<string, DocumentState>>;
  addPartition(added: PartitionFeed): Promise<PartitionRanges>;
  /** Closes all files and writes the manifest. Throws `SECRET_FOUND` if an article contains a credential. */
  finish(): Promise<FeedSummary>;
  problems(): readonly Problem[];
}

/** Starts a feed and opens the previous one that it continues. Throws `FEED_PREVIOUS_INVALID` if that one is damaged. */
export async function startFeed(
  plan: Plan,
  partitions: Partitions,
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
  const { sectionOutput = output } = options;
  const files = await openFeedFiles(plan, partitions, output, sectionOutput, settings.llmsFullChars);
  const secrets = createSecretGuard(settings.allowSecrets, options.keyOccurrences ?? []);
  for (const found of categorySecrets(plan)) secrets.check(found);
  const openings = createOpenings(plan, options.spill ?? createSpillFile(null));
  const totals = new Map<LanguageTag, LanguageTotals>(
    plan.languages.map(({ tag }) => [tag, { documents: 0, chunks: 0, tokens: 0 }]),
  );
  return {
    previousRootHash: previous?.manifest.root_hash ?? null,
    previousStates: async (partition) => (await previous?.statesOf(partition, partitions.bits)) ?? new Map(),
    async addPartition(added) {
      for (const found of added.secrets) secrets.check(found);
      for (const opening of added.openings) openings.note(...opening);
      if (added.documents !== null) {
        const { before, after } = added.documents;
        const { excluded, languages = null } = options;
        const state = { articles: plan.articles, excluded, languages };
        await history.add(compareDocuments(before, after, state));
      }
      const ranges: Record<LanguageTag, readonly SectionRanges[]> = {};
      for (const sections of added.languages) {
        addTotals(totals, sections);
        ranges[sections.language] = await files.add(sections);
      }
      return ranges;
    },
    async finish() {
      await files.close();
      secrets.finish();
      const run = await history.finish();
      return finishFeed(plan, partitions, settings, output, options, {
        previous: previous?.manifest ?? null,
        totals,
        openings,
        facts: async () => new Map([...(await files.finish()), ...run.facts]),
        history: run,
      });
    },
    problems: () => problems,
  };
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

function addTotals(
  totals: ReadonlyMap<LanguageTag, LanguageTotals>,
  { language, slices }: LanguageSections,
): void {
  const total = totals.get(language);
  if (total === undefined) throw new Error(`${language} is not planned`);
  for (const { totals: added } of slices) {
    total.documents += added.documents;
    total.chunks += added.chunks;
    total.tokens += added.tokens;
  }
}
