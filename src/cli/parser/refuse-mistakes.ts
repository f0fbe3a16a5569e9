import type { LecternError } from '../../foundation/errors.ts';
import type { Options } from './command.ts';
import { type FoundCommand, isFlag, nameOf, wordsOf } from './find-command.ts';
import { unknownName, usageError } from './usage-error.ts';

/**
 * Checks the flags and the number of words of a command line, before yargs reads their values: its own complaints are English
 * sentences, which may change.
 * @returns the words, without flags and their values
 * @throws USAGE for the first mistake, naming what was typed and what was probably meant
 */
export function refuseMistakes(found: FoundCommand): readonly string[] {
  const { args, command, row } = found;
  const { options } = command;
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === '--') {
      words.push(...args.slice(at + 1));
      break;
    }
    if (!isFlag(arg)) words.push(arg);
    else if (readFlag(arg, args[at + 1], options)) at += 1;
  }
  if (command.commands.length > 0) throw usageError(missingCommand(found));
  refuseWords(words, row === null ? [] : wordsOf(row).split(' ').filter(Boolean), found.path);
  return words;
}

/** Checks a flag; gives whether the next argument is its value. */
function readFlag(arg: string, next: string | undefined, options: Options): boolean {
  const [typed = '', dashes, no = '', rest = ''] = /^(--?)(no-)?([^=]*)/s.exec(arg) ?? [];
  const optionOf = (name: string) => (Object.hasOwn(options, name) ? options[name] : undefined);
  const positive = inKebabCase(rest);
  // Only a switch has an opposite.
  const isOff = no !== '' && optionOf(positive)?.type === 'boolean';
  const name = isOff ? positive : inKebabCase(`${no}${rest}`);
  const option = optionOf(name);
  if (dashes === '-' || option === undefined) throw unknownFlag(typed, options);
  const isInline = arg.includes('=');
  if (option.type === 'boolean') return !isInline && !isOff && /^(?:true|false)$/.test(next ?? '');
  const value = isInline ? arg.slice(arg.indexOf('=') + 1) : next;
  if (value === undefined || (!isInline && isFlag(value))) throw missingValue(name, options);
  if (option.choices !== undefined && !option.choices.includes(value)) {
    const shown = option.choices.map((choice) => JSON.stringify(choice)).join(', ');
    const message = `--${name} must be one of ${shown}, not ${JSON.stringify(value)}`;
    throw unknownName(message, value, option.choices, JSON.stringify);
  }
  return !isInline;
}

function missingCommand({ row, command }: FoundCommand): string {
  if (row === null) return 'No command given';
  const names = command.commands.map(nameOf);
  return `Missing subcommand: ${names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`}`;
}

function refuseWords(words: readonly string[], taken: readonly string[], path: readonly string[]): void {
  const missing = taken[words.length];
  if (missing?.startsWith('<')) {
    throw usageError(
      `Missing argument ${missing} after "${[...path.slice(1), ...words].join(' ')}"`,
      `${path.join(' ')} --help shows the arguments`,
    );
  }
  const extra = taken.at(-1)?.endsWith('..>') ? undefined : words[taken.length];
  if (extra !== undefined) throw usageError(`Unexpected argument "${extra}"`);
}

/** @param typed the flag with its dashes, without a value */
function unknownFlag(typed: string, options: Options): LecternError {
  const [, dashes = '', name = ''] = /^(--?)(?:no-)?(.*)$/s.exec(typed) ?? [];
  const known = ['help', 'version', ...Object.keys(options)];
  return unknownName(`Unknown option ${dashes}${name}`, name, known, (near) => `--${near}`);
}

/** @param name as it is declared */
export function missingValue(name: string, options: Options): LecternError {
  const kind = options[name]?.type === 'number' ? 'number' : 'value';
  return usageError(`--${name} needs a ${kind}`, `use --${name} VALUE`);
}

/** A flag as it is declared: `--baseUrl` → `--base-url`. */
export function inKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
