import type { Document } from '../../content/document.ts';
import type { LanguageTag } from '../../foundation/model.ts';
import type { ChunkSettings } from '../chunks/chunk-settings.ts';
import { fitFullText, fullTextHead } from '../chunks/full-text.ts';
import { scrubDocument } from '../guard/scrub-document.ts';
import { stateOf } from '../history/document-state.ts';
import { openingOf } from '../llms/llms-sections.ts';
import { markdownTwin } from '../llms/markdown-twin.ts';
import type { CountTokens } from '../tokens/tokens.ts';
import { describeDocument } from './describe-document.ts';
import type { DocumentRecord } from './document-record.ts';
import type { FeedEntry } from './feed-entry.ts';
import type { FeedHead } from './feed-head.ts';
import { jsonLine } from './json-lines.ts';
import { makeChunkRecords } from './make-chunk-records.ts';
import { makeDocumentRecord } from './make-document-record.ts';
import { sourceJson, sourceRecord, sourceText } from './source-article.ts';

/** What making entries takes; the same for all pages of a run. */
export interface EntryMeans {
  readonly chunks: ChunkSettings;
  readonly countTokens: CountTokens;
  /** In which language an article that is linked to is read; `null`: it is not planned. */
  readonly documentLanguage: (articleId: string, readerLanguage: LanguageTag) => LanguageTag | null;
  /** Characters an article may take in `llms-full.txt` of a language. */
  readonly fullTextRoom: (language: LanguageTag) => number;
}

/** Pure: the same head and document give the same entry, in whatever run or thread. */
export type MakeFeedEntry = (head: FeedHead, document: Document) => FeedEntry;

/** Makes what turns one page into what it puts into the feed. */
export function createEntryMaker(means: EntryMeans): MakeFeedEntry {
  const { chunks, countTokens, documentLanguage, fullTextRoom } = means;
  return (head, document) => {
    const clean = scrubDocument(document);
    const description = describeDocument(head.title, clean, chunks, countTokens);
    const { record, json, textJson } = makeDocumentRecord(head, clean, description, documentLanguage);
    const source = sourceRecord(record);
    return {
      facts: {
        state: stateOf(record),
        tokens: record.tokens,
        chunks: description.chunks.length,
        flags: description.flags,
        secrets: description.secrets,
        opening: head.description === undefined ? openingOf(clean.text) : null,
      },
      document: `${json}\n`,
      chunks: makeChunkRecords(record, description.chunks).map(jsonLine).join(''),
      sourceJson: sourceJson(source, textJson),
      sourceText: sourceText(source),
      fullText: fitFullText(
        fullTextHead(record),
        clean.markdown,
        fullTextRoom(record.language),
        record.markdown_url,
      ),
      twin: twinOf(record),
    };
  };
}

function twinOf({ id, language, title, url, tokens, updated_at, content }: DocumentRecord): string {
  return markdownTwin({ id, language, title, url, tokens, updatedAt: updated_at ?? null }, content.markdown);
}
