import { nearestName } from '../core/config/nearest-name.ts';
import { LecternError } from '../core/errors.ts';

/** A flag of a command. A boolean flag is a switch: `--name`, or `--no-name` to turn it off. */
export interface Option {
  readonly type: 'string' | 'number' | 'boolean';
  readonly describe: string;
  /** Value if the flag is not given; without a default it is `undefined`. */
  readonly default?: string | number | boolean;
  /** The allowed values of a string. */
  readonly choices?: readonly string[];
  /** Whether it may be given several times; then its value is a list. */
  readonly isList?: true;
  /** Heading in the help; absent: "Options:". */
  readonly group?: string;
}

/** A word after the command. The usage shows which words exist, which are required, and which takes one or more (`<name..>`). */
interface Positional {
  readonly describe: string;
  /** Whether its usage ends in `..`; then its value is a list. */
  readonly isList?: true;
}

/**
 * What a reader types to run this program. A package manager that runs it sets variables; then the shell cannot find the program by its bare name.
 */
export function lecternCommand(): string {
  const { npm_command, npm_config_user_agent = '' } = process.env;
  const [manager] = /^(?:pnpm|yarn)(?=\/)/.exec(npm_config_user_agent) ?? [];
  if (manager !== undefined) return `${manager} lectern`;
  return npm_command ? 'npx lectern' : 'lectern';
}

type Options = Readonly<Record<string, Option>>;
type Positionals = Readonly<Record<string, Positional>>;

/** Options and action of a command. Its row has name and description, so that help needs nothing else. */
export interface Command {
  readonly positionals: Positionals;
  readonly options: Options;
  readonly examples: readonly Example[];
  readonly epilogue: string | null;
  /** Subcommands; a command with subcommands has no action. */
  readonly commands: readonly CommandRow[];
  run(values: Readonly<Record<string, unknown>>): Promise<void> | void;
}

export type Example = readonly [commandLine: string, describe: string];

/** One line of the list of commands. */
export interface CommandRow {
  /** Name and words: `<required>`, `[optional]`, `<once or more..>`. */
  readonly usage: string;
  readonly describe: string;
  load(): Command | Promise<Command>;
}

/** The command that the first words of a line name. */
export interface Place {
  /** Names from the program to the command: `lectern`, `kb`, `search`. */
  readonly path: readonly string[];
  readonly row: CommandRow;
  readonly command: Command;
  /** The group that has the command; `null` for the program. */
  readonly group: Place | null;
}

/** Values of flags by name. */
export type FlagValues<O extends Options> = {
  readonly [Name in keyof O]: ValueOf<O[Name]> | AbsentOf<O[Name]>;
};

/** Arguments of a command's `run`: all flags and words by name. */
type CommandValues<O extends Options, P extends Positionals> = FlagValues<O> & {
  readonly [Name in keyof P]: P[Name] extends { readonly isList: true } ? readonly string[] : string;
};

/** Defines a command with an action; its flags determine the types of the arguments. */
export function defineCommand<const O extends Options, const P extends Positionals = Positionals>(command: {
  readonly positionals?: P;
  readonly options: O;
  readonly examples?: readonly Example[];
  readonly epilogue?: string;
  run(values: CommandValues<O, P>): Promise<void> | void;
}): Command {
  return {
    positionals: command.positionals ?? {},
    options: command.options,
    examples: command.examples ?? [],
    epilogue: command.epilogue ?? null,
    commands: [],
    // The parser returns the values that the options declare.
    run: (values) => command.run(values as unknown as CommandValues<O, P>),
  };
}

/** Defines a command that only has subcommands, which its help shows on one page. */
export function defineGroup(commands: readonly CommandRow[]): Command {
  return { positionals: {}, options: {}, examples: [], epilogue: null, commands, run: () => {} };
}

type ValueOf<O extends Option> = O extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : { string: string; number: number; boolean: boolean }[O['type']];

type AbsentOf<O extends Option> = O extends { readonly default: string | number | boolean }
  ? never
  : undefined;

/** The error for a wrong command line: USAGE, exit code 2. */
export function usageError(message: string, hint: string): LecternError {
  return new LecternError('USAGE', message, { hint });
}

/** The error for an unknown name, with the most similar one, formatted by `show`, or `otherwise`. */
export function unknownName(
  message: string,
  typed: string,
  known: Iterable<string>,
  show: (name: string) => string,
  otherwise: string,
): LecternError {
  const near = nearestName(typed, known);
  return usageError(message, near === null ? otherwise : `did you mean ${show(near)}?`);
}

/** The name at the start of a row's usage. */
export function nameOf({ usage }: CommandRow): string {
  return usage.split(' ', 1)[0] as string;
}
