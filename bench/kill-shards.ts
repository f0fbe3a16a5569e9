import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from './corpus/random.ts';

/** How often to check the progress of a run. */
const lookEveryMs = 3;

export interface ShardRuns {
  /** Absolute path of the folder of a shard, 1 to `count`. */
  readonly folderOf: (shard: number) => string;
  readonly count: number;
  /** Starts `lectern build --shard`. */
  readonly start: (shard: number) => ChildProcess;
}

/**
 * Builds all shards of a build. Kills `kills` runs with SIGKILL, each after it has staged a random number of files, and builds a killed
 * shard again.
 * @returns number of killed runs, and how many of them had staged nothing
 */
export async function buildShardsWithKills(
  { folderOf, count, start }: ShardRuns,
  kills: number,
  random: Random,
): Promise<{ readonly killed: number; readonly early: number }> {
  let killed = 0;
  let early = 0;
  for (let shard = 1; shard <= count || killed < kills; shard += 1) {
    const number = ((shard - 1) % count) + 1;
    const folder = folderOf(number);
    await expectBuilt(start(number), folder);
    const files = countFiles(folder);
    for (let turn = 0; turn < Math.ceil(kills / count) && killed < kills; turn += 1) {
      const enough = random.between(0, files);
      const child = start(number);
      const ended = once(child, 'exit');
      while (child.exitCode === null && countStaged(folder) < enough) await wait(lookEveryMs);
      const staged = countStaged(folder);
      child.kill('SIGKILL');
      await ended;
      if (child.signalCode !== 'SIGKILL') continue;
      killed += 1;
      if (staged === 0) early += 1;
      if (countFiles(folder) !== files) throw new Error(`a killed run changed the shard in ${folder}`);
    }
    await expectBuilt(start(number), folder);
    const left = readdirSync(dirname(folder)).filter((name) => name.startsWith(`.${basename(folder)}.`));
    if (left.length > 0) throw new Error(`a run after killed ones left ${left.join(', ')}`);
  }
  return { killed, early };
}

async function expectBuilt(child: ChildProcess, folder: string): Promise<void> {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`a run that nobody killed ended with ${code}: ${folder}`);
}

function countStaged(folder: string): number {
  const parent = dirname(folder);
  if (!existsSync(parent)) return 0;
  const names = readdirSync(parent).filter((name) => name.startsWith(`.${basename(folder)}.staging-`));
  return names.reduce((sum, name) => sum + countFiles(join(parent, name)), 0);
}

/** A folder that is renamed or removed meanwhile counts as empty. */
function countFiles(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      .length;
  } catch {
    return 0;
  }
}
