import { chunkKey, shortenHeading } from '../chunks/chunk-document.ts';
import { resolve, targetsOf } from '../chunks/chunk-text.ts';
import { canBe } from '../chunks/set-apart.ts';
import type { ReadFeedFile } from '../feed-reader.ts';
import type { Manifest } from '../manifest.ts';
import {
  chunkFlags,
  chunkHash,
  chunksHash,
  chunkUrl,
  inheritedFields,
  textsOf,
} from '../records/make-chunk-records.ts';
import { type ChunkRecord, chunkRecord, type DocumentRecord, recordUuid } from '../records/record-schemas.ts';
import type { CountTokens } from '../tokens/count-tokens.ts';
import type { OwnLinks } from './dead-links.ts';
import { parseRecords, type ReportFinding } from './findings.ts';
import { hasItsHeadings, type SectionStarts, sectionStarts } from './heading-lines.ts';
import type { DocumentPage, SharedValues } from './verify-pages.ts';

/** Ids, hashes and links of the documents of all languages. */
export interface KnownDocuments {
  /** `hash` by document id. */
  readonly hashes: Map<string, string>;
  /** Hash of the values that a touch changes, by document id. */
  readonly touches: Map<string, string>;
  /** `url` by document id. */
  readonly urls: Map<string, string>;
  /** Pages that the Markdown of a document links to, and the documents that it lists, by document id. */
  readonly linked: Map<
    string,
    { readonly path: string; readonly pages: ReadonlySet<string>; readonly internal: readonly string[] }
  >;
  readonly chunkIds: Set<string>;
  /** Links between documents: the file, the source document and the target document. */
  readonly links: (readonly [path: string, from: string, to: string, url?: string])[];
  readonly pages: DocumentPage[];
  readonly ownLinks: OwnLinks;
  readonly shared: SharedValues;
}

/** Context for verifying one language. */
export interface LanguageCheck {
  readonly manifest: Manifest;
  readonly read: ReadFeedFile;
  /** Reads Markdown twins; `null` skips them. */
  readonly readTwin: ReadFeedFile | null;
  readonly known: KnownDocuments;
  /** Number of leading bits of an article's hash that documents are sorted by. */
  readonly orderBits: number;
  /** `null` if the feed was counted by another tokenizer. */
  readonly countTokens: CountTokens | null;
  /** Receives every document, in the order of the records. */
  readonly addText: (document: DocumentRecord) => void;
  readonly report: ReportFinding;
}

/** Verifies the chunks of a file against their documents; returns their number. */
export async function verifyChunks(
  path: string,
  documents: ReadonlyMap<string, DocumentRecord>,
  check: LanguageCheck,
): Promise<number> {
  const { manifest, read, known, report } = check;
  const ids = [...documents.keys()];
  let document: DocumentRecord | undefined;
  let nextDocument = 0;
  const bytes = await read(path);
  let count = 0;
  let previous: ChunkRecord | null = null;
  let own: ChunkFacts[] = [];
  let sections: SectionStarts = new Map();
  for (const chunk of bytes === null ? [] : parseRecords(bytes, chunkRecord, path, manifest, report)) {
    count += 1;
    const { id } = chunk;
    if (chunk.seq === 1 || document?.id !== chunk.document_id) {
      if (document !== undefined) verifyEnd(document, previous, own, path, report);
      document = documents.get(chunk.document_id);
      own = [];
      sections = document === undefined ? new Map() : sectionStarts(document);
      // Documents without words have no chunks.
      while (
        nextDocument < ids.length &&
        documents.get(ids[nextDocument] ?? '')?.content.markdown.trim() === ''
      )
        nextDocument += 1;
      if (ids[nextDocument] !== chunk.document_id) {
        report('ORDER_WRONG', path, `${id} is not in the order of the documents`);
      }
      nextDocument += 1;
    }
    if (document !== undefined) verifyChunk(chunk, document, sections, previous, path, check);
    const { type, tokens, hash } = chunk;
    own.push({ id, type, tokens, hash });
    if (known.chunkIds.has(id)) report('ID_WRONG', path, `${id} occurs twice`);
    known.chunkIds.add(id);
    if (document === undefined || !id.startsWith(`${document.id}-`) || chunk.uuid !== recordUuid(id)) {
      report('ID_WRONG', path, `${id} is not a chunk of a document in this language`);
    } else if (document.content.markdown.slice(chunk.start, chunk.end) !== chunk.markdown) {
      report('OFFSET_WRONG', path, `markdown of ${id} does not match its offsets in the document`);
    }
    if (chunk.hash !== chunkHash(chunk.title, chunk.heading_path ?? [], chunk.lead ?? '', chunk.markdown)) {
      report('HASH_WRONG', path, `hash of ${id} does not match its Markdown`);
    }
    if (!follows(previous, chunk)) report('ORDER_WRONG', path, `${id} is not in order`);
    previous = chunk;
  }
  if (document !== undefined) verifyEnd(document, previous, own, path, report);
  for (const missing of ids.slice(nextDocument)) {
    if (documents.get(missing)?.content.markdown.trim() !== '') {
      report('COUNT_WRONG', path, `${missing} has no chunks`);
    }
  }
  if (previous !== null && previous.seq !== previous.n) {
    report('ORDER_WRONG', path, `${previous.id} is not the last of ${previous.n} chunks`);
  }
  return count;
}

