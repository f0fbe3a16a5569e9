import type { FeedSettings } from '../config/feed-settings.ts';
import type { Document } from '../content/document.ts';
import type { LanguageTag } from '../model.ts';
import type { Output } from '../output/output.ts';
import type { Plan } from '../plan/plan.ts';
import { type Problem, problem } from '../problems.ts';
import { type DocumentDescription, describeDocument } from './describe-document.ts';
import { type FeedFiles, openFeedFiles } from './feed-files.ts';
import type { FeedOptions, FeedSummary, LanguageTotals } from './feed-run.ts';
import { finishFeed } from './finish-feed.ts';
import { openingOf } from './llms-sections.ts';
import { makeChunkRecords } from './make-chunk-records.ts';
import { makeDocumentRecord } from './make-document-record.ts';
import { sameChunker } from './manifest.ts';
import { type PreviousFeed, readPreviousFeed } from './read-previous-feed.ts';
import { documentId } from './record-ids.ts';
import { scrubDocument } from './scrub-document.ts';
import { createSecretGuard } from './secret-guard.ts';
import { type CountTokens, loadTokenCounter } from './tokens.ts';
import { type ChangeTracker, createChangeTracker, translationState } from './track-changes.ts';

export type { FeedOptions, FeedSummary } from './feed-run.ts';

/**
 * The chatbot feed of one run. Articles are added sorted by id, each with its languages in plan order; then the feed is
 * finished once. Nothing but a small record per page stays in memory.
 */
export interface Feed {
  /** `description` is what {@link describeDocument} gave, where a worker or a cache had it already. */
  add(
    articleId: string,
    language: LanguageTag,
    document: Document,
    description?: DocumentDescription,
  ): Promise<void>;
  /** Closes every file and writes the manifest. Throws `SECRET_FOUND` when an article holds a credential. */
  finish(): Promise<FeedSummary>;
  problems(): readonly Problem[];
}

interface OpenFeed {
  readonly files: FeedFiles;
  readonly previous: PreviousFeed | null;
  readonly tracker: ChangeTracker;
}

/** Starts a feed; the previous one is read, and files are opened, with the first article. */
export function createFeed(plan: Plan, settings: FeedSettings, output: Output, options: FeedOptions): Feed {
  const read = options.readPrevious ?? ((path) => output.readPrevious(path));
  const secrets = createSecretGuard(settings.allowSecrets);
  const totals = new Map<LanguageTag, LanguageTotals>(
    plan.languages.map(({ tag }) => [tag, { documents: 0, chunks: 0, tokens: 0 }]),
  );
  const openings = new Map<string, string>();
  const problems: Problem[] = [];
  let opening: Promise<OpenFeed> | undefined;
  let counting: Promise<CountTokens> | undefined;

  async function open(): Promise<OpenFeed> {
    const previous = await readPreviousFeed(read);
    if (previous === null && options.readPrevious !== undefined) {
      problems.push(problem('PREVIOUS_FEED_MISSING', 'there is no feed where the previous one was expected'));
    }
    const state = { articles: plan.articles, excluded: options.excluded };
    const rechunked = previous !== null && !sameChunker(previous.manifest, settings.chunks);
    return {
      previous,
      tracker: createChangeTracker(previous, state, rechunked),
      files: await openFeedFiles(plan, output, settings.llmsFullChars),
    };
  }

  return {
    async add(articleId, language, document, description) {
      opening ??= open();
      const { files, previous, tracker } = await opening;
      const { article, page, total } = place(articleId, language);
      const described = description ?? (await describe(page.title, document));
      secrets.check(described.secrets, articleId, language);
      for (const { rule, excerpt } of described.flags) {
        const message = `reads like an order to a language model (${rule}): "${excerpt}"`;
        problems.push(problem('INJECTION_SUSPECTED', message, { articleId, language }));
      }
      const clean = scrubDocument(document);
      const before = previous?.documents.get(documentId(articleId, language));
      const translation = translationState(article, language, before);
      const record = makeDocumentRecord(plan, article, page, clean, described, translation);
      tracker.note(record);
      if (page.description === null) openings.set(record.id, openingOf(clean.text));
      await files.add(article, record, makeChunkRecords(record, described.chunks));
      total.documents += 1;
      total.chunks += described.chunks.length;
      total.tokens += described.tokens;
    },

    async finish() {
      opening ??= open();
      const { files, previous, tracker } = await opening;
      const records = await files.close();
      secrets.finish();
      return finishFeed(plan, settings, output, options, {
        previous,
        read,
        totals,
        openings,
        records,
        run: tracker.finish(),
      });
    },

    problems: () => problems,
  };

  async function describe(title: string, document: Document): Promise<DocumentDescription> {
    counting ??= loadTokenCounter();
    return describeDocument(title, document, settings.chunks, await counting);
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
