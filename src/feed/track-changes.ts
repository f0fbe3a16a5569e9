import type { ExclusionReason, LanguageTag } from '../model.ts';
import { RecordLog, type Scratch } from '../output/record-log.ts';
import type { PlannedArticle } from '../plan/plan.ts';
import { ChangeLog } from './change-log.ts';
import type { ChangeRecord, RemovalReason, TombstoneRecord } from './change-record.ts';
import type { DocumentRecord } from './document-record.ts';
import { type DocumentState, stateLine } from './document-state.ts';
import { changedFields } from './field-marks.ts';
import { isNamed } from './guard-removals.ts';
import type { PreviousFeed } from './read-previous-feed.ts';

/** What a run changed. */
export interface RunChanges {
  /** Number of the run if it changed anything. */
  readonly seq: number;
  /** One per document. */
  readonly changes: Pick<ChangeLog, 'count' | 'lines'>;
  /** States of the documents there are now, as lines, sorted by article id. */
  readonly documents: RecordLog;
  /** Documents that went in this run. */
  readonly removed: readonly Omit<TombstoneRecord, 'deleted_seq'>[];
  /** Tombstones of earlier runs whose documents are still gone. */
  readonly buried: readonly TombstoneRecord[];
}

/** Compares the documents of this run with those of the last one, one by one. */
export interface ChangeTracker {
  /** Documents are noted sorted by article id. */
  note(document: DocumentState): void;
  finish(): RunChanges;
}

/** What tells why a document is gone. */
export interface PublicState {
  readonly articles: ReadonlyMap<string, PlannedArticle>;
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
  /** Languages the configuration names; `null`: all there are. */
  readonly languages: readonly LanguageTag[] | null;
}

/**
 * Starts comparing.
 * @param rechunked another chunker, or other settings, made the previous chunks
 * @param scratch takes states and changes; `null`: they stay in memory
 */
export function createChangeTracker(
  previous: PreviousFeed | null,
  state: PublicState,
  rechunked: boolean,
  scratch: Scratch | null,
): ChangeTracker {
  const seq = (previous?.manifest.run.seq ?? 0) + 1;
  const changes = new ChangeLog(seq, scratch);
  const documents = new RecordLog(scratch);
  const removed: Omit<TombstoneRecord, 'deleted_seq'>[] = [];
  const tombstones = new Map(previous?.tombstones.map((tombstone) => [tombstone.id, tombstone]));
  const remove = ({ id, articleId, language, url, hash }: DocumentState): void => {
    const reason = removalReason(articleId, language, state);
    tombstones.delete(id);
    removed.push({ id, article_id: articleId, language, last_url: url, last_hash: hash, reason });
    changes.add({
      op: 'delete',
      id,
      article_id: articleId,
      language,
      previous_hash: hash,
      changed: [],
      reason,
    });
  };
  return {
    note(document) {
      const { id, articleId, language } = document;
      const before = previous?.documents.find(articleId, language);
      for (const gone of previous?.documents.note(articleId, language) ?? []) remove(gone);
      documents.append(stateLine(document));
      const change = compare(before, document, rechunked);
      if (change === null) return;
      changes.add(change);
      // A document that came back has no tombstone any more.
      tombstones.delete(id);
    },
    finish() {
      for (const gone of previous?.documents.rest() ?? []) remove(gone);
      return { seq, changes, documents, removed, buried: [...tombstones.values()] };
    },
  };
}

/**
 * How a translation stands to its source. Knowledge bases keep one date per article, so what tells is which of the two
 * bodies changed since the previous run.
 */
export function translationState(
  article: PlannedArticle,
  language: LanguageTag,
  previous: DocumentState | undefined,
): DocumentRecord['translation'] {
  const source = article.sourceLanguage;
  const bodyHash = article.bodyHashes.get(language);
  const sourceHash = article.bodyHashes.get(source);
  if (language === source || bodyHash === undefined || sourceHash === undefined) {
    return { source_language: source, outdated: false };
  }
  const before = previous?.translation;
  const unchanged = before?.source_language === source && before.body_hash === bodyHash;
  const basis = (unchanged ? before.source_body_hash : undefined) ?? sourceHash;
  return {
    source_language: source,
    outdated: basis !== sourceHash,
    body_hash: bodyHash,
    source_body_hash: basis,
  };
}

/** Of a new document; the same list for all of them, since a first run has nothing but new ones. */
const nothing: string[] = [];

function compare(
  before: DocumentState | undefined,
  { id, articleId, language, url, hash, metaHash, marks }: DocumentState,
  rechunked: boolean,
): Omit<ChangeRecord, 'seq'> | null {
  const change = { id, article_id: articleId, language, hash };
  if (before === undefined) return { op: 'upsert', ...change, changed: nothing };
  const changed = {
    ...change,
    previous_hash: before.hash,
    changed: [...changedFields(before.marks, marks)],
  };
  if (before.hash !== hash) return { op: 'upsert', ...changed };
  if (before.metaHash === metaHash) return rechunked ? { op: 'rechunk', ...changed } : null;
  return { op: before.url === url || rechunked ? 'upsert' : 'move', ...changed };
}

function removalReason(
  articleId: string,
  language: LanguageTag,
  { articles, excluded, languages }: PublicState,
): RemovalReason {
  const isRemoved = !isNamed(language, languages);
  if (articles.has(articleId)) return isRemoved ? 'language-removed' : 'translation-withdrawn';
  const excludedFor = excluded.get(articleId);
  // What is left of an article whose languages are all removed has no content.
  if (isRemoved && excludedFor === 'no-content') return 'language-removed';
  switch (excludedFor) {
    case 'draft':
    case 'no-content':
    case 'invalid':
      return 'unpublished';
    case 'private':
    case 'restricted':
    case 'visibility-unknown':
      return 'restricted';
    case 'gone':
    case undefined:
      return 'deleted';
  }
}
