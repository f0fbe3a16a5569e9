import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lecternEnvironment } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { callService } from './support/service.ts';

/** The built program: `npm test` builds first. */
const bin = fileURLToPath(new URL('../../lib/bin.js', import.meta.url));

function startServe(flags: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [bin, 'serve', ...flags], {
    env: lecternEnvironment(environment),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function readLines(child: ChildProcess): Promise<string[]> {
  const lines: string[] = [];
  if (child.stdout) for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  return lines;
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout) for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the service ended before it listened');
}

describe('lectern serve', () => {
  it('prints one JSON line when it listens, answers, and stops cleanly on SIGTERM', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'seed.json'), '{"articles":[{"title":"Hello"}]}');
    const child = startServe([
      '--data',
      join(folder, 'kb.sqlite'),
      '--seed',
      join(folder, 'seed.json'),
      '--port',
      '0',
      '--json',
    ]);
    const line = JSON.parse(await firstLine(child));
    expect(Object.keys(line)).toEqual(['baseUrl', 'ca', 'apiKey']);
    const service = { baseUrl: line.baseUrl, apiKey: line.apiKey, ca: readFileSync(line.ca, 'utf8') };
    expect((await callService(service, '/article')).json.articles).toHaveLength(1);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('prints a line that makes other commands use it', async () => {
    // A name that a shell would take apart.
    const folder = join(temporaryFolder(), "it's a folder");
    mkdirSync(folder);
    writeFileSync(join(folder, 'seed.json'), '{"articles":[{"title":"Hello"}]}');
    const files = ['--data', join(folder, 'kb.sqlite'), '--seed', join(folder, 'seed.json')];
    const child = startServe([...files, '--port', '0'], { LECTERN_API_KEY: '' });
    const [printed] = await once(child.stdout as Readable, 'data');
    const line = String(printed)
      .split('\n')
      .find((one) => one.startsWith('export '));
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      `${line}\n"$0" "$1" kb article list`,
      process.execPath,
      bin,
    ]);
    expect(JSON.parse(stdout)).toMatchObject([{ title: 'Hello' }]);
  });

  it('takes the key of LECTERN_API_KEY and does not print it for people', async () => {
    const folder = temporaryFolder();
    const child = startServe(['--data', join(folder, 'kb.sqlite'), '--port', '0'], {
      LECTERN_API_KEY: 'k'.repeat(20),
    });
    const output: string[] = [];
    child.stderr?.on('data', (piece) => output.push(String(piece)));
    const lines = readLines(child);
    child.stdout?.once('data', () => child.kill('SIGINT'));
    await once(child, 'exit');
    output.push(...(await lines));
    expect(output.join('\n')).toContain('Address  https://127.0.0.1:');
    expect(output.join('\n')).not.toContain('kkkk');
  });

  it('exits with 2 when only one of the certificate files is given', async () => {
    const child = startServe(['--data', join(temporaryFolder(), 'kb.sqlite'), '--tls-cert', 'x.pem']);
    const errors: string[] = [];
    child.stderr?.on('data', (piece) => errors.push(String(piece)));
    expect(await once(child, 'exit')).toEqual([2, null]);
    expect(errors.join('')).toContain('USAGE');
  });
});
