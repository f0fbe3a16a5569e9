import type { ExclusionReason, LanguageTag } from '../model.ts';
import type { PlannedArticle } from '../plan/plan.ts';
import type { ChangeRecord, RemovalReason, TombstoneRecord } from './change-record.ts';
import type { DocumentRecord } from './document-record.ts';
import type { DocumentState } from './document-state.ts';
import { changedFields } from './field-marks.ts';
import type { PreviousFeed } from './read-previous-feed.ts';

/** What a run changed, before it has a number. */
export interface RunChanges {
  /** Sorted by document id, one per document. */
  readonly changes: readonly Omit<ChangeRecord, 'seq'>[];
  /** Documents there are now, by id, in the order they were noted in. */
  readonly documents: ReadonlyMap<string, DocumentState>;
  /** Documents that went in this run. */
  readonly removed: readonly Omit<TombstoneRecord, 'deleted_seq'>[];
}

/** Compares the documents of this run with those of the last one, one by one. */
export interface ChangeTracker {
  note(id: string, document: DocumentState): void;
  finish(): RunChanges;
}

/** What tells why a document is gone. */
export interface PublicState {
  readonly articles: ReadonlyMap<string, PlannedArticle>;
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
}

/** Starts comparing; `rechunked` tells that another chunker, or other settings, made the previous chunks. */
export function createChangeTracker(
  previous: PreviousFeed | null,
  state: PublicState,
  rechunked: boolean,
): ChangeTracker {
  const changes: Omit<ChangeRecord, 'seq'>[] = [];
  const documents = new Map<string, DocumentState>();
  return {
    note(id, document) {
      const before = previous?.documents.get(id);
      // Where nothing changed, and that is nearly everywhere, one state is kept and not two.
      documents.set(id, before !== undefined && isSame(before, document) ? before : document);
      const change = compare(before, id, document, rechunked);
      if (change !== null) changes.push(change);
    },
    finish() {
      const gone = [...(previous?.documents ?? [])].filter(([id]) => !documents.has(id));
      const removed = gone.map(([id, document]) => ({
        id,
        article_id: document.articleId,
        language: document.language,
        last_url: document.url,
        last_hash: document.hash,
        reason: removalReason(document.articleId, state),
      }));
      const deletes = removed.map((tombstone) => ({
        op: 'delete' as const,
        id: tombstone.id,
        article_id: tombstone.article_id,
        language: tombstone.language,
        previous_hash: tombstone.last_hash,
        changed: [],
        reason: tombstone.reason,
      }));
      return {
        changes: [...changes, ...deletes].sort((a, b) => (a.id < b.id ? -1 : 1)),
        documents,
        removed,
      };
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

function isSame(before: DocumentState, now: DocumentState): boolean {
  const [a, b] = [before.translation, now.translation];
  return (
    before.hash === now.hash &&
    before.metaHash === now.metaHash &&
    before.marks === now.marks &&
    before.url === now.url &&
    before.articleId === now.articleId &&
    before.language === now.language &&
    a.source_language === b.source_language &&
    a.outdated === b.outdated &&
    a.body_hash === b.body_hash &&
    a.source_body_hash === b.source_body_hash
  );
}

function compare(
  before: DocumentState | undefined,
  id: string,
  { articleId, language, url, hash, metaHash, marks }: DocumentState,
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

function removalReason(articleId: string, { articles, excluded }: PublicState): RemovalReason {
  if (articles.has(articleId)) return 'translation-withdrawn';
  switch (excluded.get(articleId)) {
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
