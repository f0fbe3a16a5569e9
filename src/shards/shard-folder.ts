import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RecordFile, readRange, readRecord, writeRecord } from '../cache/record-file.ts';
import { sectionKinds } from '../feed/sections.ts';
import { LecternError } from '../foundation/errors.ts';
import { writeFileAtomically } from '../foundation/file-system.ts';
import { z } from '../foundation/schema.ts';
import type { StoredRange } from '../output/output.ts';
import type { LanguageTexts, PartitionResult, RenderedPartition } from '../partitions/partition-task.ts';

/** The file that describes a shard; it is written last, so a shard without it is not complete. */
export const shardFile = 'shard.json';

const shardInfo = z.object({
  schema: z.literal('lectern.shard/1'),
  /** 1 to `shards`. */
  shard: z.number().int().positive(),
  shards: z.number().int().positive(),
  /** Name and version of the program, for messages. */
  generator: z.string(),
  /** Result of `describeProgram`. */
  program: z.string(),
  /** Result of `fingerprintInputs`: program, configuration, templates, public files. */
  inputs: z.string(),
  /** Hash of the knowledge base. */
  knowledgeBase: z.string(),
  /** `root_hash` of the feed that the build continues; `null`: there is none. */
  previousFeed: z.string().nullable(),
  /** Partitions that were rendered; the others of the shard are up to date in the previous output. */
  rendered: z.array(z.number().int().nonnegative()).readonly(),
});

/**
 * A shard of a build: which partitions of which build it holds. Everything but the first two is equal in all shards of
 * a build.
 */
type ShardInfo = z.infer<typeof shardInfo>;

/** A shard that was read. */
export interface Shard {
  readonly folder: string;
  readonly info: ShardInfo;
}

/** Shard of a partition, 1 to `shards`. */
export function shardOf(partition: number, shards: number): number {
  return (partition % shards) + 1;
}

/** Folder of the pages of a shard. @param folder of the shard */
export function pagesFolder(folder: string): string {
  return join(folder, 'pages');
}

/** Writes the description of a shard, once everything else is written. */
export function writeShardInfo(folder: string, info: ShardInfo): void {
  writeFileAtomically(join(folder, shardFile), [`${JSON.stringify(info, null, 2)}\n`]);
}

/** @throws SHARD_DAMAGED where the folder is not a complete shard */
export function readShard(folder: string): Shard {
  try {
    return { folder, info: shardInfo.parse(JSON.parse(readFileSync(join(folder, shardFile), 'utf8'))) };
  } catch (cause) {
    throw new LecternError(
      'SHARD_DAMAGED',
      `${folder} is not a complete shard: ${shardFile} is missing or invalid`,
      {
        hint: 'build this shard again with lectern build --shard',
        cause,
      },
    );
  }
}

/** A partition of a shard but for its pages and texts. */
export interface ShardPartition extends Pick<RenderedPartition, 'key' | 'mediaRequests' | 'mediaHash'> {
  /** See `BuildKeys`: a partition of another snapshot has another one. */
  readonly quickKey: string;
  readonly result: Omit<PartitionResult, 'texts'>;
}

/** Writes what rendering a partition gave, besides its pages. */
export function writePartition(
  folder: string,
  partition: number,
  described: Omit<ShardPartition, 'result'>,
  result: PartitionResult,
): void {
  const { texts, ...head } = result;
  const blobs = new Map<string, Uint8Array>();
  for (const [at, { language }] of result.languages.entries()) {
    const { sections, terms } = texts[at] as LanguageTexts;
    for (const kind of sectionKinds) blobs.set(`${kind} ${language}`, bytesOf(sections[kind]));
    blobs.set(`terms ${language}`, bytesOf(terms));
  }
  const content: ShardPartition = { ...described, result: head };
  writeRecord(recordPath(folder, partition), content, blobs);
}

/**
 * Reads what {@link writePartition} wrote, but for the texts.
 * @param quickKey of the partition in the build that merges
 * @throws SHARD_DAMAGED where it is missing or damaged, SHARD_FOREIGN where it has another key
 */
export function readPartition(folder: string, partition: number, quickKey: string): ShardPartition {
  const path = recordPath(folder, partition);
  const file = readRecord(path);
  if (file === null) throw damaged(path);
  const content = file.head as ShardPartition;
  if (content.quickKey !== quickKey) {
    throw new LecternError('SHARD_FOREIGN', `${path} was rendered from another snapshot`, {
      hint: 'build all shards from one snapshot (lectern fetch), with one configuration and one version',
    });
  }
  return content;
}

