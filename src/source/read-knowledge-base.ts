import { LecternError } from '../core/errors.ts';
import { isLanguageTag } from '../core/language.ts';
import { type Problem, problem } from '../core/problems.ts';
import { type ArticlesRead, noTopArticles, type SourceAdapter } from './adapter.ts';
import { countLanguages, guardListing } from './guard-listing.ts';
import {
  type BodyStore,
  createBodyStore,
  type FinishedBodies,
  readSoundBytes,
} from './snapshot/body-store.ts';
import {
  type SnapshotContent,
  type SnapshotHeader,
  type StoredArticle,
  snapshotVersion,
} from './snapshot/format.ts';
import { createSource } from './snapshot/open-snapshot.ts';
import { readIndex, type Snapshot, whyForeign } from './snapshot/read-index.ts';
import { writeIndex } from './snapshot/write-index.ts';
import type { ReadSettings, Source } from './source.ts';

/**
 * Reads a source into a new snapshot, which replaces the last one only if everything was read, is known to be complete, and passes the
 * guards.
 * @throws what the adapter throws; EMPTY_LISTING, NO_CONTENT, ALL_HIDDEN, DEFAULT_LANGUAGE_EMPTY, MASS_DELETE; CACHE_UNWRITABLE; LANGUAGE_UNUSABLE
 * (exit 2)
 */
export async function readKnowledgeBase(adapter: SourceAdapter, settings: ReadSettings): Promise<Source> {
  checkLanguages(settings);
  const previous = await openPrevious(adapter, settings);
  try {
    return await readSnapshot(adapter, settings, previous);
  } finally {
    await previous.snapshot?.bodies.close();
  }
}

/** Reads one source repeatedly, for a program that shows its current state. */
export interface RepeatedReader {
  /**
   * Bodies of unchanged articles are neither read nor written again. Writes no snapshot for a later run, and does not guard against lost
   * articles.
   * @throws what the adapter throws; CACHE_UNWRITABLE; LANGUAGE_UNUSABLE (exit 2)
   */
  read(): Promise<Source>;
  /** Deletes the bodies: no source from this reader can be used any more. */
  close(): Promise<void>;
}

/** All reads share one file of bodies in the cache folder; each appends the changed ones. */
export function createRepeatedReader(
  adapter: SourceAdapter,
  settings: Omit<ReadSettings, 'allowMassDelete' | 'maxDropPercent'>,
): RepeatedReader {
  const all: ReadSettings = { ...settings, allowMassDelete: true, maxDropPercent: 100 };
  let store: BodyStore | null = null;
  let previous: Snapshot | null = null;
  return {
    async read() {
      checkLanguages(all);
      store ??= await createBodyStore(all.cache);
      const reuseBodies = async ({ bodyRange }: StoredArticle) => bodyRange;
      const articles = await adapter.readArticles({ store, previous, reuseBodies, settings: all });
      const content = await readRest(adapter, articles, all);
      const finished = await store.flush();
      const header = createHeader(adapter.identity, articles, finished, all);
      const bodies = finished.handle;
      previous = { header, content, bodies, sha256: '' };
      return { ...openRead(articles, { header, content, bodies }, all), close: async () => {} };
    },
    async close() {
      await store?.abandon();
      store = null;
    },
  };
}

interface Previous {
  readonly snapshot: Snapshot | null;
  readonly problems: readonly Problem[];
}

async function readSnapshot(
  adapter: SourceAdapter,
  settings: ReadSettings,
  previous: Previous,
): Promise<Source> {
  const store = await createBodyStore(settings.cache);
  try {
    const reuseBodies = async (stored: StoredArticle) => {
      const bodies = previous.snapshot && (await readSoundBytes(previous.snapshot.bodies, stored));
      return bodies && store.append(bodies);
    };
    const reading = { store, previous: previous.snapshot, reuseBodies, settings };
    const articles = await adapter.readArticles(reading);
    settings.onProblems?.([...previous.problems, ...problemsOf(articles)]);
    if (!settings.allowMassDelete) guard(adapter, articles, previous.snapshot, settings);
    const content = await readRest(adapter, articles, settings);
    // Adapters may take an aborted request for an absent part.
    settings.signal?.throwIfAborted();
    const finished = await store.finish();
    const header = createHeader(adapter.identity, articles, finished, settings);
    const source = openRead(articles, { header, content, bodies: finished.handle }, settings);
    // The last step: from here on this is the last snapshot.
    const sha256 = await writeIndex(settings.cache, header, content);
    if (previous.problems.length === 0) return { ...source, snapshot: sha256 };
    return { ...source, problems: [...previous.problems, ...source.problems] };
  } catch (error) {
    await store.abandon();
    throw error;
  }
}

