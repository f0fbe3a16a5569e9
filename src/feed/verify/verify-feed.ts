import { hash } from 'node:crypto';
import { LecternError, messageOf } from '../../foundation/errors.ts';
import { manifestPath, type ReadFeedFile, signaturePath, synonymsPath } from '../feed-reader.ts';
import { jsonSchemaFiles } from '../finish-feed.ts';
import {
  findListed,
  formatManifest,
  isFeedFile,
  type Manifest,
  manifestSchema,
  recordState,
} from '../manifest.ts';
import { synonymRecord } from '../records/record-schemas.ts';
import { type FeedTrust, verifySignature } from '../signature.ts';
import { type Finding, parseRecords, type ReportFinding, type Verification } from './findings.ts';
import { findDeadLinks } from './site-links.ts';
import { type PageCheck, readWithCopies, verifyPages, verifyTwins } from './verify-pages.ts';
import { verifyHistory, verifyLanguage, verifyLinks } from './verify-records.ts';
import { verifyTexts } from './verify-texts.ts';

/** Result of verifying a feed. */
export interface FeedVerification {
  /** `null` if there is no valid manifest. */
  readonly seq: number | null;
  readonly files: number;
  readonly documents: number;
  readonly chunks: number;
  /** Documents whose pages were checked. */
  readonly pages: number;
  /** Empty if nothing is wrong. */
  readonly findings: readonly Finding[];
  /** Links to the site that lead to none of its files; empty unless pages are checked. */
  readonly warnings: readonly Finding[];
}

/** What to verify. */
export interface VerifyOptions {
  /** Paths of all files of the site, if known: the manifest must list those of the feed, and compressed copies are compared. */
  readonly files?: readonly string[];
  /** Name and version of this program: a feed of the same version must have its schemas. */
  readonly generator?: string;
  /** One of these keys must have signed the feed for this site; absent: signatures are not checked. */
  readonly signature?: FeedTrust & { readonly nowMs: number };
  /** Also reads the Markdown file of every document: fast in a folder, one request each over the network. */
  readonly twins: boolean;
  /** Also checks pages and assets; absent: does not. */
  readonly pages?: PageCheck;
}

/**
 * Verifies a published feed: hashes, schema, ids, URLs, anchors, changes and deletions. A feed that this version built has no findings.
 * Throws only if the feed cannot be read at all.
 */
export async function verifyFeed(readFile: ReadFeedFile, options: VerifyOptions): Promise<FeedVerification> {
  const { generator, files: present, pages } = options;
  const findings: Finding[] = [];
  const report: ReportFinding = (code, path, message) => findings.push({ code, path, message });
  const read = present === undefined ? readFile : readWithCopies(readFile, report);
  const manifest = await readManifest(read, report);
  const nothing = { files: 0, documents: 0, chunks: 0, pages: 0, findings, warnings: [] };
  if (manifest !== null && options.signature !== undefined)
    await verifySigned(read, options.signature, report);
  if (manifest === null || !verifyPaths(manifest, report))
    return { seq: manifest?.run.seq ?? null, ...nothing };

  const checked = new Set<string>();
  const check: Verification = {
    ...{ manifest, report },
    async read(path) {
      checked.add(path);
      return (await readListed(read, manifest, path, report)) ?? Buffer.of();
    },
    ...{ documents: new Map(), chunkIds: new Set(), ownLinks: new Map() },
  };
  for (const { language } of manifest.languages) await verifyLanguage(language, check);
  verifyLinks(check);
  await verifyHistory(check);
  await verifyTexts(check);
  if (options.twins) await verifyTwins(check, read);
  if (findListed(manifest, synonymsPath) !== null)
    for (const _ of parseRecords(await check.read(synonymsPath), synonymRecord, synonymsPath, report));
  for (const { path } of manifest.files) if (!checked.has(path)) await check.read(path);
  for (const path of present ?? []) {
    // Compressed copies are not listed; their originals are. Node 20 cannot decompress zstd, and none is published.
    const plain = path.replace(/\.(?:gz|br)$/, '');
    if (isFeedFile(plain) && findListed(manifest, plain) === null)
      report('FILE_UNLISTED', path, 'the manifest does not list it');
    if (path === `${manifestPath}.zst`) report('FILE_UNLISTED', path, 'no such copy is published');
  }
  for (const [path, text] of manifest.generator === generator ? jsonSchemaFiles() : []) {
    const sha256 = findListed(manifest, path)?.sha256;
    if (sha256 !== hash('sha256', text))
      report('FILE_CHANGED', path, 'it is not the schema that this version publishes');
  }
  const warnings: Finding[] = [];
  if (pages !== undefined) {
    const warn: ReportFinding = (code, path, message) => warnings.push({ code, path, message });
    await findDeadLinks(check.ownLinks, manifest, pages, warn);
  }
  return {
    seq: manifest.run.seq,
    files: manifest.files.length,
    documents: check.documents.size,
    chunks: check.chunkIds.size,
    pages: pages === undefined ? 0 : await verifyPages(check, pages, options.twins),
    ...{ findings, warnings },
  };
}

