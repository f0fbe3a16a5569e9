import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const program = fileURLToPath(new URL('../../lib/bin.js', import.meta.url));

function printVersion(temporary: string): string {
  const { NODE_COMPILE_CACHE: _, ...environment } = process.env;
  return execFileSync(process.execPath, [program, '--version'], {
    env: { ...environment, TMPDIR: temporary, TEMP: temporary },
    encoding: 'utf8',
    timeout: 60_000,
  });
}

it.each([
  ['a file', program],
  ['a folder that takes no other', '/proc'],
])('starts without a folder for compiled code: in %s', (_, temporary) => {
  expect(printVersion(temporary)).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it.skipIf(!('enableCompileCache' in module))('keeps compiled code for the next run', () => {
  const folder = temporaryFolder();
  printVersion(folder);
  expect(readdirSync(folder, { recursive: true }).length).toBeGreaterThan(5);
});

it('uses no folder that other users can write to', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node-compile-cache'));
  chmodSync(join(folder, 'node-compile-cache'), 0o777);
  printVersion(folder);
  expect(readdirSync(join(folder, 'node-compile-cache'))).toEqual([]);
});
