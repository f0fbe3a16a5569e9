import { hash } from 'node:crypto';
import type { NetworkSettings } from '../../config/source-settings.ts';
import type { ExclusionReason, LanguageTag } from '../../foundation/model.ts';
import { type Problem, problem } from '../../foundation/problems.ts';
import type { Http } from '../http.ts';
import { isArticleId, type NormalisedArticle, normaliseArticle } from '../normalise/article.ts';
import { isRecord, type UnknownRecord } from '../normalise/fields.ts';
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

type Entry =
  | { readonly kind: 'public'; readonly stored: StoredArticle }
  | ExcludedEntry
  /** Must be read by itself. */
  | { readonly kind: 'pending'; readonly fingerprint: string }
  /** Is as in the last snapshot. */
  | { readonly kind: 'reused'; readonly stored: StoredArticle };

/** Action for a listed record: use it, read the article in a request of its own, or reuse the last snapshot. */
export type Decision = 'take' | 'single' | StoredArticle;

/** Result of a listing and of the single reads after it. */
interface CollectedArticles {
  readonly listed: number;
  /** Sorted by id. */
  readonly articles: readonly StoredArticle[];
  /** Sorted by id. */
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
  /** Problems that belong to no public article. */
  readonly problems: readonly Problem[];
}

/** Takes records in any order, stores the bodies of public articles and returns a small record of each. */
export interface ArticleCollector extends ListSink {
  /** Whether an id was listed more than once. */
  hasDuplicates(): boolean;
  /** Ids that must be read by themselves. */
  pending(): readonly string[];
  /** Articles that are as in the last snapshot, whose bodies are still to be handed over. */
  reused(): readonly StoredArticle[];
  /** Takes the bodies of a reused article; `null` when they are damaged: then it must be read by itself. */
  takeReused(stored: StoredArticle, bodies: readonly Buffer[] | null): Promise<void>;
  /** Takes the result of a single read: a record, or `null` if the article is gone. It overrides the list. */
  takeSingle(id: string, record: unknown): Promise<void>;
  finish(): CollectedArticles;
}

/** `decide` decides on every listed record with a usable id. */
export function createCollector(
  store: BodyStore,
  defaultLanguage: LanguageTag,
  decide: (id: string, record: UnknownRecord) => Decision,
): ArticleCollector {
  const entries = new Map<string, Entry>();
  let problems: Problem[] = [];
  let listed = 0;

  async function enter(id: string, read: NormalisedArticle, print: string): Promise<void> {
    const before = entries.get(id);
    if (before?.kind === 'public') await store.erase(before.stored.bodyRange);
    if (read.kind === 'public') {
      const bodyRange = await store.append([...read.bodies.values()]);
      const { article, hidden, problems } = read;
      const stored = { article, bodyRange, hidden, fingerprint: print, problems };
      entries.set(id, { kind: 'public', stored });
    } else if (read.kind === 'excluded') entries.set(id, read);
  }

  async function takeRecord(id: string, record: UnknownRecord): Promise<void> {
    const decision = decide(id, record);
    const before = entries.get(id);
    if (before !== undefined) {
      problems.push(problem('DUPLICATE_ID', `the article ${id} is listed more than once`, { articleId: id }));
    }
    // Which of several records counts, where not all of them are here: the article itself will tell.
    const isOpen = before !== undefined && (before.kind === 'pending' || before.kind === 'reused');
    if (decision === 'single' || isOpen || (before !== undefined && decision !== 'take')) {
      if (before?.kind === 'public') await store.erase(before.stored.bodyRange);
      entries.set(id, { kind: 'pending', fingerprint: fingerprintRecord(record) });
    } else if (decision === 'take') {
      const read = normaliseArticle(record, defaultLanguage);
      if (before === undefined || replaces(read, before)) await enter(id, read, fingerprintRecord(record));
    } else entries.set(id, { kind: 'reused', stored: decision });
  }

  function* ofKind<K extends Entry['kind']>(kind: K): Generator<[string, Extract<Entry, { kind: K }>]> {
    for (const [id, entry] of entries) {
      if (entry.kind === kind) yield [id, entry as Extract<Entry, { kind: K }>];
    }
  }

  return {
    async restart() {
      entries.clear();
      problems = [];
      listed = 0;
      await store.clear();
    },
    async take(record) {
      listed += 1;
      const id = isRecord(record) ? record.article_id : null;
      if (isRecord(record) && isArticleId(id)) await takeRecord(id, record);
      else problems.push(...normaliseArticle(record, defaultLanguage).problems);
    },
    hasDuplicates: () => problems.some(({ code }) => code === 'DUPLICATE_ID'),
    pending: () => [...ofKind('pending')].map(([id]) => id),
    reused: () => [...ofKind('reused')].map(([, { stored }]) => stored),
    async takeReused(stored, bodies) {
      const { id } = stored.article;
      if (bodies === null) entries.set(id, { kind: 'pending', fingerprint: stored.fingerprint });
      else entries.set(id, { kind: 'public', stored: { ...stored, bodyRange: await store.append(bodies) } });
    },
    async takeSingle(id, record) {
      const before = entries.get(id);
      const print = before?.kind === 'pending' ? before.fingerprint : '';
      if (record === null) return void entries.set(id, gone(id));
      const read = normaliseArticle(record, defaultLanguage);
      const readId = read.kind === 'public' ? read.article.id : read.kind === 'excluded' ? read.id : null;
      if (readId === id) await enter(id, read, print);
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
      return { listed, articles, excluded, problems: loose };
    },
  };
}