/** Verifies the fields of a document that repeat parts of its Markdown: links, images and headings. */
export function verifyContent(
  document: DocumentRecord,
  path: string,
  { known, report }: LanguageCheck,
): void {
  const { id, url, content, images, links } = document;
  const targets = targetsOf(content.markdown);
  const strange = [
    ...images.map(({ src }) => src).filter((src) => !targets.images.has(src)),
    ...links.external.filter((link) => !targets.links.has(link)),
  ];
  for (const link of strange)
    report('LINK_BROKEN', path, `${id} lists ${link}, which is not in its Markdown`);
  for (const image of targets.images) {
    if (image !== '#' && !images.some(({ src }) => src === image)) {
      report('LINK_BROKEN', path, `${id} does not list the image ${image}`);
    }
  }
  const pages = new Set([...targets.links].map((link) => resolve(link.replace(/#.*$/, ''), url)));
  pages.delete(url);
  known.linked.set(id, { path, pages, internal: links.internal });
  if (!hasItsHeadings(document)) {
    report('HASH_WRONG', path, `headings of ${id} are not those of its Markdown`);
  }
}

const inheritedNames = ['category_path', 'tags', 'updated_at', 'translation_outdated'] as const;

/** Input of the hash of a document's chunks. */
type ChunkFacts = Pick<ChunkRecord, 'id' | 'type' | 'tokens' | 'hash'>;

/** Verifies a chunk against its document: all derived fields, and that it starts at the end of the previous one. */
function verifyChunk(
  chunk: ChunkRecord,
  document: DocumentRecord,
  sections: SectionStarts,
  previous: ChunkRecord | null,
  path: string,
  { countTokens, report }: LanguageCheck,
): void {
  const { id, heading_path: headingPath = [], lead = '', text } = chunk;
  const { markdown } = document.content;
  const before = previous?.document_id === document.id ? previous.end : 0;
  if (markdown.slice(before, chunk.start).trim() !== '') {
    report('OFFSET_WRONG', path, `the chunks omit text before ${id}`);
  }
  if (
    chunk.title !== document.title ||
    chunk.article_id !== document.article_id ||
    chunk.language !== document.language
  ) {
    report('ID_WRONG', path, `title, article or language of ${id} differ from its document`);
  }
  const inherited = inheritedFields(document);
  for (const field of inheritedNames) {
    if (JSON.stringify(chunk[field]) !== JSON.stringify(inherited[field])) {
      report('HASH_WRONG', path, `${field} of ${id} differs from its document`);
    }
  }
  const texts = textsOf(document, headingPath, lead, chunk.markdown);
  if (text !== texts.text || chunk.embed_text !== texts.embedText) {
    report('HASH_WRONG', path, `text or embed_text of ${id} does not match its Markdown`);
  }
  const isContinued = previous?.document_id === document.id && previous.type === chunk.type;
  if (!isContinued && !canBe(chunk.type, chunk.markdown, document.url)) {
    report(
      'HASH_WRONG',
      path,
      `${id} has the type ${chunk.type}, but also other content, which consumers may skip`,
    );
  }
  if (countTokens !== null && chunk.tokens !== countTokens(text)) {
    report('COUNT_WRONG', path, `tokens of ${id} do not match its text`);
  }
  if (chunk.url !== chunkUrl(document.url, chunk.anchor)) {
    report('LINK_BROKEN', path, `url of ${id} does not match its document and anchor`);
  }
  const headings = document.headings.map((heading) => shortenHeading(heading.text));
  const section = sections.get(chunk.start);
  if (section !== undefined && !id.startsWith(`${document.id}-${sectionKey(section)}`)) {
    report('ID_WRONG', path, `${id} is not the id of a chunk under its heading`);
  }
  if (section !== undefined && section.at(-1)?.id !== chunk.anchor) {
    report('LINK_BROKEN', path, `anchor of ${id} is not the id of its heading`);
  }
  const hasAnchor =
    chunk.anchor === undefined || document.headings.some((heading) => heading.id === chunk.anchor);
  if (!hasAnchor || headingPath.some((heading) => !headings.includes(heading))) {
    report('LINK_BROKEN', path, `anchor or heading_path of ${id} are not those of a heading of its document`);
  }
  if (lead !== '' && !markdown.slice(0, chunk.start).includes(lead)) {
    report('OFFSET_WRONG', path, `lead of ${id} is not in its document`);
  }
  const flags = document.flags === undefined ? [] : chunkFlags(text);
  if (JSON.stringify(chunk.flags ?? []) !== JSON.stringify(flags)) {
    report('HASH_WRONG', path, `flags of ${id} do not match its text`);
  }
}

/** Key of a chunk that starts with a heading: see "Chunk id" in docs/feed.md. */
function sectionKey(headings: DocumentRecord['headings']): string {
  return chunkKey(headings.map(({ text }) => shortenHeading(text)));
}

/** Verifies that the last chunk of a document reaches its end, and that `chunks_hash` is correct. */
function verifyEnd(
  document: DocumentRecord,
  last: ChunkRecord | null,
  own: readonly ChunkFacts[],
  path: string,
  report: ReportFinding,
): void {
  const end = last?.document_id === document.id ? last.end : 0;
  if (document.content.markdown.slice(end).trim() !== '') {
    report('OFFSET_WRONG', path, `the chunks omit the end of ${document.id}`);
  }
  if (document.chunks_hash !== chunksHash(own)) {
    report('HASH_WRONG', path, `chunks_hash of ${document.id} does not match its chunks`);
  }
}

function follows(previous: ChunkRecord | null, chunk: ChunkRecord): boolean {
  if (chunk.seq === 1) return chunk.prev === undefined && (previous === null || previous.seq === previous.n);
  return (
    previous?.document_id === chunk.document_id &&
    previous.seq === chunk.seq - 1 &&
    previous.n === chunk.n &&
    previous.id === chunk.prev &&
    previous.next === chunk.id &&
    previous.end <= chunk.start &&
    chunk.seq < chunk.n === (chunk.next !== undefined)
  );
}
