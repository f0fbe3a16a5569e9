import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lecternEnvironment, lecternProgram } from '../../support/lectern.ts';
import { describeOnline, npmFlags } from '../../support/tools.ts';
import { buildSampleFeed } from '../export/support/questions.ts';

const run = promisify(execFile);

/** The last version whose command line needs no keyring of the operating system. */
const inspector = '@modelcontextprotocol/inspector@0.17.5';

describeOnline('the command line of MCP Inspector (needs a registry)', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-inspector-'));
    await run('npm', ['install', ...npmFlags, '--ignore-scripts', '--prefix', folder, inspector]);
    const { output } = await buildSampleFeed();
    for (const path of output.paths().filter((name) => name.startsWith('feed/'))) {
      await mkdir(dirname(join(folder, 'dist', path)), { recursive: true });
      await writeFile(join(folder, 'dist', path), output.text(path));
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Starts `lectern mcp` through the inspector, and returns what it answers. */
  async function ask(...args: readonly string[]): Promise<Record<string, unknown>> {
    const program = join(folder, 'node_modules/.bin/mcp-inspector');
    const { stdout } = await run(
      program,
      ['--cli', process.execPath, lecternProgram, 'mcp', 'dist', ...args],
      { cwd: folder, env: lecternEnvironment({}) },
    );
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  it('lists the tools, and gets passages', async () => {
    const { tools } = await ask('--method', 'tools/list');
    expect((tools as readonly { readonly name: string }[]).map(({ name }) => name)).toEqual([
      'search',
      'read_article',
      'list_categories',
    ]);
    const search = [
      '--method',
      'tools/call',
      '--tool-name',
      'search',
      '--tool-arg',
      'query=delete my account',
    ];
    const { content } = await ask(...search);
    expect(content).toEqual([{ type: 'text', text: expect.stringMatching(/\[1\] .*account/i) }]);
  });
});
