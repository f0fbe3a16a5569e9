import type { LanguageTag } from '../../foundation/model.ts';
import type { FeedDocument } from '../guard/scrub-document.ts';
import type { DocumentDescription } from './describe-document.ts';
import { type DocumentRecord, documentSchemaName } from './document-record.ts';
import type { FeedHead } from './feed-head.ts';
import { documentId, recordUuid, sha256 } from './record-ids.ts';

/** A record as it is written. */
export interface WrittenDocument {
  readonly record: DocumentRecord;
  /** JSON of the record, and of the text in it: a page's text is long, and not written twice. */
  readonly json: string;
  readonly textJson: string;
}

/**
 * Puts the record of one document together.
 * @param documentLanguage in which language an article that is linked to is read; `null`: it is not planned
 */
export function makeDocumentRecord(
  { id, ...head }: FeedHead,
  document: FeedDocument,
  description: DocumentDescription,
  documentLanguage: (articleId: string, readerLanguage: LanguageTag) => LanguageTag | null,
): WrittenDocument {
  const internal = document.linkedArticleIds.flatMap((linked) => {
    const language = documentLanguage(linked, head.language);
    return language === null ? [] : [documentId(linked, language)];
  });
  const meta = {
    id,
    uuid: recordUuid(id),
    ...head,
    headings: document.headings.map(({ level, id, text }) => ({ level, id, text })),
    links: { internal, external: [...document.externalLinks] },
    images: document.images.map(({ src, alt }) => ({
      src,
      ...(alt === null || alt === '' ? {} : { alt }),
    })),
  };
  const metaJson = JSON.stringify(meta);
  const { markdown, text } = document;
  const facts = {
    tokens: description.tokens,
    chars: markdown.length,
    hash: description.hash,
    ...(description.flags.length === 0 ? {} : { flags: [...description.flags] }),
    meta_hash: sha256(metaJson),
  };
  const textJson = JSON.stringify(text);
  return {
    record: { schema: documentSchemaName, ...meta, content: { markdown, text }, ...facts },
    json:
      `{"schema":"${documentSchemaName}",${metaJson.slice(1, -1)},` +
      `"content":{"markdown":${JSON.stringify(markdown)},"text":${textJson}},${JSON.stringify(facts).slice(1)}`,
    textJson,
  };
}

/** The `meta_hash` of a record: SHA-256 of its JSON without the content and what follows from it, fields in order. */
export function metaHash(record: DocumentRecord): string {
  const { schema, content, tokens, chars, hash, meta_hash, flags, ...meta } = record;
  return sha256(JSON.stringify(meta));
}
