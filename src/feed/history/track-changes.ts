import type { ExclusionReason, LanguageTag } from '../../foundation/model.ts';
import type { PlannedArticle } from '../../plan/plan.ts';
import { isNamed } from '../guard/guard-removals.ts';
import type {
  ChangeRecord,
  DocumentRecord,
  RemovalReason,
  TombstoneRecord,
} from '../records/record-schemas.ts';

/** State from which the next run computes whether and how a document changed. */
export interface DocumentState {
  /** Document id. */
  readonly id: string;
  readonly articleId: string;
  readonly language: string;
  readonly url: string;
  readonly hash: string;
  readonly metaHash: string;
  /** Empty if the feed of an earlier version has no `chunks_hash`. */
  readonly chunksHash: string;
  /** Marks of its fields. */
  readonly marks: FieldMarks;
  readonly translation: DocumentRecord['translation'];
  /** `null` if the record has none. */
  readonly updatedAt: string | null;
}

/** A document of this or the previous feed. */
type KnownDocument = Omit<DocumentRecord, 'chunks_hash'> & { readonly chunks_hash?: string | undefined };

export function stateOf(record: KnownDocument): DocumentState {
  return {
    id: record.id,
    articleId: record.article_id,
    language: record.language,
    url: record.url,
    hash: record.hash,
    metaHash: record.meta_hash,
    chunksHash: record.chunks_hash ?? '',
    marks: markFields(record),
    translation: record.translation,
    updatedAt: record.updated_at ?? null,
  };
}

/** Fields that a change can list, in this order. */
const fields = [
  'title',
  'content',
  'url',
  'markdown_url',
  'category',
  'tags',
  'description',
  'created_at',
  'updated_at',
  'alternates',
  'translation',
  'headings',
  'links',
  'images',
] as const satisfies readonly (keyof DocumentRecord)[];

/** A short hash per field, so that a run can list the fields that changed without storing the record. */
export type FieldMarks = string;

/** Computes the marks of a record. */
export function markFields(record: KnownDocument): FieldMarks {
  return fields.map((field) => mark(field === 'content' ? record.content.markdown : record[field])).join(' ');
}

/** Lists the fields whose marks differ. */
export function changedFields(before: FieldMarks, now: FieldMarks): readonly string[] {
  const earlier = before.split(' ');
  const later = now.split(' ');
  return fields.filter((_, at) => earlier[at] !== later[at]);
}

