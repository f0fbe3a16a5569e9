import type { Command } from './command.ts';
import { findCommand, nameOf } from './find-command.ts';

/**
 * What may stand at the end of a command line that is being typed: flags after a dash, the values of a flag that has a
 * few, else the names of commands. Which of them begin like the last word, the shell finds out.
 * @param words the line without the program's name, its last word being the one that is typed, empty where none is yet
 */
export async function complete(
  program: string,
  root: Command,
  words: readonly string[],
): Promise<readonly string[]> {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  try {
    const { command } = await findCommand(program, root, before);
    const choices = command.options[before.at(-1)?.replace(/^--/, '') ?? '']?.choices;
    if (choices !== undefined) return choices;
    if (!current.startsWith('-')) return command.commands.map(nameOf);
    const isGiven = (name: string): boolean => before.some((word) => word.split('=', 1)[0] === name);
    return ['version', 'help', ...Object.keys(command.options)]
      .map((name) => `--${name}`)
      .filter((name) => !isGiven(name));
  } catch {
    // There is nothing to offer for a line that cannot be understood.
    return [];
  }
}
