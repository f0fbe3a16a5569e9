import { LecternError } from '../core/errors.ts';
import { isLanguageTag, languageKey } from '../core/language.ts';
import { type Problem, problem } from '../core/problems.ts';
import type { AdapterReading, ArticlesRead, SourceAdapter } from './adapter.ts';
import { countLanguages, guardListing } from './guard-listing.ts';
import { namesOf } from './normalise/article.ts';
import type { CategoryForest } from './normalise/category.ts';
import { createMemoryBodies } from './snapshot/body-store.ts';
import { createMemoryFiles } from './snapshot/file-memory.ts';
import type { SnapshotContent, SnapshotHeader, StoredArticle } from './snapshot/format.ts';
import { createSource } from './snapshot/open-snapshot.ts';
import {
  beginSnapshot,
  deleteSnapshot,
  readSnapshot,
  type Snapshot,
  whyForeign,
} from './snapshot/snapshot-file.ts';
import type { ReadSettings, Source } from './source.ts';

/**
 * Reads a source into a new snapshot, which replaces the last one only if everything was read, is known to be complete, and passes the
 * guards.
 * @throws what the adapter throws; NOTHING_TO_PUBLISH, MASS_DELETE; CACHE_UNUSABLE; LANGUAGE_UNUSABLE
 * (exit 2)
 */
export async function readKnowledgeBase(adapter: SourceAdapter, settings: ReadSettings): Promise<Source> {
  checkLanguages(settings);
  const previous = await findPrevious(adapter, settings);
  try {
    return await readAll(adapter, settings, previous);
  } catch (error) {
    if (!(error instanceof LecternError && error.code === 'CACHE_DAMAGED')) throw error;
    // Only a part of the last snapshot that was not read before is damaged.
    deleteSnapshot(settings.cache);
    return readAll(adapter, settings, { last: null, problems: [discarded('is damaged')] });
  }
}

/** Reads one source repeatedly, for a program that shows its current state. */
export interface RepeatedReader {
  /**
   * Bodies of unchanged articles are neither read nor written again. Writes no snapshot for a later run, and does not guard against lost
   * articles.
   * @throws what the adapter throws; CACHE_UNUSABLE; LANGUAGE_UNUSABLE (exit 2)
   */
  read(): Promise<Source>;
  /** Ends the use of all sources from this reader. */
  close(): void;
}

/** All reads share the bodies, which are in memory. */
export function createRepeatedReader(
  adapter: SourceAdapter,
  settings: Omit<ReadSettings, 'allowMassDelete' | 'maxDropPercent'>,
): RepeatedReader {
  const all: ReadSettings = { ...settings, allowMassDelete: true, maxDropPercent: 100 };
  const bodies = createMemoryBodies();
  const openFiles = createMemoryFiles();
  let previous: LastSnapshot | null = null;
  return {
    async read() {
      checkLanguages(all);
      const { articles, header, content } = await readParts(adapter, {
        store: bodies,
        openFiles: (_key, nowMs) => openFiles(nowMs),
        previous,
        settings: all,
      });
      previous = { header, content };
      return {
        ...openRead(articles, { header, content, bodies, contentHash: null }, all),
        close: async () => {},
      };
    },
    close: bodies.close,
  };
}

type LastSnapshot = Pick<Snapshot, 'header' | 'content'>;

interface Previous {
  readonly last: LastSnapshot | null;
  readonly problems: readonly Problem[];
}

