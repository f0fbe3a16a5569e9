import { hash } from 'node:crypto';
import { join } from 'node:path';
import { once } from '../core/concurrency.ts';
import { readFileOrNull } from '../core/file-system.ts';
import type { LanguageTag } from '../core/model.ts';
import type { BuildReport } from '../core/report.ts';
import { damagedCache } from '../core/sqlite/cache-file.ts';
import type { FeedIndex } from '../feed/feed-files.ts';
import type { FeedPosition } from '../feed/history/feed-position.ts';
import { type BuildDatabase, buildDatabaseName } from '../output/database/build-database.ts';
import type { PublishedFile } from '../output/output.ts';
import { outputMarker, type PublishedFiles, type PublishedOutput } from '../output/previous-output.ts';
import type { Products } from './products.ts';

/**
 * The last build: everything the next one needs, besides the rendered articles, to publish unchanged files again. Only this program writes
 * it, so its fields are not validated again.
 */
export interface BuildRecord {
  /** SHA-256 of the output's manifest: identifies the output that the record describes. */
  readonly manifest: string;
  /** Hash of program, settings, templates and public files (`hashInputs`). */
  readonly settings: string;
  /** Hash of everything read from the source. */
  readonly source: string;
  /** Hash of everything that articles show of each other (`hashSharedMetadata`). */
  readonly metadata: string;
  /** Checksum of the snapshot of the knowledge base; `null` if the snapshot does not contain all of it. */
  readonly snapshot: string | null;
  /** Hash of the index of copied images and files after the build; `null` if there is none. */
  readonly copies: string | null;
  /** Whether images or files were requested from other servers. */
  readonly hasDownloads: boolean;
  readonly report: BuildReport;
  /** Id and run of the feed. */
  readonly feed: FeedPosition;
  /** `run.state` of the feed. */
  readonly feedState: string;
  readonly products: Products;
}

/** The build that made an output. */
export interface LastBuild {
  readonly record: BuildRecord;
  /** Its output as it left it, read by the first call. */
  readonly readOutput: () => PublishedOutput;
}

/** The build that made an output in its current state; `null` if unknown. @param out absolute path of the output */
export function findLastBuild(database: BuildDatabase, out: string): LastBuild | null {
  const manifest = readFileOrNull(join(out, outputMarker));
  const stored = manifest === null ? null : database.readValue('run');
  if (manifest === null || stored === null) return null;
  const record = JSON.parse(stored) as BuildRecord;
  if (record.manifest !== hash('sha256', manifest)) return null;
  return {
    record,
    readOutput: once(() => ({
      files: readFiles(database),
      finishedMs: readPublished(database)?.finishedMs ?? 0,
    })),
  };
}

/** The files of an output by field: a list for each file, or the names of its fields, take as long to read as the rest. */
type PublishedColumns = {
  readonly [Field in Exclude<keyof PublishedFile, 'sha256'>]: PublishedFile[Field][];
};

/** Hexadecimal digits of SHA-256. */
const hashLength = 64;

/** A file of the last output. Nothing reads the hashes if nothing changed, and they take as long to read as the rest. */
class StoredFile implements PublishedFile {
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
  private readonly at: number;
  private readonly hashes: () => string;

  /** @param hashes those of all files, joined @param at number of this file */
  constructor(path: string, bytes: number, mtimeMs: number, at: number, hashes: () => string) {
    this.path = path;
    this.bytes = bytes;
    this.mtimeMs = mtimeMs;
    this.at = at;
    this.hashes = hashes;
  }

  get sha256(): string {
    return this.hashes().slice(this.at * hashLength, (this.at + 1) * hashLength);
  }
}

function readFiles(database: BuildDatabase): PublishedFiles {
  const files = new Map<string, PublishedFile>();
  const stored = database.readValue('files');
  if (stored === null) return files;
  const { path: paths, bytes, mtimeMs } = JSON.parse(stored) as PublishedColumns;
  const hashes = once((): string => {
    const stored = database.readValue('hashes');
    if (stored?.length === paths.length * hashLength) return stored;
    throw damagedCache(buildDatabaseName, 'the hashes of some files are lost');
  });
  for (const [at, path] of paths.entries())
    files.set(path, new StoredFile(path, bytes[at] as number, mtimeMs[at] as number, at, hashes));
  return files;
}

export function writeFiles(database: BuildDatabase, files: readonly PublishedFile[]): void {
  const columns: PublishedColumns = {
    path: files.map(({ path }) => path),
    bytes: files.map(({ bytes }) => bytes),
    mtimeMs: files.map(({ mtimeMs }) => mtimeMs),
  };
  const hashes = files.map(({ sha256 }) => sha256).join('');
  database.writeValue('files', JSON.stringify(columns));
  database.writeValue('hashes', hashes);
}

/** What is known of the last build of any output since that is in place. */
interface PublishedFacts {
  readonly feed: FeedPosition;
  /** `PublishedOutput.finishedMs`. Older than the output if the build was killed directly after the swap: then all files are checked. */
  readonly finishedMs: number;
}

/** Returns `null` if nothing is known. */
export function readPublished(database: BuildDatabase): PublishedFacts | null {
  const stored = database.readValue('published');
  return stored === null ? null : (JSON.parse(stored) as PublishedFacts);
}

/** Where the files of the last build have the texts of their pages; `null` if that is lost. */
export function readFeedIndex(database: BuildDatabase): FeedIndex | null {
  const stored = database.readValue('feedIndex');
  return stored === null ? null : (JSON.parse(stored) as FeedIndex);
}

/** What the next build needs to know of the search indexes besides their files, which have all of their texts and terms. */
export interface SearchRecord {
  /** By which the articles were divided into parts (`Parts.searchBits`). */
  readonly bits: number;
  /** The parts of each language, by number. */
  readonly languages: Readonly<Record<LanguageTag, Readonly<Record<number, PartRecord>>>>;
}

export interface PartRecord {
  /** Hash of the entries of its articles. */
  readonly key: string;
  /** Ids of its articles, in order. */
  readonly ids: readonly string[];
  /** Title of the top category of each; empty without a category. */
  readonly topCategories: readonly string[];
}

/** What the last build knows of its search; `null` if that is lost. */
export function readSearchRecord(database: BuildDatabase): SearchRecord | null {
  const stored = database.readValue('search');
  return stored === null ? null : (JSON.parse(stored) as SearchRecord);
}

export function writePublished(database: BuildDatabase, facts: PublishedFacts): void {
  database.writeValue('published', JSON.stringify(facts));
}
