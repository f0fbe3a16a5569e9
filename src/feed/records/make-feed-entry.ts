import { hash } from 'node:crypto';
import type { Document } from '../../content/document.ts';
import { introductionOf } from '../../content/introduction.ts';
import { dropNeedlessEscapes } from '../../content/write/needless-escapes.ts';
import { decodeUrlLetters } from '../../core/addresses.ts';
import { stripSoftHyphens } from '../../core/invisible.ts';
import { chunkDocument } from '../chunks/chunk-document.ts';
import { headingsOf } from '../chunks/chunk-text.ts';
import type { ChunkSettings } from '../chunks/split-sections.ts';
import { encodeTexts, type FeedTexts } from '../feed-files.ts';
import { flagInjections, type InjectionFlag } from '../guard/flag-injections.ts';
import { type DocumentState, stateOf } from '../history/track-changes.ts';
import { openingOf } from '../llms/llms-sections.ts';
import { sourceText } from '../source-pages.ts';
import type { CountTokens } from '../tokens/count-tokens.ts';
import type { DocumentMeta } from './document-meta.ts';
import { jsonLine, jsonText } from './json-lines.ts';
import { makeChunkRecords } from './make-chunk-records.ts';
import { type ChunkRecord, contentHash, type DocumentRecord } from './record-schemas.ts';

/** Everything one page adds to the feed. Depends on the page alone, so any thread can make it. */
export interface FeedEntry extends FeedTexts {
  readonly facts: FeedFacts;
  /** Its Markdown twin. */
  readonly twin: string;
  /** The texts but the twin. */
  readonly encoded: ReturnType<typeof encodeTexts>;
}

/** Summary of an entry without its texts. Small plain data. */
interface FeedFacts {
  readonly state: DocumentState;
  readonly tokens: number;
  /** Number of chunks. */
  readonly chunks: number;
  readonly flags: readonly InjectionFlag[];
  /** Of the author, or first words. */
  readonly description: string;
}

/** Context for making entries; the same for all pages of a run. */
interface EntryContext {
  readonly chunks: ChunkSettings;
  readonly countTokens: CountTokens;
}

/**
 * Pure: the same metadata and document give the same entry in every run and thread.
 * @param boilerplate `PageSharedBlocks.most`; absent: no block of the page is shared
 * @param introduction called for an article without a description
 */
export type MakeFeedEntry = (
  meta: DocumentMeta,
  document: Document,
  boilerplate?: readonly string[],
  introduction?: () => string,
) => FeedEntry;

/** Creates the function that turns a page into its feed entry. */
export function createEntryMaker({ chunks, countTokens }: EntryContext): MakeFeedEntry {
  return (given, document, boilerplate = [], introduction = () => introductionOf(document)) => {
    const meta = { ...given, description: given.description ?? openingOf(introduction()) };
    const description = describeDocument(given, document, new Set(boilerplate), chunks, countTokens);
    const record = makeDocumentRecord(meta, document, description);
    const texts = {
      document: jsonLine(record),
      chunks: description.chunks.map(jsonLine).join(''),
      text: sourceText(record),
    };
    const encoded = encodeTexts(texts);
    const { joined, bytes } = encoded;
    return {
      facts: {
        state: stateOf(record, hash('sha256', joined.subarray(0, bytes.document + bytes.chunks))),
        tokens: record.tokens,
        chunks: description.chunks.length,
        flags: description.flags,
        description: record.description ?? '',
      },
      ...texts,
      encoded,
      twin: markdownTwin(record),
    };
  };
}

/** Makes the record of one document. */
function makeDocumentRecord(
  meta: DocumentMeta,
  { blocks, markdown }: Document,
  { tokens, hash, flags }: DocumentDescription,
): DocumentRecord {
  const { id, article_id, language, title, url, category, tags, description, updated_at, ...rest } = meta;
  return {
    ...{ id, article_id, language, title, url },
    ...(category === undefined ? {} : { category }),
    tags,
    ...(description ? { description } : {}),
    ...(updated_at === undefined ? {} : { updated_at }),
    markdown,
    tokens,
    hash,
    ...rest,
    headings: headingsOf(blocks),
    ...(flags.length === 0 ? {} : { flags: [...flags] }),
  };
}

/** Facts about a document that are expensive to compute. */
interface DocumentDescription {
  /** Of the title, a line feed and the Markdown: changes only if the content changes. */
  readonly hash: string;
  /** Tokens of the Markdown. */
  readonly tokens: number;
  readonly chunks: readonly ChunkRecord[];
  readonly flags: readonly InjectionFlag[];
}

function describeDocument(
  meta: DocumentMeta,
  document: Document,
  boilerplate: ReadonlySet<string>,
  settings: ChunkSettings,
  countTokens: CountTokens,
): DocumentDescription {
  const { markdown, text, images } = document;
  // Pages break lines at soft hyphens; in the feed, only texts that are from pages have them.
  const alts = images.flatMap(({ alt }) => (alt === null ? [] : [stripSoftHyphens(alt)]));
  const { chunks, tokens, count } = chunkDocument(document, settings, countTokens, {
    // As links have it.
    url: decodeUrlLetters(meta.url),
    boilerplate,
  });
  const flags = flagDocument(meta, alts, text);
  const isFlagged = flags.length > 0;
  return {
    hash: contentHash(meta.title, markdown),
    tokens,
    chunks: makeChunkRecords({ meta, markdown, count, isFlagged }, chunks, countTokens),
    flags,
  };
}

const dataUrl = /data:[^\s"')>]*/gi;

/**
 * Everything that is published of a body, in which credentials are searched. Plain text and Markdown are both there: escapes can hide a token in one,
 * and only the other has link URLs.
 */
export function bodyTexts({
  html,
  text,
  markdown,
}: Pick<Document, 'html' | 'text' | 'markdown'>): readonly string[] {
  // Encoded bytes of an image could match any pattern.
  const withoutData = (body: string) => (body.includes('data:') ? body.replaceAll(dataUrl, '') : body);
  return [text, withoutData(html), withoutData(markdown)];
}

/** The `flags` of a document record. */
function flagDocument(
  { title, description = '', tags }: Pick<DocumentMeta, 'title' | 'description' | 'tags'>,
  alts: readonly string[],
  text: string,
): readonly InjectionFlag[] {
  // The text already contains the alt texts of most images.
  const unseen = alts.filter((alt) => !text.includes(alt));
  return flagInjections([title, description, ...tags, ...unseen, text].join('\n'));
}

/** The Markdown twin of a page: front matter, the title as its only h1, then the document's Markdown, unchanged. */
function markdownTwin({ id, language, title, url, updated_at, tokens, markdown }: DocumentRecord): string {
  const lines = [
    '---',
    `id: ${id}`,
    `language: ${jsonText(language)}`,
    `title: ${jsonText(title)}`,
    `url: ${jsonText(url)}`,
    ...(updated_at === undefined ? [] : [`updated_at: ${jsonText(updated_at)}`]),
    `tokens: ${tokens}`,
    '---',
    '',
    `# ${escapeInline(title)}`,
  ];
  return `${lines.join('\n')}\n${markdown === '' ? '' : '\n'}${markdown}`;
}

/** Escapes what Markdown would read as markup in a title. */
function escapeInline(title: string): string {
  return dropNeedlessEscapes(title.replaceAll(/[\\`*_[\]<]|&(?=[#\w])|#+$/g, (sign) => `\\${sign}`));
}
