import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import tls from 'node:tls';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The compiled program. */
export const lecternProgram = fileURLToPath(new URL('../../lib/bin.js', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the compiled program as a user would (`npm test` compiles it first). */
export function startLectern(args: readonly string[], { cwd, env = {} }: RunOptions): ChildProcess {
  if (!existsSync(lecternProgram)) throw new Error('lib/bin.js is missing: run npm run build first');
  return spawn(process.execPath, [lecternProgram, ...args], {
    cwd,
    env: lecternEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/**
 * The environment of the tests without Lectern's settings, and with these. Certificate authorities of the machine are left out, too: no test
 * connects to a server that needs them, and Node 20 spends 45 ms on them at every start.
 */
export function lecternEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('LECTERN_') && name !== 'NODE_EXTRA_CA_CERTS',
  );
  return { ...Object.fromEntries(inherited), ...settings };
}

/** Runs the compiled program in a process of its own until it ends: for tests of the process, and of runs at the same time. */
export function runLecternProcess(args: readonly string[], options: RunOptions): Promise<Finished> {
  return finish(startLectern(args, options));
}

/** A command that never ends must not stop the tests after its own, whose commands wait for it. */
const maxRunMs = 240_000;

/** The run before: runs in this process are made one after the other, because they share its folder, environment and output. */
let before: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line as the compiled program does, in this process: a process of its own takes half a second of the processor to start.
 * @param options `columns`: stdout and stderr are a terminal of so many; `input`: what stdin has
 */
export function runLectern(
  args: readonly string[],
  options: RunOptions & { readonly columns?: number; readonly input?: string },
): Promise<Finished> {
  const run = before.then(() => runHere(args, options));
  before = run.catch(() => {});
  return run;
}

async function runHere(
  args: readonly string[],
  { cwd, env = {}, columns, input }: Parameters<typeof runLectern>[1],
): Promise<Finished> {
  if (env.NODE_OPTIONS !== undefined) throw new Error('NODE_OPTIONS are for a process of its own');
  const { run } = await loadCompiled<typeof import('../../src/cli/run.ts')>('cli/run.js');
  const printed = { stdout: '', stderr: '' };
  const undo: (() => void)[] = [];
  /** Replaces a property until the run ends. */
  const replace = <T extends object, K extends keyof T>(owner: T, name: K, value: unknown) => {
    const own = Object.getOwnPropertyDescriptor(owner, name);
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
    undo.push(() => {
      delete owner[name];
      if (own !== undefined) Object.defineProperty(owner, name, own);
    });
  };
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = process[name];
    replace(stream, 'write', (text: string) => {
      printed[name] += text;
      return true;
    });
    replace(stream, 'isTTY', columns !== undefined);
    replace(stream, 'columns', columns);
    const listeners = new Set(stream.listeners('error'));
    undo.push(() => {
      for (const listener of stream.listeners('error'))
        if (!listeners.has(listener)) stream.off('error', listener as () => void);
    });
  }
  replace(process, 'stdin', Readable.from([Buffer.from(input ?? '')]));
  replace(process, 'env', lecternEnvironment(env));
  const authority = env.NODE_EXTRA_CA_CERTS;
  if (authority) {
    // Node reads the variable when a process starts.
    const ca = readFileSync(authority, 'utf8');
    const { createSecureContext } = tls;
    replace(tls, 'createSecureContext', (options: tls.SecureContextOptions) =>
      createSecureContext({ ca, ...options }),
    );
  }
  const folder = process.cwd();
  process.chdir(cwd);
  undo.push(() => process.chdir(folder));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`lectern ${args.join(' ')} does not end`)), maxRunMs);
  });
  try {
    return { code: await Promise.race([run(args), late]), signal: null, ...printed };
  } finally {
    clearTimeout(timer);
    for (const back of undo.reverse()) back();
  }
}

/** Waits for a started program and collects its output. */
export async function finish(child: ChildProcess): Promise<Finished> {
  const read = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    read.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    read.stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...read }));
  });
}

/** A knowledge-base service that the compiled program serves in this process. */
export interface SeededService {
  readonly baseUrl: string;
  /** PEM file of the certificate to trust. */
  readonly ca: string;
  readonly apiKey: string;
  /** Environment variables that a `lectern` command needs to connect to it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Serves a seed as `lectern serve` does, on a free port.
 * @param seed a JSON file of records or a folder, relative to `folder`, where the data are
 */
export async function serveSeed(seed: string, folder: string): Promise<SeededService> {
  const { startService } =
    await loadCompiled<typeof import('../../src/service/start-service.ts')>('service/start-service.js');
  const { baseUrl, caFile, apiKey, close } = await startService({
    data: join(folder, 'knowledge-base.sqlite'),
    seed: resolve(folder, seed),
  });
  if (caFile === null) throw new Error('the service has no certificate of its own');
  return {
    ...{ baseUrl, apiKey, ca: caFile, stop: close },
    env: { LECTERN_BASE_URL: baseUrl, LECTERN_API_KEY: apiKey, NODE_EXTRA_CA_CERTS: caFile },
  };
}

/** @param path below `lib/` */
async function loadCompiled<T>(path: string): Promise<T> {
  return (await import(pathToFileURL(join(dirname(lecternProgram), path)).href)) as T;
}
