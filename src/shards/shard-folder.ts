import { join } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { readTextFile, writeFileAtomically } from '../foundation/file-system.ts';
import { z } from '../foundation/schema.ts';
import { shardFault } from './shard-partition.ts';

/** The file that describes a shard. It is written last, so a shard without it is incomplete. */
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
  /** `root_hash` of the feed that the build continues; `null` if there is none. */
  previousFeed: z.string().nullable(),
  /** Partitions that were rendered; the others of the shard are up to date in the previous output. */
  rendered: z.array(z.number().int().nonnegative()).readonly(),
});

/** Identifies a shard and its build. All fields except the first two are equal in all shards of a build. */
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

/** Writes the description of a shard; call it last. */
export function writeShardInfo(folder: string, info: ShardInfo): void {
  writeFileAtomically(join(folder, shardFile), [`${JSON.stringify(info, null, 2)}\n`]);
}

/** @throws SHARD_DAMAGED if the folder is not a complete shard */
export function readShard(folder: string): Shard {
  const file = join(folder, shardFile);
  try {
    return { folder, info: shardInfo.parse(JSON.parse(readTextFile(file))) };
  } catch (cause) {
    const message = `${folder} is not a complete shard: ${shardFile} is missing or invalid`;
    throw shardFault(file, message, cause);
  }
}

/** The build that shards are merged into. */
type MergedBuild = Pick<ShardInfo, 'program' | 'inputs' | 'knowledgeBase' | 'previousFeed' | 'generator'>;

/**
 * Checks that the shards are of the same build and complete, without duplicates.
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
