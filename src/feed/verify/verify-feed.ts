import { messageOf } from '../../core/errors.ts';
import { manifestPath, type ReadFeedFile, synonymsPath } from '../read/feed-reader.ts';
import { findListed, formatManifest, isFeedFile, type Manifest, manifestSchema } from '../read/manifest.ts';
import { isListedFile } from '../read/read-feed.ts';
import { synonymRecord } from '../records/record-schemas.ts';
import { parsePublished, parseRecords, type Verification } from './findings.ts';
import { verifyHistory, verifyLanguage, verifyLinks } from './verify-records.ts';
import { verifyTexts } from './verify-texts.ts';

/** Result of verifying a feed. */
export interface FeedVerification {
  /** `null` if there is no valid manifest. */
  readonly seq: number | null;
  readonly files: number;
  readonly documents: number;
  readonly chunks: number;
  /** What is wrong, with the file where it was found. */
  readonly findings: readonly { readonly path: string; readonly message: string }[];
}

/**
 * Verifies a published feed: manifest, hashes, sizes, schemas, ids and links to articles; chunks, texts and `llms.txt` are made again from the documents,
 * and the last changes must lead from their base to the documents. A feed that this version built has no findings. Throws only if the feed cannot be read.
 * @param present paths of all files in `feed/`, if known: the manifest must list them
 */
export async function verifyFeed(
  readFile: ReadFeedFile,
  present: readonly string[] = [],
): Promise<FeedVerification> {
  const findings: { path: string; message: string }[] = [];
  const report = (path: string, message: string) => void findings.push({ path, message });
  const manifest = parseManifest(await readFile(manifestPath), report);
  if (manifest === null) return { seq: null, files: 0, documents: 0, chunks: 0, findings };

  const unread = new Set(manifest.files.map(({ path }) => path));
  const read = async (path: string): Promise<string> => {
    unread.delete(path);
    const listed = findListed(manifest, path);
    const bytes = listed === null ? null : await readFile(path);
    if (listed === null) report(path, 'the manifest does not list it');
    else if (bytes === null) report(path, 'it does not exist');
    else if (!isListedFile(bytes, listed)) report(path, 'its size or SHA-256 differs from the manifest');
    return Buffer.from(bytes ?? []).toString();
  };
  const check: Verification = { manifest, read, documents: new Map(), report };
  for (const entry of manifest.languages) await verifyLanguage(entry, check);
  verifyLinks(check);
  await verifyHistory(check);
  await verifyTexts(check);
  if (unread.has(synonymsPath))
    for await (const _ of parseRecords(check, synonymsPath, synonymRecord, () => null));
  for (const path of unread) await read(path);
  // A web server would send a compressed copy instead of the file.
  for (const path of present)
    if (/\.(?:gz|br|zst)$/.test(path) || (isFeedFile(path) && findListed(manifest, path) === null))
      report(path, 'the manifest does not list it');
  const chunks = manifest.languages.reduce((sum, entry) => sum + entry.chunks, 0);
  const documents = check.documents.size;
  return { seq: manifest.run.seq, files: manifest.files.length, documents, chunks, findings };
}

function parseManifest(bytes: Uint8Array | null, report: Verification['report']): Manifest | null {
  try {
    if (bytes === null) throw new Error('the file is missing');
    return parsePublished(Buffer.from(bytes).toString(), manifestSchema, formatManifest);
  } catch (error) {
    report(manifestPath, messageOf(error).replaceAll(/\s+/g, ' ').slice(0, 200));
    return null;
  }
}
