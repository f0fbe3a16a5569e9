import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeOnline } from '../support/tools.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

describeOnline('Lectern from its Git repository (needs a registry)', () => {
  let folder: string;
  let daemon: ChildProcess;
  let repository: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = temporaryFolder();
    const registry = await run('npm', ['config', 'get', 'registry']);
    // What runs below npm inherits the settings of this repository, such as that no scripts run.
    const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
    env = { ...Object.fromEntries(inherited), npm_config_registry: registry.stdout.trim() };
    await mkdir(join(folder, 'served'));
    await run('git', ['clone', '--quiet', '--bare', root, join(folder, 'served/lectern.git')]);
    const port = await findPort();
    const options = ['--export-all', '--reuseaddr', '--listen=127.0.0.1', `--port=${port}`];
    daemon = spawn('git', ['daemon', ...options, `--base-path=${join(folder, 'served')}`], {
      stdio: 'ignore',
    });
    await isListening(port);
    repository = `git://127.0.0.1:${port}/lectern.git`;
  });
  afterAll(async () => {
    daemon?.kill();
  });

  it('is started by npx, writes the repository into the project, and the job is green in a clean clone', async () => {
    const project = join(folder, 'project');
    const sh = (command: string, cwd: string) =>
      run('bash', ['-e', '-c', command], { cwd, env, maxBuffer: 64_000_000 });
    await mkdir(join(project, 'docs'), { recursive: true });
    await writeFile(join(project, 'docs/index.md'), '# Bikes\n\nThey have two wheels.\n');
    await sh('git init -q', project);
    const init = 'init --source docs --site-url https://acme.github.io/help --ci github';
    const { stdout } = await sh(`npx --yes ${repository} ${init}`, project);
    expect(stdout).toContain('Next      npm install, and commit package.json and package-lock.json\n');
    const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as unknown;
    expect(manifest).toEqual({ private: true, devDependencies: { lectern: repository } });
    await sh(
      'npm install && git add . && git -c user.name=me -c user.email=me@example.com commit -qm docs',
      project,
    );
    const clone = join(folder, 'clone');
    await sh(`git clone -q ${project} ${clone}`, folder);
    const workflow = parse(await readFile(join(clone, '.github/workflows/publish-help.yml'), 'utf8')) as {
      readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
    };
    for (const job of ['check', 'publish']) {
      const steps = workflow.jobs[job]?.steps.flatMap(({ run: step }) => step ?? []) ?? [];
      expect(steps.length).toBe(2);
      for (const step of steps) await sh(step.replaceAll("--since 'https://acme.github.io/help'", ''), clone);
      expect(await readFile(join(clone, 'dist/index.html'), 'utf8')).toContain('Bikes');
    }
    const [sheet = ''] = (await readdir(join(clone, 'dist/assets'))).filter((name) =>
      /^site\..*\.css$/.test(name),
    );
    expect(await readFile(join(clone, 'dist/assets', sheet), 'utf8')).not.toMatch(/\/\*|\n {2}/);
    // Lectern is built three times.
  }, 1_800_000);

  it('says how to install again if the project runs no scripts of packages', async () => {
    const project = join(folder, 'ignoring');
    await mkdir(project);
    await writeFile(join(project, 'package.json'), '{ "private": true }');
    await writeFile(join(project, '.npmrc'), 'ignore-scripts=true\n');
    await run('npm', ['install', '--save-dev', repository], { cwd: project, env });
    const { stderr } = await run('npx', ['lectern', 'build'], { cwd: project, env }).catch(
      (error: { stderr: string }) => error,
    );
    expect(stderr).toContain('Lectern was installed from Git without being built');
  }, 600_000);
});

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function isListening(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = createConnection(port, '127.0.0.1', () => resolve(true)).on('error', () =>
        resolve(false),
      );
      socket.on('connect', () => socket.end());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the Git server does not start');
}
