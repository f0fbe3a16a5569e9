import { chunkText, placeOf } from '../chunks/chunk-text.ts';
import { recordHash } from '../history/track-changes.ts';
import { manifestPath } from '../read/feed-reader.ts';
import { changesPath, findListed, recordState } from '../read/manifest.ts';
import { jsonLine } from '../records/json-lines.ts';
import * as records from '../records/record-schemas.ts';
import { type KnownDocument, parseRecords, type Verification } from './findings.ts';

/** Verifies the documents and chunks of one language against each other and against the manifest. */
export async function verifyLanguage(language: string, check: Verification): Promise<void> {
  const { manifest, read, report, documents, chunkIds } = check;
  const own: KnownDocument[] = [];
  const path = `feed/${language}/documents.jsonl`;
  for (const record of parseRecords(await read(path), records.documentRecord, path, report)) {
    if (documents.has(record.id)) report('RECORD_WRONG', path, `${record.id} occurs twice`);
    if (record.language !== language) report('RECORD_WRONG', path, `${record.id} is of another language`);
    verifyDocument(record, path, check);
    const known = { record, chunks: [] };
    documents.set(record.id, known);
    own.push(known);
  }
  const chunkPath = `feed/${language}/chunks.jsonl`;
  let at = 0;
  for (const chunk of parseRecords(await read(chunkPath), records.chunkRecord, chunkPath, report)) {
    if (chunkIds.has(chunk.id)) report('RECORD_WRONG', chunkPath, `${chunk.id} occurs twice`);
    chunkIds.add(chunk.id);
    while (at < own.length && own[at]?.record.id !== chunk.document_id) at += 1;
    const owner = own[at];
    const why = owner === undefined ? 'belongs to no document' : whatIsWrong(chunk, owner);
    if (why !== null) report('RECORD_WRONG', chunkPath, `${chunk.id} ${why}`);
    owner?.chunks.push(chunk);
  }
  const found = {
    documents: own.length,
    chunks: own.reduce((sum, { chunks }) => sum + chunks.length, 0),
    tokens: own.reduce((sum, { record }) => sum + record.tokens, 0),
  };
  const listed = manifest.languages.find((each) => each.language === language);
  if (JSON.stringify({ ...listed, ...found }) !== JSON.stringify(listed)) {
    const counts = `${found.documents} documents, ${found.chunks} chunks and ${found.tokens} tokens`;
    report('RECORD_WRONG', manifestPath, `the files have ${counts} in ${language}`);
  }
}

/** What of a chunk does not follow from its document; `null` if all of it does. */
function whatIsWrong(chunk: records.ChunkRecord, { record, chunks }: KnownDocument): string | null {
  const { id, language, markdown, title, url, headings } = record;
  const { start, end, repeats = [], heading_path: headingPath = [] } = chunk;
  const isOwn = JSON.stringify([chunk.language, chunk.title]) === JSON.stringify([language, title]);
  if (!isOwn || !chunk.id.startsWith(`${id}-`)) return 'has fields of another document';
  if (start < (chunks.at(-1)?.end ?? 0) || start >= end || end > markdown.length)
    return `has the positions ${start} and ${end}`;
  if (repeats.some(([from, to], at) => from >= to || to > (repeats[at + 1]?.[0] ?? start)))
    return 'repeats what is not before it';
  if (
    chunk.text !== chunkText(markdown, { title, headingPath, repeats, start, end }) ||
    chunk.hash !== records.shortHash(chunk.text)
  )
    return 'has a text or hash that is not that of its passage';
  const { path, anchor } = placeOf(markdown, headings, start, end);
  return JSON.stringify([chunk.url, headingPath]) === JSON.stringify([records.chunkUrl(url, anchor), path])
    ? null
    : `has the URL ${chunk.url} or headings of another section`;
}

function verifyDocument(
  document: records.DocumentRecord,
  path: string,
  { manifest, report }: Verification,
): void {
  const { id, article_id, language, title, url, markdown } = document;
  if (id !== records.documentId(article_id, language))
    report('RECORD_WRONG', path, `${id} is not the id of ${article_id}`);
  if (document.hash !== records.contentHash(title, markdown))
    report('RECORD_WRONG', path, `hash of ${id} does not match its text`);
  if (!url.startsWith(manifest.site.url))
    report('RECORD_WRONG', path, `${id} has the URL ${url}, which is not on the site`);
}

/** The hash of each document and its chunks, by document id: what `run.state` is made of. */
export function hashesOf({ documents }: Verification): Map<string, string> {
  const hashOf = ({ record, chunks }: KnownDocument) =>
    recordHash(jsonLine(record), chunks.map(jsonLine).join(''));
  return new Map([...documents].map(([id, known]) => [id, hashOf(known)]));
}

/** Verifies that the changes lead to the current documents, and that nothing is missing in the last ones. */
export async function verifyHistory(check: Verification): Promise<void> {
  const { manifest, read, documents, report } = check;
  const { seq } = manifest.run;
  const { first, last } = manifest.changes ?? { first: seq + 1, last: seq };
  const fail = (path: string, message: string) => report('SEQUENCE_WRONG', path, message);
  if (last !== seq || (manifest.changes !== undefined && first > last))
    fail(manifestPath, `changes go from ${first} to ${last} in run ${seq}`);
  /** Whether the last change of a document leads to what the feed has of it. */
  const isCurrent = (id: string, { was: _, ...change }: records.ChangeRecord): boolean => {
    const known = documents.get(id);
    if (change.op === 'delete') return known === undefined;
    const current = known && { op: 'upsert', document: known.record, chunks: known.chunks };
    return JSON.stringify(change) === JSON.stringify(current);
  };
  const later = new Set<string>();
  for (let run = seq; run >= first; run -= 1) {
    const path = changesPath(run);
    const ids = new Map<string, string | undefined>();
    for (const change of parseRecords(await read(path), records.changeRecord, path, report)) {
      const id = change.op === 'delete' ? change.id : change.document.id;
      if (ids.has(id)) report('RECORD_WRONG', path, `${id} occurs twice`);
      ids.set(id, change.was);
      if (!later.has(id) && !isCurrent(id, change))
        fail(path, `its ${change.op} of ${id} does not match the feed`);
    }
    for (const id of ids.keys()) later.add(id);
    // Earlier files are without documents that changed again, so only the last changes can be undone.
    const before = run === seq ? hashesOf(check) : null;
    for (const [id, was] of before === null ? [] : ids)
      if (was === undefined) before?.delete(id);
      else before?.set(id, was);
    const base = findListed(manifest, path)?.base;
    if (base === undefined || (before !== null && recordState(before) !== base))
      fail(path, 'its changes do not lead from its base to the documents');
  }
  for (const { path, base } of manifest.files) {
    const [, run] = /^feed\/changes\/(\d+)\.jsonl$/.exec(path) ?? [];
    if (run === undefined ? base !== undefined : Number(run) < first || Number(run) > seq)
      fail(path, `it is not one of the runs ${first} to ${last}`);
  }
}
