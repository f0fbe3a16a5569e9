import { spawn } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ResolvedConfig } from '../../../src/core/config/schema.ts';
import type { BuildOptions } from '../../../src/pipeline/build-options.ts';
import { finish, lecternEnvironment } from '../../support/lectern.ts';

/** What ends a run: the process is killed, or the disk is full from then on. */
export type Interruption = 'kill' | 'full disk';

/** Loaded before the program: counts the calls that change a folder, and interrupts the run at one of them. */
const interrupter = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { how, at } = JSON.parse(process.env.INTERRUPTION);
  let calls = 0;
  const interrupt = (name, write) => (...args) => {
    calls += 1;
    if (calls === at && how === 'kill') process.kill(process.pid, 'SIGKILL');
    if (calls < at || how === 'kill' || write === false) return fs_[name](...args);
    const error = Object.assign(new Error('ENOSPC: no space left on device, ' + name), { code: 'ENOSPC' });
    const done = args.at(-1);
    if (typeof done !== 'function') throw error;
    done(error);
  };
  const fs_ = { ...fs };
  for (const name of ['writeSync', 'writeFileSync', 'linkSync', 'copyFileSync', 'mkdirSync', 'mkdtempSync']) {
    fs[name] = interrupt(name, true);
  }
  for (const name of ['renameSync', 'unlink', 'unlinkSync', 'rmdir', 'rmSync']) fs[name] = interrupt(name, false);
  syncBuiltinESMExports();`;

/** Runs a build with the compiled program, as the options of the test have it. */
const runner = `
  const { program, config, options } = JSON.parse(process.env.INTERRUPTION);
  const { build } = await import(program);
  await build(config, options).catch(() => process.exit(1));`;

/**
 * Runs a build in another process, and interrupts it at the call with this number that changes a file or folder. A run with fewer calls comes
 * to its end. An output that is between the two renames of a swap is put back, as every command does first.
 */
export async function runInterrupted(
  config: ResolvedConfig,
  options: BuildOptions,
  how: Interruption,
  at: number,
): Promise<void> {
  const program = new URL('../../../lib/pipeline/build.js', import.meta.url).href;
  const loaded = `--import=data:text/javascript,${encodeURIComponent(interrupter)}`;
  const child = spawn(process.execPath, [loaded, '--input-type=module', '-e', runner], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: lecternEnvironment({ INTERRUPTION: JSON.stringify({ how, at, program, config, options }) }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, signal, stderr } = await finish(child);
  if (stderr !== '' || (code !== 0 && code !== 1 && signal !== 'SIGKILL')) {
    throw new Error(`the interrupted run ended with ${code ?? signal}: ${stderr}`);
  }
  const out = join(options.folder, config.out);
  const previous = join(dirname(out), `.${basename(out)}.previous`);
  if (!existsSync(out) && existsSync(previous)) renameSync(previous, out);
}
