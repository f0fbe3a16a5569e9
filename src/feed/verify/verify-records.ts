import { parseUrl, siteHost } from '../../foundation/addresses.ts';
import { chunkText, urlsIn } from '../chunks/chunk-text.ts';
import { scrubMarkdown, scrubUrl } from '../guard/scrub-document.ts';
import { findSecrets } from '../guard/secrets.ts';
import { changesPath, tombstonesPath } from '../history/write-history.ts';
import { findListed, recordFiles } from '../manifest.ts';
import * as records from '../records/record-schemas.ts';
import { type KnownDocument, parseRecords, type Verification } from './findings.ts';
import { pathOnSite, sitePath } from './site-links.ts';

/** Verifies the documents and chunks of one language against each other and against the manifest. */
export async function verifyLanguage(language: string, check: Verification): Promise<void> {
  const { manifest, read, report, documents, chunkIds } = check;
  const own: KnownDocument[] = [];
  const files = recordFiles(manifest, language, 'documents');
  for (const { path } of files) {
    for (const record of parseRecords(await read(path), records.documentRecord, path, report)) {
      if (documents.has(record.id)) report('ID_WRONG', path, `${record.id} occurs twice`);
      if (record.language !== language) report('ID_WRONG', path, `${record.id} is of another language`);
      verifyDocument(record, path, check);
      const known = { record, path, chunks: [] };
      documents.set(record.id, known);
      own.push(known);
    }
  }
  for (const { path } of recordFiles(manifest, language, 'chunks')) {
    for (const chunk of parseRecords(await read(path), records.chunkRecord, path, report)) {
      const owner = documents.get(chunk.document_id);
      if (chunkIds.has(chunk.id)) report('ID_WRONG', path, `${chunk.id} occurs twice`);
      chunkIds.add(chunk.id);
      const why = owner === undefined ? 'belongs to no document' : whatIsWrong(chunk, owner);
      if (why !== null) report('TEXT_WRONG', path, `${chunk.id} ${why}`);
      owner?.chunks.push(chunk);
    }
  }
  const found = {
    documents: own.length,
    chunks: own.reduce((sum, { chunks }) => sum + chunks.length, 0),
    tokens: own.reduce((sum, { record }) => sum + record.tokens, 0),
  };
  const listed = manifest.languages.find((each) => each.language === language);
  if (JSON.stringify({ language, ...found }) !== JSON.stringify(listed)) {
    const counts = `${found.documents} documents, ${found.chunks} chunks and ${found.tokens} tokens`;
    report('COUNT_WRONG', files[0]?.path ?? 'feed', `${counts} in ${language}, and the manifest differs`);
  }
}

/** What of a chunk does not follow from its document; `null` if all of it does. */
function whatIsWrong(chunk: records.ChunkRecord, { record, chunks }: KnownDocument): string | null {
  const { markdown, title, url, headings, category } = record;
  const { start, end, lead = '', heading_path: headingPath = [] } = chunk;
  const names = new Set(headings.map(({ text }) => text));
  const passage = { title, headingPath, lead, categoryPath: category?.path ?? [] };
  const text = chunkText({ ...passage, markdown: markdown.slice(start, end) });
  const facts = [record.language, record.article_id, title];
  const isOwn = JSON.stringify([chunk.language, chunk.article_id, chunk.title]) === JSON.stringify(facts);
  if (!isOwn || !chunk.id.startsWith(`${record.id}-`)) return 'has fields of another document';
  if (start < (chunks.at(-1)?.end ?? 0) || start >= end || end > markdown.length)
    return `has the positions ${start} and ${end}`;
  if (!headingPath.every((heading) => names.has(heading) || heading.endsWith('…')))
    return 'has a heading that its document does not have';
  if (!markdown.slice(0, start).includes(lead)) return 'has a lead that is not before it';
  if (chunk.text !== text) return 'has a text that is not the passage of its document';
  if (chunk.hash !== records.sha256(text)) return 'has the hash of another text';
  const anchors = headings.map(({ id }) => `${url}#${encodeURIComponent(id)}`);
  return [url, ...anchors].includes(chunk.url)
    ? null
    : `has the URL ${chunk.url}, which is not a heading of its page`;
}

