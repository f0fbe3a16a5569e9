import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { LecternError } from '../errors.ts';
import { processStart } from './process-start.ts';

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** What `processStart` says of it. */
  readonly started: string | null;
}

/**
 * Takes the lock file of an output folder, so that two runs never write one output. A lock whose process is gone is
 * taken over, also when another process has its id by now; one of another machine (a shared folder) is respected.
 * Synchronous, so that no other run comes between looking and taking but by a rare chance.
 * @returns a function that gives the lock back
 * @throws OUTPUT_LOCKED when another run holds it
 */
export function acquireLock(path: string): () => void {
  const self: Owner = { pid: process.pid, host: hostname(), started: processStart(process.pid) };
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      writeFileSync(path, JSON.stringify(self), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = readOwner(path);
      if (owner !== null && isAlive(owner)) {
        throw new LecternError(
          'OUTPUT_LOCKED',
          `process ${owner.pid} on ${owner.host} is writing this output`,
          {
            hint: `wait for it to end; if it is gone, delete ${path}`,
          },
        );
      }
      rmSync(path, { force: true });
    }
  }
  throw new LecternError('OUTPUT_LOCKED', 'several runs want to write this output at once', {
    hint: 'start one at a time',
  });
}

/** `null` for a lock that was never written whole: its writer was killed. */
function readOwner(path: string): Owner | null {
  try {
    const owner: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof owner !== 'object' || owner === null) return null;
    const { pid, host, started } = owner as Record<string, unknown>;
    if (typeof pid !== 'number' || typeof host !== 'string') return null;
    return { pid, host, started: typeof started === 'string' ? started : null };
  } catch {
    return null;
  }
}

function isAlive({ pid, host, started }: Owner): boolean {
  if (host !== hostname()) return true;
  const found = processStart(pid);
  if (found === 'ended') return false;
  if (found !== null && started !== null) return found === started;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
