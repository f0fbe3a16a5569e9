import { open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { LecternError } from '../errors.ts';

interface Owner {
  readonly pid: number;
  readonly host: string;
}

/**
 * Takes the lock file of an output folder, so that two runs never write one output. A lock whose process is gone is
 * taken over; one of another machine (a shared folder) is respected.
 * @returns a function that gives the lock back
 * @throws OUTPUT_LOCKED when another run holds it
 */
export async function acquireLock(path: string): Promise<() => Promise<void>> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const file = await open(path, 'wx');
      await file.writeFile(JSON.stringify({ pid: process.pid, host: hostname() } satisfies Owner));
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = await readOwner(path);
      if (owner !== null && isAlive(owner)) {
        throw new LecternError(
          'OUTPUT_LOCKED',
          `process ${owner.pid} on ${owner.host} is writing this output`,
          {
            hint: `wait for it to end; if it is gone, delete ${path}`,
          },
        );
      }
      await rm(path, { force: true });
    }
  }
  throw new LecternError('OUTPUT_LOCKED', 'several runs want to write this output at once', {
    hint: 'start one at a time',
  });
}

/** `null` for a lock that was never written whole: its writer was killed. */
async function readOwner(path: string): Promise<Owner | null> {
  try {
    const owner: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof owner !== 'object' || owner === null) return null;
    const { pid, host } = owner as Record<string, unknown>;
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host } : null;
  } catch {
    return null;
  }
}

function isAlive({ pid, host }: Owner): boolean {
  if (host !== hostname()) return true;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
