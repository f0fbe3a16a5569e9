import { existsSync } from 'node:fs';
// yargs parses and checks command lines, prints help and completes in shells.
import yargs, { type Argv, type Options as YargsOptions } from 'yargs';
import { successorOf } from '../core/config/removed-names.ts';
import type { LecternError } from '../core/errors.ts';
import { type Command, type CommandRow, nameOf, type Option, unknownName, usageError } from './command.ts';
import { wrapText } from './wrap-text.ts';

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
 * Reads a command line with yargs, and loads only the command that it names.
 * @param width columns of the help
 * @throws USAGE (exit 2) for anything unknown, missing or invalid, with the most similar name
 */
export async function parseCommandLine(
  program: Program,
  argv: readonly string[],
  width: number,
): Promise<ParsedLine> {
  const line = argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
  if (line.includes('--')) {
    throw usageError(
      'Unexpected argument "--"',
      'write flags and words without it, and ./-x for the file -x',
    );
  }
  const reading = createReading(program, line);
  // Only then, because yargs would also take a word "help", such as a search for it, as a request for help.
  const asksForHelp = line.some((arg) => arg === '--help' || arg === '-h');
  if (asksForHelp) reading.parser.help('help').alias('help', 'h').hide('help').wrap(width);
  let text = '';
  const parsing = reading.parser.parseAsync(line, {}, (_error, _values, output) => {
    text = output;
  });
  const { _: words } = await parsing.catch((error: unknown) => {
    const isFault = error instanceof Error && error.name === 'YError';
    throw isFault ? explain(error.message, reading.at, line) : error;
  });
  const { at, values } = reading;
  if (!asksForHelp) return { kind: 'run', command: at.command, values: convert(values, line, at.command) };
  const unknown = words[at.path.length - 1];
  if (at.command.commands.length > 0 && unknown !== undefined) throw unknownCommand(`${unknown}`, at);
  return {
    kind: 'help',
    text: at.path.length === 1 ? program.overview : completeHelp(text, at.command, width),
  };
}

/** Adds the examples, which yargs would break into narrow columns. */
function completeHelp(text: string, { examples }: Command, width: number): string {
  const lines = examples.flatMap(([line, describe]) => [
    `  ${line}`,
    ...wrapText(describe, width - 6).map((part) => `      ${part}`),
  ]);
  return `${[text.replaceAll(/ +\[required\]/g, '').trimEnd(), '', 'Examples:', ...lines].join('\n')}\n`;
}

/** Prints the script that makes the user's shell ask the program for completions. */
export function printCompletionScript(name: string): void {
  yargs([]).scriptName(name).showCompletionScript();
}

/** The command that the words of the line have named so far. */
interface Place {
  /** Names from the program to the command: `lectern`, `kb`, `search`. */
  readonly path: readonly string[];
  readonly usage: string;
  readonly command: Command;
}

interface LineReading {
  readonly parser: Argv;
  at: Place;
  values: Readonly<Record<string, unknown>>;
}

function createReading({ name, commands }: Program, line: readonly string[]): LineReading {
  const root: Command = {
    ...{ positionals: {}, options: {}, examples: [], epilogue: null, commands },
    run: () => {},
  };
  const parser = yargs([])
    .scriptName(name)
    .locale('en')
    .version(false)
    .help(false)
    .exitProcess(false)
    .updateStrings({ 'Positionals:': 'Arguments:' })
    .parserConfiguration({
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-positional-numbers': false,
    })
    .fail((message: string | null, error: Error | undefined) => {
      throw message === null || error !== undefined ? error : explain(message, reading.at, line);
    });
  const reading: LineReading = { parser, at: { path: [name], usage: '', command: root }, values: {} };
  configure(parser, reading, false);
  return reading;
}

/** Gives the parser flags, words and subcommands of the command at `reading.at`. */
function configure(parser: Argv, reading: LineReading, isHelp: boolean): Argv {
  const { path, command } = reading.at;
  const { options, positionals, epilogue, commands } = command;
  for (const [name, option] of Object.entries(options)) {
    parser.option(name, isHelp ? describeOption(option) : readOption(option));
  }
  for (const [name, { describe, isList }] of Object.entries(positionals)) {
    parser.positional(name, isHelp ? { describe } : { type: 'string', array: isList ?? false });
  }
  if (epilogue !== null) parser.epilogue(epilogue);
  for (const row of commands) {
    const enter = (inner: Argv, isHelp: boolean, loaded: Command): Argv => {
      reading.at = { path: [...path, nameOf(row)], usage: row.usage, command: loaded };
      return configure(inner, reading, isHelp);
    };
    parser.command(
      row.usage,
      row.describe,
      (inner: Argv, isHelp = false) => {
        const loaded = row.load();
        return loaded instanceof Promise
          ? loaded.then((command) => enter(inner, isHelp, command))
          : enter(inner, isHelp, loaded);
      },
      (values) => {
        reading.values = values;
      },
    );
  }
  return commands.length > 0 ? parser.strictOptions().strictCommands().demandCommand(1) : parser.strict();
}

/** What the help shows of a flag: no type, and its default and values in words. */
function describeOption({ describe, group, choices = [], default: value }: Option): YargsOptions {
  const values = choices.length === 0 ? '' : `: ${choices.join(', ')}`;
  const otherwise = value === undefined || value === false ? '' : ` (default ${value})`;
  return { describe: describe + values + otherwise, ...(group === undefined ? {} : { group }) };
}

/** Numbers are read as text: yargs takes an empty value for 0, and what is no number for NaN. */
function readOption({ type, choices, default: value }: Option): YargsOptions {
  return {
    ...(choices === undefined ? {} : { choices }),
    ...(value === undefined ? {} : { default: value }),
    ...(type === 'boolean' ? { type } : { type: 'string', requiresArg: true }),
  };
}

