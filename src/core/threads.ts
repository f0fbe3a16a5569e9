import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads';

/** A call of a thread. */
interface CallMessage<Call> {
  readonly id: number;
  readonly call: Call;
}

/** The reply of a thread to a call. */
type ReplyMessage<Result> = { readonly id: number } & (
  | { readonly result: Result }
  | { readonly error: ErrorData }
);

interface PendingCall<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread whose script answers calls with {@link answerCalls}. */
export interface Thread<Call, Result> {
  /** Rejects with the error of the call, or with the reason why the thread has ended. */
  call(call: Call): Promise<Result>;
  /** Number of calls without a reply. */
  pending(): number;
  /** Why the thread no longer replies; `null` while it runs. */
  failure(): Error | null;
  /** Lets the thread finish what its script finishes, and waits until it has ended. */
  close(): Promise<void>;
  /** Ends the thread at once. */
  terminate(): Promise<void>;
}

interface ThreadOptions {
  /** Plain data, which the script reads as `workerData`. */
  readonly settings: unknown;
  /** Classes of the errors that keep their class; the class of others becomes `Error`. */
  readonly errors: readonly (new (
    ...values: never[]
  ) => Error)[];
  readonly resourceLimits?: ResourceLimits;
}

/**
 * A file of the compiled program beside a module, such as the script of a thread. Node does not run TypeScript in threads, so in development it is that
 * of the last build.
 * @param module `import.meta.url`
 */
export function builtFile(module: string, name: string): URL {
  return new URL(name, module.endsWith('.ts') ? module.replace(/^(.*)\/src\//, '$1/lib/') : module);
}

/** Starts a thread. */
export function startThread<Call, Result>(
  script: URL,
  { settings, errors, resourceLimits }: ThreadOptions,
): Thread<Call, Result> {
  const worker = new Worker(script, {
    workerData: settings,
    ...(resourceLimits === undefined ? {} : { resourceLimits }),
  });
  const pending = new Map<number, PendingCall<Result>>();
  let failure: Error | null = null;
  let nextId = 0;
  // The thread ended or a reply was lost: all its calls fail.
  const fail = (error: Error): void => {
    failure ??= error;
    for (const { reject } of pending.values()) reject(failure);
    pending.clear();
  };
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', (code) => {
      fail(new Error(`a thread ended with ${code}`));
      resolve();
    });
  });
  worker.on('message', (reply: ReplyMessage<Result>) => {
    const call = pending.get(reply.id);
    pending.delete(reply.id);
    if ('error' in reply) call?.reject(fromErrorData(reply.error, errors));
    else call?.resolve(reply.result);
  });
  worker.on('messageerror', (error) => {
    fail(error);
    void worker.terminate();
  });
  // The error that ended the thread keeps its fields, but loses its class.
  worker.on('error', (error) => fail(fromErrorData(toErrorData(error), errors)));
  return {
    call(call) {
      if (failure !== null) return Promise.reject(failure);
      return new Promise((resolve, reject) => {
        const message: CallMessage<Call> = { id: nextId++, call };
        pending.set(message.id, { resolve, reject });
        worker.postMessage(message);
      });
    },
    pending: () => pending.size,
    failure: () => failure,
    async close() {
      worker.postMessage('close');
      await ended;
    },
    async terminate() {
      await worker.terminate();
    },
  };
}

/**
 * Answers the calls of {@link startThread}, in its thread.
 * @param answer called for each call at once; replies may be in any order
 * @param close called when the thread shall end. It must close the port after its last reply.
 */
export function answerCalls<Call, Result>(
  answer: (call: Call) => Promise<Result>,
  close: () => void = closePort,
): void {
  const post = (message: ReplyMessage<Result>) => parentPort?.postMessage(message);
  parentPort?.on('message', async (message: CallMessage<Call> | 'close') => {
    if (message === 'close') return close();
    const { id, call } = message;
    try {
      post({ id, result: await answer(call) });
    } catch (error) {
      post({ id, error: toErrorData(error) });
    }
  });
  // A call that cannot be deserialised must not be waited for.
  parentPort?.on('messageerror', (error) => {
    throw error;
  });
}

/** Ends this thread when nothing else keeps it. */
export function closePort(): void {
  parentPort?.close();
}

/** An error as data, because errors lose their class between threads, and those of native code cannot be sent at all. */
interface ErrorData {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly cause: ErrorData | null;
  /** Its own fields with plain values. */
  readonly fields: Readonly<Record<string, unknown>>;
}

function toErrorData(thrown: unknown): ErrorData {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack = '', cause } = error;
  const fields = Object.entries(error).filter(([, value]) =>
    /^(?:string|number|boolean)$/.test(typeof value),
  );
  return {
    ...{ name, message, stack },
    cause: cause === undefined ? null : toErrorData(cause),
    fields: Object.fromEntries(fields),
  };
}

function fromErrorData(
  { name, message, stack, cause, fields }: ErrorData,
  classes: ThreadOptions['errors'],
): Error {
  const error = new Error(message, cause === null ? {} : { cause: fromErrorData(cause, classes) });
  const found = classes.find((errorClass) => errorClass.name === name);
  if (found !== undefined) Object.setPrototypeOf(error, found.prototype);
  return Object.assign(error, fields, { name, stack });
}
