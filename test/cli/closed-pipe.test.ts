import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { finish, lecternEnvironment, lecternProgram, startLectern } from '../support/lectern.ts';

it('a command whose reader has gone ends without a word', async () => {
  const child = startLectern(['--help'], { cwd: tmpdir() });
  child.stdout?.destroy();
  expect(await finish(child)).toMatchObject({ code: 0, stderr: '' });
});

it('a command keeps its exit code if no one reads the error', async () => {
  const child = startLectern(['build', '--bogus'], { cwd: tmpdir() });
  child.stderr?.destroy();
  expect((await finish(child)).code).toBe(2);
});

it.runIf(process.platform === 'linux').each([
  ['stderr', 2, 'build --bogus', ''],
  ['stdout', 1, '--help', 'error PATH_UNUSABLE: the results cannot be written to stdout (ENOSPC)\n'],
])('a command ends in order where %s is a file on a full disk', (stream, code, args, message) => {
  const redirect = stream === 'stderr' ? '2>/dev/full' : '>/dev/full';
  const command = `"$0" "$1" ${args} ${redirect}`;
  const { status, stderr } = spawnSync('sh', ['-c', command, process.execPath, lecternProgram], {
    encoding: 'utf8',
    env: lecternEnvironment({}),
  });
  expect([status, stderr]).toEqual([code, message]);
});
