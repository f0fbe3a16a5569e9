import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { successorOf } from '../core/config/removed-names.ts';
import type { LecternError } from '../core/errors.ts';
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
  | { readonly kind: 'run'; readonly command: Command; readonly values: ParsedValues };

/** Flags and words by name. */
type ParsedValues = Readonly<Record<string, unknown>>;

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
    throw usageError(`Missing subcommand: ${listNames(command.commands)}`, helpHint(path));
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
function readWords(line: readonly string[], place: Place): ParsedValues {
  const { command, path, row } = place;
  const { options } = command;
  const values: Record<string, unknown> = {};
  for (const [name, { default: value }] of Object.entries(options))
    if (value !== undefined) values[name] = value;
  const { tokens } = parseArgs({
    args: [...line],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { type }]) => [
        name,
        { type: type === 'boolean' ? 'boolean' : 'string' },
      ]),
    ),
    strict: false,
    tokens: true,
  });
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName } = token;
    const option = Object.hasOwn(options, name) && rawName.startsWith('--') ? options[name] : undefined;
    if (option === undefined) {
      values[readNegation(name, line[token.index] ?? '', place)] = false;
      continue;
    }
    const value = readValue(name, option, token);
    if (option.isList) values[name] = [...((values[name] as readonly unknown[]) ?? []), value];
    else if (option.type !== 'boolean' && given.has(name))
      throw usageError(`--${name} is given more than once`, 'pass it once');
    else values[name] = value;
    given.add(name);
  }
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  for (const word of row.usage.split(' ').slice(1)) {
    const [, name = ''] = /^[<[](.+?)(?:\.\.)?[\]>]$/.exec(word) ?? [];
    const taken = words.splice(0, word.includes('..') ? words.length : 1);
    if (taken.length > 0) values[name] = word.includes('..') ? taken : taken[0];
    else if (word.startsWith('<'))
      throw usageError(`Missing argument ${word} after "${path.slice(1).join(' ')}"`, helpHint(path));
  }
  const [unexpected] = words;
  if (unexpected === undefined) return values;
  // The subcommands that a command had are arguments now.
  const former = [...path.slice(1), line.find((word) => !word.startsWith('-'))].join(' ');
  const successor = successorOf('command', former);
  if (successor !== null) throw usageError(`The command "${former}" no longer exists`, successor);
  throw usageError(`Unexpected argument "${unexpected}"`, helpHint(path));
}

/** The switch that `--no-name` turns off. @throws USAGE for anything else, which no command has */
function readNegation(name: string, typed: string, { command, path }: Place): string {
  const negated = name.replace(/^no-/, '');
  const isSwitch = Object.hasOwn(command.options, negated) && command.options[negated]?.type === 'boolean';
  if (isSwitch && typed === `--no-${negated}`) return negated;
  if (Object.hasOwn(command.options, negated))
    throw usageError(`Unknown option --${name}`, 'only a switch can be turned off');
  const successor = successorOf('flag', name) ?? successorOf('flag', `${path[1]} ${name}`);
  if (successor !== null) throw usageError(`The option --${name} no longer exists`, successor);
  const shown = typed.startsWith('--') ? `--${name}` : typed;
  const known = ['help', 'version', ...Object.keys(command.options)];
  throw unknownName(
    `Unknown option ${shown}`,
    shown.replace(/^--?(?:no-)?/, ''),
    known,
    (near) => `--${near}`,
    helpHint(path),
  );
}

/** The value of a flag, with a number as a number. @throws USAGE */
function readValue(
  name: string,
  { type, choices }: Option,
  { value, inlineValue }: { readonly value?: string | undefined; readonly inlineValue?: boolean | undefined },
): string | number | boolean {
  if (type === 'boolean') {
    if (value === undefined || value === 'true' || value === 'false') return value !== 'false';
    throw usageError(`--${name} takes no value`, `use --${name} or --no-${name}`);
  }
  const number = Number(value);
  const isMissing = value === undefined || (type === 'number' && (value === '' || Number.isNaN(number)));
  const isFlag = !inlineValue && type !== 'number' && /^-./.test(value ?? '');
  if (isMissing || isFlag)
    throw usageError(`--${name} needs a ${type === 'number' ? type : 'value'}`, `use --${name} VALUE`);
  if (type === 'number') return number;
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
  const successor = successorOf('command', [...path.slice(1), typed].join(' '));
  if (successor !== null) return usageError(`The command "${typed}" no longer exists`, successor);
  const sentence = `Unknown command "${typed}"`;
  // Other generators take the folder as their only word.
  if (path.length === 1 && existsSync(typed))
    return usageError(sentence, `to publish the folder, run lectern build ${typed}`);
  return unknownName(sentence, typed, command.commands.map(nameOf), (near) => `"${near}"`, helpHint(path));
}

/** Where the command that was typed is described. */
function helpHint(path: readonly string[]): string {
  return path.length === 1 ? 'lectern --help lists the commands' : `run ${path.join(' ')} --help`;
}

function listNames(rows: readonly CommandRow[]): string {
  const names = rows.map(nameOf);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
