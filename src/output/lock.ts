import { randomUUID } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder } from '../foundation/file-system.ts';
import { startHeartbeat } from './heartbeat.ts';

/** A lock this process holds. */
export interface FolderLock {
  /** @throws the code of the lock when another run took it over, since this one showed no sign of life for a minute */
  assertHeld(): void;
  /** Gives it back; never touches the lock of another run. Safe to call twice. */
  release(): void;
}

export interface LockOptions {
  /** Code of the error when another run holds the lock. */
  readonly code: 'OUTPUT_LOCKED' | 'CACHE_LOCKED';
  /** Path of the folder that is locked, for messages. */
  readonly folder: string;
  /** How long to wait for a run that holds it. */
  readonly waitMs?: number;
  /** Called once, with one sentence, when the wait begins. */
  readonly onWait?: ((message: string) => void) | undefined;
  /** Ends the wait; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  readonly beatMs?: number;
}

/** Who holds a lock. */
interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Machine and process-id namespace: only where it is our own does the process id mean anything to us. */
  readonly space: string;
  /** Result of `processStart`. */
  readonly started: string | null;
}

/** A lock file somebody else made. */
interface OtherLock {
  readonly owner: Owner | null;
  /** Whether its process is still there; `unsure` on other machines and in other containers. */
  readonly state: 'runs' | 'ended' | 'unsure';
  /** Time since the last sign of life, by the clock of the file system. */
  readonly ageMs: number;
}

/** How long a run waits for another one: a rebuild of `preview` is usually over by then. */
const defaultWaitMs = 10_000;
const defaultBeatMs = 5000;
/** Beats that may be missed (by a machine under heavy load, or a slow file server) before a lock counts as stale. */
const missedBeats = 12;

/**
 * Takes the lock of a folder, so that two runs never write it at once.
 *
 * A lock is a folder with one file per run, named at random. A run makes its file first and looks for others second, and
 * it holds the lock when every other file is stale. Of two runs, the one that looks later sees the other's file, so both
 * never hold it; where both see each other, both step back and try again. A stale file is removed under its own name, so
 * nobody ever removes a lock that is alive. Stale is a file whose process has ended on this machine, or (other machines
 * and containers) one whose heartbeat stopped a minute ago.
 * @param path absolute path of the lock; its parent exists
 * @throws `options.code` when another run still holds it after the wait
 */
export async function acquireLock(path: string, options: LockOptions): Promise<FolderLock> {
  const { waitMs = defaultWaitMs, beatMs = defaultBeatMs } = options;
  const staleMs = missedBeats * beatMs;
  const start = performance.now();
  for (let hasTold = false; ; ) {
    const content = JSON.stringify(describeSelf());
    const file = makeLockFile(path, content);
    const other = findLiveLock(path, file, staleMs);
    if (other === null) return hold(path, file, { ...options, beatMs }, content);
    giveBack(path, file);
    // A run that was killed in another container a moment ago is worth the wait until its lock is stale.
    const isSilent = waitMs > 0 && other.state === 'unsure' && other.ageMs > 2 * beatMs;
    if (performance.now() - start >= waitMs + (isSilent ? staleMs : 0)) throw locked(options, path, other);
    if (!hasTold) options.onWait?.(`waiting for ${describeOwner(other)}, which uses ${options.folder}`);
    hasTold = true;
    // At random, so that two runs that stepped back do not meet again.
    await setTimeout(20 + Math.random() * 180, null, { signal: options.signal }).catch(() => {});
    options.signal?.throwIfAborted();
  }
}

function hold(
  path: string,
  file: string,
  { code, folder, beatMs }: LockOptions & { readonly beatMs: number },
  content: string,
): FolderLock {
  const stopHeartbeat = startHeartbeat(file, content, beatMs);
  return {
    assertHeld() {
      if (existsSync(file)) return;
      throw new LecternError(
        code,
        `another run took over the lock of ${folder} while this one was suspended`,
        {
          hint: 'run it again',
        },
      );
    },
    release() {
      stopHeartbeat();
      giveBack(path, file);
    },
  };
}

function makeLockFile(path: string, content: string): string {
  const file = join(path, randomUUID());
  for (;;) {
    makeFolder(path);
    try {
      writeFileSync(file, content, { flag: 'wx' });
      return file;
    } catch (error) {
      // A run that gives the lock back has just removed the folder.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      giveBack(path, file);
      throw error;
    }
  }
}

/**
 * Looks for the lock of a run that may be alive, and removes stale ones on the way. Of several it is the one with the
 * oldest sign of life: a run that waits has a lock of its own for a moment, too.
 */
function findLiveLock(path: string, own: string, staleMs: number): OtherLock | null {
  const nowMs = statSync(own).mtimeMs;
  let found: OtherLock | null = null;
  for (const name of readdirSync(path)) {
    const file = join(path, name);
    if (file === own) continue;
    const other = readLock(file, nowMs);
    if (other === null) continue;
    if (isStale(other, staleMs)) rmSync(file, { force: true });
    else if (found === null || other.ageMs > found.ageMs) found = other;
  }
  return found;
}

function isStale({ state, ageMs }: OtherLock, staleMs: number): boolean {
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

/** `null` when the lock was given back meanwhile. */
function readLock(file: string, nowMs: number): OtherLock | null {
  try {
    const ageMs = nowMs - statSync(file).mtimeMs;
    const owner = parseOwner(readFileSync(file, 'utf8'));
    return { owner, state: processState(owner), ageMs };
  } catch {
    return null;
  }
}

/** `null` for a file that is being written, or whose writer was killed. */
function parseOwner(text: string): Owner | null {
  try {
    const { pid, host, space, started } = JSON.parse(text) as Record<string, unknown>;
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof space !== 'string') return null;
    return { pid, host, space, started: typeof started === 'string' ? started : null };
  } catch {
    return null;
  }
}

function describeSelf(): Owner {
  const { pid } = process;
  const started = processStart(pid);
  return { pid, host: hostname(), space: describeSpace(), started: started === 'ended' ? null : started };
}

/** Two containers may have one host name, but never one process-id namespace. */
function describeSpace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function giveBack(path: string, file: string): void {
  rmSync(file, { force: true });
  try {
    rmdirSync(path);
  } catch {
    // Another run has its file in it, or has removed it.
  }
}

function locked({ code, folder }: LockOptions, path: string, other: OtherLock): LecternError {
  const age = Math.max(0, Math.round(other.ageMs / 1000));
  return new LecternError(code, `${describeOwner(other)} uses ${folder} (last active ${age} s ago)`, {
    hint: `wait for it to end; the lock of a killed run expires after a minute, or delete ${path}`,
  });
}

function describeOwner({ owner }: OtherLock): string {
  return owner === null ? 'another run' : `process ${owner.pid} on ${owner.host}`;
}

/**
 * A process of this machine: when it began (in no unit, but never the same for two with one id), or that it has ended.
 */
export type ProcessStart = string | 'ended';

/** Fields of `/proc/PID/stat` after the name, counted from the state, which is field 3 (proc_pid_stat(5)). */
const startField = 22 - 3;

/**
 * When a process began, to tell it from a later one that was given the same id. `null` where the system does not say:
 * only Linux does, and only of processes one may see.
 */
export function processStart(pid: number): ProcessStart | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in parentheses and may contain any character, even parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie: it has ended, and nobody asked how.
    if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
    const ticks = fields[startField];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return ticks === undefined ? null : `${boot}/${ticks}`;
  } catch {
    return null;
  }
}
