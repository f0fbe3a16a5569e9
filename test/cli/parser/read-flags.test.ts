import { describe, expect, it } from 'vitest';
import { readFlags } from '../../../src/cli/parser/read-flags.ts';
import { fc } from '../../support/properties.ts';

const options = {
  'base-url': { type: 'string', describe: '' },
  limit: { type: 'number', describe: '' },
  strict: { type: 'boolean', describe: '' },
  check: { type: 'boolean', default: true, describe: '' },
  ci: { type: 'string', choices: ['github', 'gitlab'], describe: '' },
} as const;

const read = (...args: string[]) => {
  const { values, words } = readFlags(args, options);
  return { ...values, words };
};

describe('readFlags', () => {
  it.each([
    [['--base-url', 'x'], { 'base-url': 'x' }],
    [['--base-url=x=y'], { 'base-url': 'x=y' }],
    [['--baseUrl', 'x'], { 'base-url': 'x' }],
    [['--base-url='], { 'base-url': '' }],
    [['--base-url', ''], { 'base-url': '' }],
    [['--base-url', '-'], { 'base-url': '-' }],
    [['--base-url', 'x', '--base-url', 'y'], { 'base-url': 'y' }],
    [['--limit', '-5'], { limit: -5 }],
    [['--limit=1e3'], { limit: 1000 }],
    [['--strict'], { strict: true }],
    [['--no-strict'], { strict: false }],
    [['--strict=false'], { strict: false }],
    [['--strict', '--no-strict'], { strict: false }],
    [['--no-check'], { check: false }],
    [['--ci', 'gitlab'], { ci: 'gitlab' }],
  ])('reads %j', (args, expected) => {
    expect(read(...args)).toEqual({ check: true, words: [], ...expected });
  });

  it('lets a switch take the words true and false, and leaves every other word alone', () => {
    expect(read('--strict', 'false', 'x')).toEqual({ check: true, strict: false, words: ['x'] });
    expect(read('--strict', 'maybe')).toEqual({ check: true, strict: true, words: ['maybe'] });
  });

  it('takes everything after two dashes for words', () => {
    expect(read('a', '--', '--strict', '--')).toEqual({ check: true, words: ['a', '--strict', '--'] });
  });

  it.each([
    [['--base-url'], '--base-url needs a value'],
    [['--base-url', '--strict'], '--base-url needs a value'],
    [['--limit'], '--limit needs a number'],
    [['--limit', '5x'], '--limit needs a number'],
    [['--limit='], '--limit needs a number'],
    [['--strict=maybe'], '--strict takes no value'],
    [['--ci', 'githab'], '--ci is one of "github", "gitlab", not "githab"'],
    [['--no-base-url'], 'there is no flag --base-url'],
    [['-x'], 'there is no flag -x'],
    [['-strict'], 'there is no flag -strict'],
    [['--constructor', 'x'], 'there is no flag --constructor'],
    [['--__proto__=x'], 'there is no flag --__proto__'],
  ])('refuses %j', (args, message) => {
    expect(() => read(...args)).toThrow(expect.objectContaining({ code: 'USAGE', message, exitCode: 2 }));
  });

  it('gives back any text, however it is written', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(read(`--base-url=${text}`)).toMatchObject({ 'base-url': text });
        expect(read('--', text).words).toEqual([text]);
      }),
    );
  });
});
