import { writeFileSync } from 'node:fs';
import { answerCalls } from '../core/threads.ts';
import type { Beat } from './heartbeat.ts';

/** The thread of `startHeartbeat`. */
const timers = new Map<string, NodeJS.Timeout>();

answerCalls<Beat, void>(async ({ path, content, beatMs }) => {
  clearInterval(timers.get(path));
  if (content === null) return;
  renew(path, content);
  timers.set(path, setInterval(renew, beatMs, path, content));
});

/**
 * Overwrites a file with its own content, which renews its time by the clock of the file system (a file server may have a different clock).
 * A deleted file is not created again.
 */
function renew(path: string, content: string): void {
  try {
    writeFileSync(path, content, { flag: 'r+' });
  } catch {}
}
