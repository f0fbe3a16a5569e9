import { partName, partOf } from '../../plan/parts.ts';
import type { ReadFeedFile } from '../feed-reader.ts';
import { contradictionIn } from '../history/track-changes.ts';
import { changesPath } from '../history/write-history.ts';
import { type Manifest, recordFiles } from '../manifest.ts';
import { flagDocument } from '../records/make-feed-entry.ts';
import {
  type ChangeRecord,
  changeRecord,
  contentHash,
  type DocumentRecord,
  documentId,
  documentRecord,
  metaHash,
  recordUuid,
  tombstoneRecord,
} from '../records/record-schemas.ts';
import { pathOnSite } from './dead-links.ts';
import { parseRecords, type ReportFinding } from './findings.ts';
import { type KnownDocuments, type LanguageCheck, verifyChunks, verifyContent } from './verify-chunks.ts';
import { sitePath, verifyShared, verifyTwin } from './verify-pages.ts';

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
  let last: readonly [slice: number, articleId: string] | null = null;
  for (const document of bytes === null ? [] : parseRecords(bytes, documentRecord, path, manifest, report)) {
    verifyDocument(document, language, path, check);
    if (partName(partOf(document.article_id, bits), bits) !== part) {
      report('ID_WRONG', path, `${document.id} belongs to another file`);
    }
    const position = [partOf(document.article_id, check.orderBits), document.article_id] as const;
    if (last !== null && !isAfter(position, last)) {
      report('ORDER_WRONG', path, `${document.id} is not in the order of hashes and article ids`);
    }
    last = position;
    documents.set(document.id, document);
    check.addText(document);
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

function isAfter(
  [slice, articleId]: readonly [number, string],
  [before, articleIdBefore]: readonly [number, string],
): boolean {
  return slice === before ? articleId > articleIdBefore : slice > before;
}

function verifyDocument(
  document: DocumentRecord,
  language: string,
  path: string,
  check: LanguageCheck,
): void {
  const { manifest, known, countTokens, report } = check;
  const { id, article_id, content } = document;
  if (known.hashes.has(id)) report('ID_WRONG', path, `${id} occurs twice`);
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
    report('HASH_WRONG', path, `hash or chars of ${id} do not match its content`);
  }
  if (document.meta_hash !== metaHash(document)) {
    report('HASH_WRONG', path, `meta_hash of ${id} does not match its fields`);
  }
  if (countTokens !== null && document.tokens !== countTokens(content.markdown)) {
    report('COUNT_WRONG', path, `tokens of ${id} do not match its Markdown`);
  }
  if (
    JSON.stringify(document.flags ?? []) !==
    JSON.stringify(flagDocument(document, document.images, content.text))
  ) {
    report('HASH_WRONG', path, `flags of ${id} do not match its texts`);
  }
  const { url } = manifest.site;
  if (sitePath(document.url, url) === null || sitePath(document.markdown_url, url) === null) {
    report('LINK_BROKEN', path, `${id} has a URL that is not on the site`);
  }
  if (!document.markdown_url.startsWith(document.url)) {
    report('LINK_BROKEN', path, `${id} gives ${document.markdown_url}, which is not beside its page`);
  }
  const dates = [document.created_at, document.updated_at];
  if (dates.some((date) => date !== undefined && !isoDate.test(date))) {
    report('RECORD_INVALID', path, `a date of ${id} is not ISO 8601 in UTC`);
  }
  verifyContent(document, path, check);
  verifyShared(document, path, known.shared, report);
  known.hashes.set(id, document.hash);
  known.touches.set(id, touchOf(document.updated_at, document.translation.outdated));
  known.urls.set(id, document.url);
  for (const link of document.links.external) {
    if (pathOnSite(link, url) !== null && !known.ownLinks.has(link)) known.ownLinks.set(link, { path, id });
  }
  for (const target of document.links.internal) known.links.push([path, id, target]);
  for (const [tag, to] of Object.entries(document.alternates)) {
    known.links.push([path, id, documentId(article_id, tag), to]);
  }
}

const isoDate = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/** Operations that do not change the content. */
const keepsContent: ReadonlySet<ChangeRecord['op']> = new Set(['move', 'rechunk', 'touch']);

/** Values that a touch changes, as one string. */
function touchOf(updatedAt: string | undefined, isOutdated: boolean | undefined): string {
  return JSON.stringify([updatedAt ?? null, isOutdated]);
}

