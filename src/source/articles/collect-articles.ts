import type { ExclusionReason } from '../../core/model.ts';
import { type Problem, problem } from '../../core/problems.ts';
import { isRecord, type UnknownRecord } from '../../core/unknown-record.ts';
import type { ArticlesRead } from '../adapter.ts';
import {
  describeInvalid,
  isArticleId,
  type NormalisedArticle,
  normaliseArticle,
} from '../normalise/article.ts';
import { applySchedule, endsOf, type TimedRecord } from '../normalise/schedule.ts';
import type { ListSink } from '../read-listing.ts';
import type { BodyStore } from '../snapshot/body-store.ts';
import type { StoredArticle } from '../snapshot/format.ts';
import type { ReadSettings } from '../source.ts';
import { fingerprintRecord } from './fingerprint-record.ts';

/** A listed article that was read. */
export type ReadEntry =
  | { readonly kind: 'public'; readonly stored: StoredArticle }
  | Extract<NormalisedArticle, { kind: 'excluded' }>;

type CollectedEntry =
  | ReadEntry
  /** The article must be read in a separate request. */
  | { readonly kind: 'pending'; readonly fingerprint: string }
  /** The article is unchanged since the last snapshot. */
  | { readonly kind: 'reused'; readonly stored: StoredArticle };

/** What to do with a listed record: use it, read the article in a separate request, or reuse the last snapshot. */
export type Decision = 'take' | 'single' | StoredArticle;

/** Takes records in any order, stores the bodies of public articles and collects a small record of each. */
export interface ArticleCollector extends ListSink {
  /** Whether an id was listed more than once. */
  hasDuplicates(): boolean;
  /** Ids that must be read in separate requests. */
  pending(): readonly string[];
  /** Makes articles that are reused from the last snapshot, but whose bodies are damaged, pending. */
  checkReused(): void;
  /** Takes the result of a single read: a record, or `null` if the article no longer exists. It replaces the listed record. */
  takeSingle(id: string, record: unknown): Promise<void>;
  finish(): Pick<
    ArticlesRead,
    'listed' | 'articles' | 'excluded' | 'hiddenNames' | 'problems' | 'scheduleMs'
  >;
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
  let hasDuplicates = false;
  let listed = 0;
  let scheduleMs = Number.POSITIVE_INFINITY;

  const applyTime = (value: unknown): TimedRecord | null => {
    if (!isRecord(value)) return null;
    const timed = applySchedule(value, nowMs);
    scheduleMs = Math.min(scheduleMs, timed.nextMs);
    return timed;
  };

  function enter(
    id: string,
    read: NormalisedArticle,
    fingerprint: string,
    unpublishAt: TimedRecord['unpublishAt'],
  ): void {
    if (read.kind === 'public') {
      const stored = storeArticle(store, read, fingerprint);
      entries.set(id, { kind: 'public', stored: { ...stored, ...endsOf(read.article, unpublishAt) } });
    } else entries.set(id, read);
  }

  function takeRecord(id: string, { record, unpublishAt }: TimedRecord): void {
    const decision = decide(id, record);
    const before = entries.get(id);
    if (before !== undefined) {
      hasDuplicates = true;
      problems.push(
        problem('DUPLICATE_RECORD', `the article ${id} is listed more than once`, { articleId: id }),
      );
    }
    // Several records have the same id and not all of them are here: the article itself has to be read.
    const isOpen = before !== undefined && (before.kind === 'pending' || before.kind === 'reused');
    if (decision === 'single' || isOpen || (before !== undefined && decision !== 'take')) {
      entries.set(id, { kind: 'pending', fingerprint: fingerprintRecord(record) });
    } else if (decision === 'take') {
      const read = normaliseArticle(record, defaultLanguage);
      if (before === undefined || replaces(read, before))
        enter(id, read, fingerprintRecord(record), unpublishAt);
    } else entries.set(id, { kind: 'reused', stored: decision });
  }

