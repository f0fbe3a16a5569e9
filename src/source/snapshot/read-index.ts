import { createHash, type Hash, hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { readFlags, readWholeFile } from '../../core/file-system.ts';
import type { Category, ExclusionReason, LanguageTag, TopArticle } from '../../core/model.ts';
import type { Problem } from '../../core/problems.ts';
import {
  bodiesFilePattern,
  indexFile,
  type SnapshotContent,
  type SnapshotHeader,
  type SnapshotLine,
  type SnapshotTrailer,
  type StoredArticle,
  snapshotVersion,
  trailerBytes,
} from './format.ts';

const batchBytes = 1024 * 1024;
const lineFeed = 0x0a;

/** A snapshot in the cache folder, with its body file open. */
export interface Snapshot {
  readonly header: SnapshotHeader;
  readonly content: SnapshotContent;
  readonly bodies: FileHandle;
  /** SHA-256 of everything before the last line, which contains it. */
  readonly sha256: string;
}

/** The reason why there is no usable snapshot; `why` follows "the snapshot". */
interface NoSnapshot {
  readonly state: 'missing' | 'old' | 'corrupt';
  readonly why: string;
}

/** Opens the snapshot of a cache folder, or returns the reason why there is none. The caller closes `bodies`. */
export async function readIndex(folder: string): Promise<Snapshot | NoSnapshot> {
  let index: Omit<Snapshot, 'bodies'> | NoSnapshot;
  try {
    index = await readLines(join(folder, indexFile));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { state: 'missing', why: 'does not exist' };
    return corrupt(
      error instanceof SyntaxError ? 'contains a line that is not JSON' : `cannot be read (${code})`,
    );
  }
  return 'state' in index ? index : openBodies(folder, index);
}

async function openBodies(folder: string, index: Omit<Snapshot, 'bodies'>): Promise<Snapshot | NoSnapshot> {
  const { bodiesFile, bodiesBytes } = index.header;
  try {
    const bodies = await open(join(folder, bodiesFile), readFlags);
    const { size } = await bodies.stat();
    if (size === bodiesBytes) return { ...index, bodies };
    await bodies.close();
    return corrupt(`has ${size} bytes of bodies instead of ${bodiesBytes}`);
  } catch (error) {
    return corrupt(`has no readable file of bodies (${(error as NodeJS.ErrnoException).code})`);
  }
}

async function readLines(path: string): Promise<Omit<Snapshot, 'bodies'> | NoSnapshot> {
  const file = await open(path, readFlags);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return corrupt('is not a file');
    const { size } = stats;
    const end = size - trailerBytes;
    if (end <= 0) return corrupt('is too short');
    const hash = createHash('sha256');
    const content = createContent();
    let header: SnapshotHeader | null = null;
    for await (const batch of readBatches(file, end, hash)) {
      const [first, ...rest] = batch;
      if (header === null) {
        const read = readHeader(first);
        if ('state' in read) return read;
        header = read;
      } else content.add(first as SnapshotLine);
      for (const line of rest) content.add(line as SnapshotLine);
    }
    const { sha256 } = (await readTrailer(file, end)) ?? {};
    if (header === null || sha256 !== hash.digest('hex')) return corrupt('does not match its checksum');
    return { header, content: content.finish(), sha256 };
  } finally {
    await file.close();
  }
}

/** Whole lines up to `end`, parsed in batches, which is faster than one by one; also updates the hash. */
async function* readBatches(file: FileHandle, end: number, hash: Hash): AsyncGenerator<readonly unknown[]> {
  let rest = Buffer.alloc(0);
  for (let position = 0; position < end; ) {
    const chunk = Buffer.allocUnsafe(Math.min(batchBytes, end - position));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const read = chunk.subarray(0, bytesRead);
    hash.update(read);
    const bytes = rest.length === 0 ? read : Buffer.concat([rest, read]);
    const lineEnd = bytes.lastIndexOf(lineFeed);
    rest = bytes.subarray(lineEnd + 1);
    // JSON has no line feed inside a line, so replacing the line feeds turns lines into elements of a list.
    const lines = bytes.subarray(0, Math.max(0, lineEnd)).toString('utf8').replaceAll('\n', ',');
    if (lines !== '') yield JSON.parse(`[${lines}]`) as unknown[];
  }
  if (rest.length > 0) throw new SyntaxError('the last line has no end');
}

