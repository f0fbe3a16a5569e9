import { hash } from 'node:crypto';
import type { NetworkSettings } from '../../config/source-settings.ts';
import { languageKey } from '../../foundation/language.ts';
import type { Article, ExclusionReason } from '../../foundation/model.ts';
import { type Problem, problem } from '../../foundation/problems.ts';
import { isRecord, type UnknownRecord } from '../../foundation/unknown-record.ts';
import type { Http } from '../http.ts';
import { isArticleId, type NormalisedArticle, normaliseArticle } from '../normalise/article.ts';
import { applySchedule, type TimedRecord } from '../normalise/schedule.ts';
import type { ListSink } from '../read-listing.ts';
import type { BodyStore } from '../snapshot/body-store.ts';
import type { BodyRange, StoredArticle } from '../snapshot/format.ts';
import type { Snapshot } from '../snapshot/read-index.ts';
import type { ReadMode, ReadSettings } from '../source.ts';

interface ExcludedEntry {
  readonly kind: 'excluded';
  readonly reason: ExclusionReason;
  readonly updatedAt: string | null;
  readonly problems: readonly Problem[];
}

type CollectedEntry =
  | { readonly kind: 'public'; readonly stored: StoredArticle }
  | ExcludedEntry
  /** Must be read in a separate request. */
  | { readonly kind: 'pending'; readonly fingerprint: string }
  /** Unchanged since the last snapshot. */
  | { readonly kind: 'reused'; readonly stored: StoredArticle };

/** What to do with a listed record: use it, read the article in a separate request, or reuse the last snapshot. */
export type Decision = 'take' | 'single' | StoredArticle;

/** Result of a list and the single reads after it. */
interface CollectedArticles {
  readonly listed: number;
  /** Sorted by id. */
  readonly articles: readonly StoredArticle[];
  /** Sorted by id. */
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
  /** The files of excluded articles; absent if the source has no files. */
  readonly excludedFiles?: ReadonlyMap<string, string>;
  /** Problems that are not about a public article. */
  readonly problems: readonly Problem[];
  /** The next time at which the schedule of a listed record shows or hides something; absent: never. */
  readonly scheduleMs?: number;
}

/** Takes records in any order, stores the bodies of public articles and collects a small record of each. */
export interface ArticleCollector extends ListSink {
  /** Whether an id was listed more than once. */
  hasDuplicates(): boolean;
  /** Ids that must be read in separate requests. */
  pending(): readonly string[];
  /** Articles reused from the last snapshot whose bodies were not passed to `takeReused` yet. */
  reused(): readonly StoredArticle[];
  /** Takes the bodies of a reused article; `null` if they are damaged: then the article is read in a separate request. */
  takeReused(stored: StoredArticle, bodies: readonly Buffer[] | null): Promise<void>;
  /** Takes the result of a single read: a record, or `null` if the article no longer exists. It replaces the listed record. */
  takeSingle(id: string, record: unknown): Promise<void>;
  finish(): CollectedArticles;
}

/**
 * @param nowMs the time at which records must be public, in milliseconds since 1970
 * @param decide decides on every listed record with a usable id
 */