/** FNV-1a over the UTF-16 units of a text, or of the JSON of any other value; empty if there is no value. */
function mark(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** A change of this run, without its number. */
export type Change = Omit<ChangeRecord, 'seq'>;

/** All changes of a run: one per document, sorted by document id. */
export interface FeedChanges {
  readonly changes: readonly Change[];
  /** Documents that were removed in this run. */
  readonly removed: readonly Omit<TombstoneRecord, 'deleted_seq'>[];
}

/** Facts that explain why a document was removed. */
export interface PublicState {
  readonly articles: ReadonlyMap<string, PlannedArticle>;
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
  /** Languages that the configuration names; `null`: all languages. */
  readonly languages: readonly LanguageTag[] | null;
}

/**
 * Compares documents with those of the previous run. Pure.
 * @param previous by document id
 * @param now documents that may have changed; documents of `previous` that are not among them are gone
 */
export function compareDocuments(
  previous: ReadonlyMap<string, DocumentState>,
  now: readonly DocumentState[],
  state: PublicState,
): FeedChanges {
  const changes = now.flatMap((document) => compare(previous.get(document.id), document) ?? []);
  const ids = new Set(now.map(({ id }) => id));
  const gone = [...previous.values()].filter(({ id }) => !ids.has(id));
  const removed = gone.map(({ id, articleId, language, url, hash }) => {
    const reason = removalReason(articleId, language, state);
    changes.push({
      op: 'delete',
      id,
      article_id: articleId,
      language,
      previous_hash: hash,
      changed: [],
      reason,
    });
    return { id, article_id: articleId, language, last_url: url, last_hash: hash, reason };
  });
  return { changes: changes.sort((a, b) => (a.id < b.id ? -1 : 1)), removed };
}

/**
 * Compares a translation to its source. A knowledge base has one date per article, so this compares which of the two bodies changed since
 * the previous run.
 */
export function translationState(
  article: PlannedArticle,
  language: LanguageTag,
  previous: DocumentState | undefined,
): DocumentRecord['translation'] {
  const source = article.sourceLanguage;
  const bodyHash = article.pages.get(language)?.bodyHash;
  const sourceHash = article.pages.get(source)?.bodyHash;
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

/** Changed fields of a new document. Shared, because in a first run all documents are new. */
const nothing: string[] = [];

function compare(
  before: DocumentState | undefined,
  { id, articleId, language, url, hash, metaHash, chunksHash, marks, updatedAt, translation }: DocumentState,
): Change | null {
  const change = { id, article_id: articleId, language, hash };
  if (before === undefined) return { op: 'upsert', ...change, changed: nothing };
  const changed = {
    ...change,
    previous_hash: before.hash,
    changed: [...changedFields(before.marks, marks)],
  };
  if (before.hash !== hash) return { op: 'upsert', ...changed };
  const isRecut = before.chunksHash !== chunksHash;
  if (before.metaHash === metaHash) return isRecut ? { op: 'rechunk', ...changed } : null;
  if (isRecut) return { op: 'upsert', ...changed };
  if (before.url !== url) return { op: 'move', ...changed };
  const isTouch = changed.changed.length > 0 && changed.changed.every((field) => ofOthers.has(field));
  if (!isTouch) return { op: 'upsert', ...changed };
  const date = updatedAt === null ? {} : { updated_at: updatedAt };
  return { op: 'touch', ...changed, ...date, translation_outdated: translation.outdated };
}

/** Fields that change with the other languages of an article: all its languages share one date. */
const ofOthers: ReadonlySet<string> = new Set(['updated_at', 'alternates', 'translation']);

/** Why a record of changes cannot be the result of comparing two documents; `null` if it can. */
export function contradictionIn(change: Omit<ChangeRecord, 'seq'>): string | null {
  const { op, hash, previous_hash, changed, reason } = change;
  const has = (field: string) => changed.includes(field);
  if (changed.join() !== fields.filter(has).join()) return 'lists an unknown field, or a wrong order';
  const isDelete = op === 'delete';
  if (isDelete !== (hash === undefined) || isDelete !== (reason !== undefined)) {
    return 'has a wrong hash or reason';
  }
  if (isDelete && previous_hash === undefined) return 'has no previous hash';
  if (isDelete || previous_hash === undefined) {
    return changed.length > 0 ? 'lists changed fields' : null;
  }
  if ((hash !== previous_hash) !== (has('title') || has('content'))) {
    return 'lists fields that do not match its hashes';
  }
  const isPossible =
    op === 'upsert' ||
    (op === 'move' && has('url')) ||
    (op === 'rechunk' && changed.length === 0) ||
    (op === 'touch' && changed.length > 0 && changed.every((field) => ofOthers.has(field)));
  return isPossible ? null : 'lists fields that do not match it';
}

function removalReason(
  articleId: string,
  language: LanguageTag,
  { articles, excluded, languages }: PublicState,
): RemovalReason {
  const isRemoved = !isNamed(language, languages);
  if (articles.has(articleId)) return isRemoved ? 'language-removed' : 'translation-withdrawn';
  const excludedFor = excluded.get(articleId);
  switch (excludedFor) {
    case 'other-language':
      return isRemoved ? 'language-removed' : 'translation-withdrawn';
    case 'draft':
    case 'no-content':
    case 'invalid':
      return 'unpublished';
    case 'private':
    case 'restricted':
    case 'visibility-unknown':
      return 'restricted';
    case 'gone':
    case 'no-source':
    case undefined:
      return 'deleted';
  }
}
