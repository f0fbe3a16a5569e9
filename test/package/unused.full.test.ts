import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

it('no file, export or package is unused (knip)', async () => {
  const run = promisify(execFile)(join(root, 'node_modules/.bin/knip'), ['--no-progress'], { cwd: root });
  const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
  expect(stdout.trim()).toBe('');
});
