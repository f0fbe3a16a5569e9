import { LecternError } from '../foundation/errors.ts';
import { isLanguageTag } from '../foundation/language-tag.ts';
import { type Problem, problem } from '../foundation/problems.ts';
import type { ArticlesRead } from './articles/articles-read.ts';
import { readArticles } from './articles/read-articles.ts';
import { parseBaseUrl } from './base-url.ts';
import { countLanguages, guardListing } from './guard-listing.ts';
import { createHttp, type Http } from './http.ts';
import { createSource } from './open-snapshot.ts';
import { readCategories } from './read-categories.ts';
import { readTopArticles } from './read-top-articles.ts';
import { createBodyStore, type FinishedBodies } from './snapshot/body-store.ts';
import { type SnapshotContent, type SnapshotHeader, snapshotVersion } from './snapshot/format.ts';
import { readIndex, type Snapshot, whyForeign } from './snapshot/read-index.ts';
import { writeIndex } from './snapshot/write-index.ts';
import type { FetchSettings, Source } from './source.ts';
import { trustedCertificates } from './trusted-certificates.ts';

/**
 * Reads a knowledge base through its API into a new snapshot, which replaces the last one only when everything was
 * read, is known to be complete, and passes the guards.
 * @throws what `Http.request` throws; LISTING_MAY_BE_CAPPED, LISTING_UNSTABLE; EMPTY_LISTING, ALL_HIDDEN,
 *   DEFAULT_LANGUAGE_EMPTY, MASS_DELETE; CACHE_UNWRITABLE; and for wrong settings (exit 2) BASE_URL_INVALID,
 *   INSECURE_URL, API_KEY_MISSING, API_KEY_INVALID, CA_UNREADABLE, LANGUAGE_UNUSABLE
 */
export async function fetchKnowledgeBase(settings: FetchSettings): Promise<Source> {
  checkLanguages(settings);
  const { apiKey, insecureLoopback, network, ports } = settings;
  const baseUrl = parseBaseUrl(settings.baseUrl, insecureLoopback).href;
  const ca = await trustedCertificates(settings.caFile);
  const http = createHttp({ ...network, baseUrl, apiKey, ca, insecureLoopback, ...(ports ? { ports } : {}) });
  try {
    const previous = await openPrevious(settings);
    try {
      return await readSnapshot(http, { ...settings, baseUrl }, previous);
    } finally {
      await previous.snapshot?.bodies.close();
    }
  } finally {
    await http.close();
  }
}

interface Previous {
  readonly snapshot: Snapshot | null;
  readonly problems: readonly Problem[];
}

async function readSnapshot(http: Http, settings: FetchSettings, previous: Previous): Promise<Source> {
  const store = await createBodyStore(settings.cache);
  try {
    const articles = await readArticles({ http, store, previous: previous.snapshot, settings });
    settings.onProblems?.([...previous.problems, ...problemsOf(articles)]);
    if (!settings.allowMassDelete) guard(articles, previous.snapshot, settings);
    const content = await readRest(http, articles, settings);
    const finished = await store.finish();
    const header = createHeader(articles, finished, settings);
    const { mode, singleReads } = articles;
    const { languages } = settings;
    const bodies = finished.handle;
    const source = createSource({ header, content, bodies, languages, mode, singleReads, sha256: null });
    // Last of all: from here on this is the last snapshot.
    const sha256 = await writeIndex(settings.cache, header, content);
    if (previous.problems.length === 0) return { ...source, snapshot: sha256 };
    return { ...source, problems: [...previous.problems, ...source.problems] };
  } catch (error) {
    await store.abandon();
    throw error;
  }
}

function problemsOf({ articles, problems }: ArticlesRead): readonly Problem[] {
  return [...problems, ...articles.flatMap((stored) => stored.problems)];
}

function guard({ listed, articles }: ArticlesRead, previous: Snapshot | null, settings: FetchSettings): void {
  guardListing({
    listed,
    articles: articles.map(({ article }) => article),
    defaultLanguage: settings.defaultLanguage,
    previous: previous?.content.articles.map(({ article }) => article) ?? null,
    maxDropPercent: settings.network.maxDropPercent,
  });
}

/** Categories and statistics, after the articles: a category made in between is then there. */
async function readRest(
  http: Http,
  { articles, excluded, problems }: ArticlesRead,
  { defaultLanguage, network, onProgress = () => {} }: FetchSettings,
): Promise<SnapshotContent> {
  const used = articles.flatMap(({ article }) => article.categoryId ?? []);
  const forest = await readCategories(http, { defaultLanguage, used, concurrency: network.concurrency });
  const done = forest.categories.length;
  onProgress({ kind: 'categories', done, total: done });
  const ids = new Set(articles.map(({ article }) => article.id));
  const languages = [...countLanguages(articles.map(({ article }) => article)).keys()];
  const top = await readTopArticles(http, languages, (id) => ids.has(id), network.concurrency);
  onProgress({ kind: 'statistics', done: languages.length, total: languages.length });
  return {
    articles,
    categories: forest.categories,
    excluded,
    topArticles: top.byLanguage,
    listingProblems: problems,
    otherProblems: [...forest.problems, ...top.problems],
  };
}

function createHeader(
  { listed, listedAtMs, fullReadAtMs, isListWithBodies, etag }: ArticlesRead,
  bodies: FinishedBodies,
  { generator, baseUrl, defaultLanguage }: FetchSettings,
): SnapshotHeader {
  return {
    format: 'lectern-snapshot',
    version: snapshotVersion,
    generator,
    baseUrl,
    defaultLanguage,
    bodiesFile: bodies.file,
    bodiesBytes: bodies.bytes,
    listed,
    listedAtMs,
    fullReadAtMs,
    isListWithBodies,
    etag,
  };
}

/** The last snapshot of this knowledge base, where there is a sound one. */
async function openPrevious(settings: FetchSettings): Promise<Previous> {
  const snapshot = await readIndex(settings.cache);
  if ('state' in snapshot) {
    const isFirst = snapshot.state === 'missing';
    return { snapshot: null, problems: isFirst ? [] : [discarded(snapshot.why)] };
  }
  const why = whyForeign(snapshot.header, settings);
  if (why === null) return { snapshot, problems: [] };
  await snapshot.bodies.close();
  return { snapshot: null, problems: [discarded(why)] };
}

function discarded(why: string): Problem {
  return problem('SNAPSHOT_DISCARDED', `the last snapshot ${why}`);
}

function checkLanguages({ defaultLanguage, languages }: FetchSettings): void {
  for (const tag of [defaultLanguage, ...(languages ?? [])]) {
    if (isLanguageTag(tag)) continue;
    throw new LecternError('LANGUAGE_UNUSABLE', `${JSON.stringify(tag)} cannot be used as a language`, {
      hint: 'use a BCP 47 tag such as en or pt-BR in defaultLanguage and languages',
      exitCode: 2,
    });
  }
}
