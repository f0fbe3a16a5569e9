import yargs, { type Argv } from 'yargs';
import type { LecternError } from '../../foundation/errors.ts';
import type { UnknownRecord } from '../../foundation/unknown-record.ts';
import {
  type Command,
  type FoundCommand,
  findCommand,
  isFlag,
  nameOf,
  type Options,
  unknownName,
  usageError,
  wordsOf,
} from './command.ts';

/**
 * Parses the flags and words of a command line with yargs.
 * @returns flags and words by name: those given, and those with a default
 * @throws USAGE for anything unknown or invalid
 */
export async function parseValues(found: FoundCommand): Promise<UnknownRecord> {
  const words = refuseMistakes(found);
  const { args, command } = found;
  const read: UnknownRecord = await createParser(found, null).parseAsync(markWords(args));
  const values: Record<string, unknown> = {};
  for (const [at, [name, { isList }]] of Object.entries(command.positionals).entries()) {
    const word = read[name];
    // yargs uses the last of several.
    if (isList) values[name] = words.slice(at);
    else if (typeof word === 'string') values[name] = unmark(word);
  }
  for (const [name, option] of Object.entries(command.options)) {
    const value = read[name];
    if (value === undefined) continue;
    if (option.type === 'boolean') refuseValue(name, args);
    else if (countFlag(name, args) > 1) throw usageError(`--${name} is given more than once`, 'pass it once');
    else if (option.type === 'number' && !isNumber(value, name, args))
      throw missingValue(name, command.options);
    values[name] = value;
  }
  return values;
}

/** Counts a flag, because yargs uses the last of several. */
function countFlag(name: string, args: readonly string[]): number {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.slice(0, end).filter((arg) => inKebabCase(arg.replace(/=.*/s, '')) === `--${name}`).length;
}

/** yargs reads an empty value as 0. */
function isNumber(value: unknown, name: string, args: readonly string[]): boolean {
  return typeof value === 'number' && !Number.isNaN(value) && !args.includes(`--${name}=`);
}

/** yargs reads `--switch=anything` as "off". */
function refuseValue(name: string, args: readonly string[]): void {
  const given = args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  if (given === undefined || given === 'true' || given === 'false') return;
  throw usageError(`--${name} takes no value`, `use --${name} or --no-${name}`);
}

/** A character that command lines cannot contain. Before a word, it prevents yargs from reading the word as a flag. */
const mark = '\0';

/** Replaces `--`: a flag that every command accepts and that has no effect. */
const endOfFlags = '--no-version';

/**
 * Turns the arguments after `--` into plain words. yargs alone would not pass them to a command as words, and reads words twice, the second
 * time with those that start with a dash as flags.
 */
function markWords(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  if (end === -1) return [...args];
  const words = args.slice(end + 1).map((word) => (isFlag(word) ? `${mark}${word}` : word));
  return [...args.slice(0, end), endOfFlags, ...words];
}

/** The text without marks. */
function unmark(text: string): string {
  return text.replaceAll(mark, '');
}

/**
 * Checks the flags and the number of words of a command line before yargs reads their values, because yargs' own messages are fixed English
 * sentences that may change.
 * @returns the words, without flags and their values
 * @throws USAGE for the first error, with the wrong word and the most similar name
 */
function refuseMistakes(found: FoundCommand): readonly string[] {
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

/** Checks a flag. Returns whether the next argument is its value. */
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

/** @param name as declared */
function missingValue(name: string, options: Options): LecternError {
  const kind = options[name]?.type === 'number' ? 'number' : 'value';
  return usageError(`--${name} needs a ${kind}`, `use --${name} VALUE`);
}

/** The declared form of a flag: `--baseUrl` → `--base-url`. */
function inKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * Configures yargs for one command or group.
 * @param helpWidth columns of the requested help; `null`: no help is requested, and `help` is an ordinary word
 * @throws (when parsing) USAGE for errors that `refuseMistakes` did not find, exit code 2
 */
export function createParser(found: FoundCommand, helpWidth: number | null): Argv {
  const { path, row, command } = found;
  const { options, positionals, commands, examples, epilogue } = command;
  const describe = row?.describe ?? 'Publishes a help centre as a static site and a chatbot feed.';
  const words = row === null ? '<command>' : wordsOf(row);
  const parser = yargs([])
    .locale('en')
    .scriptName(path.join(' '))
    .usage(`${['$0', words].join(' ').trim()}\n\n${describe}`)
    .version('version', 'Show version number', '')
    .help()
    .alias('help', 'h')
    .parserConfiguration({
      'dot-notation': false,
      'duplicate-arguments-array': false,
      'parse-positional-numbers': false,
    })
    .wrap(helpWidth)
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      throw message === null ? error : usageError(message);
    });
  if (helpWidth === null) parser.help(false);
  for (const [name, option] of Object.entries(options)) {
    const { type, ...rest } = option;
    // The help shows choices instead of the type.
    parser.option(name, { ...(rest.choices === undefined ? option : rest), requiresArg: type !== 'boolean' });
  }
  for (const [line, describe] of examples) parser.example(line, describe);
  if (epilogue !== null) parser.epilogue(epilogue);
  if (commands.length > 0) {
    for (const { usage, describe } of commands) parser.command(usage, describe);
    return parser;
  }
  return parser.command(`$0 ${words}`.trim(), false, (inner) => {
    for (const [name, { describe }] of Object.entries(positionals)) {
      inner.positional(name, { type: 'string', describe });
      if (words.includes(`<${name}>`) || words.includes(`<${name}..>`)) inner.demandOption(name);
    }
    return inner;
  });
}

/**
 * Completions for an incomplete command line: commands, flags, and the values of a flag that has few. The shell filters them by the start
 * of the last word.
 * @param words the line without the program's name; the last word is the incomplete one, and may be empty
 */
export async function complete(
  program: string,
  root: Command,
  words: readonly string[],
): Promise<readonly string[]> {
  try {
    const found = await findCommand(program, root, words.slice(0, -1));
    const parser = createParser(found, 80);
    return await parser.getCompletion([...found.args, words.at(-1) ?? '']);
  } catch {
    // No completions for a line that cannot be parsed.
    return [];
  }
}

/** Prints the script that makes the user's shell ask the program for completions. */
export function printCompletionScript(program: string): void {
  yargs([]).scriptName(program).showCompletionScript();
}
