import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { defineCommand, defineGroup } from '../../src/cli/command.ts';
import { complete } from '../../src/cli/complete.ts';

const create = defineCommand({
  options: {
    data: { type: 'string', describe: '' },
    access: { type: 'string', choices: ['read', 'write'], describe: '' },
  },
  run: () => {},
});
const keys = defineGroup([{ usage: 'create <name>', describe: '', load: () => create }]);
const rows = [{ usage: 'keys', describe: '', load: async () => keys }];

describe('complete', () => {
  it.each([
    [[''], ['keys']],
    [['ke'], ['keys']],
    [['keys', ''], ['create']],
    [
      ['keys', 'create', 'x', '--'],
      ['--help', '--version', '--data', '--access'],
    ],
    [
      ['keys', 'create', '--data', 'x', '--'],
      ['--help', '--version', '--access'],
    ],
    [
      ['keys', 'create', '--access', ''],
      ['read', 'write'],
    ],
    [['nonsense', ''], []],
  ])('offers after %j', async (words, answers) => {
    expect(await complete(rows, words)).toEqual(answers);
  });
});

describe('the completion script', () => {
  const bin = fileURLToPath(new URL('../../lib/bin.js', import.meta.url));

  it('makes bash complete commands, flags and values', async () => {
    const line = (words: string) => `
      COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=()
      _lectern; echo "\${COMPREPLY[*]}"`;
    const script = `
      lectern() { ${JSON.stringify(process.execPath)} ${JSON.stringify(bin)} "$@"; }
      source <(SHELL=bash lectern completion)
      ${['lectern bu', 'lectern kb article ""', 'lectern build --off', 'lectern service keys create x --access w'].map(line).join('\n')}`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script]);
    expect(stderr).toBe('');
    expect(stdout).toBe('build\nlist get create update delete\n--offline\nwrite\n');
  });

  it('asks the program by the same name in zsh', async () => {
    const env = { ...process.env, SHELL: '/bin/zsh' };
    const { stdout } = await promisify(execFile)(process.execPath, [bin, 'completion'], { env });
    expect(stdout).toMatch(/^#compdef lectern\n[\s\S]*lectern --get-completions/);
  });
});
