import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

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

/** Runs the compiled program until it ends. */
export function runLectern(args: readonly string[], options: RunOptions): Promise<Finished> {
  return finish(startLectern(args, options));
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

/** A knowledge-base service run by the compiled program. */
export interface ServiceProcess {
  readonly baseUrl: string;
  /** PEM file of the certificate to trust. */
  readonly ca: string;
  readonly apiKey: string;
  /** Environment variables that a `lectern` command needs to connect to it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Runs `lectern serve` on a free port with a seed (a JSON file of records or a folder). */
export async function startServiceProcess(seed: string, cwd: string): Promise<ServiceProcess> {
  const args = ['serve', '--data', 'knowledge-base.sqlite', '--seed', seed, '--port', '0', '--json'];
  // With a key of its own, it leaves none for the commands of the folder: tests say which key they use.
  const key = randomBytes(24).toString('hex');
  const child = startLectern(args, { cwd, env: { LECTERN_API_KEY: key } });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  if (child.stdout === null) throw new Error('the service has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const { baseUrl, ca, apiKey } = JSON.parse(line) as Pick<ServiceProcess, 'baseUrl' | 'ca' | 'apiKey'>;
    return {
      baseUrl,
      ca,
      apiKey,
      env: { LECTERN_BASE_URL: baseUrl, LECTERN_API_KEY: apiKey, NODE_EXTRA_CA_CERTS: ca },
      stop: async () => {
        const closed = new Promise((resolve) => child.once('close', resolve));
        child.kill('SIGTERM');
        await closed;
      },
    };
  }
  throw new Error(`the service ended before it listened: ${errors}`);
}