async function readTrailer(file: FileHandle, position: number): Promise<Partial<SnapshotTrailer> | null> {
  const bytes = Buffer.alloc(trailerBytes);
  await file.read(bytes, 0, trailerBytes, position);
  return JSON.parse(bytes.toString('utf8')) as Partial<SnapshotTrailer> | null;
}

function readHeader(line: unknown): SnapshotHeader | NoSnapshot {
  const header = line as Partial<SnapshotHeader> | null;
  if (header?.format !== 'lectern-snapshot') return corrupt('was not written by Lectern');
  if (header.version !== snapshotVersion)
    return { state: 'old', why: `has the format ${String(header.version)}` };
  if (typeof header.bodiesFile !== 'string' || !bodiesFilePattern.test(header.bodiesFile)) {
    return corrupt('does not name its file of bodies');
  }
  return header as SnapshotHeader;
}

function createContent() {
  const articles: StoredArticle[] = [];
  const categories: Category[] = [];
  const excluded = new Map<string, ExclusionReason>();
  const excludedFiles = new Map<string, string>();
  const hiddenNames = new Map<string, readonly string[]>();
  const topArticles = new Map<LanguageTag, readonly TopArticle[]>();
  const listingProblems: Problem[] = [];
  const otherProblems: Problem[] = [];
  return {
    add(line: SnapshotLine): void {
      if ('a' in line) articles.push(line.a);
      else if ('c' in line) categories.push(line.c);
      else if ('x' in line) {
        const [id, reason, names, file] = line.x;
        excluded.set(id, reason);
        if (names.length > 0) hiddenNames.set(id, names);
        if (file !== undefined) excludedFiles.set(id, file);
      } else if ('t' in line) topArticles.set(...line.t);
      else if ('p' in line) listingProblems.push(line.p);
      else if ('o' in line) otherProblems.push(line.o);
    },
    finish: (): SnapshotContent => ({
      articles,
      categories,
      excluded,
      excludedFiles,
      hiddenNames,
      topArticles,
      listingProblems,
      otherProblems,
    }),
  };
}

function corrupt(why: string): NoSnapshot {
  return { state: 'corrupt', why };
}

interface SnapshotOwner {
  /** `null` if unknown. */
  readonly identity: string | null;
  readonly defaultLanguage: LanguageTag;
}

/** Why a snapshot does not belong to this knowledge base, in words that follow "the snapshot"; `null` if it does. */
export function whyForeign(
  header: SnapshotHeader,
  { identity, defaultLanguage }: SnapshotOwner,
): string | null {
  if (identity !== null && header.identity !== identity)
    return `belongs to another source, ${header.identity}`;
  if (header.defaultLanguage !== defaultLanguage) {
    return `was made with the default language ${header.defaultLanguage}`;
  }
  return null;
}

/**
 * The checksum of the snapshot in a cache folder, if it is undamaged. Snapshots with equal checksums have equal bytes. `null` if there is
 * none, or if opening it would fail.
 */
export function checkSnapshot(folder: string): string | null {
  try {
    const index = readWholeFile(join(folder, indexFile));
    const end = index.length - trailerBytes;
    const sha256 = hash('sha256', index.subarray(0, end));
    if (index.toString('utf8', end) !== `${JSON.stringify({ sha256 })}\n`) return null;
    const header = JSON.parse(index.toString('utf8', 0, index.indexOf('\n'))) as SnapshotHeader;
    if (!bodiesFilePattern.test(header.bodiesFile)) return null;
    // The schedule of a record has hidden something since.
    if (header.scheduleMs !== undefined && Date.now() >= header.scheduleMs) return null;
    return statSync(join(folder, header.bodiesFile)).size === header.bodiesBytes ? sha256 : null;
  } catch {
    return null;
  }
}
