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

/** What a command takes and does; its name and description are in its row, so that help needs no more than that. */
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
export interface CommandRow {
  /** Name and words after it: `<must>` or `[may]` be given, `<must..>` once or more. */
  readonly usage: string;
  readonly describe: string;
  load(): Command | Promise<Command>;
}

/** What a command's `run` is given: every flag and word under its name. */
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
    // What the parser gives has the values that the options declare.
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

/** A command line that is not understood: USAGE, exit code 2. */
export function usageError(
  message: string,
  hint = 'lectern --help lists the commands, lectern <command> --help lists the flags of a command',
): LecternError {
  return new LecternError('USAGE', message, { hint, exitCode: 2 });
}

/** The same for a name that does not exist, with the one that was probably meant, which `show` writes as it is typed. */
export function unknownName(
  message: string,
  typed: string,
  known: Iterable<string>,
  show: (name: string) => string,
): LecternError {
  const near = nearestName(typed, known);
  return near === null ? usageError(message) : usageError(message, `did you mean ${show(near)}?`);
}