async function readAll(adapter: SourceAdapter, settings: ReadSettings, previous: Previous): Promise<Source> {
  const writer = await beginSnapshot(settings.cache);
  try {
    const { store, openFiles } = writer;
    const reading = { store, openFiles, previous: previous.last, settings };
    const { articles, header, content } = await readParts(adapter, reading, previous.problems);
    // Adapters may take an aborted request for an absent part.
    settings.signal?.throwIfAborted();
    // The last step: from here on this is the last snapshot.
    const written = writer.commit(header, content);
    const contentHash = previous.problems.length === 0 ? written.contentHash : null;
    const source = openRead(articles, { ...written, contentHash }, settings);
    return { ...source, problems: [...previous.problems, ...source.problems] };
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

/** Reads everything of a source. @param known problems that are reported together with those of the list */
async function readParts(adapter: SourceAdapter, reading: AdapterReading, known: readonly Problem[] = []) {
  const { settings, previous } = reading;
  const read = await adapter.readArticles(reading);
  settings.onProblems?.([...known, ...problemsOf(read)]);
  // After the articles, so that a category created in between exists.
  const forest = await adapter.readCategories(
    read.articles.flatMap(({ article }) => article.categoryId ?? []),
  );
  const articles = withoutHidden(read, forest.hidden);
  if (articles !== read) settings.onProblems?.([...known, ...problemsOf(articles), ...forest.problems]);
  if (!settings.allowMassDelete)
    guardListing(articles, previous?.content.articles ?? null, { ...settings, identity: adapter.identity });
  const content = await readRest(adapter, articles, forest, settings);
  return { articles, content, header: createHeader(adapter.identity, articles, settings) };
}

function openRead(
  { mode, singleReads, listedAtMs: nowMs }: ArticlesRead,
  read: Pick<Parameters<typeof createSource>[0], 'header' | 'content' | 'bodies' | 'contentHash'>,
  { languages }: ReadSettings,
): Source {
  return createSource({ ...read, languages, mode, singleReads, nowMs });
}

function problemsOf({ articles, problems }: ArticlesRead): readonly Problem[] {
  return [...problems, ...articles.flatMap((stored) => stored.problems)];
}

/** Leaves out the articles of categories that may not be public, even if their own fields say that they are. */
function withoutHidden(read: ArticlesRead, categories: CategoryForest['hidden']): ArticlesRead {
  const isHidden = ({ article: { categoryId } }: StoredArticle) =>
    categoryId !== null && categories.has(categoryId);
  const hidden = read.articles.filter(isHidden);
  if (hidden.length === 0) return read;
  const excluded = new Map(read.excluded);
  const hiddenNames = new Map(read.hiddenNames);
  const problems = [...read.problems];
  for (const { article, hiddenNames: others = [] } of hidden) {
    const { id: articleId, categoryId, translations } = article;
    excluded.set(articleId, 'visibility-unknown');
    hiddenNames.set(articleId, [...translations.flatMap((one) => namesOf({ ...one })), ...others]);
    const message = `its category ${categoryId} may not be public`;
    problems.push(problem('VISIBILITY_UNKNOWN', message, { articleId }));
  }
  return {
    ...read,
    articles: read.articles.filter((stored) => !isHidden(stored)),
    excluded: new Map([...excluded].sort(([a], [b]) => (a < b ? -1 : 1))),
    ...{ hiddenNames, problems },
    // The validator of the list does not cover that the category becomes public.
    etag: null,
  };
}

/** Reads what decides the order of the articles. */
async function readRest(
  adapter: SourceAdapter,
  { articles, excluded, excludedFiles = new Map(), hiddenNames, problems }: ArticlesRead,
  forest: CategoryForest,
  { onProgress = () => {} }: ReadSettings,
): Promise<SnapshotContent> {
  const done = forest.categories.length;
  onProgress({ kind: 'categories', done, total: done });
  const languages = [...countLanguages(articles.map(({ article }) => article)).keys()];
  // Records may spell one language in several ways (`createSpeller`).
  const nameIn = (id: string, language: string): string => `${id} ${languageKey(language)}`;
  const shown = new Set(
    articles.flatMap(({ article: { id, translations } }) =>
      translations.map(({ language }) => nameIn(id, language)),
    ),
  );
  const top = await adapter.readTopArticles?.(languages, (id, language) => shown.has(nameIn(id, language)));
  if (top !== undefined) onProgress({ kind: 'statistics', done: languages.length, total: languages.length });
  return {
    articles,
    categories: forest.categories,
    excluded,
    excludedFiles,
    hiddenNames,
    topArticles: top?.byLanguage ?? new Map(),
    listingProblems: problems,
    otherProblems: [...forest.problems, ...(top?.problems ?? [])],
  };
}

function createHeader(
  identity: string,
  { listed, unread, listedAtMs, fullReadAtMs, isListWithBodies, etag, scheduleMs }: ArticlesRead,
  { generator, defaultLanguage }: ReadSettings,
): SnapshotHeader {
  return {
    generator,
    identity,
    defaultLanguage,
    listed,
    ...(unread === undefined ? {} : { unread }),
    listedAtMs,
    fullReadAtMs,
    isListWithBodies,
    etag,
    ...(scheduleMs === undefined ? {} : { scheduleMs }),
  };
}

/** Finds the last snapshot of this source, if there is an undamaged one. Another one is reported, because it will be replaced. */
async function findPrevious({ identity }: SourceAdapter, settings: ReadSettings): Promise<Previous> {
  const snapshot = await readSnapshot(settings.cache);
  if ('state' in snapshot) {
    if (snapshot.state === 'missing') return { last: null, problems: [] };
    deleteSnapshot(settings.cache);
    return { last: null, problems: [discarded(snapshot.why)] };
  }
  const { header, content, bodies } = snapshot;
  bodies.close();
  const why = whyForeign(header, { ...settings, identity });
  return why === null
    ? { last: { header, content }, problems: [] }
    : { last: null, problems: [discarded(why)] };
}

function discarded(why: string): Problem {
  return problem('SNAPSHOT_DISCARDED', `the last snapshot ${why}`);
}

function checkLanguages({ defaultLanguage, languages }: ReadSettings): void {
  for (const tag of [defaultLanguage, ...(languages ?? [])]) {
    if (isLanguageTag(tag)) continue;
    throw new LecternError('LANGUAGE_UNUSABLE', `${JSON.stringify(tag)} cannot be used as a language`, {
      hint: 'use a BCP 47 tag such as en or pt-BR in defaultLanguage and languages',
      exitCode: 2,
    });
  }
}