/**
 * Checks the record of a partition, and finds its texts.
 * @returns what rendering wrote, and where the texts are. Those with a checksum are checked by {@link readSection}
 * @throws SHARD_DAMAGED where it is missing or damaged
 */
export function checkPartition(folder: string, partition: number): Pick<PartitionResult, 'files' | 'texts'> {
  const path = recordPath(folder, partition);
  const file = readRecord(path);
  if (!file?.isSound((name) => !isWrittenWhole(name))) throw damaged(path);
  const { files, languages } = (file.head as ShardPartition).result;
  return { files, texts: languages.map(({ language }) => locateTexts(file, language)) };
}

/** Only the full text is cut, and terms are read a block at a time: so these are checked before. */
function isWrittenWhole(name: string): boolean {
  return !/^(?:fullText|terms) /.test(name);
}

function locateTexts(record: RecordFile, language: string): LanguageTexts {
  const locate = (name: string): StoredRange => {
    const range = record.locate(name);
    const { file, offset, length } = range;
    return isWrittenWhole(name) ? range : { file, offset, length };
  };
  const sections = Object.fromEntries(sectionKinds.map((kind) => [kind, locate(`${kind} ${language}`)]));
  return {
    sections: sections as unknown as LanguageTexts['sections'],
    terms: locate(`terms ${language}`),
  };
}

/** Reads a text that has a checksum. @throws SHARD_DAMAGED */
export function readSection(range: StoredRange): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = readRange(range);
  } catch (cause) {
    throw damaged(range.file, cause);
  }
  if (hash('sha256', bytes) !== range.sha256) throw damaged(range.file);
  return bytes;
}

function bytesOf(text: Uint8Array | StoredRange): Uint8Array {
  return text instanceof Uint8Array ? text : readRange(text);
}

function recordPath(folder: string, partition: number): string {
  return join(folder, 'partitions', `${partition}.record`);
}

function damaged(path: string, cause?: unknown): LecternError {
  return new LecternError('SHARD_DAMAGED', `${path} is missing or damaged`, {
    hint: 'build this shard again with lectern build --shard, and copy the whole folder',
    cause,
  });
}

/** The build that shards are merged into. */
type MergedBuild = Pick<ShardInfo, 'program' | 'inputs' | 'knowledgeBase' | 'previousFeed' | 'generator'>;

/**
 * Checks that the shards are all of one build, each once.
 * @throws SHARD_MISSING, SHARD_DUPLICATE, SHARD_FOREIGN
 */
export function checkShards(shards: readonly Shard[], build: MergedBuild): void {
  for (const shard of shards) refuseForeign(shard, build);
  const count = shards[0]?.info.shards ?? 0;
  const byNumber = new Map<number, Shard>();
  for (const shard of shards) {
    const { info, folder } = shard;
    if (info.shards !== count) {
      throw new LecternError(
        'SHARD_FOREIGN',
        `${folder} is shard ${info.shard} of ${info.shards}, and ${shards[0]?.folder} is one of ${count}`,
        { hint: 'merge the shards of one build' },
      );
    }
    const other = byNumber.get(info.shard);
    if (other !== undefined) {
      throw new LecternError(
        'SHARD_DUPLICATE',
        `${other.folder} and ${folder} are both shard ${info.shard}`,
        {
          hint: 'pass each shard once',
        },
      );
    }
    byNumber.set(info.shard, shard);
  }
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const missing = numbers.filter((number) => !byNumber.has(number));
  if (missing.length > 0) {
    const subject =
      missing.length === 1
        ? `shard ${missing[0]} of ${count} is`
        : `shards ${missing.join(', ')} of ${count} are`;
    throw new LecternError('SHARD_MISSING', `${subject} missing`, {
      hint: `build each with lectern build --offline --shard N/${count}, then merge all of them`,
    });
  }
}

function refuseForeign({ folder, info }: Shard, build: MergedBuild): void {
  const reason = differenceOf(info, build);
  if (reason === null) return;
  throw new LecternError('SHARD_FOREIGN', `${folder} ${reason}`, {
    hint: 'build all shards and merge them from one snapshot (lectern fetch), with one configuration, one version, and the same --since or --previous',
  });
}

function differenceOf(info: ShardInfo, build: MergedBuild): string | null {
  if (info.program !== build.program) {
    return info.generator === build.generator
      ? `was built by another build of ${build.generator}, or with other packages`
      : `was built by ${info.generator}, and this is ${build.generator}`;
  }
  if (info.inputs !== build.inputs) return 'was built with another configuration or other templates';
  if (info.knowledgeBase !== build.knowledgeBase) return 'was built from another snapshot';
  if (info.previousFeed !== build.previousFeed) return 'continues another feed';
  return null;
}
