#!/usr/bin/env node
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Opens Node's cache of compiled code (Node 22.8 or later). Without a writable folder, it does nothing. */
const { enableCompileCache } = module as { enableCompileCache?: () => { readonly directory?: string } };
const directory = enableCompileCache && hasCacheFolder() ? enableCompileCache().directory : undefined;
// Threads open it by this variable.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory;

// Imported after that, because the imports of this file are compiled before it runs.
const { run } = await import('./cli/run.ts');
process.exitCode = await run(process.argv.slice(2));
// After a signal, requests and timers may still be open.
if (process.exitCode > 128) process.exit();

/**
 * Creates the folder Node uses, because Node itself tries forever where no folder can be created, as root in `/proc`. A folder that another
 * user could have filled is not used: what is in it runs as this user.
 */
function hasCacheFolder(): boolean {
  const folder = join(tmpdir(), 'node-compile-cache');
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    if (!existsSync(folder)) return false;
  }
  const { uid, mode } = lstatSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o22) === 0);
}