export function createCollector(
  store: BodyStore,
  { defaultLanguage }: Pick<ReadSettings, 'defaultLanguage'>,
  nowMs: number,
  decide: (id: string, record: UnknownRecord) => Decision,
): ArticleCollector {
  const entries = new Map<string, CollectedEntry>();
  let problems: Problem[] = [];
  let listed = 0;
  let scheduleMs = Number.POSITIVE_INFINITY;

  const applyTime = (value: unknown): TimedRecord | null => {
    if (!isRecord(value)) return null;
    const timed = applySchedule(value, nowMs);
    scheduleMs = Math.min(scheduleMs, timed.nextMs);
    return timed;
  };

  async function enter(
    id: string,
    read: NormalisedArticle,
    print: string,
    unpublishAt: TimedRecord['unpublishAt'],
  ): Promise<void> {
    const before = entries.get(id);
    if (before?.kind === 'public') await store.erase(before.stored.bodyRange);
    if (read.kind === 'public') {
      const bodyRange = await store.append([...read.bodies.values()]);
      const { article, hidden, problems } = read;
      const stored = {
        article,
        bodyRange,
        hidden,
        fingerprint: print,
        problems,
        ...endsOf(article, unpublishAt),
      };
      entries.set(id, { kind: 'public', stored });
    } else if (read.kind === 'excluded') entries.set(id, read);
  }

  async function takeRecord(id: string, { record, unpublishAt }: TimedRecord): Promise<void> {
    const decision = decide(id, record);
    const before = entries.get(id);
    if (before !== undefined) {
      problems.push(problem('DUPLICATE_ID', `the article ${id} is listed more than once`, { articleId: id }));
    }
    // Several records have the same id and not all of them are here: the article itself has to be read.
    const isOpen = before !== undefined && (before.kind === 'pending' || before.kind === 'reused');
    if (decision === 'single' || isOpen || (before !== undefined && decision !== 'take')) {
      if (before?.kind === 'public') await store.erase(before.stored.bodyRange);
      entries.set(id, { kind: 'pending', fingerprint: fingerprintRecord(record) });
    } else if (decision === 'take') {
      const read = normaliseArticle(record, defaultLanguage);
      if (before === undefined || replaces(read, before))
        await enter(id, read, fingerprintRecord(record), unpublishAt);
    } else entries.set(id, { kind: 'reused', stored: decision });
  }

  function* ofKind<K extends CollectedEntry['kind']>(
    kind: K,
  ): Generator<[string, Extract<CollectedEntry, { kind: K }>]> {
    for (const [id, entry] of entries) {
      if (entry.kind === kind) yield [id, entry as Extract<CollectedEntry, { kind: K }>];
    }
  }

  return {
    async restart() {
      entries.clear();
      problems = [];
      listed = 0;
      scheduleMs = Number.POSITIVE_INFINITY;
      await store.clear();
    },
    async take(record) {
      listed += 1;
      const timed = applyTime(record);
      const id = timed?.record.article_id;
      if (timed !== null && isArticleId(id)) await takeRecord(id, timed);
      else problems.push(...normaliseArticle(record, defaultLanguage).problems);
    },
    hasDuplicates: () => problems.some(({ code }) => code === 'DUPLICATE_ID'),
    pending: () => [...ofKind('pending')].map(([id]) => id),
    reused: () => [...ofKind('reused')].map(([, { stored }]) => stored),
    async takeReused(stored, bodies) {
      const { id } = stored.article;
      if (bodies === null) entries.set(id, { kind: 'pending', fingerprint: stored.fingerprint });
      else {
        const bodyRange = await store.append(bodies);
        entries.set(id, { kind: 'public', stored: { ...stored, bodyRange } });
      }
    },
    async takeSingle(id, record) {
      const before = entries.get(id);
      const print = before?.kind === 'pending' ? before.fingerprint : '';
      if (record === null) return void entries.set(id, gone(id));
      const timed = applyTime(record);
      const read = normaliseArticle(timed?.record ?? record, defaultLanguage);
      const readId = read.kind === 'public' ? read.article.id : read.kind === 'excluded' ? read.id : null;
      if (readId === id) await enter(id, read, print, timed?.unpublishAt ?? {});
      else entries.set(id, mismatch(id));
    },
    finish() {
      const articles: StoredArticle[] = [];
      const excluded = new Map<string, ExclusionReason>();
      const loose = [...problems];
      for (const id of [...entries.keys()].sort()) {
        const entry = entries.get(id);
        if (entry?.kind === 'public') articles.push(entry.stored);
        else if (entry?.kind === 'excluded') {
          excluded.set(id, entry.reason);
          loose.push(...entry.problems);
        } else throw new Error(`the article ${id} was never read`);
      }
      const next = Number.isFinite(scheduleMs) ? { scheduleMs } : {};
      return { listed, articles, excluded, problems: loose, ...next };
    },
  };
}

/** When the languages of an article stop being public; empty if they do not. */
export function endsOf(
  { translations }: Article,
  unpublishAt: TimedRecord['unpublishAt'],
): Pick<StoredArticle, 'unpublishAt'> {
  const byKey = new Map(
    Object.entries(unpublishAt).map(([tag, time]) => [languageKey(tag.replaceAll('_', '-')), time]),
  );
  const ends = translations.flatMap(({ language }) => {
    const times = [unpublishAt[''], byKey.get(languageKey(language))].flatMap((time) => time ?? []);
    return times
      .sort()
      .slice(0, 1)
      .map((time) => [language, time] as const);
  });
  return ends.length === 0 ? {} : { unpublishAt: Object.fromEntries(ends) };
}