async function verifySigned(
  read: ReadFeedFile,
  { nowMs, ...trust }: NonNullable<VerifyOptions['signature']>,
  report: ReportFinding,
): Promise<void> {
  try {
    const manifest = (await read(manifestPath)) ?? Buffer.of();
    verifySignature(manifest, await read(signaturePath), trust, nowMs);
  } catch (error) {
    if (!(error instanceof LecternError)) throw error;
    report(error.code as 'SIGNATURE_INVALID', signaturePath, error.message);
  }
}

async function readManifest(read: ReadFeedFile, report: ReportFinding): Promise<Manifest | null> {
  const bytes = await read(manifestPath);
  const fail = (message: string) => report('MANIFEST_INVALID', manifestPath, message);
  if (bytes === null) {
    fail('the file is missing');
    return null;
  }
  try {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const manifest = manifestSchema.parse(JSON.parse(text));
    // An unknown field, or a key that occurs twice, would be read differently by other readers.
    if (formatManifest(manifest) !== text) fail('it has fields or a form that its schema does not have');
    if (recordState(manifest.files) !== manifest.run.state)
      report('HASH_WRONG', manifestPath, 'run.state does not match the files of documents and chunks');
    const tags = manifest.languages.map(({ language }) => language);
    if (new Set(tags).size !== tags.length) fail('a language is listed twice');
    return manifest;
  } catch (error) {
    fail(`it cannot be read: ${messageOf(error).replaceAll(/\s+/g, ' ').slice(0, 200)}`);
    return null;
  }
}

async function readListed(
  read: ReadFeedFile,
  manifest: Manifest,
  path: string,
  report: ReportFinding,
): Promise<Uint8Array | null> {
  const listed = findListed(manifest, path);
  const bytes = listed === null ? null : await read(path);
  if (listed === null || bytes === null)
    report('FILE_MISSING', path, listed === null ? 'the manifest does not list it' : 'it does not exist');
  else if (bytes.length !== listed.bytes || hash('sha256', bytes) !== listed.sha256) {
    const sizes = `${bytes.length} bytes, ${listed.bytes} listed`;
    report('FILE_CHANGED', path, `its size or SHA-256 differs from the manifest (${sizes})`);
  }
  return bytes;
}

/** Paths in the folder of the feed. */
const feedPath =
  /^feed\/(?:(?:tombstones|synonyms)\.jsonl|changes\/\d+\.jsonl|schema\/[a-z-]+\.json|(?:[^/]+\/)?source\.(?:json|txt)|[^/]+\/(?:documents|chunks)(?:\/[0-9a-f]+)?\.jsonl)$/;

/** Reports paths that are unsafe, listed twice, out of order, or not part of a feed; returns whether all files may be read. */
function verifyPaths({ files }: Manifest, report: ReportFinding): boolean {
  let isSafe = true;
  let previous = '';
  const fail = (message: string) => report('MANIFEST_INVALID', manifestPath, message);
  for (const { path } of files) {
    const isInside = path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
    if (!isInside || /[\\\0]|^[a-z]:/i.test(path)) {
      isSafe = false;
      fail(`${JSON.stringify(path)} is not a valid path`);
    } else if (!isFeedFile(path) || (path.startsWith('feed/') && !feedPath.test(path)))
      fail(`${path} is not a feed file`);
    if (path <= previous) fail(`${path} is listed twice or out of order`);
    previous = path;
  }
  return isSafe;
}
