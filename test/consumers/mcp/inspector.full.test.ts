import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { writeTree } from '../../support/folder-layouts.ts';
import { lecternEnvironment, lecternProgram } from '../../support/lectern.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeOnline, npmFlags } from '../../support/tools.ts';
import { buildSampleFeed } from '../export/support/questions.ts';

const run = promisify(execFile);

/** The last version whose command line needs no keyring of the operating system. */
const inspector = '@modelcontextprotocol/inspector@0.17.5';

describeOnline('the command line of MCP Inspector (needs a registry)', () => {
  let folder: string;
  beforeAll(async () => {
    folder = temporaryFolder();
    await run('npm', ['install', ...npmFlags, '--ignore-scripts', '--prefix', folder, inspector]);
    const { output } = await buildSampleFeed();
    writeTree(join(folder, 'dist'), output.texts('feed/'));
  });

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
