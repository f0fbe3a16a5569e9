import { Worker } from 'node:worker_threads';

/**
 * Script of the thread. At every beat it overwrites a file with its own content, which renews its time by the clock of the file system (a
 * file server may have a different clock). It does not create a deleted file again.
 */
const script = `
  const { closeSync, openSync, writeSync } = require('node:fs');
  const timers = new Map();
  const renew = (path, content) => {
    try {
      const descriptor = openSync(path, 'r+');
      try {
        writeSync(descriptor, content, 0);
      } finally {
        closeSync(descriptor);
      }
    } catch {}
  };
  require('node:worker_threads').parentPort.on('message', ({ path, content, beatMs }) => {
    clearInterval(timers.get(path));
    if (content === null) return;
    renew(path, content);
    timers.set(path, setInterval(renew, beatMs, path, content));
  });`;

/** One thread for all files of this process; `null` if no file is old enough to need it. */
let thread: Worker | null = null;
const beating = new Set<string>();

/**
 * Renews the time of a file every `beatMs`, as a sign that this process runs. This happens in a thread, because the main thread may compute
 * for many seconds. The thread starts with the first beat, so that short runs do not pay for it. It does not keep the process alive.
 * @param content content of the file
 * @returns a function that stops it
 */
export function startHeartbeat(path: string, content: string, beatMs: number): () => void {
  const first = setTimeout(() => {
    thread ??= startThread();
    beating.add(path);
    thread.postMessage({ path, content, beatMs });
  }, beatMs).unref();
  return () => {
    clearTimeout(first);
    if (!beating.delete(path)) return;
    if (beating.size > 0) return thread?.postMessage({ path, content: null });
    void thread?.terminate();
    thread = null;
  };
}

function startThread(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 };
  const worker = new Worker(script, { eval: true, execArgv: [], resourceLimits });
  // Without a heartbeat, another run may take over the lock; this run notices it before it replaces anything.
  worker.on('error', () => {});
  worker.unref();
  return worker;
}
