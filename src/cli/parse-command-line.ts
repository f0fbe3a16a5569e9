import { existsSync } from 'node:fs';
// yargs reads flags and words.
import { Parser } from 'yargs/helpers';
import type { LecternError } from '../core/errors.ts';
import { quoteForShell } from '../core/quote-for-shell.ts';
import type { UnknownRecord } from '../core/unknown-record.ts';
import {
  type Command,
  type CommandRow,
  defineGroup,
  nameOf,
  type Option,
  type Place,
  unknownName,
  usageError,
} from './command.ts';

/** What a command line asks for. */
type ParsedLine =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'run'; readonly command: Command; readonly values: UnknownRecord };

/** The program: its name, its commands, and the help that is printed for no command. */
export interface Program {
  readonly name: string;
  readonly commands: readonly CommandRow[];
  readonly overview: string;
}

/**
 * Reads a command line, and loads only the command that it names.
 * @param width columns of the help
 * @throws USAGE (exit 2) for anything unknown, missing or invalid, with the most similar name
 */
export async function parseCommandLine(
  program: Program,
  argv: readonly string[],
  width: number,
): Promise<ParsedLine> {
  if (argv.includes('--')) {
    throw usageError(
      'Unexpected argument "--"',
      'write flags and words without it, and ./-x for the file -x',
    );
  }
  const isHelp = argv[0] === 'help' || argv.some((arg) => arg === '--help' || arg === '-h');
  const line = argv.filter((arg, index) => !/^(?:--help|-h)$/.test(arg) && (index > 0 || arg !== 'help'));
  const { place, words } = await findCommand(program, line);
  const { command, path } = place;
  if (isHelp) {
    if (path.length === 1) return { kind: 'help', text: program.overview };
    const { formatHelp } = await import('./format-help.ts');
    return { kind: 'help', text: await formatHelp(place, width) };
  }
  if (command.commands.length > 0) {
    if (path.length === 1) throw usageError('No command given', helpHint(path));
    const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(command.commands.map(nameOf));
    throw usageError(`Missing subcommand: ${names}`, helpHint(path));
  }
  return { kind: 'run', command, values: readWords(words, place) };
}

/** The command that a line begins with, and what follows it. @throws USAGE */
async function findCommand(
  { name, commands }: Program,
  line: readonly string[],
): Promise<{ readonly place: Place; readonly words: readonly string[] }> {
  const row: CommandRow = { usage: name, describe: '', load: () => defineGroup(commands) };
  let place: Place = { path: [name], row, command: defineGroup(commands), group: null };
  let depth = 0;
  for (; place.command.commands.length > 0 && depth < line.length; depth += 1) {
    const word = line[depth] as string;
    const found = place.command.commands.find((each) => nameOf(each) === word);
    if (found === undefined) throw unknownCommand(word, place);
    place = { path: [...place.path, word], row: found, command: await found.load(), group: place };
  }
  return { place, words: line.slice(depth) };
}

/** The values that the command declares. @throws USAGE */
function readWords(line: readonly string[], place: Place): UnknownRecord {
  const { command, path, row } = place;
  const { options } = command;
  const isSwitch = (name: string) => options[name]?.type === 'boolean';
  const names = Object.keys(options);
  const valued = names.filter((name) => !isSwitch(name));
  const { argv, error } = Parser.detailed([...line], {
    boolean: names.filter(isSwitch),
    // Numbers too: yargs takes an empty value for 0.
    string: valued,
    narg: Object.fromEntries(valued.map((name) => [name, 1])),
    configuration: {
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-positional-numbers': false,
      'short-option-groups': false,
      'unknown-options-as-args': true,
    },
  });
  const { _: read, ...given } = argv;
  const words = read.map(String);
  const unknown = words.find((word) => /^-./.test(word));
  if (unknown !== undefined) throw unknownOption(unknown, place);
  const [, last] = /^Not enough arguments following: (.*)$/.exec(error?.message ?? '') ?? [];
  if (last !== undefined) throw missingValue(last, options[last]);
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(options)) {
    const typed = given[name] as string | boolean | readonly (string | boolean)[] | undefined;
    if (typed === undefined) {
      if (option.default !== undefined) values[name] = option.default;
      continue;
    }
    const all = [typed].flat().map((value) => readValue(name, option, value, line));
    if (all.length > 1 && !option.isList && option.type !== 'boolean')
      throw usageError(`--${name} is given more than once`, 'pass it once');
    values[name] = option.isList ? all : all.at(-1);
  }
  // yargs reads -strict as --strict.
  const short = line.find((arg) => /^-[a-z]/i.test(arg));
  if (short !== undefined) throw unknownOption(short, place);
  for (const word of row.usage.split(' ').slice(1)) {
    const [, name = ''] = /^[<[](.+?)(?:\.\.)?[\]>]$/.exec(word) ?? [];
    const taken = words.splice(0, word.includes('..') ? words.length : 1);
    // As of a variable of the shell that is not set: as a path, it would be the current folder.
    if (taken.includes('')) throw usageError(`The argument ${word} is empty`, helpHint(path));
    if (taken.length > 0) values[name] = word.includes('..') ? taken : taken[0];
    else if (word.startsWith('<'))
      throw usageError(`Missing argument ${word} after "${path.slice(1).join(' ')}"`, helpHint(path));
  }
  const [unexpected] = words;
  if (unexpected === undefined) return values;
  throw usageError(`Unexpected argument "${unexpected}"`, helpHint(path));
}

