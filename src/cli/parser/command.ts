import { nearestName } from '../../config/nearest-name.ts';
import { LecternError } from '../../foundation/errors.ts';

/** One flag of a command. A boolean is a switch: `--name`, or `--no-name` to turn it off. */
interface Option {
  readonly type: 'string' | 'number' | 'boolean';
  readonly describe: string;
  /** Its value when it is not given; without one it is `undefined`. */
  readonly default?: string | number | boolean;
  /** The only values a string may have. */
  readonly choices?: readonly string[];
  /** Heading in the help; "Options:" without one. */
  readonly group?: string;
}

/** One word after the command; which words there are, and which must be given, its usage says. */
interface Positional {
  readonly describe: string;
  /** One word or more; its usage ends in `..`, as in `<name..>`. */
  readonly isList?: true;
}

export type Options = Readonly<Record<string, Option>>;
type Positionals = Readonly<Record<string, Positional>>;

/** Options and action of a command; name and description are in its row, so that help needs nothing else. */
export interface Command {
  readonly positionals: Positionals;
  readonly options: Options;
  readonly examples: readonly Example[];
  readonly epilogue: string | null;
  /** Commands inside this one, which then does nothing of its own. */
  readonly commands: readonly CommandRow[];
  run(values: Readonly<Record<string, unknown>>): Promise<void> | void;
}

type Example = readonly [commandLine: string, describe: string];

/** One line of the list of commands. */
interface CommandRow {
  /** Name and words after it: `<must>` or `[may]` be given, `<must..>` once or more. */
  readonly usage: string;
  readonly describe: string;
  load(): Command | Promise<Command>;
}

/** Arguments of a command's `run`: every flag and word by name. */
type Values<O extends Options, P extends Positionals> = {
  readonly [Name in keyof O]: ValueOf<O[Name]> | AbsentOf<O[Name]>;
} & { readonly [Name in keyof P]: P[Name] extends { readonly isList: true } ? readonly string[] : string };

/** Describes a command that runs something; the types of what it is given follow from its flags. */
export function defineCommand<const O extends Options, const P extends Positionals = Positionals>(command: {
  readonly positionals?: P;
  readonly options: O;
  readonly examples?: readonly Example[];
  readonly epilogue?: string;
  run(values: Values<O, P>): Promise<void> | void;
}): Command {
  return {
    positionals: command.positionals ?? {},
    options: command.options,
    examples: command.examples ?? [],
    epilogue: command.epilogue ?? null,
    commands: [],
    // The parser returns the values that the options declare.
    run: (values) => command.run(values as unknown as Values<O, P>),
  };
}

/** Describes a command that only holds others. */
export function defineGroup(commands: readonly CommandRow[], examples: readonly Example[]): Command {
  return { positionals: {}, options: {}, examples, epilogue: null, commands, run: () => {} };
}

type ValueOf<O extends Option> = O extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : { string: string; number: number; boolean: boolean }[O['type']];

type AbsentOf<O extends Option> = O extends { readonly default: string | number | boolean }
  ? never
  : undefined;

/** The error for a wrong command line: USAGE, exit code 2. */
export function usageError(
  message: string,
  hint = 'lectern --help lists the commands, lectern <command> --help lists the flags of a command',
): LecternError {
  return new LecternError('USAGE', message, { hint, exitCode: 2 });
}

/** The same for a name that does not exist, with the most similar one, which `show` writes as it is typed. */
export function unknownName(
  message: string,
  typed: string,
  known: Iterable<string>,
  show: (name: string) => string,
): LecternError {
  const near = nearestName(typed, known);
  return near === null ? usageError(message) : usageError(message, `did you mean ${show(near)}?`);
}

/** The command a command line names. */
export interface FoundCommand {
  /** Names from the program's on: `lectern`, `article`, `list`. */
  readonly path: readonly string[];
  /** Its row; `null` for the program itself. */
  readonly row: CommandRow | null;
  readonly command: Command;
  /** The command line without those names. */
  readonly args: readonly string[];
}

/**
 * Follows the names at the front of a command line to the command they mean, and loads it and no other. Flags may come
 * before a name. Where none is named, it is the program itself or the group.
 * @throws USAGE for a command that does not exist
 */
export async function findCommand(
  program: string,
  root: Command,
  argv: readonly string[],
): Promise<FoundCommand> {
  let found: FoundCommand = { path: [program], row: null, command: root, args: argv };
  for (;;) {
    const { path, command, args } = found;
    const at = findName(args, command.commands);
    if (at === null) return found;
    const name = args[at] as string;
    const row = command.commands.find((row) => nameOf(row) === name);
    if (row === undefined) {
      const known = command.commands.map(nameOf);
      throw unknownName(`Unknown command "${name}"`, name, known, (near) => `"${near}"`);
    }
    found = {
      path: [...path, name],
      row,
      command: await row.load(),
      args: [...args.slice(0, at), ...args.slice(at + 1)],
    };
  }
}

/** The name a row's usage begins with. */
export function nameOf({ usage }: CommandRow): string {
  return usage.split(' ', 1)[0] as string;
}

/** The words a row's usage has after the name: `<must>` or `[may]` be given. */
export function wordsOf({ usage }: CommandRow): string {
  return usage.split(' ').slice(1).join(' ');
}

/** A dash alone means stdin, and a number may be negative. */
export function isFlag(arg: string): boolean {
  return /^-[^\d]/.test(arg);
}

/** The first word; behind a flag, whose value it may be, the first that is a name. */
function findName(args: readonly string[], rows: readonly CommandRow[]): number | null {
  if (rows.length === 0) return null;
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const words = [...args.keys()].filter((at) => at < end && !isFlag(args[at] as string));
  const [first] = words;
  if (first === undefined) return null;
  if (first === 0) return first;
  return words.find((at) => rows.some((row) => nameOf(row) === args[at])) ?? first;
}
