import { hash } from 'node:crypto';
import type { ExclusionReason, LanguageTag } from '../../core/model.ts';
import type { PlannedArticle } from '../../site/plan/plan.ts';
import { isNamed } from '../guard/guard-removals.ts';
import type { DocumentRecord, RemovalReason } from '../records/record-schemas.ts';

/** State from which the next run computes whether a document changed. */
export interface DocumentState {
  /** Document id. */
  readonly id: string;
  readonly articleId: string;
  readonly language: string;
  readonly url: string;
  /** See {@link recordHash}. */
  readonly hash: string;
  readonly version: DocumentVersion;
}

/** Which version of an article's body a document is, as far as the service tells. */
export type DocumentVersion = Readonly<Pick<DocumentRecord, 'updated_at' | 'body_hash' | 'translation'>>;

/** The state of a document. @param hash see {@link recordHash} */
export function stateOf(record: DocumentRecord, hash: string): DocumentState {
  const { id, article_id: articleId, language, url } = record;
  return { id, articleId, language, url, hash, version: versionOf(record) };
}

function versionOf({ updated_at, body_hash, translation }: DocumentVersion): DocumentVersion {
  return {
    ...(updated_at === undefined ? {} : { updated_at }),
    ...(body_hash === undefined ? {} : { body_hash }),
    ...(translation === undefined ? {} : { translation }),
  };
}

/** Hash of a document's line and the lines of its chunks, with their line feeds: another hash is a change. */
export function recordHash(documentLine: string, chunkLines: string): string {
  return hash('sha256', documentLine + chunkLines);
}

/** All changes of a run, sorted by document id. */
export interface FeedChanges {
  /** Documents that are new or changed. `was`: the hash before; `undefined`: the document is new. */
  readonly upserted: readonly (DocumentState & { readonly was: string | undefined })[];
  /** Documents that are gone. */
  readonly removed: readonly {
    readonly id: string;
    readonly reason: RemovalReason;
    readonly url: string;
    /** Its hash before. */
    readonly was: string;
  }[];
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
  const upserted = now
    .map((one) => ({ ...one, was: previous.get(one.id)?.hash }))
    .filter(({ hash, was }) => was !== hash);
  const ids = new Set(now.map(({ id }) => id));
  const removed = [...previous.values()]
    .filter(({ id }) => !ids.has(id))
    .map(({ id, articleId, language, url, hash }) => ({
      ...{ id, url, was: hash },
      reason: removalReason(articleId, language, state),
    }));
  return { upserted: upserted.sort(byId), removed: removed.sort(byId) };
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}

/** Characters of the hash of a body that are stored: enough to tell two versions of one body apart. */
const bodyHashChars = 16;

/**
 * Describes the version of a page by comparing bodies with the previous run. A knowledge base may have one date per article: a translation
 * whose body is unchanged then keeps its date. Nothing of a translation changes only because another language does, so that an edit is a
 * change of one document and not of all languages.
 * @param previous the document in the feed that this one continues; `undefined` if that feed does not have it, `null` if there is no such
 * feed. Of which version of its source a translation is, is known only if it changed or appeared since that feed.
 */
export function versionOfPage(
  article: PlannedArticle,
  language: LanguageTag,
  previous: DocumentState | undefined | null,
): DocumentVersion {
  const hashOf = (tag: LanguageTag) => article.pages.get(tag)?.bodyHash.slice(0, bodyHashChars);
  const source = article.sourceLanguage;
  const bodyHash = hashOf(language);
  const ownDate = article.pages.get(language)?.updatedAt;
  const updatedAt = ownDate ?? article.updatedAt ?? undefined;
  if (language === source) {
    const isTranslated = article.pages.size > 1;
    return versionOf({ updated_at: updatedAt, body_hash: isTranslated ? bodyHash : undefined });
  }
  const before = previous?.version;
  const isUnchanged = before?.body_hash !== undefined && before.body_hash === bodyHash;
  const isChanged =
    previous === undefined || (before?.body_hash !== undefined && before.body_hash !== bodyHash);
  const basis =
    before?.translation?.source_language === source ? before.translation.source_body_hash : undefined;
  const sourceHash = isChanged ? hashOf(source) : basis;
  return versionOf({
    updated_at: (isUnchanged && !ownDate ? before.updated_at : undefined) ?? updatedAt,
    body_hash: bodyHash,
    translation: {
      source_language: source,
      ...(sourceHash === undefined ? {} : { source_body_hash: sourceHash }),
    },
  });
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
    case 'noindex':
    case 'redirect':
    case 'not-found':
    case 'listing':
    case 'copy':
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
