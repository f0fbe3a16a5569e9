import type { Command, CommandRow } from './command.ts';
import { unknownName } from './command.ts';

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
