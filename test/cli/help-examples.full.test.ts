import { execFileSync, spawn } from 'node:child_process';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandRow } from '../../src/cli/command.ts';
import { firstSteps, program } from '../../src/cli/command-table.ts';
import { writeTree } from '../support/folder-layouts.ts';
import { finish, runLectern, type SeededService, serveSeed, startLectern } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');

/** Every command line a `--help` shows, once. */
async function examplesOf(rows: readonly CommandRow[]): Promise<readonly string[]> {
  const lines = rows.map(async (row) => {
    const { examples, commands } = await row.load();
    return [...examples.map(([line]) => line), ...(await examplesOf(commands))];
  });
  return [...new Set((await Promise.all(lines)).flat())];
}

/** `kb` changes articles, `pull` writes the folder that `push` reads, and `serve` the file of `keys`. */
const later = ['lectern kb', 'lectern push', 'lectern service keys'];
const own = await examplesOf(program.commands);
/** Of the first screen, what no example continues. */
const first = firstSteps.map(([line]) => line).filter((line) => !own.some((other) => other.startsWith(line)));
const all = [...first, ...own];
const isLater = (line: string): boolean => later.some((start) => line.startsWith(start));
const examples = [...all.filter((line) => !isLater(line)), ...all.filter(isLater)];

/** The knowledge base the examples speak of. */
const seed = {
  categories: [{ category_id: '7bnd2k4xp1', title: 'Account' }],
  articles: ['4fq8d7s2ka', '5fq8d7s2ka', '6fq8d7s2ka'].map((article_id) => ({
    article_id,
    category_id: '7bnd2k4xp1',
    title: `Reset password ${article_id}`,
    body: '<p>Press reset.</p>',
    is_published: true,
    is_private: false,
    multilingual: [{ language_code: 'de', title: `Zurücksetzen ${article_id}`, body: '<p>Drücken.</p>' }],
  })),
};

/** The folder of Markdown the examples speak of. */
const pages = {
  'index.md': '# Help\n\nSee [how to reset a password](account/reset.md).\n',
  'account/index.md': '# Account\n\n| Plan | Seats |\n| --- | --- |\n| Free | 1 |\n',
  'account/reset.md': '---\ntitle: Reset a password\n---\n\n1. Open the settings.\n2. Press **Reset**.\n',
};

/** The pages of a site that another generator built. */
const sitePage = '<!doctype html><title>Brakes</title><main><h1>Brakes</h1><p>Turn the screw.</p></main>';

describe('the examples of --help', () => {
  let folder: string;
  let service: SeededService;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    folder = temporaryFolder();
    const elsewhere = join(folder, 'service');
    await mkdir(elsewhere);
    await mkdir(join(folder, 'published'));
    await writeFile(join(elsewhere, 'seed.json'), JSON.stringify(seed));
    await mkdir(join(folder, 'docs/account'), { recursive: true });
    for (const [name, text] of Object.entries(pages)) await writeFile(join(folder, 'docs', name), text);
    for (const site of ['build', 'public']) {
      await mkdir(join(folder, site), { recursive: true });
      await writeFile(join(folder, site, 'brakes.html'), sitePage);
    }
    // `init --ci github` takes the URL of the site from the remote.
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    execFileSync('git', ['remote', 'add', 'origin', 'git@github.com:acme/help.git'], { cwd: folder });
    await writeFile(join(folder, 'article.json'), '{ "title": "From a file", "body": "<p>b</p>" }');
    service = await serveSeed('seed.json', elsewhere);
    env = {
      ...service.env,
      QDRANT_URL: 'http://localhost:6333',
      LECTERN_SITE_URL: 'https://help.example.com',
      HOME: folder,
    };
  });
  afterAll(async () => {
    await service?.stop();
  });

  /** Runs a line with the local knowledge base. */
  async function run(line: string, cwd = folder): Promise<unknown> {
    const here = line
      .replace('https://kb.example.com/v1', service.baseUrl)
      .replace(/https:\/\/help\.example\.com\/?(?= |$)/, 'dist')
      .replace('--since https://docs.example.com', '--since build')
      // The folder has the output of the other examples, too.
      .replace(/^lectern build docs$/, 'lectern build docs --out docs-site --cache docs-cache')
      .replace('k4fq8d7s9x', line.includes('revoke') ? await someKey() : '');
    const { code, stderr } = here.includes('>')
      ? await runInShell(here)
      : await runLectern(split(here), { cwd, env });
    return code === 0 ? 'works' : stderr;
  }

  /** The words of a line without the first one; single quotes hold one together. */
  const split = (line: string) =>
    Array.from(line.matchAll(/(?:'[^']*'|\S)+/g), ([word]) => word.replaceAll("'", '')).slice(1);

  function runInShell(line: string) {
    const shell = `lectern() { '${process.execPath}' '${join(root, 'lib/bin.js')}' "$@"; }\n${line}`;
    const child = spawn('bash', ['-euc', shell], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return finish(child);
  }

  /** Starts a command that runs until stopped, and ends it after it prints its URL. */
  async function start(line: string): Promise<unknown> {
    const args = line.split(' ').slice(1);
    const child = startLectern(line.includes('--port') ? args : [...args, '--port', '0'], {
      cwd: folder,
      env,
    });
    child.stdout?.once('data', () => child.kill());
    const { stdout, stderr } = await finish(child);
    return /https?:\/\/(localhost|127\.0\.0\.1):\d+/.test(stdout) ? 'works' : stderr;
  }

  /** Runs a line in a project from which an article was deleted, and in which a page was renamed. */
  async function forget(line: string): Promise<unknown> {
    const cwd = join(folder, 'erased');
    await rm(cwd, { recursive: true, force: true });
    const numbers = [1, 2, 3, 4, 5, 6].map((page) => [
      `docs/${page}.md`,
      `# Page\n\nWords of page ${page}.\n`,
    ]);
    writeTree(cwd, {
      ...Object.fromEntries(numbers),
      'docs/old-app.md': '---\narticle_id: 9xk2m1p0qz\n---\n\nThe old app.\n',
      'docs/jane-doe.md': '---\narticle_id: 4kPj7Nv1Cg\n---\n\nA case.\n',
    });
    expect(await run('lectern build docs --out dist', cwd)).toBe('works');
    await rm(join(cwd, 'docs/old-app.md'));
    await rename(join(cwd, 'docs/jane-doe.md'), join(cwd, 'docs/case.md'));
    expect(await run('lectern build docs --out dist', cwd)).toBe('works');
    return run(line, cwd);
  }

  async function someKey(): Promise<string> {
    const { stdout } = await runLectern(['service', 'keys', 'list'], { cwd: folder, env });
    return (JSON.parse(stdout) as { keys: { keyId: string }[] }).keys[0]?.keyId ?? '';
  }

  it('are there for every command that does something', async () => {
    expect(examples.filter((line) => !line.startsWith('lectern '))).toEqual([]);
    expect(examples.length).toBeGreaterThan(40);
  });

  it.each(examples)('%s', async (line) => {
    if (line.startsWith('lectern init')) {
      for (const name of ['lectern.config.json', '.github'])
        await rm(join(folder, name), { recursive: true, force: true });
    }
    if (line.startsWith('lectern service restore')) await rm(join(folder, 'kb.sqlite'), { force: true });
    if (line.startsWith('lectern forget')) return expect(await forget(line)).toBe('works');
    const isEndless = /^lectern (serve|preview|mcp.*--port)/.test(line);
    expect(await (isEndless ? start(line) : run(line))).toBe('works');
  });
});
