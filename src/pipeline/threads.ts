import { parentPort, Worker } from 'node:worker_threads';
import { LecternError } from '../core/errors.ts';

/** Threads that run one script (see `answerTasks`), which gets the settings first and then tasks. */
interface Threads<Settings, Task, Result> {
  /** Starts threads, and sends them the settings. */
  start(settings: Settings, count: number): void;
  count(): number;
  /**
   * Sends a task to the thread with the least to do. Rejects with the error that the task threw, and always after any thread
   * has ended.
   * @param cost of the task compared with others; absent: 1
   */
  run(task: Task, cost?: number): Promise<Result>;
  stop(): Promise<void>;
}

/** Reply of a thread to a task. */
type ThreadAnswer<Result> = { readonly result: Result } | { readonly error: ErrorData };

interface Pending<Result> {
  readonly cost: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread<Result> {
  readonly worker: Worker;
  /** Tasks in the order of the messages, which is also the order of the replies. */
  readonly pending: Pending<Result>[];
  /** Sum of the costs of `pending`. */
  load: number;
  /** Why the thread no longer replies; `null` while it runs. */
  failure: Error | null;
}

/**
 * @param script script of the threads
 * @param youngMb V8's young generation of a thread, in MB; objects that outlive it are copied
 */
export function createThreads<Settings, Task, Result>(
  script: URL,
  youngMb: number,
): Threads<Settings, Task, Result> {
  const options = { resourceLimits: { maxYoungGenerationSizeMb: youngMb } };
  const threads: Thread<Result>[] = [];
  let isStopped = false;
  return {
    start(settings, count) {
      if (isStopped) throw new Error('the pool was stopped');
      for (let at = 0; at < count; at++) threads.push(watchThread(new Worker(script, options)));
      for (const { worker } of threads) worker.postMessage(settings);
    },
    count: () => threads.length,
    run(task, cost = 1) {
      const ended = threads.find(({ failure }) => failure !== null);
      if (ended !== undefined) return Promise.reject(ended.failure);
      const thread = threads.reduce((least, next) => (next.load < least.load ? next : least));
      return new Promise((resolve, reject) => {
        thread.pending.push({ cost, resolve, reject });
        thread.load += cost;
        thread.worker.postMessage(task);
      });
    },
    async stop() {
      isStopped = true;
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

function watchThread<Result>(worker: Worker): Thread<Result> {
  const thread: Thread<Result> = { worker, pending: [], load: 0, failure: null };
  const { pending } = thread;
  // The thread ended or a reply was lost: all its tasks fail.
  const fail = (error: Error): void => {
    thread.failure ??= error;
    for (const { reject } of pending.splice(0)) reject(thread.failure);
  };
  worker.on('message', (answer: ThreadAnswer<Result>) => {
    const task = pending.shift();
    thread.load -= task?.cost ?? 0;
    if ('error' in answer) task?.reject(fromErrorData(answer.error));
    else task?.resolve(answer.result);
  });
  worker.on('messageerror', fail);
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`a thread ended with ${code}`)));
  return thread;
}

/**
 * Runs in a thread of `createThreads`: its first message contains the settings, every other one a task.
 * @param load turns the settings into the function that runs tasks
 */
export function answerTasks<Settings, Task, Result>(
  load: (settings: Settings) => Promise<(task: Task) => Promise<Result>>,
): void {
  let loading: ReturnType<typeof load> | null = null;
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', (message: Settings | Task) => {
    if (loading === null) {
      loading = load(message as Settings);
      // The first task throws a failure; without this, it would be an unhandled rejection until then.
      loading.catch(() => {});
      return;
    }
    const loaded = loading;
    // Replies are in the order of the tasks.
    last = last.then(async () => {
      try {
        const run = await loaded;
        answer({ result: await run(message as Task) });
      } catch (error) {
        answer({ error: toErrorData(error) });
      }
    });
  });
  // A task that cannot be deserialised must not be waited for.
  parentPort?.on('messageerror', (error) => {
    throw error;
  });
}

function answer<Result>(message: ThreadAnswer<Result>): void {
  parentPort?.postMessage(message);
}

/** An error as data, because errors lose their class between threads. */
type ErrorData = Pick<LecternError, 'code' | 'message' | 'hint' | 'exitCode'> | { readonly cause: unknown };

function toErrorData(error: unknown): ErrorData {
  if (!(error instanceof LecternError)) return { cause: error };
  const { code, message, hint, exitCode } = error;
  return { code, message, hint, exitCode };
}

/** Restores the error. */
function fromErrorData(data: ErrorData): unknown {
  if ('cause' in data) return data.cause;
  const { code, message, hint, exitCode } = data;
  return new LecternError(code, message, { hint, exitCode });
}
