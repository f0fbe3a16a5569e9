import type { LanguageTag } from '../model.ts';
import type { DocumentDescription } from './describe-document.ts';
import { type DocumentRecord, documentSchemaName } from './document-record.ts';
import type { FeedHead } from './feed-head.ts';
import { documentId, recordUuid, sha256 } from './record-ids.ts';
import type { FeedDocument } from './scrub-document.ts';

/**
 * Puts the record of one document together.
 * @param documentLanguage in which language an article that is linked to is read; `null`: it is not planned
 */
export function makeDocumentRecord(
  { id, ...head }: FeedHead,
  document: FeedDocument,
  description: DocumentDescription,
  documentLanguage: (articleId: string, readerLanguage: LanguageTag) => LanguageTag | null,
): DocumentRecord {
  const internal = document.linkedArticleIds.flatMap((linked) => {
    const language = documentLanguage(linked, head.language);
    return language === null ? [] : [documentId(linked, language)];
  });
  const record: Omit<DocumentRecord, 'meta_hash'> = {
    schema: documentSchemaName,
    id,
    uuid: recordUuid(id),
    ...head,
    headings: document.headings.map(({ level, id, text }) => ({ level, id, text })),
    links: { internal, external: [...document.externalLinks] },
    images: document.images.map(({ src, alt }) => ({
      src,
      ...(alt === null || alt === '' ? {} : { alt }),
    })),
    content: { markdown: document.markdown, text: document.text },
    tokens: description.tokens,
    chars: document.markdown.length,
    hash: description.hash,
    ...(description.flags.length === 0 ? {} : { flags: [...description.flags] }),
  };
  return { ...record, meta_hash: metaHash(record) };
}

/** The `meta_hash` of a record: SHA-256 of its JSON without the content and what follows from it, fields in order. */
export function metaHash(
  record: Omit<DocumentRecord, 'meta_hash'> & { readonly meta_hash?: string },
): string {
  const { schema, content, tokens, chars, hash, meta_hash, flags, ...meta } = record;
  return sha256(JSON.stringify(meta));
}
