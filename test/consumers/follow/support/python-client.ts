import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FollowedFeed } from '../../../../src/consumers/follow/feed-follower.ts';

/** Folder of the Python client. */
export const clients = fileURLToPath(new URL('../../../../docs/clients', import.meta.url));
const driver = fileURLToPath(new URL('drive.py', import.meta.url));

/** The Python client, started once for many runs. */
export interface PythonClient {
  /** The result of one process that applies a feed as `drive.py` says; `null` if it was killed. Throws if the run ended with a stack trace. */
  drive(...args: readonly string[]): Promise<FollowedFeed | null>;
  stop(): void;
}

export function startPythonClient(python: string): PythonClient {
  const driving = spawn(python, [driver, clients], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: driving.stdout })[Symbol.asyncIterator]();
  return {
    async drive(...args) {
      driving.stdin.write(`${JSON.stringify(args)}\n`);
      return JSON.parse((await answers.next()).value) as FollowedFeed | null;
    },
    stop: () => driving.stdin.end(),
  };
}