/** Of two records with the same id, the newer one counts; if they have the same time, the one that is not public. */
function replaces(read: NormalisedArticle, before: CollectedEntry): boolean {
  const time =
    read.kind === 'public' ? read.article.updatedAt : read.kind === 'excluded' ? read.updatedAt : null;
  const timeBefore = editedAt(before);
  if (time !== null && timeBefore !== null && time !== timeBefore) return time > timeBefore;
  return read.kind === 'excluded' && before.kind === 'public';
}

function editedAt(entry: CollectedEntry): string | null {
  if (entry.kind === 'public') return entry.stored.article.updatedAt;
  return entry.kind === 'excluded' ? entry.updatedAt : null;
}

function gone(id: string): ExcludedEntry {
  const problems = [problem('ARTICLE_GONE', `${id} was listed but not found`, { articleId: id })];
  return { kind: 'excluded', reason: 'gone', updatedAt: null, problems };
}

function mismatch(id: string): ExcludedEntry {
  const problems = [problem('ARTICLE_MISMATCH', `the answer to ${id} is another article`, { articleId: id })];
  return { kind: 'excluded', reason: 'invalid', updatedAt: null, problems };
}

/** All current articles; their bodies are in the store. */
export interface ArticlesRead extends CollectedArticles {
  readonly mode: ReadMode;
  /** Time of the list by the server's clock. */
  readonly listedAtMs: number;
  /** Time of the last read of all bodies, by our clock. */
  readonly fullReadAtMs: number;
  /** Whether the list contains bodies. */
  readonly isListWithBodies: boolean;
  /** Validator of the whole list with all bodies, or `null`. */
  readonly etag: string | null;
  /** Number of articles read in separate requests. */
  readonly singleReads: number;
}

/** Context for reading articles through the API. */
export interface Reading {
  readonly http: Http;
  /** Stores the bodies. */
  readonly store: BodyStore;
  /** The last snapshot of this knowledge base, if there is an undamaged one. */
  readonly previous: Snapshot | null;
  /** Copies the bodies of an article from `previous`; `null` if they are damaged. */
  readonly reuseBodies: (stored: StoredArticle) => Promise<BodyRange | null>;
  readonly settings: ReadSettings & { readonly network: NetworkSettings };
}

/** The time by our clock, in milliseconds since 1970. */
export function timeMs({ settings }: Reading): number {
  return (settings.ports?.now ?? Date.now)();
}

/** A sink that reports the number of records it has passed on, and the number in the last snapshot if known. */
export function withProgress(sink: ListSink, { settings, previous }: Reading): ListSink {
  const { onProgress = () => {} } = settings;
  const expected = previous?.header.listed ?? null;
  let done = 0;
  return {
    async restart() {
      done = 0;
      await sink.restart();
    },
    async take(record) {
      await sink.take(record);
      done += 1;
      onProgress({ kind: 'articles', done, total: expected === null ? null : Math.max(expected, done) });
    },
  };
}

/** Fields that are published or decide about publication, except bodies. Other fields, such as views, may change without effect. */
const recordFields = [
  'article_id',
  'title',
  'slug',
  'description',
  'category_id',
  'tags',
  'keywords',
  'is_published',
  'is_private',
  'permission_groups',
  'status',
  'created_at',
  'updated_at',
  'is_featured',
  'sort_order',
  'order',
  'show_toc',
  'version_number',
] as const;

const translationFields = ['language_code', 'title', 'slug', 'description', 'is_live', 'updated_at'] as const;

/** Hash of what a list says about an article. It is the same with and without bodies in the list. */
export function fingerprintRecord(record: UnknownRecord): string {
  const { multilingual } = record;
  const translations: unknown = Array.isArray(multilingual)
    ? multilingual.map((element: unknown) => (isRecord(element) ? pick(element, translationFields) : element))
    : multilingual;
  return hash('sha256', JSON.stringify([pick(record, recordFields), translations ?? null])).slice(0, 32);
}

/** Values in the order of `fields`, whatever the order within the record. */
function pick(record: UnknownRecord, fields: readonly string[]): readonly unknown[] {
  return fields.map((field) => record[field] ?? null);
}