/**
 * The values that the command declares, with numbers as numbers.
 * @throws USAGE for what yargs accepts although it cannot be meant
 */
function convert(
  read: ParsedValues,
  line: readonly string[],
  { options, positionals }: Command,
): ParsedValues {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(positionals)) if (read[name] !== undefined) values[name] = read[name];
  for (const [name, { type, isList }] of Object.entries(options)) {
    const value = read[name];
    if (value === undefined) continue;
    if (type === 'boolean') {
      refuseSwitchValue(name, line);
      values[name] = Array.isArray(value) ? value.at(-1) : value;
      continue;
    }
    if (isList) {
      values[name] = [value].flat();
      continue;
    }
    if (Array.isArray(value)) throw usageError(`--${name} is given more than once`, 'pass it once');
    if (value === false) throw usageError(`Unknown option --no-${name}`, 'only a switch can be turned off');
    if (type === 'number' && (value === '' || Number.isNaN(Number(value)))) throw missingValue(name, type);
    values[name] = type === 'number' ? Number(value) : value;
  }
  return values;
}

/** yargs reads `--switch=anything` as "off". */
function refuseSwitchValue(name: string, line: readonly string[]): void {
  const given = line.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  if (given === undefined || given === 'true' || given === 'false') return;
  throw usageError(`--${name} takes no value`, `use --${name} or --no-${name}`);
}

/** Turns a message of yargs into our error, with the most similar name. */
function explain(message: string, at: Place, line: readonly string[]): LecternError {
  const { command, path, usage } = at;
  const [, names = ''] = /^Unknown (?:argument|command)s?: (.*)$/s.exec(message) ?? [];
  const unknown = names.split(', ', 1)[0] ?? '';
  const takesCommand = command.commands.length > 0;
  if (message.startsWith('Unknown command') && takesCommand) return unknownCommand(unknown, at);
  if (unknown !== '') {
    const typed = line.find((arg) => isFlagNamed(unknown, arg));
    if (typed === undefined && line.includes(unknown)) {
      // The subcommands that a command had are arguments now.
      const words = line.filter((arg) => !arg.startsWith('-')).slice(0, path.length);
      const former = successorOf('command', words.join(' '));
      if (former !== null) return usageError(`The command "${words.join(' ')}" no longer exists`, former);
      return usageError(`Unexpected argument "${unknown}"`, helpHint(path));
    }
    const successor = successorOf('flag', unknown) ?? successorOf('flag', `${path[1]} ${unknown}`);
    if (successor !== null) return usageError(`The option --${unknown} no longer exists`, successor);
    const isShort = typed !== undefined && !typed.startsWith('--');
    const known = ['help', 'version', ...Object.keys(command.options)];
    return unknownName(
      `Unknown option ${isShort ? typed : `--${unknown}`}`,
      isShort ? typed.slice(1) : unknown,
      known,
      (near) => `--${near}`,
      helpHint(path),
    );
  }
  const [, flag] = /^Not enough arguments following: (.*)$/.exec(message) ?? [];
  if (flag !== undefined) return missingValue(flag, command.options[flag]?.type);
  const [, name = '', given = ''] =
    /^Invalid values:\s+Argument: (\S+), Given: "(.*)", Choices/s.exec(message) ?? [];
  const { choices } = command.options[name] ?? {};
  if (choices !== undefined) {
    const shown = choices.map((choice) => JSON.stringify(choice)).join(', ');
    const sentence = `--${name} must be one of ${shown}, not ${JSON.stringify(given)}`;
    return unknownName(sentence, given, choices, (near) => JSON.stringify(near), helpHint(path));
  }
  if (takesCommand) {
    if (path.length === 1) return usageError('No command given', helpHint(path));
    return usageError(`Missing subcommand: ${listNames(command.commands)}`, helpHint(path));
  }
  const [, words] = /^Not enough non-option arguments: got (\d+)/.exec(message) ?? [];
  if (words === undefined) return usageError(message, helpHint(path));
  const missing = usage.split(' ')[Number(words) + 1] ?? '';
  return usageError(`Missing argument ${missing} after "${path.slice(1).join(' ')}"`, helpHint(path));
}

/** Whether an argument is the flag of a name; yargs reads the letters after one dash as one flag each. */
function isFlagNamed(name: string, arg: string): boolean {
  if (/^-[^-]/.test(arg)) return name.length === 1 && arg.includes(name);
  return arg.replace(/=.*/s, '').replace(/^--(?:no-)?/, '--') === `--${name}`;
}

function unknownCommand(typed: string, { path, command }: Place): LecternError {
  const successor = successorOf('command', [...path.slice(1), typed].join(' '));
  if (successor !== null) return usageError(`The command "${typed}" no longer exists`, successor);
  const known = command.commands.map(nameOf);
  // Other generators take the folder as their only word.
  const isFolder = path.length === 1 && existsSync(typed);
  const sentence = `Unknown command "${typed}"`;
  if (isFolder) return usageError(sentence, `to publish the folder, run lectern build ${typed}`);
  return unknownName(sentence, typed, known, (near) => `"${near}"`, helpHint(path));
}

/** Where the command that was typed is described. */
function helpHint(path: readonly string[]): string {
  return path.length === 1 ? 'lectern --help lists the commands' : `run ${path.join(' ')} --help`;
}

function listNames(rows: readonly CommandRow[]): string {
  const names = rows.map(nameOf);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function missingValue(name: string, type: Option['type'] | undefined): LecternError {
  return usageError(`--${name} needs a ${type === 'number' ? 'number' : 'value'}`, `use --${name} VALUE`);
}
