import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CommandRow } from '../../src/cli/command.ts';
import { program } from '../../src/cli/command-table.ts';
import { parseCommandLine } from '../../src/cli/parse-command-line.ts';
import { finish, runLectern, runLecternProcess } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const bin = join(import.meta.dirname, '../../lib/bin.js');

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});

const lectern = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runLectern(args, { cwd: folder, env });

/** Every command, with those of groups. */
async function namesOf(rows: readonly CommandRow[], group = ''): Promise<readonly string[]> {
  const names = rows.map(async ({ usage, load }) => {
    const name = `${group}${usage.split(' ', 1)[0]}`;
    return [name, ...(await namesOf((await load()).commands, `${name} `))];
  });
  return (await Promise.all(names)).flat();
}

const commands = await namesOf(program.commands);

describe('the command line', () => {
  it('prints its version alone to stdout', async () => {
    const { code, stdout, stderr } = await lectern(['--version']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([['-v'], ['build', '--version']])('prints its version for %s %s', async (...args) => {
    const { code, stdout } = await lectern(args.filter(Boolean));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('colours the word error only if colours are forced', async () => {
    const forced = await lectern(['nope'], { FORCE_COLOR: '1', NO_COLOR: '1' });
    expect(forced.stderr).toMatch(/^\x1b\[31merror\x1b\[39m USAGE: /);
    expect((await lectern(['nope'], { FORCE_COLOR: '0' })).stderr).toMatch(/^error USAGE: /);
  });

  it.skipIf(!existsSync('/usr/bin/script')).each([
    [44, 44],
    [20, 40],
    [200, 100],
  ])('fits its help to a terminal of %i columns in at most %i', async (columns, most) => {
    const command = `stty cols ${columns} rows 40 && '${process.execPath}' '${bin}' service keys create --help`;
    const { stdout } = await finish(
      spawn('/usr/bin/script', ['-qec', command, '/dev/null'], { stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    const lines = stdout.split('\r\n').filter((line) => !line.includes('lectern service keys'));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(most);
    expect(stdout).toContain('--access');
  });

  it('names the missing subcommand', async () => {
    const { code, stderr } = await lectern(['kb', 'article']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('error USAGE: Missing subcommand: list, get, create, update or delete\n'),
    ]);
  });

  it('lists every command in its help', async () => {
    const { code, stdout } = await lectern(['--help']);
    expect(code).toBe(0);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    for (const command of commands.filter((name) => !name.includes(' '))) {
      expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
    }
  });

  it.each(commands)('explains %s with an example, in 80 columns', async (command) => {
    const request = await parseCommandLine(program, [...command.split(' '), '--help'], 80);
    const text = request.kind === 'help' ? request.text : '';
    expect(text).toContain('Examples:');
    // These run until they are stopped, ask questions, or print a document.
    const isPlain = /^(?:init|demo|preview|mcp|completion)$/.test(command);
    expect(text.includes('--json')).toBe(!isPlain);
    for (const line of text.split('\n')) expect([...line].length).toBeLessThanOrEqual(80);
  });

  it('explains all commands on at most 25 pages: those of a group share one', async () => {
    const pages = await Promise.all(
      ['', ...commands].map((command) =>
        parseCommandLine(program, ['help', ...command.split(' ')].filter(Boolean), 80),
      ),
    );
    expect(new Set(pages.map((page) => page.kind === 'help' && page.text)).size).toBeLessThanOrEqual(25);
  });

  it.each([
    [['kb', 'article', 'lst'], 'Unknown command "lst"', 'did you mean "list"?'],
    [['biuld'], 'Unknown command "biuld"', 'did you mean "build"?'],
    [['build', '--base-urll', 'x'], 'Unknown option --base-urll', 'did you mean --base-url?'],
    [['build', '--no-strct'], 'Unknown option --no-strct', 'did you mean --strict?'],
    [['build', '-v'], 'Unknown option -v', 'did you mean --verbose?'],
    [['preview', '-p', '8080'], 'Unknown option -p', 'did you mean --port?'],
    [['build', '-o', 'public'], 'Unknown option -o', 'run lectern build --help'],
    [['build', 'docs', 'extra'], 'Unexpected argument "extra"', 'run lectern build --help'],
    [['build', 'docs', '--source', 'api'], 'Two sources are given: docs and api', 'pass one'],
    [['.'], 'Unknown command "."', 'run lectern build .'],
    [['build', '--out'], '--out needs a value', '--out VALUE'],
    [['preview', '--port', 'x'], '--port needs a number, not "x"', '--port VALUE'],
    [
      ['build', 'https://kb.example.com/v1'],
      'the source https://kb.example.com/v1 is a URL, not a folder',
      'for an API, pass --base-url https://kb.example.com/v1',
    ],
    [['preview', '--port='], '--port needs a number', '--port VALUE'],
    [['build', '--out', 'a', '--out', 'b'], '--out is given more than once', 'once'],
    [['build', '--no-out'], 'Unknown option --no-out', 'switch'],
    [['build', '--strict=maybe'], '--strict takes no value', '--no-strict'],
    [['build', '-x'], 'Unknown option -x', 'run lectern build --help'],
    [['biuld', '--help'], 'Unknown command "biuld"', 'did you mean "build"?'],
    [['kb', 'search'], 'Missing argument <query> after "kb search"', 'lectern kb search --help'],
    [['kb', 'article', 'get', 'a', 'b'], 'Unexpected argument "b"', 'run lectern kb article get --help'],
    [
      ['export', '--to', 'pgvectr'],
      '--to must be one of "openai", "elasticsearch", "pinecone", "qdrant", "pgvector", "parquet", "jsonl", not "pgvectr"',
      'did you mean "pgvector"?',
    ],
  ])('refuses %j with exit code 2 and says what was meant', async (args, message, hint) => {
    const { code, stdout, stderr } = await lectern(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`error USAGE: ${message}\n`);
    expect(stderr.split('\n')[1]).toContain(hint);
  });

  it('shows its help when nothing is asked for', async () => {
    const { code, stdout, stderr } = await lectern([]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('lectern build');
  });

  it('names three ways to begin, and flag, variable and field, when no source is set, and exits 2', async () => {
    const { code, stderr } = await lectern(['build']);
    expect(code).toBe(2);
    const settings = ['--base-url', 'LECTERN_BASE_URL', 'baseUrl'];
    for (const name of ['lectern demo', 'lectern build DIR', 'lectern init', ...settings])
      expect(stderr).toContain(name);
  });

  it('names the variable when the key is missing, and exits 2', async () => {
    const { code, stderr } = await lectern(['build', '--base-url', 'https://kb.example.com/v1']);
    expect(code).toBe(2);
    expect(stderr).toContain('LECTERN_API_KEY');
  });

  it('exits 1 when a run fails', async () => {
    const { code, stderr } = await lectern(['build', '--offline']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error SNAPSHOT_MISSING: /);
  });

  it.each([
    ['ends the program', 'process.exit(0)'],
    ['waits for ever', 'export default new Promise(() => {})'],
  ])('exits 1 when a configuration file %s', async (_what, text) => {
    const config = 'early.config.mjs';
    await writeFile(join(folder, config), text);
    const { code, stderr } = await runLecternProcess(['build', '--config', config], { cwd: folder });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^error INTERRUPTED: .*\nhint: .*\n$/)]);
  });

  it('exits 2 when the configuration is wrong', async () => {
    await writeFile(join(folder, 'wrong.json'), '{ "outt": "x" }');
    const { code, stderr } = await lectern(['build', '--config', 'wrong.json']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error CONFIG_INVALID: /);
  });
});