/** Of two records with one id the newer counts; where neither is newer, the one that is not public. */
function replaces(read: NormalisedArticle, before: Entry): boolean {
  const time =
    read.kind === 'public' ? read.article.updatedAt : read.kind === 'excluded' ? read.updatedAt : null;
  const timeBefore = editedAt(before);
  if (time !== null && timeBefore !== null && time !== timeBefore) return time > timeBefore;
  return read.kind === 'excluded' && before.kind === 'public';
}

function editedAt(entry: Entry): string | null {
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

/** All articles as they are now, their bodies in the store. */
export interface ArticlesRead extends CollectedArticles {
  readonly mode: ReadMode;
  /** Time of the listing by the server's clock. */
  readonly listedAtMs: number;
  /** Time at which every body was last read, by ours. */
  readonly fullReadAtMs: number;
  /** Whether the list gives bodies. */
  readonly isListWithBodies: boolean;
  /** Validator of the whole list with all bodies, or `null`. */
  readonly etag: string | null;
  /** Articles that were asked for one by one. */
  readonly singleReads: number;
}

/** Context for reading articles through the API. */
export interface Reading {
  readonly http: Http;
  /** Takes the bodies. */
  readonly store: BodyStore;
  /** The last snapshot of this knowledge base, where there is a sound one. */
  readonly previous: Snapshot | null;
  /** Takes over the bodies of an article of `previous`; `null` where they are damaged. */
  readonly reuseBodies: (stored: StoredArticle) => Promise<BodyRange | null>;
  readonly settings: ReadSettings & { readonly network: NetworkSettings };
}

/** The time by our clock, in milliseconds since 1970. */
export function timeMs({ settings }: Reading): number {
  return (settings.ports?.now ?? Date.now)();
}

/** A sink that reports how many records it has passed on; of about as many as the last time, where that is known. */
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

/** Everything that is published or decides about it, but bodies; what else a record holds may change at will (views). */
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

/** Hash of what a list says about an article, the same whether the list was asked for with bodies or without. */
export function fingerprintRecord(record: UnknownRecord): string {
  const { multilingual } = record;
  const translations: unknown = Array.isArray(multilingual)
    ? multilingual.map((element: unknown) => (isRecord(element) ? pick(element, translationFields) : element))
    : multilingual;
  return hash('sha256', JSON.stringify([pick(record, recordFields), translations ?? null])).slice(0, 32);
}

/** Values in the order of the fields; the order within a record does not matter. */
function pick(record: UnknownRecord, fields: readonly string[]): readonly unknown[] {
  return fields.map((field) => record[field] ?? null);
}
