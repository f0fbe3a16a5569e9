import { describe, expect, it } from 'vitest';
import { defineCommand } from '../../../src/cli/parser/command.ts';
import { parseValues } from '../../../src/cli/parser/parse-values.ts';
import { fc } from '../../support/properties.ts';

const options = {
  'base-url': { type: 'string', describe: '' },
  limit: { type: 'number', describe: '' },
  strict: { type: 'boolean', describe: '' },
  check: { type: 'boolean', default: true, describe: '' },
  ci: { type: 'string', choices: ['github', 'gitlab'], describe: '' },
} as const;

const command = defineCommand({
  positionals: { first: { describe: '' }, second: { describe: '' }, third: { describe: '' } },
  options,
  run: () => {},
});

const read = (...args: string[]) =>
  parseValues({
    path: ['lectern', 'make'],
    row: { usage: 'make [first] [second] [third]', describe: '', load: () => command },
    command,
    args,
  });

describe('parseValues', () => {
  it.each([
    [['--base-url', 'x'], { 'base-url': 'x' }],
    [['--base-url=x=y'], { 'base-url': 'x=y' }],
    [['--baseUrl', 'x'], { 'base-url': 'x' }],
    [['--base-url='], { 'base-url': '' }],
    [['--base-url', ''], { 'base-url': '' }],
    [['--base-url', '-'], { 'base-url': '-' }],
    [['--limit', '-5'], { limit: -5 }],
    [['--limit=1e3'], { limit: 1000 }],
    [['--strict'], { strict: true }],
    [['--no-strict'], { strict: false }],
    [['--strict=false'], { strict: false }],
    [['--strict', '--no-strict'], { strict: false }],
    [['--no-check'], { check: false }],
    [['--ci', 'gitlab'], { ci: 'gitlab' }],
  ])('reads %j', async (args, expected) => {
    expect(await read(...args)).toEqual({ check: true, ...expected });
  });

  it('accepts true and false after a switch, and no other words', async () => {
    expect(await read('--strict', 'false', 'x')).toEqual({ check: true, strict: false, first: 'x' });
    expect(await read('--strict', 'maybe')).toEqual({ check: true, strict: true, first: 'maybe' });
  });

  it('takes everything after two dashes for words', async () => {
    const words = { first: 'a', second: '--strict', third: '--' };
    expect(await read('a', '--', '--strict', '--')).toEqual({ check: true, ...words });
  });

  it('reads every word of a list literally, also one with dashes', async () => {
    const merge = defineCommand({
      positionals: { shards: { describe: '', isList: true } },
      options,
      run: () => {},
    });
    const row = { usage: 'merge <shards..>', describe: '', load: () => merge };
    const args = ['a', '--strict', 'b', '--', '--x', '-y', '--', '--no-version'];
    const words = ['a', 'b', '--x', '-y', '--', '--no-version'];
    expect(await parseValues({ path: ['lectern', 'merge'], row, command: merge, args })).toEqual({
      check: true,
      strict: true,
      shards: words,
    });
  });

  it('takes help for a word, and a number for the text it is', async () => {
    expect(await read('help', '007', '1e3')).toEqual({
      check: true,
      first: 'help',
      second: '007',
      third: '1e3',
    });
  });

  it.each([
    [['--base-url'], '--base-url needs a value'],
    [['--base-url', '--strict'], '--base-url needs a value'],
    [['--base-url', '--', 'x'], '--base-url needs a value'],
    [['--limit'], '--limit needs a number'],
    [['--limit', '5x'], '--limit needs a number'],
    [['--limit='], '--limit needs a number'],
    [['--base-url', 'x', '--base-url', 'y'], '--base-url is given more than once'],
    [['--baseUrl=x', '--base-url', 'x'], '--base-url is given more than once'],
    [['--limit=1', '--limit', '1'], '--limit is given more than once'],
    [['--strict=maybe'], '--strict takes no value'],
    [['--ci', 'githab'], '--ci must be one of "github", "gitlab", not "githab"'],
    [['--no-base-url'], 'Unknown option --base-url'],
    [['-x'], 'Unknown option -x'],
    [['-strict'], 'Unknown option -strict'],
    [['--constructor', 'x'], 'Unknown option --constructor'],
    [['--__proto__=x'], 'Unknown option --__proto__'],
    [['--base-url.x', 'y'], 'Unknown option --base-url.x'],
    [['a', '--strict', 'b', 'c', 'd'], 'Unexpected argument "d"'],
    [['--', 'a', 'b', 'c', '--strict'], 'Unexpected argument "--strict"'],
  ])('refuses %j', async (args, message) => {
    await expect(read(...args)).rejects.toMatchObject({ code: 'USAGE', message, exitCode: 2 });
  });

  it('gives back any text, however it is written', { tags: 'property' }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        expect(await read(`--base-url=${text}`)).toMatchObject({ 'base-url': text });
        expect(await read('--', text)).toEqual({ check: true, first: text });
      }),
    );
  });
});
