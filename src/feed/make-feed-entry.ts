import type { Document } from '../content/document.ts';
import type { LanguageTag } from '../model.ts';
import type { ChunkSettings } from './chunk-settings.ts';
import { describeDocument } from './describe-document.ts';
import type { DocumentRecord } from './document-record.ts';
import type { FeedEntry } from './feed-entry.ts';
import type { FeedHead } from './feed-head.ts';
import { markFields } from './field-marks.ts';
import { fullTextHead } from './full-text.ts';
import { jsonLine } from './json-lines.ts';
import { openingOf } from './llms-sections.ts';
import { makeChunkRecords } from './make-chunk-records.ts';
import { makeDocumentRecord } from './make-document-record.ts';
import { markdownTwin } from './markdown-twin.ts';
import { scrubDocument } from './scrub-document.ts';
import { sourceJson, sourceRecord, sourceText } from './source-article.ts';
import type { CountTokens } from './tokens.ts';

/** What making entries takes; the same for all pages of a run. */
export interface EntryMeans {
  readonly chunks: ChunkSettings;
  readonly countTokens: CountTokens;
  /** In which language an article that is linked to is read; `null`: it is not planned. */
  readonly documentLanguage: (articleId: string, readerLanguage: LanguageTag) => LanguageTag | null;
}

/** Pure: the same head and document give the same entry, in whatever run or thread. */
export type MakeFeedEntry = (head: FeedHead, document: Document) => FeedEntry;

/** Makes what turns one page into what it puts into the feed. */
export function createEntryMaker({ chunks, countTokens, documentLanguage }: EntryMeans): MakeFeedEntry {
  return (head, document) => {
    const clean = scrubDocument(document);
    const description = describeDocument(head.title, clean, chunks, countTokens);
    const { record, json, textJson } = makeDocumentRecord(head, clean, description, documentLanguage);
    const source = sourceRecord(record);
    const textHead = fullTextHead(record);
    const fullText = textHead + clean.markdown;
    return {
      facts: {
        id: record.id,
        hash: record.hash,
        metaHash: record.meta_hash,
        marks: markFields(record),
        tokens: record.tokens,
        chunks: description.chunks.length,
        flags: description.flags,
        secrets: description.secrets,
        opening: head.description === undefined ? openingOf(clean.text) : null,
        fullTextHead: textHead.length,
        fullTextChars: fullText.length,
      },
      document: `${json}\n`,
      chunks: makeChunkRecords(record, description.chunks).map(jsonLine).join(''),
      sourceJson: sourceJson(source, textJson),
      sourceText: sourceText(source),
      fullText,
      twin: twinOf(record),
    };
  };
}

function twinOf({ id, language, title, url, tokens, updated_at, content }: DocumentRecord): string {
  return markdownTwin({ id, language, title, url, tokens, updatedAt: updated_at ?? null }, content.markdown);
}