/** The source with these articles, whose snapshot is not written yet. */
function openRead(
  { mode, singleReads, listedAtMs: nowMs }: ArticlesRead,
  written: Omit<Snapshot, 'sha256'>,
  { languages }: ReadSettings,
): Source {
  return createSource({ ...written, sha256: null, languages, mode, singleReads, nowMs });
}

function problemsOf({ articles, problems }: ArticlesRead): readonly Problem[] {
  return [...problems, ...articles.flatMap((stored) => stored.problems)];
}

function guard(
  { identity }: SourceAdapter,
  read: ArticlesRead,
  previous: Snapshot | null,
  settings: ReadSettings,
): void {
  const { listed, articles, excluded } = read;
  guardListing({
    listed,
    articles: articles.map(({ article }) => article),
    excluded,
    folder: /^folder:(.+)$/.exec(identity)?.[1] ?? null,
    problemOf: (id) =>
      problemsOf(read).find((one) => one.articleId === id && one.code === 'ARTICLE_NOT_PUBLISHABLE') ?? null,
    defaultLanguage: settings.defaultLanguage,
    previous: previous?.content.articles.map(({ article }) => article) ?? null,
    maxDropPercent: settings.maxDropPercent,
  });
}

/** Reads categories and statistics after the articles, so that a category created in between exists. */
async function readRest(
  adapter: SourceAdapter,
  { articles, excluded, excludedFiles = new Map(), hiddenNames, problems }: ArticlesRead,
  { onProgress = () => {} }: ReadSettings,
): Promise<SnapshotContent> {
  const used = articles.flatMap(({ article }) => article.categoryId ?? []);
  const forest = await adapter.readCategories(used);
  const done = forest.categories.length;
  onProgress({ kind: 'categories', done, total: done });
  const ids = new Set(articles.map(({ article }) => article.id));
  const languages = [...countLanguages(articles.map(({ article }) => article)).keys()];
  const top = await adapter.readTopArticles(languages, (id) => ids.has(id));
  if (top !== noTopArticles)
    onProgress({ kind: 'statistics', done: languages.length, total: languages.length });
  return {
    articles,
    categories: forest.categories,
    excluded,
    excludedFiles,
    hiddenNames,
    topArticles: top.byLanguage,
    listingProblems: problems,
    otherProblems: [...forest.problems, ...top.problems],
  };
}

function createHeader(
  identity: string,
  { listed, unread, listedAtMs, fullReadAtMs, isListWithBodies, etag, scheduleMs }: ArticlesRead,
  bodies: FinishedBodies,
  { generator, defaultLanguage }: ReadSettings,
): SnapshotHeader {
  return {
    format: 'lectern-snapshot',
    version: snapshotVersion,
    generator,
    identity,
    defaultLanguage,
    bodiesFile: bodies.file,
    bodiesBytes: bodies.bytes,
    listed,
    ...(unread === undefined ? {} : { unread }),
    listedAtMs,
    fullReadAtMs,
    isListWithBodies,
    etag,
    ...(scheduleMs === undefined ? {} : { scheduleMs }),
  };
}

/** The last snapshot of this source, if there is an undamaged one. */
async function openPrevious({ identity }: SourceAdapter, settings: ReadSettings): Promise<Previous> {
  const snapshot = await readIndex(settings.cache);
  if ('state' in snapshot) {
    const isFirst = snapshot.state === 'missing';
    return { snapshot: null, problems: isFirst ? [] : [discarded(snapshot.why)] };
  }
  const why = whyForeign(snapshot.header, { ...settings, identity });
  if (why === null) return { snapshot, problems: [] };
  await snapshot.bodies.close();
  return { snapshot: null, problems: [discarded(why)] };
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
