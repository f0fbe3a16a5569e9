import { chunkText, placeOf } from '../chunks/chunk-text.ts';
import { recordHash } from '../history/track-changes.ts';
import { manifestPath } from '../read/feed-reader.ts';
import { changesPath, findListed, recordState } from '../read/manifest.ts';
import { jsonLine } from '../records/json-lines.ts';
import * as records from '../records/record-schemas.ts';
import { type KnownDocument, parseRecords, type Verification } from './findings.ts';

/** Verifies the documents and chunks of one language against each other and against the manifest. */
export async function verifyLanguage(language: string, check: Verification): Promise<void> {
  const { manifest, report, documents } = check;
  const own: KnownDocument[] = [];
  const path = `feed/${language}/documents.jsonl`;
  for await (const record of parseRecords(check, path, records.documentRecord, ({ id }) => id)) {
    const { id, article_id, title, url, markdown, hash } = record;
    // So it is of no other document.
    if (record.language !== language || id !== records.documentId(article_id, language))
      report(path, `${id} is not the id of ${article_id} in ${language}`);
    if (hash !== records.contentHash(title, markdown)) report(path, `hash of ${id} does not match its text`);
    if (!url.startsWith(manifest.site.url)) report(path, `${url} of ${id} is not on the site`);
    own.push({ record, chunks: [] });
  }
  for (const known of own) documents.set(known.record.id, known);
  const chunkPath = `feed/${language}/chunks.jsonl`;
  let at = 0;
  for await (const chunk of parseRecords(check, chunkPath, records.chunkRecord, ({ id }) => id)) {
    while (at < own.length && own[at]?.record.id !== chunk.document_id) at += 1;
    const why = whatIsWrong(chunk, own[at]);
    if (why !== null) report(chunkPath, `${chunk.id} ${why}`);
    own[at]?.chunks.push(chunk);
  }
  const found = {
    documents: own.length,
    chunks: own.reduce((sum, { chunks }) => sum + chunks.length, 0),
    tokens: own.reduce((sum, { record }) => sum + record.tokens, 0),
  };
  const listed = manifest.languages.find((each) => each.language === language);
  if (JSON.stringify({ ...listed, ...found }) !== JSON.stringify(listed))
    report(manifestPath, `the files in ${language} have ${JSON.stringify(found)}`);
}

/** What of a chunk does not follow from its document when it is cut again; `null` if all of it does. */
function whatIsWrong(chunk: records.ChunkRecord, owner: KnownDocument | undefined): string | null {
  if (owner === undefined) return 'belongs to no document';
  const { record, chunks } = owner;
  const { id, language, markdown, title, url, headings } = record;
  const { start, end, repeats = [] } = chunk;
  const positions = [...repeats.flat(), start, end];
  const isSorted = positions.every((position, at) => position >= (positions[at - 1] ?? 0));
  if (!isSorted || start < (chunks.at(-1)?.end ?? 0) || start === end || end > markdown.length)
    return `has the positions ${positions.join(', ')}`;
  const { path, anchor } = placeOf(markdown, headings, start, end);
  const text = chunkText(markdown, { title, headingPath: path, repeats, start, end });
  const made: records.ChunkRecord = {
    ...{ ...chunk, language, title, text, url: records.chunkUrl(url, anchor), hash: records.shortHash(text) },
    ...(path.length === 0 ? {} : { heading_path: [...path] }),
  };
  const isSame = JSON.stringify(made) === JSON.stringify(chunk) && chunk.id.startsWith(`${id}-`);
  return isSame ? null : 'is not what its document says there';
}

/**
 * Verifies that links in the form of an article's URL, `…/article/<id>`, lead to a document. Links to other pages of the site are not verified: only the site
 * knows which it has.
 */
export function verifyLinks({ manifest, documents, report }: Verification): void {
  const urls = new Set([...documents.values()].map(({ record }) => record.url));
  for (const { id, language, url, markdown, article_id } of [...documents.values()].map(
    ({ record }) => record,
  )) {
    const end = url.indexOf(`/article/${article_id}`);
    if (end < manifest.site.url.length - 1) continue;
    const folder = url.slice(0, end + '/article/'.length);
    for (const [, link = ''] of markdown.matchAll(/\]\(<?([^()\s<>]+)/g))
      if (link.startsWith(folder) && !urls.has(link.replace(/[?#].*/, '')))
        report(`feed/${language}/documents.jsonl`, `${id} has a link to ${link}, which is no document`);
  }
}

/** The hash of each document and its chunks, by document id: what `run.state` is made of. */
export function hashesOf({ documents }: Verification): Map<string, string> {
  return new Map(
    Array.from(documents, ([id, { record, chunks }]) => [
      id,
      recordHash(jsonLine(record), chunks.map(jsonLine).join('')),
    ]),
  );
}

/** Verifies that the changes lead to the current documents, and that nothing is missing in the last ones. */
export async function verifyHistory(check: Verification): Promise<void> {
  const { manifest, documents, report } = check;
  const { seq } = manifest.run;
  const { first, last } = manifest.changes ?? { first: seq + 1, last: seq };
  if (last !== seq || (manifest.changes !== undefined && first > last))
    report(manifestPath, `changes go from ${first} to ${last} in run ${seq}`);
  const idOf = (change: records.ChangeRecord) => (change.op === 'delete' ? change.id : change.document.id);
  /** Whether the last change of a document leads to what the feed has of it. */
  const isCurrent = ({ was: _, ...change }: records.ChangeRecord): boolean => {
    if (change.op === 'delete') return !documents.has(change.id);
    const known = documents.get(change.document.id);
    const current = known && { op: 'upsert', document: known.record, chunks: known.chunks };
    return JSON.stringify(change) === JSON.stringify(current);
  };
  const later = new Set<string>();
  for (let run = seq; run >= first; run -= 1) {
    const path = changesPath(run);
    // Earlier files are without documents that changed again, so only the last changes can be undone.
    const before = run === seq ? hashesOf(check) : null;
    for await (const change of parseRecords(check, path, records.changeRecord, idOf)) {
      const id = idOf(change);
      if (!later.has(id) && !isCurrent(change))
        report(path, `its ${change.op} of ${id} does not match the feed`);
      later.add(id);
      if (change.was === undefined) before?.delete(id);
      else before?.set(id, change.was);
    }
    const base = findListed(manifest, path)?.base;
    if (base === undefined || (before !== null && recordState(before) !== base))
      report(path, 'its changes do not lead from its base to the documents');
  }
  for (const { path, base } of manifest.files) {
    const [, run] = /^feed\/changes\/(\d+)\.jsonl$/.exec(path) ?? [];
    if (run === undefined ? base !== undefined : Number(run) < first || Number(run) > seq)
      report(path, `it is not one of the runs ${first} to ${last}`);
  }
}
