import { decodeUrlLetters } from '../../core/addresses.ts';
import { chunkText, placeOf } from '../chunks/chunk-text.ts';
import { recordHash } from '../history/track-changes.ts';
import { manifestPath } from '../read/feed-reader.ts';
import { changesPath, findListed, type Manifest, recordPath, recordState } from '../read/manifest.ts';
import { jsonLine } from '../records/json-lines.ts';
import * as records from '../records/record-schemas.ts';
import { type KnownDocument, parseRecords, type Verification } from './findings.ts';

/** Verifies the documents and chunks of one language against each other and against the manifest. */
export async function verifyLanguage(
  entry: Manifest['languages'][number],
  check: Verification,
): Promise<void> {
  const { manifest, report, documents } = check;
  const { language } = entry;
  const own: KnownDocument[] = [];
  const path = recordPath(language, 'documents');
  for await (const record of parseRecords(check, path, records.documentRecord, ({ id }) => id)) {
    const { id, article_id, title, url, markdown, hash } = record;
    // So it is of no other document.
    if (record.language !== language || id !== records.documentId(article_id, language))
      report(path, `${id} is not the id of ${article_id} in ${language}`);
    if (hash !== records.contentHash(title, markdown)) report(path, `hash of ${id} does not match its text`);
    if (!url.startsWith(manifest.site.url)) report(path, `${url} of ${id} is not on the site`);
    const known = { record, chunks: [] };
    documents.set(id, known);
    own.push(known);
  }
  const chunkPath = recordPath(language, 'chunks');
  let at = 0;
  for await (const chunk of parseRecords(check, chunkPath, records.chunkRecord, ({ id }) => id)) {
    while (at < own.length && own[at]?.record.id !== chunk.document_id) at += 1;
    const owner = own[at];
    if (owner === undefined || !isChunkOf(chunk, owner))
      report(chunkPath, `${chunk.id} is not what its document says there`);
    owner?.chunks.push(chunk);
  }
  const found = {
    documents: own.length,
    chunks: own.reduce((sum, { chunks }) => sum + chunks.length, 0),
    tokens: own.reduce((sum, { record }) => sum + record.tokens, 0),
  };
  if (JSON.stringify({ ...entry, ...found }) !== JSON.stringify(entry))
    report(manifestPath, `the files in ${language} have ${JSON.stringify(found)}`);
}

/** Whether a chunk follows from its document, when it is cut again, and from the chunks before it. */
function isChunkOf(chunk: records.ChunkRecord, { record, chunks }: KnownDocument): boolean {
  const { id, language, markdown, title, url, headings } = record;
  const { start, end, repeats = [] } = chunk;
  const { path, anchor } = placeOf(markdown, headings, start, end);
  const text = chunkText(markdown, { title, headingPath: path, repeats, start, end });
  const made: records.ChunkRecord = {
    ...{ ...chunk, language, title, text, url: records.chunkUrl(url, anchor), hash: records.shortHash(text) },
    ...(path.length === 0 ? {} : { heading_path: [...path] }),
  };
  const positions = [...repeats.flat(), start, end, markdown.length];
  const isSorted = positions.every((position, at) => position >= (positions[at - 1] ?? 0));
  const isNext = start >= (chunks.at(-1)?.end ?? 0) && start < end && chunk.id.startsWith(`${id}-`);
  return isSorted && isNext && JSON.stringify(made) === JSON.stringify(chunk);
}

/** Verifies that links in the form of an article's URL, `…/article/<id>`, lead to a document. Only the site knows its other pages. */
export function verifyLinks({ documents, report }: Verification): void {
  const all = Array.from(documents.values(), ({ record }) => record);
  const urls = new Set(all.map(({ url }) => decodeUrlLetters(url)));
  for (const { id, language, url, markdown, article_id } of all) {
    const [folder = ''] = decodeUrlLetters(url).split(article_id, 1);
    if (!folder.endsWith('/article/')) continue;
    for (const [, link = ''] of markdown.matchAll(/(?:\]\(|<)([^()\s<>]+)/g))
      if (link.startsWith(folder) && !urls.has(link.replace(/[?#].*/, '')))
        report(recordPath(language, 'documents'), `${id} has a link to ${link}, which is no document`);
  }
}

/** Verifies `run.state`, that the changes lead to the current documents, and that nothing is missing in the last ones. */
export async function verifyHistory(check: Verification): Promise<void> {
  const { manifest, documents, report } = check;
  const { seq, state } = manifest.run;
  const { first, last } = manifest.changes ?? { first: seq + 1, last: seq };
  if (last !== seq) report(manifestPath, `changes end in run ${last}, not ${seq}`);
  const hashes = new Map(
    Array.from(documents, ([id, { record, chunks }]) => [
      id,
      recordHash(jsonLine(record), chunks.map(jsonLine).join('')),
    ]),
  );
  if (recordState(hashes) !== state)
    report(manifestPath, 'run.state is not that of the documents and chunks');
  const idOf = (change: records.ChangeRecord) => (change.op === 'delete' ? change.id : change.document.id);
  const later = new Set<string>();
  const paths = new Set<string>();
  for (let run = seq; run >= first; run -= 1) {
    const path = changesPath(run);
    paths.add(path);
    for await (const change of parseRecords(check, path, records.changeRecord, idOf)) {
      const id = idOf(change);
      const { record, chunks } = documents.get(id) ?? {};
      const isCurrent =
        change.op === 'delete'
          ? record === undefined
          : JSON.stringify([change.document, change.chunks]) === JSON.stringify([record, chunks]);
      if (!later.has(id) && !isCurrent) report(path, `its ${change.op} of ${id} does not match the feed`);
      later.add(id);
      // Earlier files are without documents that changed again, so only the last changes can be undone.
      if (run !== seq) continue;
      if (change.was === undefined) hashes.delete(id);
      else hashes.set(id, change.was);
    }
    if (run === seq && recordState(hashes) !== findListed(manifest, path)?.base)
      report(path, 'its changes do not lead from its base to the documents');
  }
  for (const { path, kind, base } of manifest.files)
    if (paths.has(path) !== (kind === 'changes') || paths.has(path) !== (base !== undefined))
      report(path, 'it is not one of the changes');
}
