import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failedReportSchema, reportSchema } from '../../src/core/report.ts';
import { finish, runLectern, type SeededService, serveSeed } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const bin = fileURLToPath(new URL('../../lib/bin.js', import.meta.url));
const pseudoTerminal = '/usr/bin/script';

let folder: string;
let service: SeededService;

beforeAll(async () => {
  folder = temporaryFolder();
  const articles = Array.from({ length: 30 }, (_, index) => ({
    article_id: `article0${String(index).padStart(2, '0')}`,
    title: `Article ${index}`,
    body: '<p>See <a href="/article/nothing00x">this</a>.</p>',
    is_published: true,
    is_private: index === 0,
  }));
  await writeFile(join(folder, 'seed.json'), JSON.stringify({ articles, categories: [] }));
  service = await serveSeed('seed.json', folder);
});
afterAll(async () => {
  await service?.stop();
});

const build = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runLectern(['build', ...args], { cwd: folder, env: { ...service.env, ...env } });

describe('lectern build', () => {
  it('prints the summary to stdout and plain progress to stderr if there is no terminal', async () => {
    const { code, stdout, stderr } = await build([]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Published 29 articles in 1 language: /);
    expect(stdout).toContain('Skipped   1 private: article000\n');
    expect(stdout).toMatch(/\nOutput {4}dist\nPreview {3}(?:npx )?lectern preview\n$/);
    expect(stderr).toMatch(/^Reading \d+ articles.*\n(.*\n)*Rendering 29 of 29 articles.*\nWriting /);
    expect(stdout + stderr).not.toContain('\x1b');
  });

  it('prints nothing when it is quiet and all is well', async () => {
    const { code, stdout, stderr } = await build(['--quiet']);
    expect([code, stdout, stderr]).toEqual([0, '', '']);
  });

  it('prints the report alone to stdout with --json, events to stderr', async () => {
    const { stdout, stderr } = await build(['--json', '--out', 'json']);
    expect(reportSchema.parse(JSON.parse(stdout)).articles).toBe(29);
    const events = stderr.trimEnd().split('\n');
    expect(events.map((line) => JSON.parse(line)).at(-1)).toMatchObject({
      event: 'progress',
      kind: 'writing',
    });
  });

  it('prints errors as JSON with --json', async () => {
    const { code, stderr } = await build(['--json', '--quiet'], { LECTERN_API_KEY: '' });
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ event: 'error', code: 'KEY_UNUSABLE' });
  });

  it.each([
    ['the run', [], 'KEY_UNUSABLE'],
    ['the command line', ['--strct'], 'USAGE'],
  ])('prints the report with the error to stdout with --json when %s fails', async (_, args, expected) => {
    const { stdout } = await build(['--json', ...args], { LECTERN_API_KEY: '' });
    expect(failedReportSchema.parse(JSON.parse(stdout)).error.code).toBe(expected);
  });

  it('shows what made a strict run fail, and annotates it in a GitHub job', async () => {
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, 'summary.md') };
    await writeFile(join(folder, 'hosts.json'), '{ "content": { "hosts": ["https://help.example.com"] } }');
    const { code, stderr } = await build(['--strict', '--config', 'hosts.json'], env);
    expect(code).toBe(1);
    // The page of the article is where its author finds it; the API has none.
    expect(stderr).toMatch(
      / {2}warning LINK_BROKEN\n {4}"[^"]+" \(article article001\) https:\/\/help\.example\.com\/article\/article001\s+\(en\)\n/,
    );
    expect(stderr).toMatch(/\nerror STRICT: /);
    expect(stderr).toContain('::warning title=LINK_BROKEN::');
    expect(stderr).toContain('::error title=STRICT::');
    expect(await readFile(join(folder, 'summary.md'), 'utf8')).toMatch(/^## Help centre not published\n/);
  });

  it('succeeds in a container of a GitHub job that has no file for the job summary', async () => {
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, 'missing/summary.md') };
    const { code, stdout, stderr } = await build([], env);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Published 29 articles/)]);
    expect(stderr).toMatch(
      /::warning title=REPORT_UNWRITABLE::there is no job summary: ENOENT.*missing\/summary/,
    );
  });

  it('shows what kept the pages from being published before it says that there are none', async () => {
    await mkdir(join(folder, 'broken'), { recursive: true });
    await writeFile(join(folder, 'broken/a.md'), '---\ntitle: [oops\n---\n\nText.\n');
    const { code, stderr } = await build(['--source', 'broken', '--out', 'b', '--cache', 'b-cache']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      / {2}error FILE_SKIPPED\n {4}broken\/a\.md:2\n(?: {4,6}.*\n)+error NOTHING_TO_PUBLISH: /,
    );
  });

  it('writes the error and the problems of a failed run into the report', async () => {
    const files = ['--report', 'f/report.json'];
    const summary = join(folder, 'failed.md');
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const { code, stderr } = await build([...files, '--strict', '--quiet', '--out', 'f/dist'], env);
    expect(code).toBe(1);
    const read = (name: string) => readFile(join(folder, 'f', name), 'utf8');
    const report = failedReportSchema.parse(JSON.parse(await read('report.json')));
    expect(report.error).toMatchObject({ code: 'STRICT', hint: expect.stringContaining('--report') });
    expect(report.out).toBe(join(folder, 'f/dist'));
    expect(report.problems).toContainEqual(expect.objectContaining({ code: 'LINK_BROKEN' }));
    expect(stderr.match(/::error title=STRICT::/g)).toHaveLength(1);
    expect(await readFile(summary, 'utf8')).toMatch(/^## Help centre not published\n/);
  });

  it('reports the problems found before a guard stopped the run', async () => {
    const env = { LECTERN_DEFAULT_LANGUAGE: 'xx' };
    const { code } = await build(['--report', 'guard.json', '--quiet', '--cache', 'guard-cache'], env);
    const report = failedReportSchema.parse(JSON.parse(await readFile(join(folder, 'guard.json'), 'utf8')));
    expect([code, report.error.code]).toEqual([1, 'MASS_DELETE']);
    expect(report.problems).toContainEqual(expect.objectContaining({ code: 'SITE_URL_MISSING' }));
  });

  it('names the line of a problem in a file, also if the run fails later', async () => {
    const project = join(folder, 'late');
    await mkdir(join(project, 'docs'), { recursive: true });
    await mkdir(join(project, 'templates/hooks'), { recursive: true });
    await writeFile(join(project, 'docs/a.md'), '# A\n\nText.\n\nSee [b](b.md).\n');
    await writeFile(join(project, 'templates/hooks/main-after.eta'), '<%= it.nothing %>');
    const { code, stderr } = await runLectern(['build', 'docs'], {
      cwd: project,
      env: { ...service.env, GITHUB_ACTIONS: 'true' },
    });
    expect(code).toBe(1);
    expect(stderr).toContain('  warning LINK_BROKEN\n    docs/a.md:5 (en)\n');
    expect(stderr).toContain('::warning file=docs/a.md,line=5,title=LINK_BROKEN::');
    expect(stderr).toMatch(/\nerror TEMPLATE_FAILED: /);
  });

  it.each([
    ['a wrong setting', ['--default-language', 'e n'], 'CONFIG_INVALID'],
    ['a missing file', ['--config', 'nothing.json'], 'CONFIG_INVALID'],
    ['a mistyped flag', ['--strct'], 'USAGE'],
    ['a missing value', ['--out'], 'USAGE'],
  ])('replaces an older report when the run ends at %s', async (_, args, expected) => {
    await writeFile(join(folder, 'old.json'), 'old');
    const { code } = await build(['--report=old.json', ...args]);
    const report = failedReportSchema.parse(JSON.parse(await readFile(join(folder, 'old.json'), 'utf8')));
    expect([code, report.error.code, report.out]).toEqual([2, expected, null]);
  });

  it.each([
    ['a feed', ['feed', '.'], true],
    ['a pull whose source has the name of a command', ['pull', 'docs', '--source', 'build'], false],
  ])(
    'leaves no older report of a mistyped flag of %s, and writes none for another command',
    async (_, args, isWritten) => {
      await writeFile(join(folder, 'old.json'), 'old');
      const { code } = await runLectern([...args, '--report', 'old.json', '--strct'], { cwd: folder });
      const report = await readFile(join(folder, 'old.json'), 'utf8');
      expect([code, report !== 'old']).toEqual([2, isWritten]);
    },
  );

  it('prints the error of a failed run even if its report cannot be written', async () => {
    await writeFile(join(folder, 'file'), '');
    const { code, stderr } = await build(['--report', 'file/report.json', '--strict', '--strct']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error REPORT_UNWRITABLE: .*\n.*\nerror USAGE: /);
  });

  it('writes a report with the files that changed', async () => {
    const read = async () => {
      await build(['--quiet', '--out', 'o', '--report', 'r/report.json']);
      return reportSchema.parse(JSON.parse(await readFile(join(folder, 'r/report.json'), 'utf8')));
    };
    const { pages, changedFiles } = await read();
    expect([pages, changedFiles?.added.includes('404.html')]).toEqual([30, true]);
    expect((await read()).changedFiles).toEqual({ added: [], changed: [], removed: [] });
  });

  it.skipIf(!existsSync(pseudoTerminal))(
    'rewrites one line of a terminal and leaves only the summary',
    async () => {
      const command = `stty cols 60 && '${process.execPath}' '${bin}' build --out terminal`;
      const child = spawn(pseudoTerminal, ['-qec', command, '/dev/null'], {
        cwd: folder,
        env: { ...process.env, ...service.env, TERM: 'xterm' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const { code, stdout } = await finish(child);
      expect(code).toBe(0);
      expect(stdout).toMatch(/\r\x1b\[2KRendering \d+ of 29 articles/);
      const [progress = '', summary = ''] = stdout.split(/\r\x1b\[2K(?=\x1b\[1mPublished)/);
      expect(progress).not.toContain('\n');
      expect(summary).toContain('Published');
      for (const line of summary.split('\r\n')) {
        expect(stripVTControlCharacters(line).length).toBeLessThanOrEqual(60);
      }
    },
  );
});
