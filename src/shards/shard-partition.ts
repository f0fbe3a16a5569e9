import { hash } from 'node:crypto';
import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bytesOf, type RecordFile, readRecord, writeRecord } from '../cache/record-file.ts';
import { type PartitionRecord, termsBlob } from '../cache/records.ts';
import { type SectionKind, sectionKinds } from '../feed/sections.ts';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder } from '../foundation/file-system.ts';
import type { LanguageTag } from '../foundation/model.ts';
import type { FileStamp, StoredRange, WrittenFile } from '../output/output.ts';
import type {
  LanguageTexts,
  PartitionResult,
  RenderedPartition,
  SliceTexts,
} from '../partitions/partition-task.ts';

// Threads load this file, so it does not import schemas, which take long to load.

/** Folder of the pages of a shard. @param folder of the shard */
export function pagesFolder(folder: string): string {
  return join(folder, 'pages');
}

/** A partition of a shard without its pages, texts and `PartitionRecord`. */
export interface ShardPartition extends Pick<RenderedPartition, 'key' | 'mediaRequests' | 'mediaHash'> {
  /** See `BuildKeys`: differs for another snapshot. */
  readonly quickKey: string;
  /** Hash of the targets of its links: with `key` and `mediaHash`, it identifies the build of the `PartitionRecord`. */
  readonly linksHash: string;
  readonly result: Omit<PartitionResult, 'texts' | keyof PartitionRecord> & Pick<PartitionResult, 'media'>;
  /** Sections that are separate files, by path in the shard. */
  readonly sectionFiles: Readonly<Record<string, SectionFile>>;
  /** Modification times (ms) and inodes of the files of `result`, in turn. */
  readonly stamps: readonly number[];
}

type SectionFile = Pick<WrittenFile, 'bytes' | 'sha256'> & FileStamp;

/** Kinds of sections that are separate files. A merge publishes such a file unchanged if a feed file has only this section. */
const fileKinds: ReadonlySet<SectionKind> = new Set(['documents', 'chunks']);

/** Writes the result of rendering a partition, except its pages. */
export function writePartition(
  folder: string,
  partition: number,
  described: Pick<ShardPartition, 'quickKey' | 'mediaRequests'> & { readonly record: PartitionRecord },
  result: PartitionResult,
): void {
  const { record, ...ofBuild } = described;
  const { texts, pages: _pages, languages, links: _links, ...head } = result;
  const terms = new Map<string, Uint8Array>();
  const blobs = new Map<string, Uint8Array>();
  const sectionFiles: Record<string, SectionFile> = {};
  const add = (kind: SectionKind, language: LanguageTag, slice: number, bytes: Uint8Array): void => {
    if (!fileKinds.has(kind)) {
      blobs.set(sectionBlob(kind, language, slice), bytes);
      return;
    }
    const path = sectionPath(kind, language, slice);
    const file = join(folder, path);
    makeFolder(dirname(file));
    writeFileSync(file, bytes);
    sectionFiles[path] = { bytes: bytes.length, sha256: hash('sha256', bytes), ...stampOf(file) };
  };
  for (const [at, { language, slices }] of languages.entries()) {
    const { slices: sections, terms: ofLanguage } = texts[at] as LanguageTexts;
    for (const [number, { slice }] of slices.entries()) {
      for (const kind of sectionKinds)
        add(kind, language, slice, bytesOf((sections[number] as SliceTexts)[kind]));
    }
    terms.set(termsBlob(language), bytesOf(ofLanguage));
  }
  const stamps = head.files.flatMap(({ path }) => {
    const { mtimeMs, inode } = stampOf(`${pagesFolder(folder)}/${path}`);
    return [mtimeMs, inode];
  });
  writeRecord(recordPath(folder, partition), record, terms);
  const ofRecord = { key: record.key, linksHash: record.links.hash, mediaHash: record.media.hash };
  const content: ShardPartition = { ...ofBuild, ...ofRecord, result: head, sectionFiles, stamps };
  writeRecord(restPath(folder, partition), content, blobs);
}

/** The records of a partition. */
interface StoredPartition {
  readonly record: PartitionRecord;
  readonly recordFile: RecordFile;
  readonly rest: ShardPartition;
  readonly restFile: RecordFile;
}

/** @throws SHARD_DAMAGED if one is missing or damaged, or they belong to different builds */
function readRecords(folder: string, partition: number): StoredPartition {
  const recordFile = readRecord(recordPath(folder, partition));
  if (recordFile === null) throw damaged(recordPath(folder, partition));
  const restFile = readRecord(restPath(folder, partition));
  if (restFile === null) throw damaged(restPath(folder, partition));
  const record = recordFile.head as PartitionRecord;
  const rest = restFile.head as ShardPartition;
  const { key, links, media } = record;
  if (key !== rest.key || links.hash !== rest.linksHash || media.hash !== rest.mediaHash) {
    throw damaged(recordPath(folder, partition));
  }
  return { record, recordFile, rest, restFile };
}

