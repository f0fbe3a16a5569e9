import { setImmediate } from 'node:timers/promises';
import type { SectionOutput, SectionOutputFile } from '../feed/sections.ts';
import { LecternError } from '../foundation/errors.ts';
import type { StoredRange } from '../output/output.ts';
import type { PartitionResult } from '../partitions/partition-task.ts';
import type { ThreadFiles } from '../partitions/publish-search.ts';
import { createThreads } from '../partitions/threads.ts';
import type { DeferredOutput, WorkerPool } from '../partitions/worker-pool.ts';
import { type Shard, shardOf } from './shard-folder.ts';
import { readPartition } from './shard-partition.ts';
import {
  type FilePiece,
  type FileTask,
  type PiecedFile,
  runShardTask,
  type ShardSettings,
  type ShardTask,
  type ShardTaskResult,
  type TakenPartition,
  type TakeTask,
} from './take-partition.ts';

/** With more threads, the publishing thread is the slowest. */
const mostThreads = 2;

/** Partitions read ahead: enough tasks for the threads while the main thread writes other files. */
const capacity = 16;

/** Small, because threads create few objects. */
const youngMb = 6;

/** Characters of search terms that take as long to merge as a file of the feed takes to write. */
const charsPerFile = 20_000;

/** With fewer partitions, starting threads early does not pay. */
const fewestAhead = 32;

/** A pool that renders nothing. */
export interface ShardPool extends WorkerPool {
  /**
   * Starts to link the pages of all partitions to the staging folder, while the main thread still reads the snapshot. Damage is reported
   * when the partition is made. Call it only if no partition can be up to date in a previous output.
   */
  takeAhead(settings: Omit<ShardSettings, 'fileMode'>): void;
}

/**
 * A pool that renders nothing: it reads every partition from its shard and links its pages into the staging folder. The rest of a merge is
 * the same as in a build, so the output has the same bytes. Texts of partitions are never completely in memory: threads copy them from the
 * shards to the files of the output.
 * @param shards all shards of a build (`checkShards`), in any order; they are checked before `start`
 */
export function createShardPool(shards: readonly Shard[]): ShardPool {
  const byNumber = new Map(shards.map((shard) => [shard.info.shard, shard]));
  const script = new URL('./worker.js', import.meta.url);
  const threads = createThreads<ShardSettings, ShardTask, ShardTaskResult>(script, youngMb);
  /** Found, but not copied yet. */
  const found = new Map<number, ReturnType<typeof readPartition>>();
  const ahead = new Map<number, Promise<TakenPartition>>();
  // Read before threads run: reading it changes it for a moment.
  const fileMode = 0o666 & ~process.umask();
  let shardSettings: ShardSettings | null = null;
  const shardWith = (partition: number) => byNumber.get(shardOf(partition, shards.length)) as Shard;
  const run = async (task: ShardTask, cost = 1): Promise<ShardTaskResult> => {
    if (shardSettings === null) throw new Error('the pool was not started');
    return threads.count() === 0 ? runShardTask(shardSettings, task) : threads.run(task, cost);
  };
  const startWith = (settings: Omit<ShardSettings, 'fileMode'>, count: number): void => {
    // Threads receive settings only once.
    if (shardSettings !== null) return;
    shardSettings = { ...settings, fileMode };
    threads.start(shardSettings, Math.min(count, mostThreads));
  };
  const take = (task: TakeTask) => run(task) as Promise<TakenPartition>;
  const runFiles = (task: FileTask) => run(task, task.pieced.length) as Promise<ThreadFiles>;
  return {
    // A thread that is added later would not receive the settings.
    warmUp: () => void (shardSettings === null && threads.add()),
    takeAhead(settings) {
      const partitions = shards
        .flatMap(({ folder, info }) => info.rendered.map((partition) => ({ folder, partition })))
        .sort((a, b) => a.partition - b.partition);
      if (partitions.length < fewestAhead) return;
      startWith(settings, mostThreads);
      for (const { folder, partition } of partitions) {
        // Two shards may claim the same partition: `checkShards` refuses them.
        if (ahead.has(partition)) continue;
        const taking = take({ folder, partition, previousFiles: new Map() });
        // A failure is thrown when the partition is made; without this, it would be an unhandled rejection until then.
        taking.catch(() => {});
        ahead.set(partition, taking);
      }
    },
    start: ({ workspace, compress }, count) => startWith({ workspace, compress }, count),
    // The threads already have the tasks that were started ahead.
    capacity: () => (ahead.size > 0 ? 1 : capacity),
    findRendered(partition, quickKey) {
      const { folder, info } = shardWith(partition);
      if (!info.rendered.includes(partition)) return null;
      const content = readPartition(folder, partition, quickKey);
      found.set(partition, content);
      return content;
    },
    async make({ partition, previousFiles }) {
      const { folder } = shardWith(partition);
      const content = found.get(partition);
      if (content === undefined) throw notRendered(folder, partition);
      found.delete(partition);
      const taken = await (ahead.get(partition) ?? take({ folder, partition, previousFiles }));
      ahead.delete(partition);
      return { ...content.result, ...taken } satisfies PartitionResult;
    },
    writeSearch() {
      if (threads.count() === 0) return null;
      return async (task) => {
        // Give the last feed files priority: the main thread waits for them.
        await setImmediate();
        const chars = task.runs.reduce((sum, { termChars }) => sum + termChars, 0);
        return run(task, chars / charsPerFile) as Promise<ThreadFiles>;
      };
    },
    sectionOutput: (output) => createDeferredFiles(output, runFiles),
    stop: threads.stop,
  };
}

