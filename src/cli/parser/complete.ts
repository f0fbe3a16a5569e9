import yargs from 'yargs';
import type { Command } from './command.ts';
import { createParser } from './create-parser.ts';
import { findCommand } from './find-command.ts';

/**
 * What yargs offers for a command line that is being typed: commands, flags, and the values of a flag that has a few.
 * Which of them begin like the last word, the shell finds out.
 * @param words the line without the program's name, its last word being the one that is typed, empty where none is yet
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
    // There is nothing to offer for a line that cannot be understood.
    return [];
  }
}

/** Prints the script that makes the user's shell ask the program what may come next. */
export function printCompletionScript(program: string): void {
  yargs([]).scriptName(program).showCompletionScript();
}
