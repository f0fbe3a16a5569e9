import { hash } from 'node:crypto';
import type { PublishedSite } from '../feed/feed-reader.ts';
import { type Manifest, type ManifestFile, partOfArticle } from '../feed/manifest.ts';
import type { ChangeRecord } from '../feed/records/record-schemas.ts';
import type { TouchedDocument } from './applied-feed.ts';
import type { AppliedFile, AppliedManifest, FeedCursor } from './feed-cursor.ts';
import { linesOf, readChangeLine } from './parse-feed.ts';

/** Files in which only dates and `translation_outdated` changed, according to the file of changes. */
export interface Touched {
  /** Documents by path of the file. */
  readonly documentsOf: ReadonlyMap<string, readonly TouchedDocument[]>;
  /** Number of bytes read. */
  readonly bytes: number;
}

export const noTouches: Touched = { documentsOf: new Map(), bytes: 0 };

/**
 * Finds the files that need not be read.
 * @param files whose hash changed since the cursor
 * @throws FEED_UNREACHABLE, FEED_INVALID
 */
export async function readTouched(
  site: PublishedSite,
  manifest: Manifest,
  cursor: FeedCursor,
  files: readonly ManifestFile[],
): Promise<Touched> {
  const { lines, bytes } = await readChanges(site, manifest, cursor.manifest, files);
  const bitsOf = new Map(manifest.languages.map(({ language, part_bits }) => [language, part_bits]));
  const changesOf = new Map<string, ChangeRecord[]>();
  for (const change of lines) {
    const key = fileKey(change.language, partOfArticle(change.article_id, bitsOf.get(change.language) ?? 0));
    const here = changesOf.get(key);
    if (here === undefined) changesOf.set(key, [change]);
    else here.push(change);
  }
  const documentsOf = new Map<string, readonly TouchedDocument[]>();
  for (const file of files) {
    const applied = cursor.files.get(file.path);
    // Files with other bits have the same names but other articles.
    if (applied?.partBits !== partBitsOf(manifest, file)) continue;
    const touched = touchedIn(applied, changesOf.get(fileKey(file.language ?? '', file.part ?? '')) ?? []);
    if (touched !== null) documentsOf.set(file.path, touched);
  }
  return { documentsOf, bytes };
}

/** Number of bits of an article id's hash that select the part of a file. */
export function partBitsOf({ languages }: Manifest, file: ManifestFile): number {
  return languages.find(({ language }) => language === file.language)?.part_bits ?? 0;
}

/** Changes of a feed since a cursor. */
interface ReadChanges {
  /** In the order of the runs; empty if they cannot be used. */
  readonly lines: readonly ChangeRecord[];
  readonly bytes: number;
}

const noChanges: ReadChanges = { lines: [], bytes: 0 };

/**
 * Reads the changes since the last complete run. Uses them only if the same version of the program made them, they belong to exactly the
 * feed that was applied (after a rollback, or with two jobs at once, another feed may have the same id and run), and they are smaller than
 * the files that need not be read.
 */
async function readChanges(
  site: PublishedSite,
  manifest: Manifest,
  before: AppliedManifest | null,
  files: readonly ManifestFile[],
): Promise<ReadChanges> {
  const { run, generator } = manifest;
  if (before === null || before.feedId !== run.feed_id || before.generator !== generator) return noChanges;
  const listed = manifest.files.filter(({ path }) => {
    const [, number] = /^feed\/changes\/(\d+)\.jsonl$/.exec(path) ?? [];
    return Number(number) > before.seq;
  });
  const next = listed.find(({ path }) => path === `feed/changes/${before.seq + 1}.jsonl`);
  if (next?.base !== before.rootHash) return noChanges;
  const size = (of: readonly ManifestFile[]) => of.reduce((sum, { bytes }) => sum + bytes, 0);
  if (size(listed) >= size(files)) return noChanges;
  const lines: ChangeRecord[] = [];
  for (const { path, sha256, bytes: expected } of listed) {
    const bytes = await site.read(path, expected);
    if (bytes === null || hash('sha256', bytes) !== sha256) return noChanges;
    for (const line of linesOf(bytes)) lines.push(readChangeLine(line, path));
  }
  return { lines: lines.sort((a, b) => a.seq - b.seq), bytes: size(listed) };
}

function fileKey(language: string, part: string): string {
  return `${language}/${part}`;
}

/**
 * The touched documents of a file; `null` if anything else in it may have changed.
 * @param changes of its documents
 */
function touchedIn(
  applied: AppliedFile,
  changes: readonly ChangeRecord[],
): readonly TouchedDocument[] | null {
  if (applied.isAhead !== false) return null;
  const touched = new Map<string, TouchedDocument>();
  for (const change of changes) {
    const { op, id, updated_at, translation_outdated } = change;
    if (op !== 'touch' || translation_outdated === undefined) return null;
    const chunks = Object.keys(applied.chunks).filter(
      (chunk) => chunk.startsWith(id) && /^-[0-9a-z]{8}(?:-\d+)?$/.test(chunk.slice(id.length)),
    );
    const date = updated_at === undefined ? {} : { updated_at };
    touched.set(id, { document_id: id, chunks, ...date, translation_outdated });
  }
  return touched.size === 0 ? null : [...touched.values()];
}