/** Files of a task: a task for each would need more time and memory. */
const filesPerTask = 8;

/** Tasks that threads have at a time: enough while the main thread writes other files. The others are in the spill file. */
const mostTasks = 64;

/** Opens files that are written after they are closed: until then, only descriptions of their parts are stored. */
function createDeferredFiles(
  { adopt, recorded, spill }: DeferredOutput,
  writeFiles: (task: FileTask) => Promise<ThreadFiles>,
): SectionOutput {
  /** Positions of the tasks in the spill file. */
  const waiting: number[] = [];
  let closed: PiecedFile[] = [];
  let started = 0;
  let running = 0;
  let failure: { readonly error: unknown } | null = null;
  let onIdle = () => {};
  const start = (): void => {
    for (; running < mostTasks && started < waiting.length && failure === null; started += 1) {
      running += 1;
      void write(waiting[started] as number);
    }
  };
  const write = async (position: number): Promise<void> => {
    try {
      const pieced = JSON.parse(spill.readText(position)) as PiecedFile[];
      const paths = pieced.map(({ path }) => path);
      const { files, reusedFiles } = await writeFiles({ pieced, previousFiles: recorded(paths) });
      adopt(files, reusedFiles);
    } catch (error) {
      failure ??= { error };
    }
    running -= 1;
    start();
    if (running === 0) onIdle();
  };
  const send = (): void => {
    if (closed.length > 0) waiting.push(spill.addText(JSON.stringify(closed)));
    closed = [];
    start();
  };
  return {
    open: async (path) =>
      openDeferred(path, (file) => {
        closed.push(file);
        if (closed.length === filesPerTask) send();
      }),
    async written() {
      send();
      if (running > 0) await new Promise<void>((resolve) => (onIdle = resolve));
      if (failure !== null) throw failure.error;
    },
  };
}

function openDeferred(path: string, onClose: (file: PiecedFile) => void): SectionOutputFile {
  const pieces: FilePiece[] = [];
  let bytes = 0;
  const add = (piece: FilePiece): void => {
    const last = pieces.at(-1);
    if (wasChecked(last) && wasChecked(piece) && continues(last, piece)) {
      pieces[pieces.length - 1] = { ...last, length: last.length + piece.length };
    } else pieces.push(piece);
    bytes += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
  };
  return {
    position: () => bytes,
    // Shards have all texts in files.
    write: async (piece) => add(piece instanceof Uint8Array ? Buffer.from(piece).toString() : piece),
    copy: async (range) => add(range),
    close: async () => onClose({ path, pieces }),
  };
}

/** Whether a piece was checked before: full text, which comes article by article. */
function wasChecked(piece: FilePiece | undefined): piece is StoredRange {
  return typeof piece === 'object' && 'file' in piece && piece.sha256 === undefined;
}

function continues(last: StoredRange, next: StoredRange): boolean {
  return last.file === next.file && last.offset + last.length === next.offset;
}

function notRendered(folder: string, partition: number): LecternError {
  return new LecternError(
    'SHARD_MISSING',
    `${folder} reused partition ${partition} from the previous output, which has changed since`,
    { hint: 'merge into the output of --previous, or build the shards without --previous' },
  );
}