/**
 * Reads what {@link writePartition} wrote, except the texts.
 * @param quickKey of the partition in the merging build
 * @throws SHARD_DAMAGED if it is missing or damaged, SHARD_FOREIGN if its key differs
 */
export function readPartition(
  folder: string,
  partition: number,
  quickKey: string,
): RenderedPartition & { readonly result: Omit<PartitionResult, 'texts'> } {
  const { record, rest } = readRecords(folder, partition);
  if (rest.quickKey !== quickKey) {
    throw new LecternError(
      'SHARD_FOREIGN',
      `${restPath(folder, partition)} was rendered from another snapshot`,
      {
        hint: 'build all shards from one snapshot (lectern fetch), with one configuration and one version',
      },
    );
  }
  const { key, mediaRequests, mediaHash, result } = rest;
  const { pages, languages, links } = record;
  return {
    key,
    mediaRequests,
    mediaHash,
    folder,
    paths: result.files.map(({ path }) => path),
    result: { ...result, pages, languages, links, recordFile: recordPath(folder, partition) },
  };
}

/**
 * Checks the records of a partition and finds its texts.
 * @returns the result of rendering, and the locations of the texts. The reader of a text checks it if it has a checksum
 * @throws SHARD_DAMAGED if a record is missing or damaged
 */
export function checkPartition(
  folder: string,
  partition: number,
): Pick<PartitionResult, 'files' | 'texts'> & Pick<ShardPartition, 'stamps'> {
  const { record, recordFile, rest, restFile } = readRecords(folder, partition);
  if (!recordFile.isSound()) throw damaged(recordPath(folder, partition));
  if (!restFile.isSound((name) => !isWrittenWhole(name))) throw damaged(restPath(folder, partition));
  const { result, sectionFiles, stamps } = rest;
  const texts = record.languages.map(({ language, slices }): LanguageTexts => {
    const locate = (kind: SectionKind, slice: number): StoredRange => {
      const inShard = sectionPath(kind, language, slice);
      const own = sectionFiles[inShard];
      if (own === undefined) {
        const name = sectionBlob(kind, language, slice);
        return isWrittenWhole(name) ? restFile.locate(name) : withoutChecksum(restFile.locate(name));
      }
      const { bytes: length, sha256, mtimeMs, inode } = own;
      return { file: join(folder, inShard), offset: 0, length, sha256, stamp: { mtimeMs, inode } };
    };
    const sectionsOf = (slice: number) =>
      Object.fromEntries(sectionKinds.map((kind) => [kind, locate(kind, slice)]));
    return {
      slices: slices.map(({ slice }) => sectionsOf(slice) as unknown as SliceTexts),
      terms: withoutChecksum(recordFile.locate(termsBlob(language))),
    };
  });
  return { files: result.files, texts, stamps };
}

/** Whether a section is written to the output as a whole, so that its checksum can be checked then. The full text is cut. */
function isWrittenWhole(name: string): boolean {
  return !name.startsWith('fullText ');
}

/** A text that is read in parts, so that it was checked before. */
function withoutChecksum({ file, offset, length }: StoredRange): StoredRange {
  return { file, offset, length };
}

/** A text that is checked when it is read. */
export type CheckedRange = StoredRange & Required<Pick<StoredRange, 'sha256'>>;

/** Whether a text is a separate file; all others follow the head of a record. */
export function isSectionFile({ offset }: StoredRange): boolean {
  return offset === 0;
}

function stampOf(path: string): FileStamp {
  const { mtimeMs, ino } = statSync(path);
  return { mtimeMs, inode: ino };
}

/** A `PartitionRecord` with the search terms, as a cache stores it. */
function recordPath(folder: string, partition: number): string {
  return join(folder, 'records', `${partition}.record`);
}

/** A {@link ShardPartition} with the sections that are not separate files. */
function restPath(folder: string, partition: number): string {
  return join(folder, 'partitions', `${partition}.record`);
}

/** Path relative to the shard, `/`-separated. Slice numbers are unique across partitions. */
function sectionPath(kind: SectionKind, language: LanguageTag, slice: number): string {
  return `sections/${language}/${kind}/${slice}.jsonl`;
}

/** Name of a section in the record of its partition. */
function sectionBlob(kind: SectionKind, language: LanguageTag, slice: number): string {
  return `${kind} ${language} ${slice}`;
}

/** The error for a file of a shard that is not as written. */
export function damaged(path: string, cause?: unknown): LecternError {
  return shardFault(path, `${path} is missing or damaged`, cause);
}

/**
 * The error for a file of a shard that could not be read.
 * @param message if the reason is not a missing permission
 */
export function shardFault(path: string, message: string, cause: unknown): LecternError {
  return mayRead(path)
    ? new LecternError('SHARD_DAMAGED', message, {
        hint: 'build this shard again with lectern build --shard, and copy the whole folder',
        cause,
      })
    : new LecternError('SHARD_DAMAGED', `this user may not read ${path}`, {
        hint: 'change the owner or the permissions of all files of the shard',
        cause,
      });
}

function mayRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EACCES';
  }
}