/** Verifies that changes and tombstones match the current documents. */
export async function verifyHistory(
  manifest: Manifest,
  read: ReadFeedFile,
  { hashes: documents, touches }: Pick<KnownDocuments, 'hashes' | 'touches'>,
  report: ReportFinding,
): Promise<void> {
  const { first, last } = manifest.changes;
  const { seq } = manifest.run;
  if (last !== seq || first > last) {
    report('SEQUENCE_WRONG', 'feed/manifest.json', `changes go from ${first} to ${last} in run ${seq}`);
  }
  for (const { path } of manifest.files) {
    const [, run] = /^feed\/changes\/(\d+)\.jsonl$/.exec(path) ?? [];
    if (run !== undefined && (Number(run) < first || Number(run) > last)) {
      report('SEQUENCE_WRONG', path, `it is not one of the runs ${first} to ${last}`);
    }
  }
  verifyBases(manifest, report);
  const latest = new Map<string, ChangeRecord>();
  /** Last run that gave a document its URL. */
  const located = new Map<string, number>();
  for (let run = first; run <= last; run += 1) {
    const path = changesPath(run);
    const bytes = await read(path);
    for (const change of bytes === null ? [] : parseRecords(bytes, changeRecord, path, manifest, report)) {
      const before = latest.get(change.id);
      const isSame =
        before === undefined || (before.op === 'delete' ? undefined : before.hash) === change.previous_hash;
      if (!isSame || (before === undefined && first === 1 && change.previous_hash !== undefined)) {
        report('SEQUENCE_WRONG', path, `previous_hash of ${change.id} is not its previous hash`);
      }
      if (keepsContent.has(change.op) && change.hash !== change.previous_hash) {
        report('SEQUENCE_WRONG', path, `its ${change.op} of ${change.id} changes the content`);
      }
      const hasFilters = change.updated_at !== undefined || change.translation_outdated !== undefined;
      if (hasFilters && change.op !== 'touch') {
        report('SEQUENCE_WRONG', path, `its ${change.op} of ${change.id} has fields that only a touch has`);
      }
      if (change.id !== documentId(change.article_id, change.language)) {
        report('ID_WRONG', path, `${change.id} is not the id of ${change.article_id} in ${change.language}`);
      }
      if (before?.seq === run) report('ID_WRONG', path, `${change.id} occurs twice`);
      const why = contradictionIn(change);
      if (why !== null) report('SEQUENCE_WRONG', path, `its ${change.op} of ${change.id} ${why}`);
      if (change.previous_hash === undefined || change.changed.includes('url')) located.set(change.id, run);
      if (change.seq !== run) report('SEQUENCE_WRONG', path, `${change.id} names run ${change.seq}`);
      latest.set(change.id, change);
    }
  }
  for (const [id, change] of latest) {
    if (change.op === 'delete' ? documents.has(id) : documents.get(id) !== change.hash) {
      report(
        'SEQUENCE_WRONG',
        changesPath(change.seq),
        `its ${change.op} of ${id} does not match the document`,
      );
    }
  }
  for (const [id, { op, seq: run, updated_at, translation_outdated }] of latest) {
    // Feeds of earlier versions do not have this field.
    if (op !== 'touch' || translation_outdated === undefined) continue;
    if (touches.get(id) !== touchOf(updated_at, translation_outdated)) {
      report('SEQUENCE_WRONG', changesPath(run), `its touch of ${id} does not match the document`);
    }
  }
  if (first === 1) {
    for (const id of documents.keys()) {
      if (!latest.has(id)) report('SEQUENCE_WRONG', changesPath(1), `no run added ${id}`);
    }
  }
  let siteSince = Number.POSITIVE_INFINITY;
  for (const id of documents.keys()) siteSince = Math.min(siteSince, located.get(id) ?? 0);
  await verifyTombstones(manifest, read, documents, latest, siteSince, report);
}

/** Verifies `base`: every run of this version but the first has one, and no two feeds have the same hash. */
function verifyBases({ files, root_hash, changes }: Manifest, report: ReportFinding): void {
  const byPath = new Map(files.map((file) => [file.path, file.base]));
  const bases = new Set([root_hash]);
  for (let run = changes.first; run <= changes.last; run += 1) {
    const path = changesPath(run);
    const base = byPath.get(path);
    byPath.delete(path);
    const isWrong = base === undefined ? bases.size > 1 : run === 1 || bases.has(base);
    if (isWrong) report('MANIFEST_INVALID', path, 'its base is not the hash of the feed before it');
    if (base !== undefined) bases.add(base);
  }
  for (const [path, base] of byPath) {
    if (base !== undefined) report('MANIFEST_INVALID', path, 'only changes of an earlier feed have a base');
  }
}

async function verifyTombstones(
  manifest: Manifest,
  read: ReadFeedFile,
  documents: ReadonlyMap<string, string>,
  latest: ReadonlyMap<string, ChangeRecord>,
  siteSince: number,
  report: ReportFinding,
): Promise<void> {
  const path = 'feed/tombstones.jsonl';
  const bytes = await read(path);
  const buried = new Set<string>();
  let last = '';
  for (const { id, article_id, language, last_url, deleted_seq, reason, last_hash } of bytes === null
    ? []
    : parseRecords(bytes, tombstoneRecord, path, manifest, report)) {
    if (buried.has(id)) report('ID_WRONG', path, `${id} occurs twice`);
    buried.add(id);
    if (id < last) report('ORDER_WRONG', path, `${id} is out of order`);
    if (id !== documentId(article_id, language)) {
      report('ID_WRONG', path, `${id} is not the id of ${article_id} in ${language}`);
    }
    // Before, the site may have had another URL.
    const isOfSite = deleted_seq > siteSince && deleted_seq >= manifest.changes.first;
    if (!/^(?:https?:|\/)/.test(last_url) || (isOfSite && sitePath(last_url, manifest.site.url) === null)) {
      report('LINK_BROKEN', path, `last_url of ${id} is not a URL of the site`);
    }
    last = id;
    const change = latest.get(id);
    if (
      change?.op === 'delete' &&
      (change.seq !== deleted_seq || change.reason !== reason || change.previous_hash !== last_hash)
    ) {
      report('TOMBSTONE_WRONG', path, `${id} differs from the changes of run ${change.seq}`);
    }
    if (change === undefined && deleted_seq >= manifest.changes.first) {
      report('TOMBSTONE_WRONG', path, `no run deleted ${id}`);
    }
    if (documents.has(id)) report('TOMBSTONE_WRONG', path, `${id} is in the feed`);
    if (deleted_seq > manifest.run.seq) report('SEQUENCE_WRONG', path, `${id} is deleted in a future run`);
  }
  for (const [id, { op }] of latest) {
    if (op === 'delete' && !buried.has(id))
      report('TOMBSTONE_WRONG', path, `${id} was deleted and has no tombstone`);
  }
}
