import { createHash } from 'node:crypto';
import type { ReadFeedFile } from '../feed-reader.ts';
import { type Manifest, manifestPath, manifestSchema, rootHash } from '../manifest.ts';
import type { Finding, ReportFinding } from './findings.ts';
import { verifyHistory } from './verify-history.ts';
import { type PageCheck, verifyPages } from './verify-pages.ts';
import { type KnownDocuments, verifyLanguage, verifyLinks } from './verify-records.ts';
import { verifySourcePages } from './verify-source-pages.ts';

/** What verifying a feed showed. */
export interface FeedVerification {
  /** `null` when there is no manifest to believe. */
  readonly seq: number | null;
  readonly files: number;
  readonly documents: number;
  readonly chunks: number;
  /** Documents whose pages were checked. */
  readonly pages: number;
  /** Empty for a feed that keeps every promise of docs/feed.md. */
  readonly findings: readonly Finding[];
}

/** How far verification goes. */
export interface VerifyOptions {
  /** Also reads the Markdown twin of every document: cheap in a folder, a request each over the network. */
  readonly twins: boolean;
  /** Also looks for pages and assets; absent: not. */
  readonly pages?: PageCheck;
}

/**
 * Verifies a published feed: schema, hashes, counts, ids, offsets, links and sequence. Holds the records of one language
 * at a time. Throws only where the feed cannot be read at all.
 */
export async function verifyFeed(read: ReadFeedFile, options: VerifyOptions): Promise<FeedVerification> {
  const findings: Finding[] = [];
  const report: ReportFinding = (code, path, message) => findings.push({ code, path, message });
  const manifest = await readManifest(read, report);
  if (manifest === null) return { seq: null, files: 0, documents: 0, chunks: 0, pages: 0, findings };

  const checked = new Set<string>();
  const readChecked: ReadFeedFile = async (path) => {
    checked.add(path);
    return readListedFile(read, manifest, path, report);
  };
  const known: KnownDocuments = { hashes: new Map(), chunkIds: new Set(), links: [], pages: [] };
  for (const { language } of manifest.languages) {
    await verifyLanguage(language, {
      manifest,
      read: readChecked,
      readTwin: options.twins ? read : null,
      known,
      report,
    });
  }
  verifyLinks(known, report);
  await verifyHistory(manifest, readChecked, known.hashes, report);
  await verifySourcePages(manifest, readChecked, known.hashes, report);
  for (const { path } of manifest.files) if (!checked.has(path)) await readChecked(path);
  const { pages } = options;
  const pageCount = pages === undefined ? 0 : await verifyPages(known.pages, manifest, pages, report);
  return {
    seq: manifest.run.seq,
    files: manifest.files.length,
    documents: known.hashes.size,
    chunks: known.chunkIds.size,
    pages: pageCount,
    findings,
  };
}

async function readManifest(read: ReadFeedFile, report: ReportFinding): Promise<Manifest | null> {
  const bytes = await read(manifestPath);
  if (bytes === null) {
    report('MANIFEST_INVALID', manifestPath, 'there is none');
    return null;
  }
  try {
    const manifest = manifestSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    if (rootHash(manifest.files) !== manifest.root_hash) {
      report('HASH_WRONG', manifestPath, 'root_hash does not follow from the files listed');
    }
    return manifest;
  } catch (error) {
    report('MANIFEST_INVALID', manifestPath, `it cannot be read: ${firstLine(error)}`);
    return null;
  }
}

async function readListedFile(
  read: ReadFeedFile,
  manifest: Manifest,
  path: string,
  report: ReportFinding,
): Promise<Uint8Array | null> {
  const listed = manifest.files.find((file) => file.path === path);
  if (listed === undefined) {
    report('FILE_MISSING', path, 'the manifest does not list it');
    return null;
  }
  const bytes = await read(path);
  if (bytes === null) {
    report('FILE_MISSING', path, 'the manifest lists it, but it does not exist');
    return null;
  }
  if (bytes.length !== listed.bytes || createHash('sha256').update(bytes).digest('hex') !== listed.sha256) {
    report('FILE_CHANGED', path, `${bytes.length} bytes that are not the ${listed.bytes} the manifest lists`);
  }
  return bytes;
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, 200);
}
