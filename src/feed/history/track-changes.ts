import type { ExclusionReason, LanguageTag } from '../../foundation/model.ts';
import type { PlannedArticle } from '../../plan/plan.ts';
import { isNamed } from '../guard/guard-removals.ts';
import {
  type DocumentRecord,
  type RemovalReason,
  sha256,
  type TombstoneRecord,
} from '../records/record-schemas.ts';

/** State from which the next run computes whether a document changed. */
export interface DocumentState {
  /** Document id. */
  readonly id: string;
  readonly articleId: string;
  readonly language: string;
  readonly url: string;
  /** See {@link recordHash}. */
  readonly hash: string;
  readonly translation: DocumentRecord['translation'];
}

/** The fields of a record that its state has. */
export type StatedRecord = Pick<DocumentRecord, 'id' | 'article_id' | 'language' | 'url' | 'translation'>;

export function stateOf(record: StatedRecord, hash: string): DocumentState {
  const { id, article_id: articleId, language, url, translation } = record;
  return { id, articleId, language, url, hash, translation };
}

/** Hash of a document's line and the lines of its chunks, with their line feeds: another hash is a change. */
export function recordHash(documentLine: string, chunkLines: string): string {
  return sha256(documentLine + chunkLines);
}

/** All changes of a run, sorted by document id. */
export interface FeedChanges {
  /** Documents that are new or changed. */
  readonly upserted: readonly DocumentState[];
  /** Documents that are gone. */
  readonly removed: readonly Omit<TombstoneRecord, 'seq'>[];
}

/** Facts that explain why a document was removed. */
interface PublicState {
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
  const upserted = now.filter(({ id, hash }) => previous.get(id)?.hash !== hash);
  const ids = new Set(now.map(({ id }) => id));
  const removed = [...previous.values()]
    .filter(({ id }) => !ids.has(id))
    .map(({ id, articleId, language, url }) => ({
      ...{ id, article_id: articleId, language, url },
      reason: removalReason(articleId, language, state),
    }));
  return { upserted: upserted.sort(byId), removed: removed.sort(byId) };
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
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
