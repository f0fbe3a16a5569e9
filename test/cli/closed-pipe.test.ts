import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { finish, startLectern } from '../support/lectern.ts';

it('a command whose reader has gone ends without a word', async () => {
  const child = startLectern(['--help'], { cwd: tmpdir() });
  child.stdout?.destroy();
  expect(await finish(child)).toMatchObject({ code: 0, stderr: '' });
});

it('a command keeps the code of its failure when nobody reads the error', async () => {
  const child = startLectern(['build', '--bogus'], { cwd: tmpdir() });
  child.stderr?.destroy();
  expect((await finish(child)).code).toBe(2);
});
