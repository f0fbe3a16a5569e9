import { Worker } from 'node:worker_threads';

/**
 * What the thread runs: it writes a file's own content over it at every beat, which renews its time by the clock of the
 * file system (a file server may have another one than this machine). A deleted file is not created again.
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

/** One thread for all files of this process; `null` while none of them is old enough to need it. */
let thread: Worker | null = null;
const beating = new Set<string>();

/**
 * Renews the time of a file every `beatMs`, as a sign that this process runs. A thread does it, since the main one may
 * compute for many seconds on end; it is started with the first beat, so that a short run does not pay for it. Neither
 * keeps the process alive.
 * @param content what the file holds
 * @returns a function that ends it
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
  // Without a heartbeat the lock may be taken over, and a run notices that before it replaces anything.
  worker.on('error', () => {});
  worker.unref();
  return worker;
}
