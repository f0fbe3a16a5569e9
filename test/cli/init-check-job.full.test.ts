import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { finish, runLectern } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const program = join(import.meta.dirname, '../../lib/bin.js');

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** A repository with a broken link in line 5 of docs/brakes.md, and the job of a CI system. */
async function makeRepository(ci: 'github' | 'gitlab', brakes: string, lockFile?: string): Promise<void> {
  if (lockFile !== undefined) await writeFile(join(folder, lockFile), '');
  await mkdir(join(folder, 'docs'));
  await writeFile(join(folder, 'docs/index.md'), '# Bikes\n\nRead [about brakes](brakes.md).\n');
  await writeFile(join(folder, 'docs/brakes.md'), brakes);
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
  ])
    expect((await finish(spawn('git', args, { cwd: folder }))).code).toBe(0);
  const init = ['init', '--source', './docs', '--site-url', 'https://help.example.com', '--ci', ci];
  expect((await runLectern(init, { cwd: folder })).code).toBe(0);
  // `npm ci` installs what the test runs anyway.
  await mkdir(join(folder, 'programs'));
  await writeProgram('npm', '[ "$*" = "ci --ignore-scripts" ]');
  await writeProgram(
    'npx',
    `case "$1 $2" in "--no lectern") shift 2 ;; *) exit 9 ;; esac\nexec '${process.execPath}' '${program}' "$@"`,
  );
}

async function writeProgram(name: string, script: string): Promise<void> {
  const file = join(folder, 'programs', name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}

/** The commands of a job of GitHub. */
const commandsOf = (job: { readonly steps: readonly { readonly run?: string }[] }): readonly string[] =>
  job.steps.flatMap(({ run }) => run ?? []);

/** Runs commands as a runner does: one after the other, until one fails. */
async function runAll(commands: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = spawn('sh', ['-e', '-c', commands.join('\n')], {
    cwd: folder,
    env: { PATH: `${join(folder, 'programs')}${delimiter}${process.env.PATH}`, CI: 'true', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return finish(child);
}

const broken = '# Brakes\n\nThey stop you.\n\nSee [pads](pads.md).\n';

describe('the check of a pull request that lectern init writes for a folder', () => {
  it('annotates a broken link in its file and line on GitHub, and does not publish', async () => {
    await makeRepository('github', broken);
    const { on, jobs } = parse(await readFile(join(folder, '.github/workflows/publish-help.yml'), 'utf8'));
    expect(on).toHaveProperty('pull_request');
    expect(jobs.check.if).toBe("github.event_name == 'pull_request'");
    expect(jobs.publish.if).toBe("github.event_name != 'pull_request'");
    const { code, stderr } = await runAll(commandsOf(jobs.check), {
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: folder,
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    });
    expect(stderr).toContain('::warning file=docs/brakes.md,line=5,title=LINK_BROKEN::');
    expect(code).toBe(0);
    expect(await readFile(join(folder, 'summary.md'), 'utf8')).toContain('`LINK_BROKEN`');
  });

  it('reports it with its file and line on GitLab', async () => {
    await makeRepository('gitlab', broken);
    const { check, pages } = parse(await readFile(join(folder, '.gitlab-ci.yml'), 'utf8'));
    expect(check.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }]);
    expect(pages.rules).not.toEqual(check.rules);
    const { code } = await runAll(check.script, { GITLAB_CI: 'true', CI_PROJECT_DIR: folder });
    expect(code).toBe(0);
    const found = await readFile(join(folder, check.artifacts.paths[0]), 'utf8');
    expect(found).toContain('<strong>LINK_BROKEN</strong> (1)');
    expect(found).toContain('docs/brakes.md:5');
  });

  it.each([
    ['pnpm-lock.yaml', 'pnpm', 'install --frozen-lockfile --ignore-scripts', 'exec lectern'],
    ['yarn.lock', 'yarn', 'install --frozen-lockfile --ignore-scripts', 'run lectern'],
  ])('installs and starts Lectern as %s asks for', async (lockFile, manager, install, start) => {
    await makeRepository('github', '# Brakes\n\nThey stop you.\n', lockFile);
    await rm(join(folder, 'programs/npm'));
    await rm(join(folder, 'programs/npx'));
    await writeProgram('corepack', '[ "$*" = enable ]');
    await writeProgram(
      manager,
      `case "$*" in "${install}") ;; "${start} "*) shift 2; exec '${process.execPath}' '${program}' "$@" ;; *) exit 9 ;; esac`,
    );
    const workflow = await readFile(join(folder, '.github/workflows/publish-help.yml'), 'utf8');
    expect(validateWorkflow(workflow).errors).toEqual([]);
    const { jobs } = parse(workflow);
    const { code, stderr } = await runAll(commandsOf(jobs.check), { GITHUB_WORKSPACE: folder });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('not found')]);
    expect(jobs.check.steps.map(({ with: input }: { with?: object }) => input)).toContainEqual({
      'node-version': 24,
      cache: manager,
    });
    expect(commandsOf(jobs.publish).join('\n')).toContain(`${manager} ${start} build --report`);
  });

  it('fails if a page cannot be read at all', async () => {
    await makeRepository('github', broken);
    await rm(join(folder, 'docs'), { recursive: true });
    const { jobs } = parse(await readFile(join(folder, '.github/workflows/publish-help.yml'), 'utf8'));
    const { code, stderr } = await runAll(commandsOf(jobs.check), {
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: folder,
    });
    expect(stderr).toContain('::error title=PATH_UNUSABLE::');
    expect(code).not.toBe(0);
  });
});