/** @param typed what was typed instead of a flag: `--out-dir=x`, `-o` */
function unknownOption(typed: string, { command, path }: Place): LecternError {
  const shown = typed.startsWith('--') ? typed.replace(/=.*/s, '') : typed;
  const name = shown.replace(/^--?/, '');
  const names = Object.keys(command.options);
  const known = ['help', 'version', ...names];
  // No flag of a command has a short form, but a letter may say which one is meant.
  const meant = names.filter((each) => name.length === 1 && each.startsWith(name));
  const like = meant.length === 1 ? (meant[0] as string) : name.replace(/^no-/, '');
  const field = name.replaceAll('-', '_');
  const hint = command.options.set === undefined ? '' : `pass --set ${field}=VALUE for a field, or `;
  return unknownName(`Unknown option ${shown}`, like, known, (near) => `--${near}`, hint + helpHint(path));
}

function missingValue(name: string, option: Option | undefined): LecternError {
  return usageError(
    `--${name} needs a ${option?.type === 'number' ? 'number' : 'value'}`,
    `use --${name} VALUE`,
  );
}

/** The value of a flag, with a number as a number. @throws USAGE for what yargs accepts although it cannot be meant */
function readValue(
  name: string,
  option: Option,
  value: string | boolean,
  line: readonly string[],
): string | number | boolean {
  const { type, choices } = option;
  const inline = line.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  if (type === 'boolean') {
    if (inline === undefined || inline === 'true' || inline === 'false') return value;
    throw usageError(`--${name} takes no value`, `use --${name} or --no-${name}`);
  }
  if (typeof value === 'boolean')
    throw usageError(`Unknown option --no-${name}`, 'only a switch can be turned off');
  if (type === 'number') {
    const number = Number(value);
    if (value === '') throw missingValue(name, option);
    if (Number.isNaN(number))
      throw usageError(`--${name} needs a number, not ${JSON.stringify(value)}`, `use --${name} VALUE`);
    return number;
  }
  if (inline === undefined && /^-./.test(value)) throw missingValue(name, option);
  if (choices === undefined || choices.includes(value)) return value;
  throw unknownName(
    `--${name} must be one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}, not ${JSON.stringify(value)}`,
    value,
    choices,
    (near) => JSON.stringify(near),
    `use --${name} VALUE`,
  );
}

function unknownCommand(typed: string, { path, command }: Place): LecternError {
  if (typed.startsWith('-')) return usageError(`Unknown option ${typed}`, helpHint(path));
  const sentence = `Unknown command "${typed}"`;
  // Other generators take the folder as their only word.
  if (path.length === 1 && existsSync(typed))
    return usageError(sentence, `to publish the folder, run lectern build ${quoteForShell(typed)}`);
  return unknownName(sentence, typed, command.commands.map(nameOf), (near) => `"${near}"`, helpHint(path));
}

/** Where the command that was typed is described. */
function helpHint(path: readonly string[]): string {
  return path.length === 1 ? 'lectern --help lists the commands' : `run ${path.join(' ')} --help`;
}
