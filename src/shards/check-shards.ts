import { LecternError } from '../foundation/errors.ts';
import type { Shard, ShardInfo } from './shard-folder.ts';

/** The build that shards are merged into. */
export type MergedBuild = Pick<
  ShardInfo,
  'program' | 'inputs' | 'knowledgeBase' | 'previousFeed' | 'generator'
>;

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
