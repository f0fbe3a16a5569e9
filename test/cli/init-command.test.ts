import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/yaml.ts';
import { finish, runLectern, startServiceProcess } from '../support/lectern.ts';

const bin = fileURLToPath(new URL('../../lib/bin.js', import.meta.url));
const pseudoTerminal = '/usr/bin/script';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-init-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const flags = ['--base-url', 'https://kb.example.com/v1', '--no-check'];
const init = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runLectern(['init', ...args], { cwd: folder, env });
const read = (path: string) => readFile(join(folder, path), 'utf8');

describe('lectern init', () => {
  it('writes a configuration that a build accepts, and a .gitignore', async () => {
    const all = [
      '--site-url',
      'https://help.example.com',
      '--languages',
      'en,de',
      '--title',
      'Pebblepost Help',
    ];
    const { code, stdout } = await init([...flags, ...all]);
    expect(code).toBe(0);
    expect(stdout).toContain('Wrote     lectern.config.json\nWrote     .gitignore\n');
    expect(JSON.parse(await read('lectern.config.json'))).toEqual({
      $schema: './node_modules/lectern/docs/schema/config.json',
      baseUrl: 'https://kb.example.com/v1',
      siteUrl: 'https://help.example.com',
      defaultLanguage: 'en',
      languages: ['en', 'de'],
      site: { title: 'Pebblepost Help' },
    });
    expect(await read('.gitignore')).toBe('/dist/\n/.dist.*\n/.lectern/\n/lectern.env\n');
    expect((await runLectern(['config'], { cwd: folder })).code).toBe(0);
  });

  it('says how to go on, with npx where npx ran it', async () => {
    const plain = await init(flags, { npm_command: '' });
    expect((await init([...flags, '--force'], { npm_command: 'exec' })).stdout).toContain(
      ' npx lectern build\n',
    );
    expect(plain.stdout).toMatch(/\n {10}lectern build\n {10}lectern preview\n$/);
  });

  it('adds to a .gitignore only what is missing', async () => {
    await writeFile(join(folder, '.gitignore'), 'node_modules\n/dist/');
    await init(flags);
    expect(await read('.gitignore')).toBe('node_modules\n/dist/\n/.dist.*\n/.lectern/\n/lectern.env\n');
  });

  it('writes a GitHub workflow that builds on a schedule and carries the last output over', async () => {
    await init([...flags, '--ci', 'github']);
    expect(JSON.parse(await read('lectern.config.json'))).toMatchObject({ redirects: { formats: ['html'] } });
    const workflow = parseYaml(await read('.github/workflows/publish-help.yml'));
    expect(workflow).toMatchObject({
      on: { schedule: [{ cron: '17 * * * *' }] },
      jobs: { publish: { 'runs-on': 'ubuntu-latest' } },
    });
    const text = JSON.stringify(workflow);
    for (const part of ['secrets.LECTERN_API_KEY', '.lectern\\ndist', 'npx --yes lectern@', 'deploy-pages']) {
      expect(text).toContain(part);
    }
  });

  it('writes a GitLab pipeline with the code-quality report', async () => {
    await init([...flags, '--ci', 'gitlab']);
    expect(parseYaml(await read('.gitlab-ci.yml'))).toMatchObject({
      pages: {
        cache: { paths: ['.lectern/', 'dist/'] },
        artifacts: { reports: { codequality: 'gl-code-quality-report.json' } },
      },
    });
  });

  it('replaces nothing without --force', async () => {
    await writeFile(join(folder, 'lectern.config.json'), 'mine');
    const { code, stderr } = await init(flags);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error PROJECT_EXISTS: lectern\.config\.json /);
    expect(await read('lectern.config.json')).toBe('mine');
    expect((await init([...flags, '--force'])).code).toBe(0);
  });

  it('asks for the base URL by name where there is no terminal, and refuses a wrong one', async () => {
    expect(await init([])).toMatchObject({ code: 2, stderr: expect.stringContaining('--base-url') });
    const wrong = await init(['--base-url', 'kb.example.com', '--no-check']);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('baseUrl: expected an address') });
    expect(existsSync(join(folder, 'lectern.config.json'))).toBe(false);
  });

  it('checks the key against the service, and writes nothing when it is wrong', async () => {
    await writeFile(join(folder, 'seed.json'), '{ "articles": [], "categories": [] }');
    const service = await startServiceProcess('seed.json', folder);
    const wrong = await init([], { ...service.env, LECTERN_API_KEY: 'lk_wrong' });
    const right = await init([], service.env);
    await service.stop();
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/401/);
    expect(right.stdout).toContain('Key       works: the service answers with 0 categories\n');
    expect(await read('lectern.config.json')).not.toContain(service.apiKey);
  });

  it.skipIf(!existsSync(pseudoTerminal))('asks on a terminal for what no flag says', async () => {
    const command = `stty cols 80 && '${process.execPath}' '${bin}' init --no-check`;
    const child = spawn(pseudoTerminal, ['-qec', command, '/dev/null'], {
      cwd: folder,
      env: { ...process.env, CI: '', TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const answers = [
      ['Address of the knowledge-base API?', 'https://kb.example.com/v1\r'],
      ['Public address', 'https://help.example.com\r'],
      ['Name of the help centre?', 'Pebblepost Help\r'],
      ['Language the articles', 'de\r'],
      ['Languages to publish', '\r'],
      ['What shall build it', '\r'],
    ] as const;
    let seen = '';
    let next = 0;
    child.stdout.on('data', (text: Buffer) => {
      seen += stripVTControlCharacters(text.toString());
      const [question, answer] = answers[next] ?? [];
      if (question === undefined || !seen.includes(question)) return;
      next += 1;
      child.stdin.write(answer);
    });
    const { code } = await finish(child);
    expect(code).toBe(0);
    expect(JSON.parse(await read('lectern.config.json'))).toMatchObject({
      siteUrl: 'https://help.example.com',
      defaultLanguage: 'de',
      site: { title: 'Pebblepost Help' },
    });
    expect(existsSync(join(folder, '.github/workflows/publish-help.yml'))).toBe(true);
  });
});
