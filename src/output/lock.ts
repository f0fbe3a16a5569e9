import { randomUUID } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { LecternError, orNull } from '../core/errors.ts';
import { decodeText, makeFolder, readTextFile, readWholeFile } from '../core/file-system.ts';
import { parseJsonOrNull } from '../core/unknown-record.ts';

/** A lock that this process holds. */
export interface FolderLock {
  /** @throws LOCKED if another run took it over, because this one gave no sign of life for five minutes */
  assertHeld(): void;
  /** Releases it; never touches the lock of another run. Safe to call twice. */
  release(): void;
}

export interface LockOptions {
  /** Path of the locked folder, for messages. */
  readonly folder: string;
  /** How long to wait for another run. */
  readonly waitMs?: number;
  /** Called once, with one sentence, when the wait starts. */
  readonly onWait?: ((message: string) => void) | undefined;
  /** Aborts the wait; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** A process, such that it can be told from a later one with the same id. */
interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Machine and process-id namespace. Process ids can be checked only in our own. */
  readonly space: string;
  /** Result of `processStart`. */
  readonly started: string | null;
}

/** Lock file of another run. */
interface OtherLock {
  readonly owner: Owner | null;
  /** Whether its process still runs; `unsure` on other machines and in other containers. */
  readonly state: 'runs' | 'ended' | 'unsure';
  /** Time since the last heartbeat, by the clock of the file system. */
  readonly ageMs: number;
}

/** How long a run waits for another one; a rebuild of `preview` usually takes less. */
const defaultWaitMs = 10_000;
/** A run shows that it lives by writing its lock file again. */
const beatMs = 5000;
/** After this time without a sign of life, a lock is stale. The main thread of a build of 15,000 pages has computed for 84 seconds. */
const staleMs = 5 * 60_000;
/** Ends the name of a lock file that its run is still writing. */
const draftEnd = '.new';
/** After this time, the run that wrote a draft was killed. One that was only suspended writes another. */
const oldDraftMs = 2 * beatMs;

/**
 * Locks a folder, so that two runs never write to it at once.
 *
 * A lock is a folder with one file per run, with a random name. A run first creates its file and then looks for others. It holds the lock
 * if all other files are stale. Of two runs, the one that looks later sees the other's file, so they never both hold the lock. If both see
 * each other, both remove their files and try again. A stale file is removed by its own name, so no run ever removes a live lock. A file is
 * stale if its process ended on this machine or, for other machines and containers, if its last sign of life is five minutes old.
 * @param path absolute path of the lock; its parent exists
 * @throws LOCKED if another run still holds it after the wait
 */
export async function acquireLock(path: string, options: LockOptions): Promise<FolderLock> {
  const { waitMs = defaultWaitMs } = options;
  const start = performance.now();
  for (let hasTold = false; ; ) {
    const content = JSON.stringify(describeSelf());
    const file = makeLockFile(path, content);
    const other = findLiveLock(path, file);
    if (other === null) return hold(path, file, options.folder, content);
    removeLockFile(path, file);
    // A run in another container may have been killed a moment ago: wait until its lock is stale.
    const isSilent = waitMs > 0 && other.state === 'unsure' && other.ageMs > 2 * beatMs;
    if (performance.now() - start >= waitMs + (isSilent ? staleMs : 0)) throw locked(options, path, other);
    if (!hasTold)
      options.onWait?.(`waiting for another run to finish (${describeOwner(other)} uses ${options.folder})`);
    hasTold = true;
    // A random time, so that two runs that both stepped back do not collide again.
    await setTimeout(20 + Math.random() * 180, null, { signal: options.signal }).catch(() => {});
    options.signal?.throwIfAborted();
  }
}

function hold(path: string, file: string, folder: string, content: string): FolderLock {
  const beat = setInterval(renew, beatMs, file, content).unref();
  return {
    assertHeld() {
      if (existsSync(file)) return;
      const message = `another run took over the lock of ${folder} while this one was suspended`;
      throw new LecternError('LOCKED', message, { hint: 'run it again' });
    },
    release() {
      clearInterval(beat);
      removeLockFile(path, file);
    },
  };
}

/**
 * Overwrites a lock file with its own content, which renews its time by the clock of the file system (a file server may have another clock). A
 * deleted file is not created again: another run took the lock over, and this one notices it before it replaces anything.
 */
function renew(file: string, content: string): void {
  try {
    writeFileSync(file, content, { flag: 'r+' });
  } catch {
    // The same as a missed beat.
  }
}

