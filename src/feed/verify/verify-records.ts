import { partitionName, partitionOf } from '../../plan/partitions.ts';
import type { ReadFeedFile } from '../feed-reader.ts';
import { type Manifest, recordFiles } from '../manifest.ts';
import { type ChunkRecord, chunkHash, chunkRecord } from '../records/chunk-record.ts';
import { contentHash, type DocumentRecord, documentRecord, metaHash } from '../records/document-record.ts';
import { documentId, recordUuid } from '../records/record-ids.ts';
import type { ReportFinding } from './findings.ts';
import { parseRecords } from './findings.ts';
import { type DocumentPage, sitePath } from './verify-pages.ts';

/** Ids, hashes and links of the documents of all languages. */
export interface KnownDocuments {
  /** `hash` by document id. */
  readonly hashes: Map<string, string>;
  readonly chunkIds: Set<string>;
  /** Document ids that are pointed at: from which file, which document, to which. */
  readonly links: (readonly [path: string, from: string, to: string])[];
  readonly pages: DocumentPage[];
}

/** What verifying one language needs. */
export interface LanguageCheck {
  readonly manifest: Manifest;
  readonly read: ReadFeedFile;
  /** Reads Markdown twins; `null` leaves them alone. */
  readonly readTwin: ReadFeedFile | null;
  readonly known: KnownDocuments;
  readonly report: ReportFinding;
}

/** Verifies the documents and chunks of one language against each other and against the manifest. */
export async function verifyLanguage(language: string, check: LanguageCheck): Promise<void> {
  const { manifest, report } = check;
  const stated = manifest.languages.find((entry) => entry.language === language);
  const files = recordFiles(manifest, language, 'documents');
  const total = { documents: 0, chunks: 0, tokens: 0 };
  for (const { path, part = '' } of files) {
    const found = await verifyPart(language, path, part, stated?.part_bits ?? 0, check);
    total.documents += found.documents;
    total.chunks += found.chunks;
    total.tokens += found.tokens;
  }
  if (
    stated?.documents !== total.documents ||
    stated.tokens !== total.tokens ||
    stated.chunks !== total.chunks
  ) {
    const found = `${total.documents} documents, ${total.chunks} chunks and ${total.tokens} tokens`;
    const path = files[0]?.path ?? `feed/${language}`;
    report('COUNT_WRONG', path, `${found} in ${language}, and the manifest says otherwise`);
  }
}

/** Verifies a file of documents and the file of their chunks. */
async function verifyPart(
  language: string,
  path: string,
  part: string,
  bits: number,
  check: LanguageCheck,
): Promise<{ readonly documents: number; readonly chunks: number; readonly tokens: number }> {
  const { manifest, read, readTwin, report } = check;
  const bytes = await read(path);
  const documents = new Map<string, DocumentRecord>();
  for (const document of bytes === null ? [] : parseRecords(bytes, documentRecord, path, manifest, report)) {
    verifyDocument(document, language, path, check);
    if (partitionName(partitionOf(document.article_id, bits), bits) !== part) {
      report('ID_WRONG', path, `${document.id} belongs into another file`);
    }
    documents.set(document.id, document);
    const { url } = manifest.site;
    check.known.pages.push({
      id: document.id,
      page: sitePath(document.url, url),
      ...(readTwin === null ? { twin: sitePath(document.markdown_url, url) } : {}),
    });
    if (readTwin !== null) await verifyTwin(document, manifest, readTwin, report);
  }
  const chunkFiles = recordFiles(manifest, language, 'chunks').filter((file) => (file.part ?? '') === part);
  if (chunkFiles.length !== 1) report('FILE_MISSING', path, 'the manifest lists no file of its chunks');
  let chunks = 0;
  for (const file of chunkFiles) chunks += await verifyChunks(file.path, documents, check);
  const tokens = [...documents.values()].reduce((sum, document) => sum + document.tokens, 0);
  return { documents: documents.size, chunks, tokens };
}

/** Reports every pointer to a document that is not in the feed. */
export function verifyLinks({ hashes, links }: KnownDocuments, report: ReportFinding): void {
  for (const [path, from, to] of links) {
    if (!hashes.has(to)) report('LINK_BROKEN', path, `${from} points at ${to}, which is not in the feed`);
  }
}

function verifyDocument(
  document: DocumentRecord,
  language: string,
  path: string,
  check: LanguageCheck,
): void {
  const { known, report } = check;
  const { id, article_id, content } = document;
  if (known.hashes.has(id)) report('ID_WRONG', path, `${id} is there twice`);
  if (
    document.language !== language ||
    id !== documentId(article_id, language) ||
    document.uuid !== recordUuid(id)
  ) {
    report('ID_WRONG', path, `${id} is not the id of ${article_id} in ${language}`);
  }
  if (
    document.hash !== contentHash(document.title, content.markdown) ||
    document.chars !== content.markdown.length
  ) {
    report('HASH_WRONG', path, `hash or chars of ${id} do not follow from its content`);
  }
  if (document.meta_hash !== metaHash(document)) {
    report('HASH_WRONG', path, `meta_hash of ${id} does not follow from its fields`);
  }
  known.hashes.set(id, document.hash);
  const alternates = Object.keys(document.alternates).map((tag) => documentId(article_id, tag));
  for (const target of [...document.links.internal, ...alternates]) known.links.push([path, id, target]);
}

async function verifyTwin(
  document: DocumentRecord,
  manifest: Manifest,
  read: ReadFeedFile,
  report: ReportFinding,
): Promise<void> {
  const path = sitePath(document.markdown_url, manifest.site.url);
  const bytes = path === null ? null : await read(path);
  const text = bytes === null ? null : new TextDecoder().decode(bytes);
  if (
    text === null ||
    !text.startsWith(`---\nid: ${document.id}\n`) ||
    !text.endsWith(document.content.markdown)
  ) {
    report('TWIN_WRONG', path ?? document.markdown_url, `it is not the Markdown of ${document.id}`);
  }
}

/** Gives the number of chunks. */
async function verifyChunks(
  path: string,
  documents: ReadonlyMap<string, DocumentRecord>,
  { manifest, read, known, report }: LanguageCheck,
): Promise<number> {
  const bytes = await read(path);
  let count = 0;
  let previous: ChunkRecord | null = null;
  for (const chunk of bytes === null ? [] : parseRecords(bytes, chunkRecord, path, manifest, report)) {
    count += 1;
    const { id } = chunk;
    const document = documents.get(chunk.document_id);
    if (known.chunkIds.has(id)) report('ID_WRONG', path, `${id} is there twice`);
    known.chunkIds.add(id);
    if (document === undefined || !id.startsWith(`${document.id}-`) || chunk.uuid !== recordUuid(id)) {
      report('ID_WRONG', path, `${id} is no chunk of a document of this language`);
    } else if (document.content.markdown.slice(chunk.start, chunk.end) !== chunk.text || chunk.text === '') {
      report('OFFSET_WRONG', path, `text of ${id} is not what its offsets cut out of the document`);
    }
    if (chunk.hash !== chunkHash(chunk.title, chunk.heading_path, chunk.lead ?? '', chunk.text)) {
      report('HASH_WRONG', path, `hash of ${id} does not follow from its text`);
    }
    if (!follows(previous, chunk)) report('ORDER_WRONG', path, `${id} does not follow the chunk before it`);
    previous = chunk;
  }
  if (previous !== null && previous.seq !== previous.n) {
    report('ORDER_WRONG', path, `${previous.id} is not the last of ${previous.n} chunks`);
  }
  return count;
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