  return {
    async restart() {
      entries.clear();
      problems = [];
      hasDuplicates = false;
      listed = 0;
      scheduleMs = Number.POSITIVE_INFINITY;
    },
    async take(record) {
      listed += 1;
      const timed = applyTime(record);
      const id = timed?.record.article_id;
      if (timed !== null && isArticleId(id)) takeRecord(id, timed);
      else problems.push(describeInvalid(record));
    },
    hasDuplicates: () => hasDuplicates,
    pending: () => [...entries].flatMap(([id, { kind }]) => (kind === 'pending' ? [id] : [])),
    checkReused() {
      for (const [id, entry] of entries) {
        if (entry.kind !== 'reused') continue;
        const { stored } = entry;
        const isSound = store.has(stored.article);
        entries.set(
          id,
          isSound ? { kind: 'public', stored } : { kind: 'pending', fingerprint: stored.fingerprint },
        );
      }
    },
    async takeSingle(id, record) {
      const before = entries.get(id);
      const fingerprint = before?.kind === 'pending' ? before.fingerprint : '';
      if (record === null) return void entries.set(id, excludeUnread('gone', describeGone(id)));
      const timed = applyTime(record);
      if (timed?.record.article_id === id)
        enter(id, normaliseArticle(timed.record, defaultLanguage), fingerprint, timed.unpublishAt);
      else entries.set(id, excludeUnread('invalid', describeMismatch(id)));
    },
    finish() {
      const next = Number.isFinite(scheduleMs) ? { scheduleMs } : {};
      return { listed, ...sortEntries(entries, problems), ...next };
    },
  };
}

/** Keeps the bodies of a public article. */
export function storeArticle(
  store: BodyStore,
  { article, bodies, hidden, hiddenNames, problems }: Extract<NormalisedArticle, { kind: 'public' }>,
  fingerprint: string,
): StoredArticle {
  return {
    article,
    bodyBytes: store.put(article, bodies),
    ...(hiddenNames.length === 0 ? { hidden } : { hidden, hiddenNames }),
    fingerprint,
    problems,
  };
}

/** The articles of a list by id, public ones and others. @param problems those of the list itself, which come first */
export function sortEntries(
  entries: ReadonlyMap<string, CollectedEntry>,
  problems: readonly Problem[],
): Pick<ArticlesRead, 'articles' | 'excluded' | 'hiddenNames' | 'problems'> {
  const articles: StoredArticle[] = [];
  const excluded = new Map<string, ExclusionReason>();
  const hiddenNames = new Map<string, readonly string[]>();
  const all = [...problems];
  for (const [id, entry] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (entry.kind === 'public') articles.push(entry.stored);
    else if (entry.kind === 'excluded') {
      excluded.set(id, entry.reason);
      if (entry.hiddenNames.length > 0) hiddenNames.set(id, entry.hiddenNames);
      all.push(...entry.problems);
    } else throw new Error(`the article ${id} was never read`);
  }
  return { articles, excluded, hiddenNames, problems: all };
}

/** An article of which nothing but its id is known. */
export function excludeUnread(reason: ExclusionReason, ...problems: readonly Problem[]): ReadEntry {
  return { kind: 'excluded', reason, updatedAt: null, hiddenNames: [], problems };
}

/** Returns whether a record replaces another one with its id: the newer one counts, or, if they have the same time, the one that is not public. */
function replaces(read: NormalisedArticle, before: CollectedEntry): boolean {
  const time = read.kind === 'public' ? read.article.updatedAt : read.updatedAt;
  const timeBefore = editedAt(before);
  if (time !== null && timeBefore !== null && time !== timeBefore) return time > timeBefore;
  return read.kind === 'excluded' && before.kind === 'public';
}

function editedAt(entry: CollectedEntry): string | null {
  if (entry.kind === 'public') return entry.stored.article.updatedAt;
  return entry.kind === 'excluded' ? entry.updatedAt : null;
}

/** @param shown the id as the authors of the service know it */
export function describeGone(id: string, shown: string | number = id): Problem {
  return problem('ARTICLE_GONE', `${shown} was listed but not found`, { articleId: id });
}

function describeMismatch(id: string): Problem {
  return problem('ARTICLE_MISMATCH', `the answer to ${id} is another article`, { articleId: id });
}
