import { isFlag } from './find-command.ts';

/** No command line can hold this sign; before a word it keeps yargs from reading it as a flag. */
const mark = '\0';

/** Stands where two dashes stood: a flag that every command takes and that says nothing. */
const endOfFlags = '--no-version';

/**
 * Makes what follows two dashes plain words. yargs alone would not hand them to a command that asks for words, and reads
 * words twice, those with a dash as flags the second time.
 */
export function markWords(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  if (end === -1) return [...args];
  const words = args.slice(end + 1).map((word) => (isFlag(word) ? `${mark}${word}` : word));
  return [...args.slice(0, end), endOfFlags, ...words];
}

/** The text as it was typed. */
export function unmark(text: string): string {
  return text.replaceAll(mark, '');
}
