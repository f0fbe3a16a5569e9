import type { LecternError } from '../../foundation/errors.ts';
import type { Options } from './command.ts';
import { type FoundCommand, isFlag, wordsOf } from './find-command.ts';
import { unknownName, usageError } from './usage-error.ts';

/** Turns a complaint of yargs (in English) into an error that names what was typed, and what was probably meant. */
export function explainComplaint(
  complaint: string,
  { path, row, command, args }: FoundCommand,
): LecternError {
  const { options } = command;
  const [, list] = /^Unknown (?:arguments?|commands?): (.+)$/s.exec(complaint) ?? [];
  if (list !== undefined) {
    const flag = findUnknownFlag(args, options);
    return flag === null ? unexpectedArgument(args, list) : unknownFlag(flag, options);
  }
  if (complaint.startsWith('Not enough non-option arguments')) {
    const words = wordsIn(args, options);
    const needed = row === null ? [] : wordsOf(row).split(' ');
    return usageError(
      `Missing argument ${needed[words.length]} after "${[...path.slice(1), ...words].join(' ')}"`,
      `${path.join(' ')} --help shows what it needs`,
    );
  }
  const [, valueless] = /^Not enough arguments following: (.+)$/s.exec(complaint) ?? [];
  if (valueless !== undefined) return missingValue(valueless, options);
  const [, name = '', given = ''] = /Argument: (\S+), Given: "(.*)", Choices: /s.exec(complaint) ?? [];
  const choices = options[name]?.choices;
  if (choices !== undefined) {
    const shown = choices.map((choice) => JSON.stringify(choice)).join(', ');
    const message = `--${name} must be one of ${shown}, not ${JSON.stringify(given)}`;
    return unknownName(message, given, choices, JSON.stringify);
  }
  return usageError(complaint);
}

/** @param typed the flag with its dashes, without a value */
export function unknownFlag(typed: string, options: Options): LecternError {
  const [, dashes = '', name = ''] = /^(--?)(?:no-)?(.*)$/s.exec(typed) ?? [];
  const known = ['help', 'version', ...Object.keys(options)];
  return unknownName(`Unknown option ${dashes}${name}`, name, known, (near) => `--${near}`);
}

/** @param typed its name, which may be in camel case */
export function missingValue(typed: string, options: Options): LecternError {
  const name = inKebabCase(typed);
  const kind = options[name]?.type === 'number' ? 'number' : 'value';
  return usageError(`--${name} needs a ${kind}`, `give it as --${name} VALUE`);
}

/** The first flag that does not exist; what yargs lists is not always what was typed. */
function findUnknownFlag(args: readonly string[], options: Options): string | null {
  for (const arg of args) {
    if (arg === '--') return null;
    if (!isFlag(arg)) continue;
    const [flag = '', dashes, no = '', name = ''] = /^(--?)(no-)?([^=]*)/s.exec(arg) ?? [];
    const isKnown = [name, `${no}${name}`].some((name) => Object.hasOwn(options, inKebabCase(name)));
    if (dashes === '-' || !isKnown) return flag;
  }
  return null;
}

/** The words of a line that is right in all but their number. */
function wordsIn(args: readonly string[], options: Options): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === '--') return [...words, ...args.slice(at + 1)];
    if (!isFlag(arg)) words.push(arg);
    else if (isFollowedByValue(arg, options)) at += 1;
  }
  return words;
}

function isFollowedByValue(flag: string, options: Options): boolean {
  const type = options[inKebabCase(flag.replace(/^--/, ''))]?.type;
  return type === 'string' || type === 'number';
}

function unexpectedArgument(args: readonly string[], list: string): LecternError {
  const word = args.includes(list) ? list : list.split(', ', 1)[0];
  return usageError(`Unexpected argument "${word}"`);
}

/** A flag as it is declared: `--baseUrl` → `--base-url`. */
export function inKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