function makeLockFile(path: string, content: string): string {
  const file = join(path, randomUUID());
  const draft = file + draftEnd;
  for (;;) {
    makeFolder(path);
    try {
      // A run that is killed between two system calls must not leave a lock that does not name its process.
      writeFileSync(draft, content);
      renameSync(draft, file);
      return file;
    } catch (error) {
      // A run that released the lock has just removed the folder, or this one was suspended and another removed its draft.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      removeLockFile(path, draft);
      // An error of writing names no file, e.g. on a full disk.
      throw Object.assign(error as Error, { path });
    }
  }
}

/**
 * Finds the lock of a run that may be alive, and removes stale locks and old drafts. If there are several, returns the one with the oldest
 * heartbeat: a waiting run also has a lock for a moment.
 */
function findLiveLock(path: string, own: string): OtherLock | null {
  const nowMs = statSync(own).mtimeMs;
  let found: OtherLock | null = null;
  for (const name of readdirSync(path)) {
    const file = join(path, name);
    if (file === own) continue;
    const other = readLock(file, nowMs);
    if (other === null) continue;
    if (name.endsWith(draftEnd)) {
      if (other.ageMs > oldDraftMs) rmSync(file, { force: true });
      continue;
    }
    if (isStale(other)) rmSync(file, { force: true });
    else if (found === null || other.ageMs > found.ageMs) found = other;
  }
  return found;
}

function isStale({ state, ageMs }: OtherLock): boolean {
  return state === 'ended' || (state === 'unsure' && ageMs > staleMs);
}

function processState(owner: Owner | null): OtherLock['state'] {
  if (owner === null || owner.space !== describeSpace()) return 'unsure';
  const { pid, started } = owner;
  const found = processStart(pid);
  if (found === 'ended') return 'ended';
  if (found !== null && started !== null) return found === started ? 'runs' : 'ended';
  try {
    process.kill(pid, 0);
    return 'unsure';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'unsure' : 'ended';
  }
}

/** `null` if the lock was released meanwhile. */
function readLock(file: string, nowMs: number): OtherLock | null {
  return orNull(() => {
    const ageMs = nowMs - statSync(file).mtimeMs;
    const owner = parseOwner(decodeText(readWholeFile(file)));
    return { owner, state: processState(owner), ageMs };
  });
}

/** `null` for a draft, and for a file that lost its content in a power cut. */
function parseOwner(text: string): Owner | null {
  const { pid, host, space, started } = (parseJsonOrNull(text) ?? {}) as Partial<Owner>;
  if (typeof pid !== 'number' || typeof host !== 'string' || typeof space !== 'string') return null;
  return { pid, host, space, started: typeof started === 'string' ? started : null };
}

function describeSelf(): Owner {
  const { pid } = process;
  const started = processStart(pid);
  return { pid, host: hostname(), space: describeSpace(), started: started === 'ended' ? null : started };
}

/** Two containers may share a host name, but never a process-id namespace. */
function describeSpace(): string {
  return orNull(() => `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`) ?? hostname();
}

function removeLockFile(path: string, file: string): void {
  rmSync(file, { force: true });
  try {
    rmdirSync(path);
  } catch {
    // Another run has a file in it, or has removed it.
  }
}

function locked({ folder }: LockOptions, path: string, other: OtherLock): LecternError {
  const age = Math.max(0, Math.round(other.ageMs / 1000));
  return new LecternError('LOCKED', `${describeOwner(other)} uses ${folder} (last active ${age} s ago)`, {
    hint: `wait for it to end; the lock of a killed run expires after five minutes, or delete ${path}`,
  });
}

function describeOwner({ owner }: OtherLock): string {
  return owner === null ? 'another run' : `process ${owner.pid} on ${owner.host}`;
}

/** Index of a field of `/proc/PID/stat`, counted from the state, which is field 3 (proc_pid_stat(5)). */
const startField = 22 - 3;

/**
 * Start time of a process of this machine, in an unspecified unit, to distinguish it from a later one with the same id; `ended` if it has
 * ended. `null` if the system does not tell: only Linux does, and only for visible processes.
 */
export function processStart(pid: number): string | null {
  try {
    const stat = readWholeFile(`/proc/${pid}/stat`).toString('latin1');
    // The name is in parentheses and may contain any character, even parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended, but its parent has not read its status.
    if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
    const ticks = fields[startField];
    const boot = readTextFile('/proc/sys/kernel/random/boot_id').trim();
    return ticks === undefined ? null : `${boot}/${ticks}`;
  } catch {
    return null;
  }
}
