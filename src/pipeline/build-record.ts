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
import type { SharedMetadata } from './hash-source.ts';
import type { Products } from './products.ts';
import type { ShownMetadata } from './shown-links.ts';

/**
 * The last build: everything the next one needs, besides the rendered articles, to publish unchanged files again. Only this program writes
 * it, so its fields are not validated again.
 */
export interface BuildRecord {
  /** SHA-256 of the output's manifest: identifies the output that the record describes. */
  readonly manifest: string;
  /** Hash of program, settings, templates and public files (`hashInputs`). */
  readonly settings: string;
  readonly metadata: SharedMetadata;
  /** `Source.snapshot`. */
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

/** What the build database stores as JSON besides the rendered articles. */
interface StoredValues {
  readonly run: BuildRecord;
  readonly files: PublishedColumns;
  /** Where the files of the last build have the texts of their pages. */
  readonly feedIndex: FeedIndex;
  readonly search: SearchRecord;
  readonly shown: ShownMetadata;
  readonly published: PublishedFacts;
}

/** Returns `null` if nothing is stored. */
export function readStored<Name extends keyof StoredValues>(
  database: Pick<BuildDatabase, 'readValue'>,
  name: Name,
): StoredValues[Name] | null {
  const stored = database.readValue(name);
  return stored === null ? null : (JSON.parse(stored) as StoredValues[Name]);
}

/** Stores a value as JSON. */
export function writeStored<Name extends keyof StoredValues>(
  database: Pick<BuildDatabase, 'writeValue'>,
  name: Name,
  value: StoredValues[Name],
): void {
  database.writeValue(name, JSON.stringify(value));
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
  const record = manifest === null ? null : readStored(database, 'run');
  if (manifest === null || record?.manifest !== hash('sha256', manifest)) return null;
  return {
    record,
    readOutput: once(() => ({
      files: readFiles(database),
      finishedMs: readStored(database, 'published')?.finishedMs ?? 0,
    })),
  };
}

/** The files of an output by field: a list for each file, or the names of its fields, take as long to read as the rest. */
type PublishedColumns = {
  readonly [Field in Exclude<keyof PublishedFile, 'sha256'>]: PublishedFile[Field][];
};

/** Hexadecimal digits of SHA-256. */
const hashLength = 64;

function readFiles(database: BuildDatabase): PublishedFiles {
  const files = new Map<string, PublishedFile>();
  const columns = readStored(database, 'files');
  if (columns === null) return files;
  const { path: paths, bytes, mtimeMs } = columns;
  const hashes = database.readValue('hashes');
  if (hashes?.length !== paths.length * hashLength)
    throw damagedCache(buildDatabaseName, 'the hashes of some files are lost');
  for (const [at, path] of paths.entries()) {
    const sha256 = hashes.slice(at * hashLength, (at + 1) * hashLength);
    files.set(path, { path, sha256, bytes: bytes[at] as number, mtimeMs: mtimeMs[at] as number });
  }
  return files;
}

/** Stores the files of an output, as `findLastBuild` reads them. */
export function writeFiles(database: BuildDatabase, files: readonly PublishedFile[]): void {
  const columns: PublishedColumns = {
    path: files.map(({ path }) => path),
    bytes: files.map(({ bytes }) => bytes),
    mtimeMs: files.map(({ mtimeMs }) => mtimeMs),
  };
  const hashes = files.map(({ sha256 }) => sha256).join('');
  writeStored(database, 'files', columns);
  database.writeValue('hashes', hashes);
}

/** What is known of the last build of any output since that is in place. */
interface PublishedFacts {
  readonly feed: FeedPosition;
  /** `PublishedOutput.finishedMs`. Older than the output if the build was killed directly after the swap: then all files are checked. */
  readonly finishedMs: number;
}

/** What the next build needs to know of the search indexes besides their files, which have all of their texts and terms. */
export interface SearchRecord {
  /** By which the articles were divided into parts (`searchBits`). */
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
