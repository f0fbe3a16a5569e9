import { createHash } from 'node:crypto';
import { LecternError, messageOf } from '../../foundation/errors.ts';
import { type PartSizes, searchBits } from '../../plan/parts.ts';
import { manifestPath, type ReadFeedFile, signaturePath, synonymsPath } from '../feed-reader.ts';
import { jsonSchemaFiles } from '../finish-feed.ts';
import { formatManifest, isFeedFile, type Manifest, manifestSchema, rootHash } from '../manifest.ts';
import { synonymRecord } from '../records/record-schemas.ts';
import { type FeedTrust, verifySignature } from '../signature.ts';
import { describeTokenizer, loadTokenCounter } from '../tokens/count-tokens.ts';
import { findDeadLinks } from './dead-links.ts';
import { type Finding, parseRecords, type ReportFinding } from './findings.ts';
import type { KnownDocuments } from './verify-chunks.ts';
import { type PageCheck, readWithCopies, verifyLinks, verifyPages } from './verify-pages.ts';
import { verifyHistory, verifyLanguage } from './verify-records.ts';
import { openTextFiles } from './verify-text-files.ts';

/** Result of verifying a feed. */
export interface FeedVerification {
  /** `null` if there is no valid manifest. */
  readonly seq: number | null;
  readonly files: number;
  readonly documents: number;
  readonly chunks: number;
  /** Documents whose pages were checked. */
  readonly pages: number;
  /** Empty if the feed satisfies every rule of docs/feed.md. */
  readonly findings: readonly Finding[];
  /** Links to the site that lead to none of its files; empty unless pages are checked. */
  readonly warnings: readonly Finding[];
}

/** What to verify. */
export interface VerifyOptions {
  /** Also reads the Markdown twin of every document: fast in a folder, one request each over the network. */
  readonly twins: boolean;
  /** Paths of all files of the site, if known: the manifest must list those of the feed, and compressed copies are compared. */
  readonly files?: readonly string[];
  /** Name and version of this program: a feed of the same version must have its schemas. */
  readonly generator?: string;
  /** One of these keys must have signed the feed for this site; absent: signatures are not checked. */
  readonly signature?: FeedTrust & { readonly nowMs: number };
  /** For tests. */
  readonly partSizes?: PartSizes;
  /** Also checks pages and assets; absent: does not. */
  readonly pages?: PageCheck;
}

/**
 * Verifies a published feed: schema, hashes, counts, ids, offsets, links and sequence. Keeps the records of one language at a time in
 * memory. Throws only if the feed cannot be read at all.
 */