function verifyDocument(document: records.DocumentRecord, path: string, check: Verification): void {
  const { manifest, ownLinks, report } = check;
  const { id, article_id, language, title, description = '', tags, url, markdown, links, images } = document;
  const site = manifest.site.url;
  if (id !== records.documentId(article_id, language))
    report('ID_WRONG', path, `${id} is not the id of ${article_id}`);
  if (document.hash !== records.contentHash(title, markdown))
    report('HASH_WRONG', path, `hash of ${id} does not match its text`);
  for (const page of [url, document.markdown_url, ...Object.values(document.alternates)])
    if (sitePath(page, site) === null)
      report('URL_WRONG', path, `${id} has the URL ${page}, which is not on the site`);
  const root = parseUrl(site);
  if (scrubMarkdown(markdown, root === null ? null : siteHost(root)) !== markdown)
    report('SECRET_FOUND', path, `${id} has a URL with a credential, or of a private network`);
  for (const address of [...links.external, ...images.map(({ src }) => src), ...urlsIn(markdown)]) {
    if (!/^(?:https?:|mailto:|tel:|[/?#.]|[^:]*$)/i.test(address) || scrubUrl(address) !== address)
      report('URL_WRONG', path, `${id} has the URL ${address.slice(0, 200)}`);
    if (pathOnSite(address, site) !== null && !ownLinks.has(address)) ownLinks.set(address, { path, id });
  }
  for (const { kind, masked, fingerprint } of findSecrets([title, description, ...tags, markdown].join('\n')))
    if (!manifest.allowed_secrets?.includes(fingerprint))
      report('SECRET_FOUND', path, `${id} has a ${kind}: ${masked} (fingerprint ${fingerprint})`);
}

/** Reports every reference to a document that is not in the feed. */
export function verifyLinks({ documents, ownLinks, report }: Verification): void {
  const pages = new Set([...documents.values()].map(({ record }) => record.url));
  for (const link of [...ownLinks.keys()]) if (pages.has(link.replace(/#.*$/, ''))) ownLinks.delete(link);
  for (const { record, path } of documents.values()) {
    for (const other of record.links.internal)
      if (!documents.has(other))
        report('LINK_BROKEN', path, `${record.id} links to ${other}, which is not in the feed`);
    for (const [tag, address] of Object.entries(record.alternates)) {
      const other = documents.get(records.documentId(record.article_id, tag))?.record;
      if (other?.url !== address || other.alternates[record.language] !== record.url)
        report('LINK_BROKEN', path, `${record.id} gives ${address} as its page in ${tag}`);
    }
  }
}

/** Verifies that changes and tombstones lead to the current documents. */
export async function verifyHistory({ manifest, read, documents, report }: Verification): Promise<void> {
  const { first, last } = manifest.changes;
  const { seq } = manifest.run;
  if (last !== seq || first > seq + 1)
    report('SEQUENCE_WRONG', 'feed/manifest.json', `changes go from ${first} to ${last} in run ${seq}`);
  const latest = new Map<string, { readonly change: records.ChangeRecord; readonly run: number }>();
  const paths = new Set<string>();
  for (let run = first; run <= seq; run += 1) {
    const path = changesPath(run);
    const listed = findListed(manifest, path);
    paths.add(path);
    if (listed?.base === undefined || listed.bytes === 0)
      report('SEQUENCE_WRONG', path, 'it has no changes, or the manifest does not give its base');
    for (const change of parseRecords(await read(path), records.changeRecord, path, report)) {
      const id = change.op === 'delete' ? change.id : change.document.id;
      if (latest.get(id)?.run === run) report('ID_WRONG', path, `${id} occurs twice`);
      latest.set(id, { change, run });
    }
  }
  for (const { path, kind, base } of manifest.files)
    if ((kind === 'changes' || base !== undefined) && !paths.has(path))
      report('SEQUENCE_WRONG', path, `it is not one of the runs ${first} to ${last}`);
  const buried = new Set<string>();
  let previous = '';
  const bytes = await read(tombstonesPath);
  for (const tombstone of parseRecords(bytes, records.tombstoneRecord, tombstonesPath, report)) {
    const { id, article_id, language, url, seq: deleted, reason } = tombstone;
    const fail = (message: string) => report('TOMBSTONE_WRONG', tombstonesPath, `${id} ${message}`);
    if (id <= previous) fail('occurs twice or is out of order');
    if (id !== records.documentId(article_id, language))
      fail(`is not the id of ${article_id} in ${language}`);
    if (!/^(?:https?:\/\/|\/)/.test(url)) fail(`has the URL ${url}`);
    const change = JSON.stringify({ change: { op: 'delete', id, url, reason }, run: deleted });
    if (deleted > seq || (deleted >= first && JSON.stringify(latest.get(id)) !== change))
      fail(`was not deleted in run ${deleted}`);
    buried.add(id);
    previous = id;
  }
  for (const id of buried)
    if (documents.has(id)) report('TOMBSTONE_WRONG', tombstonesPath, `${id} is in the feed`);
  for (const [id, { change, run }] of latest) {
    const known = documents.get(id);
    const isTrue =
      change.op === 'delete'
        ? known === undefined && buried.has(id)
        : JSON.stringify([change.document, change.chunks]) === JSON.stringify([known?.record, known?.chunks]);
    if (!isTrue)
      report('SEQUENCE_WRONG', changesPath(run), `its ${change.op} of ${id} does not match the feed`);
  }
}
