import { createParser } from './create-parser.ts';
import { type FoundCommand, isFlag } from './find-command.ts';
import { inKebabCase, missingValue, refuseMistakes } from './refuse-mistakes.ts';
import { usageError } from './usage-error.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Lets yargs read the flags and words of a command line.
 * @returns flags and words by name: those given, and those with a default
 * @throws USAGE for anything that is not understood
 */
export async function parseValues(found: FoundCommand): Promise<Values> {
  const words = refuseMistakes(found);
  const { args, command } = found;
  const read: Values = await createParser(found, null).parseAsync(markWords(args));
  const values: Record<string, unknown> = {};
  for (const [at, [name, { isList }]] of Object.entries(command.positionals).entries()) {
    const word = read[name];
    // yargs takes the last of several.
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

/** How often a flag is given; yargs takes the last of several. */
function countFlag(name: string, args: readonly string[]): number {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.slice(0, end).filter((arg) => inKebabCase(arg.replace(/=.*/s, '')) === `--${name}`).length;
}

/** yargs reads nothing as 0. */
function isNumber(value: unknown, name: string, args: readonly string[]): boolean {
  return typeof value === 'number' && !Number.isNaN(value) && !args.includes(`--${name}=`);
}

/** yargs reads `--switch=anything` as "off". */
function refuseValue(name: string, args: readonly string[]): void {
  const given = args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  if (given === undefined || given === 'true' || given === 'false') return;
  throw usageError(`--${name} takes no value`, `use --${name} or --no-${name}`);
}

/** No command line can hold this sign; before a word it keeps yargs from reading it as a flag. */
const mark = '\0';

/** Replaces `--`: a flag that every command accepts and that has no effect. */
const endOfFlags = '--no-version';

/**
 * Makes what follows two dashes plain words. yargs alone would not hand them to a command that asks for words, and reads
 * words twice, those with a dash as flags the second time.
 */
function markWords(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  if (end === -1) return [...args];
  const words = args.slice(end + 1).map((word) => (isFlag(word) ? `${mark}${word}` : word));
  return [...args.slice(0, end), endOfFlags, ...words];
}

/** The text as it was typed. */
function unmark(text: string): string {
  return text.replaceAll(mark, '');
}
