import { hash } from 'node:crypto';
import { messageOf } from '../../core/errors.ts';
import { feedLimits } from '../feed-limits.ts';
import { manifestPath, type ReadFeedFile, synonymsPath } from '../read/feed-reader.ts';
import {
  findListed,
  formatManifest,
  isFeedFile,
  type Manifest,
  manifestSchema,
  recordState,
} from '../read/manifest.ts';
import { synonymRecord } from '../records/record-schemas.ts';
import {
  decodeText,
  type Finding,
  parsePublished,
  parseRecords,
  type ReportFinding,
  type Verification,
} from './findings.ts';
import { hashesOf, verifyHistory, verifyLanguage } from './verify-records.ts';
import { verifyTexts } from './verify-texts.ts';

/** Result of verifying a feed. */
export interface FeedVerification {
  /** `null` if there is no valid manifest. */
  readonly seq: number | null;
  readonly files: number;
  readonly documents: number;
  readonly chunks: number;
  /** Empty if nothing is wrong. */
  readonly findings: readonly Finding[];
}

/** What to verify. */
interface VerifyOptions {
  /** Paths of all files in `feed/`, if known: the manifest must list them. */
  readonly files?: readonly string[];
  /** The limit with which the feed was built; tests use smaller ones. */
  readonly llmsChars?: number;
}

/**
 * Verifies a published feed: manifest, hashes, sizes, schemas and ids; chunks, texts and `llms.txt` are made again from the documents, and the
 * last changes must lead from their base to the documents. A feed that this version built has no findings. Throws only if the feed cannot be read at all.
 */
export async function verifyFeed(
  read: ReadFeedFile,
  { files: present, llmsChars = feedLimits.llmsChars }: VerifyOptions = {},
): Promise<FeedVerification> {
  const findings: Finding[] = [];
  const report: ReportFinding = (code, path, message) => findings.push({ code, path, message });
  const manifest = parseManifest(await read(manifestPath), report);
  if (manifest === null) return { seq: null, files: 0, documents: 0, chunks: 0, findings };

  const unread = new Set(manifest.files.map(({ path }) => path));
  const check: Verification = {
    ...{ manifest, report },
    async read(path) {
      unread.delete(path);
      return decodeText((await readListed(read, manifest, path, report)) ?? Buffer.of());
    },
    ...{ documents: new Map(), chunkIds: new Set() },
  };
  for (const { language } of manifest.languages) await verifyLanguage(language, check);
  if (recordState(hashesOf(check)) !== manifest.run.state)
    report('RECORD_WRONG', manifestPath, 'run.state is not that of the documents and chunks');
  await verifyHistory(check);
  await verifyTexts(check, llmsChars);
  if (unread.has(synonymsPath))
    for (const _ of parseRecords(await check.read(synonymsPath), synonymRecord, synonymsPath, report));
  for (const path of unread) await check.read(path);
  for (const path of present ?? []) {
    // A web server would send a compressed copy instead of the file.
    if (/\.(?:gz|br|zst)$/.test(path) || (isFeedFile(path) && findListed(manifest, path) === null))
      report('FILE_WRONG', path, 'the manifest does not list it');
  }
  const { documents, chunkIds } = check;
  const counts = { files: manifest.files.length, documents: documents.size, chunks: chunkIds.size };
  return { seq: manifest.run.seq, ...counts, findings };
}

function parseManifest(bytes: Uint8Array | null, report: ReportFinding): Manifest | null {
  const fail = (message: string) => report('RECORD_WRONG', manifestPath, message);
  try {
    if (bytes === null) throw new Error('the file is missing');
    const manifest = parsePublished(decodeText(bytes), manifestSchema, formatManifest);
    const { files, languages } = manifest;
    if (new Set(languages.map(({ language }) => language)).size !== languages.length)
      fail('a language is listed twice');
    for (const [at, { path }] of files.entries())
      if (path <= (files[at - 1]?.path ?? '')) fail(`${path} is listed twice or out of order`);
    return manifest;
  } catch (error) {
    fail(messageOf(error).replaceAll(/\s+/g, ' ').slice(0, 200));
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
    report('FILE_WRONG', path, listed === null ? 'the manifest does not list it' : 'it does not exist');
  else if (bytes.length !== listed.bytes || hash('sha256', bytes) !== listed.sha256) {
    const sizes = `${bytes.length} bytes, ${listed.bytes} listed`;
    report('FILE_WRONG', path, `its size or SHA-256 differs from the manifest (${sizes})`);
  }
  return bytes;
}
