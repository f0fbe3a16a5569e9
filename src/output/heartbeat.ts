import { builtFile, startThread, type Thread } from '../core/threads.ts';

/** Starts to renew a file, or stops it if there is no content. */
export interface Beat {
  readonly path: string;
  readonly content: string | null;
  readonly beatMs: number;
}

const script = builtFile(import.meta.url, 'heartbeat-worker.js');

/** One thread for all files of this process; `null` if no file is old enough to need it. */
let thread: Thread<Beat, void> | null = null;
const beating = new Set<string>();

/**
 * Renews the time of a file every `beatMs`, as a sign that this process runs. This happens in a thread: on a busy machine, the main thread
 * of a build of 15,000 pages computed for 84 seconds, which is longer than other runs wait. The thread starts with the first beat, so that
 * short runs do not pay for it. It does not keep the process alive.
 * @param content content of the file
 * @returns a function that stops it
 */
export function startHeartbeat(path: string, content: string, beatMs: number): () => void {
  const first = setTimeout(() => {
    thread ??= startThread<Beat, void>(script, {
      settings: null,
      errors: [],
      isBackground: true,
      resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
    });
    beating.add(path);
    send({ path, content, beatMs });
  }, beatMs).unref();
  return () => {
    clearTimeout(first);
    if (!beating.delete(path)) return;
    if (beating.size > 0) return send({ path, content: null, beatMs });
    void thread?.terminate();
    thread = null;
  };
}

/** Without a heartbeat, another run may take over the lock; this run notices it before it replaces anything. */
function send(beat: Beat): void {
  thread?.call(beat).catch(() => {});
}
