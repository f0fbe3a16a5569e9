import { type Command, type CommandRow, nameOf } from './command.ts';

/**
 * Completions for an incomplete command line: commands, flags, and the values of a flag that has few. The shell filters them by the start
 * of the last word.
 * @param rows the commands of the program
 * @param words the line without the program's name; the last word is the incomplete one, and may be empty
 */
export async function complete(
  rows: readonly CommandRow[],
  words: readonly string[],
): Promise<readonly string[]> {
  let command: Command | null = null;
  let names = rows;
  for (const word of words.slice(0, -1)) {
    if (names.length === 0 || word.startsWith('-')) continue;
    const row = names.find((each) => nameOf(each) === word);
    if (row === undefined) return [];
    command = await row.load();
    names = command.commands;
  }
  const options = command?.options ?? {};
  const choices = options[words.at(-2)?.replace(/^--/, '') ?? '']?.choices;
  if (choices !== undefined) return choices;
  if (!words.at(-1)?.startsWith('-')) return names.map(nameOf);
  const flags = Object.keys(options).map((name) => `--${name}`);
  return ['--help', '--version', ...flags].filter((flag) => !words.includes(flag));
}
