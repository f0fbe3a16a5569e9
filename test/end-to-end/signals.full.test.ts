import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Finished,
  finish,
  lecternEnvironment,
  lecternProgram,
  serveSeed,
  startLectern,
} from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeWith } from '../support/tools.ts';

const codes: readonly [NodeJS.Signals, number][] = [
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
];

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** A knowledge base that takes requests and never answers. */
async function startSilentService(): Promise<{ server: Server; baseUrl: string; asked: Promise<unknown> }> {
  const server = createServer(() => {});
  const asked = once(server, 'request');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

/** Sends a signal to a command that waits for an answer of its knowledge base. */
async function interrupt(
  command: readonly string[],
  send: (child: ChildProcess) => void,
  launcher: readonly string[] = [],
): Promise<Finished> {
  const { server, baseUrl, asked } = await startSilentService();
  const [program = '', ...args] = [...launcher, process.execPath, lecternProgram, ...command];
  const child = spawn(program, [...args, '--base-url', baseUrl, '--insecure-loopback'], {
    cwd: folder,
    env: lecternEnvironment({ LECTERN_API_KEY: 'k'.repeat(20) }),
  });
  const finished = finish(child);
  await Promise.race([asked, finished]);
  send(child);
  const result = await finished;
  server.closeAllConnections();
  server.close();
  return result;
}

describe('a signal', () => {
  it.each(codes)(
    '%s ends a build with exit code %i and removes its lock and staging',
    async (signal, code) => {
      const result = await interrupt(['build', '--quiet', '--report', 'report.json'], (child) =>
        child.kill(signal),
      );
      expect(result).toMatchObject({
        code,
        stderr: expect.stringContaining(`error INTERRUPTED: stopped by ${signal}`),
      });
      expect((await readdir(folder)).sort()).toEqual(['.lectern', 'report.json']);
      expect(await readdir(join(folder, '.lectern'))).not.toContain('lock');
      expect(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))).toMatchObject({
        error: { code: 'INTERRUPTED' },
      });
    },
  );

  it('ends a build that is writing, without leftovers', async () => {
    const service = await serveSeed(join(import.meta.dirname, '../../sample'), folder);
    let code: number | null = 0;
    // On a busy machine a build may be over before it was seen to write.
    for (let attempt = 0; code === 0; attempt++) {
      const out = `out-${attempt}`;
      const options = { cwd: folder, env: service.env };
      const child = startLectern(['build', '--site-url', 'https://help.example.com', '--out', out], options);
      const finished = finish(child);
      while (child.exitCode === null && !(await readdir(folder)).some((name) => name.includes('.staging-')))
        await setTimeout(1);
      child.kill('SIGTERM');
      code = (await finished).code;
      if (code !== 0) expect(await readdir(folder)).not.toContain(out);
    }
    await service.stop();
    expect(code).toBe(143);
    expect((await readdir(folder)).filter((name) => name.startsWith('.out'))).toEqual([]);
  });

  it('ends a pull before it has written anything', async () => {
    const result = await interrupt(['pull', 'kb'], (child) => child.kill('SIGTERM'));
    expect(result.code).toBe(143);
    expect(await readdir(folder)).toEqual([]);
  });

  it('ends a push', async () => {
    await mkdir(join(folder, 'kb/articles'), { recursive: true });
    const result = await interrupt(['push', 'kb'], (child) => child.kill('SIGINT'));
    expect(result.code).toBe(130);
  });
});

describeWith('unshare', 'as process 1, as in a container, a signal', (unshare) => {
  const launcher = [unshare, '--user', '--map-root-user', '--pid', '--fork', '--mount-proc'];

  it.each(codes)('%s ends a build with exit code %i', async (signal, code) => {
    const result = await interrupt(
      ['build', '--quiet'],
      ({ pid = 0 }) => {
        const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
        process.kill(Number(children.trim()), signal);
      },
      launcher,
    );
    expect(result.stderr).toContain(`error INTERRUPTED: stopped by ${signal}`);
    expect(result.code).toBe(code);
    expect(await readdir(folder)).toEqual(['.lectern']);
  });
});
