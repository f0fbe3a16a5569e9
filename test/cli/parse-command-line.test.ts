import { describe, expect, it } from 'vitest';
import { defineCommand, defineGroup } from '../../src/cli/command.ts';
import { parseCommandLine } from '../../src/cli/parse-command-line.ts';
import { fc } from '../support/properties.ts';

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

const join = defineCommand({
  positionals: { parts: { describe: '', isList: true } },
  options,
  run: () => {},
});

const program = {
  name: 'lectern',
  overview: 'All commands\n',
  commands: [
    { usage: 'make [first] [second] [third]', describe: 'Make it', load: async () => command },
    { usage: 'join <parts..>', describe: '', load: () => join },
    {
      usage: 'group',
      describe: 'More',
      load: () => defineGroup([{ usage: 'make <first>', describe: '', load: async () => command }]),
    },
  ],
};

const readLine = (...args: string[]) => parseCommandLine(program, args, 80);

const read = async (...args: string[]) => {
  const request = await readLine('make', ...args);
  return request.kind === 'run' ? request.values : request.text;
};

describe('parseCommandLine', () => {
  it.each([
    [['--base-url', 'x'], { 'base-url': 'x' }],
    [['--base-url=x=y'], { 'base-url': 'x=y' }],
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

  it('takes the word after a switch for a word', async () => {
    expect(await read('--strict', 'maybe')).toEqual({ check: true, strict: true, first: 'maybe' });
  });

  it('reads the words of a list, also after a switch', async () => {
    expect(await readLine('join', 'a', '--strict', 'b', 'c')).toMatchObject({
      values: { strict: true, parts: ['a', 'b', 'c'] },
    });
  });

  it('finds a command of a group', async () => {
    expect(await readLine('group', 'make', 'x', '--strict')).toMatchObject({
      values: { first: 'x', strict: true },
    });
    await expect(readLine('group', 'mkae')).rejects.toMatchObject({ message: 'Unknown command "mkae"' });
    await expect(readLine('group')).rejects.toMatchObject({ message: 'Missing subcommand: make' });
    await expect(readLine('group', 'make')).rejects.toMatchObject({
      message: 'Missing argument <first> after "group make"',
    });
    await expect(readLine('join')).rejects.toMatchObject({
      message: 'Missing argument <parts..> after "join"',
    });
    await expect(readLine('--strict')).rejects.toMatchObject({ code: 'USAGE' });
  });

  it.each([
    [['--help'], 'All commands\n'],
    [['help'], 'All commands\n'],
    [['-h'], 'All commands\n'],
    [['make', 'x', '--help'], 'lectern make [first] [second] [third]\n\nMake it'],
    [['help', 'make'], 'lectern make [first] [second] [third]\n\nMake it'],
    [['help', 'group'], 'lectern group\n\nMore\n\nlectern group make <first>\n'],
    [['group', 'make', '-h'], 'lectern group\n\nMore\n\nlectern group make <first>\n'],
  ])('helps for %j, without the types of flags', async (args, start) => {
    const request = await readLine(...args);
    const text = request.kind === 'help' ? request.text : '';
    expect(text.slice(0, start.length)).toBe(start);
    expect(text).not.toMatch(/\[(?:string|boolean|number|required|default)/);
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
    [['--base-url', '--', 'x'], 'Unexpected argument "--"'],
    [['--limit'], '--limit needs a number'],
    [['--limit', '5x'], '--limit needs a number, not "5x"'],
    [['--limit='], '--limit needs a number'],
    [['--base-url', 'x', '--base-url', 'y'], '--base-url is given more than once'],
    [['--baseUrl=x'], 'Unknown option --baseUrl'],
    [['--limit=1', '--limit', '1'], '--limit is given more than once'],
    [['--strict=maybe'], '--strict takes no value'],
    [['--ci', 'githab'], '--ci must be one of "github", "gitlab", not "githab"'],
    [['--no-base-url'], 'Unknown option --no-base-url'],
    [['-x'], 'Unknown option -x'],
    [['-strict'], 'Unknown option -strict'],
    [['--constructor', 'x'], 'Unknown option --constructor'],
    [['--__proto__=x'], 'Unknown option --__proto__'],
    [['--base-url.x', 'y'], 'Unknown option --base-url.x'],
    [['a', '--strict', 'b', 'c', 'd'], 'Unexpected argument "d"'],
    [['a', '--', '--strict'], 'Unexpected argument "--"'],
    [[''], 'The argument [first] is empty'],
    [['a', '', 'c'], 'The argument [second] is empty'],
  ])('refuses %j', async (args, message) => {
    await expect(read(...args)).rejects.toMatchObject({ code: 'USAGE', message, exitCode: 2 });
  });

  it('gives back any text, however it is written', { tags: 'property' }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        expect(await read(`--base-url=${text}`)).toMatchObject({ 'base-url': text });
        if (!text.startsWith('-') && text !== '')
          expect(await read(text)).toEqual({ check: true, first: text });
      }),
    );
  });
});