export async function verifyFeed(readFile: ReadFeedFile, options: VerifyOptions): Promise<FeedVerification> {
  const findings: Finding[] = [];
  const report: ReportFinding = (code, path, message) => findings.push({ code, path, message });
  const read = options.files === undefined ? readFile : readWithCopies(readFile, report);
  const manifest = await readManifest(read, options.generator, report);
  if (manifest === null)
    return { seq: null, files: 0, documents: 0, chunks: 0, pages: 0, findings, warnings: [] };

  if (options.signature !== undefined) await verifySigned(read, options.signature, report);
  if (!verifyPaths(manifest, report)) {
    return { seq: manifest.run.seq, files: 0, documents: 0, chunks: 0, pages: 0, findings, warnings: [] };
  }
  // Another version may count differently.
  const isOwnTokenizer = JSON.stringify(manifest.tokenizer) === JSON.stringify(describeTokenizer());
  const countTokens = isOwnTokenizer ? await loadTokenCounter() : null;
  const checked = new Set<string>();
  const readChecked: ReadFeedFile = async (path) => {
    checked.add(path);
    return readListedFile(read, manifest, path, report);
  };
  verifyManifest(manifest, report);
  const sizes = options.partSizes;
  const textFiles = await openTextFiles(manifest, readChecked, sizes, report);
  const known: KnownDocuments = {
    hashes: new Map(),
    touches: new Map(),
    urls: new Map(),
    linked: new Map(),
    chunkIds: new Set(),
    links: [],
    pages: [],
    ownLinks: new Map(),
    shared: new Map(),
  };
  const orderBits = orderBitsOf(manifest, sizes);
  for (const { language } of manifest.languages) {
    await verifyLanguage(language, {
      manifest,
      read: readChecked,
      readTwin: options.twins ? read : null,
      known,
      countTokens,
      orderBits,
      addText: textFiles.add,
      report,
    });
  }
  verifyLinks(known, report);
  await verifyHistory(manifest, readChecked, known, report);
  await textFiles.finish();
  if (manifest.files.some(({ path }) => path === synonymsPath)) {
    const bytes = (await readChecked(synonymsPath)) ?? Buffer.of();
    // Reading them to the end checks them.
    for (const _ of parseRecords(bytes, synonymRecord, synonymsPath, manifest, report));
  }
  for (const { path } of manifest.files) if (!checked.has(path)) await readChecked(path);
  for (const path of options.files ?? []) {
    // Compressed copies are not listed; their originals are.
    const plain = path.replace(/\.(?:gz|br|zst)$/, '');
    if (isFeedFile(plain) && !manifest.files.some((file) => file.path === plain)) {
      report('FILE_UNLISTED', path, 'the manifest does not list it');
    } else if (path.endsWith('.zst') && (isFeedFile(plain) || plain === manifestPath)) {
      // Web servers may send it instead of its original, and Node 20 cannot decompress it.
      report('FILE_UNLISTED', path, 'no such copy is published, and its content is not checked');
    }
  }
  for (const [path, text] of manifest.generator === options.generator ? jsonSchemaFiles() : []) {
    if (!manifest.files.some((file) => file.path === path)) {
      report('FILE_MISSING', path, 'the manifest does not list it');
    }
    const bytes = await read(path);
    if (bytes !== null && new TextDecoder().decode(bytes) !== text) {
      report('FILE_CHANGED', path, 'it is not the schema that this version publishes');
    }
  }
  const { pages } = options;
  const pageCount = pages === undefined ? 0 : await verifyPages(known.pages, manifest, pages, report);
  const warnings: Finding[] = [];
  const warn: ReportFinding = (code, path, message) => warnings.push({ code, path, message });
  if (pages !== undefined) await findDeadLinks(known.ownLinks, manifest, pages, warn);
  return {
    seq: manifest.run.seq,
    files: manifest.files.length,
    documents: known.hashes.size,
    chunks: known.chunkIds.size,
    pages: pageCount,
    findings,
    warnings,
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

/** Number of leading bits that documents are sorted by: see `Parts.order`. */
function orderBitsOf({ languages }: Manifest, sizes: PartSizes | undefined): number {
  const documents = languages.reduce((sum, language) => sum + language.documents, 0);
  return Math.max(searchBits(documents, sizes), ...languages.map(({ part_bits }) => part_bits));
}

/** Verifies that the manifest's languages, tokenizer and files are consistent. */
function verifyManifest({ languages, site, tokenizer, files }: Manifest, report: ReportFinding): void {
  const tags = languages.map(({ language }) => language);
  const fail = (message: string) => report('MANIFEST_INVALID', manifestPath, message);
  if (new Set(tags).size !== tags.length) fail('a language is listed twice');
  if (tags[0] !== site.default_language && tags.includes(site.default_language)) {
    fail('the default language is not the first one');
  }
  if (tokenizer.name !== 'gpt-tokenizer' || tokenizer.encoding !== 'o200k_base') {
    fail(`the tokenizer ${tokenizer.name} (${tokenizer.encoding}) is not the one of a feed`);
  }
  for (const { path, kind, language, part } of files) {
    const [, folder, name, number] =
      /^feed\/(?!schema\/)([^/]+)\/(documents|chunks|source)(?:\/([0-9a-f]+))?\.(?:jsonl|json|txt)$/.exec(
        path,
      ) ?? [];
    const isRecords =
      kind === 'documents' || kind === 'chunks' || (kind === 'source' && folder !== undefined);
    if (folder !== undefined && name !== kind) fail(`${path} is not listed as ${name}`);
    if (isRecords && (folder !== language || number !== part)) fail(`language or part of ${path} is wrong`);
    const isSourcePage = /^feed\/source\.(?:json|txt)$/.test(path);
    const owner = isSourcePage && tags.length === 1 ? tags[0] : undefined;
    const isOfAll =
      kind === (isSourcePage ? 'source' : undefined) && language === owner && part === undefined;
    if (folder === undefined && !isOfAll) fail(`kind, language or part of ${path} is wrong`);
    if (isRecords && !tags.includes(language ?? '')) fail(`${path} is of a language that is not listed`);
  }
}

async function readManifest(
  read: ReadFeedFile,
  generator: string | undefined,
  report: ReportFinding,
): Promise<Manifest | null> {
  const bytes = await read(manifestPath);
  if (bytes === null) {
    report('MANIFEST_INVALID', manifestPath, 'the file is missing');
    return null;
  }
  try {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const written = JSON.parse(text) as Manifest;
    const manifest = manifestSchema.strict().parse(written);
    // A key that occurs twice would be read differently by other parsers.
    if (manifest.generator === generator && formatManifest(written) !== text) {
      report('MANIFEST_INVALID', manifestPath, 'it is not in the form that this version writes');
    }
    if (rootHash(manifest.files) !== manifest.root_hash) {
      report('HASH_WRONG', manifestPath, 'root_hash does not match the listed files');
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
    report(
      'FILE_CHANGED',
      path,
      `its size or SHA-256 differs from the manifest (${bytes.length} bytes, ${listed.bytes} listed)`,
    );
  }
  return bytes;
}

function firstLine(error: unknown): string {
  const text = messageOf(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, 200);
}

/** Paths in the folder of the feed. */
const feedPath =
  /^feed\/(?:(?:tombstones|synonyms)\.jsonl|changes\/\d+\.jsonl|schema\/[a-z-]+\.json|(?:[^/]+\/)?source\.(?:json|txt)|[^/]+\/source\/[0-9a-f]+\.(?:json|txt)|[^/]+\/(?:documents|chunks)(?:\/[0-9a-f]+)?\.jsonl)$/;

/** Reports paths that are unsafe, listed twice, out of order, or not part of a feed; returns whether all files may be read. */
function verifyPaths({ files }: Manifest, report: ReportFinding): boolean {
  let isSafe = true;
  let previous = '';
  for (const { path } of files) {
    const isInside = path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
    if (!isInside || /[\\\0]|^[a-z]:/i.test(path)) {
      isSafe = false;
      report('MANIFEST_INVALID', 'feed/manifest.json', `${JSON.stringify(path)} is not a valid path`);
    } else if (!(isFeedFile(path) && (!path.startsWith('feed/') || feedPath.test(path)))) {
      report('MANIFEST_INVALID', 'feed/manifest.json', `${path} is not a feed file`);
    }
    if (path <= previous) {
      report('MANIFEST_INVALID', 'feed/manifest.json', `${path} is listed twice or out of order`);
    }
    previous = path;
  }
  return isSafe;
}
