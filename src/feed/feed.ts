import type { FeedSettings } from '../config/feed-settings.ts';
import type { LanguageTag } from '../model.ts';
import type { Output } from '../output/output.ts';
import type { ArticlePage, Plan, PlannedArticle } from '../plan/plan.ts';
import { type Problem, problem } from '../problems.ts';
import type { DocumentRecord } from './document-record.ts';
import type { FeedEntryBytes, FeedFacts } from './feed-entry.ts';
import { type FeedFiles, openFeedFiles } from './feed-files.ts';
import { type FeedHead, makeFeedHead } from './feed-head.ts';
import type { FeedOptions, FeedSummary, LanguageTotals } from './feed-run.ts';
import type { FeedPlaces } from './file-places.ts';
import { finishFeed } from './finish-feed.ts';
import { sameChunker } from './manifest.ts';
import { createOpenings } from './openings.ts';
import { type PreviousFeed, readPreviousFeed } from './read-previous-feed.ts';
import { createSecretGuard } from './secret-guard.ts';
import { type ChangeTracker, createChangeTracker, translationState } from './track-changes.ts';

export type { FeedOptions, FeedSummary } from './feed-run.ts';

/**
 * The chatbot feed of one run. Of the head of a page and its document an entry is made ({@link createEntryMaker}), in
 * whatever thread; entries are added sorted by article id, each article's languages in plan order; then the feed is
 * finished once. Nothing but a small record per page stays in memory.
 */
export interface Feed {
  /**
   * All that an entry is made of besides the document. Heads are asked for before their article is added, in about the
   * order of adding: what the previous feed has of the articles between stays in memory.
   */
  head(articleId: string, language: LanguageTag): Promise<FeedHead>;
  /** @returns where its texts lie; `null` where a later run cannot repeat them from there */
  add(articleId: string, language: LanguageTag, entry: FeedEntryBytes): Promise<FeedPlaces | null>;
  /** Adds a page as it is in the previous feed, which must be that of the output. */
  repeat(articleId: string, language: LanguageTag, facts: FeedFacts, places: FeedPlaces): Promise<FeedPlaces>;
  /** Paths of the files pages are repeated from, once it is finished. */
  repeatable(): readonly string[];
  /** Closes every file and writes the manifest. Throws `SECRET_FOUND` when an article holds a credential. */
  finish(): Promise<FeedSummary>;
  problems(): readonly Problem[];
}

interface OpenFeed {
  readonly files: FeedFiles;
  readonly previous: PreviousFeed | null;
  readonly tracker: ChangeTracker;
}

/** Starts a feed; the previous one is read, and files are opened, with the first head or entry. */
export function createFeed(plan: Plan, settings: FeedSettings, output: Output, options: FeedOptions): Feed {
  const { readPrevious, openPrevious, hasPrevious } = output;
  const reader = options.previous ?? { read: readPrevious, open: openPrevious, has: hasPrevious };
  const scratch = options.scratch ?? null;
  const secrets = createSecretGuard(settings.allowSecrets, options.keyPlaces ?? []);
  const totals = new Map<LanguageTag, LanguageTotals>(
    plan.languages.map(({ tag }) => [tag, { documents: 0, chunks: 0, tokens: 0 }]),
  );
  const openings = createOpenings(plan, scratch);
  const problems: Problem[] = [];
  let opening: Promise<OpenFeed> | undefined;
  let repeatable: readonly string[] = [];

  async function open(): Promise<OpenFeed> {
    const previous = await readPreviousFeed(reader, options.memory ?? null, scratch);
    if (previous === null && options.previous !== undefined) {
      problems.push(problem('PREVIOUS_FEED_MISSING', 'no feed found at the address of the previous feed'));
    }
    const state = {
      articles: plan.articles,
      excluded: options.excluded,
      languages: options.languages ?? null,
    };
    const rechunked = previous !== null && !sameChunker(previous.manifest, settings.chunks);
    return {
      previous,
      tracker: createChangeTracker(previous, state, rechunked, scratch),
      files: await openFeedFiles(plan, output, settings.llmsFullChars),
    };
  }

  return {
    async head(articleId, language) {
      opening ??= open();
      const { article, page } = place(articleId, language);
      return makeFeedHead(plan, article, page, translationOf(article, language, await opening));
    },

    async add(articleId, language, entry) {
      opening ??= open();
      const feed = await opening;
      return feed.files.add(note(articleId, language, entry.facts, feed), entry);
    },

    async repeat(articleId, language, facts, places) {
      opening ??= open();
      const feed = await opening;
      return feed.files.repeat(note(articleId, language, facts, feed), places, facts);
    },

    repeatable: () => repeatable,

    async finish() {
      opening ??= open();
      const { files, previous, tracker } = await opening;
      const records = await files.close();
      repeatable = files.paths();
      secrets.finish();
      return finishFeed(plan, settings, output, options, {
        previous,
        reader,
        totals,
        openings,
        records,
        run: tracker.finish(),
      });
    },

    problems: () => problems,
  };

  /** Counts a page and compares it with the previous feed, whatever its texts come from. */
  function note(articleId: string, language: LanguageTag, facts: FeedFacts, feed: OpenFeed): ArticlePage {
    const { article, page, total } = place(articleId, language);
    const { id, hash, metaHash, marks, tokens, chunks, flags, opening: words } = facts;
    secrets.check(facts.secrets, articleId, language);
    for (const { rule, excerpt } of flags) {
      const message = `reads like an order to a language model (${rule}): "${excerpt}"`;
      problems.push(problem('INJECTION_SUSPECTED', message, { articleId, language }));
    }
    const translation = translationOf(article, language, feed);
    const { url } = page;
    const content = { hash, metaHash, marks, translation, tokens, chunks, opening: words };
    feed.tracker.note({ id, articleId, language, url, ...content });
    openings.note(language, words);
    total.documents += 1;
    total.chunks += chunks;
    total.tokens += tokens;
    return page;
  }

  function place(articleId: string, language: LanguageTag) {
    const article = plan.articles.get(articleId);
    const page = article?.pages.get(language);
    const total = totals.get(language);
    if (article === undefined || page === undefined || total === undefined) {
      throw new Error(`${articleId} has no planned page in ${language}`);
    }
    return { article, page, total };
  }
}

function translationOf(
  article: PlannedArticle,
  language: LanguageTag,
  { previous }: OpenFeed,
): DocumentRecord['translation'] {
  return translationState(article, language, previous?.documents.find(article.id, language));
}
