import { createParser } from './create-parser.ts';
import { missingValue, unknownFlag } from './explain-complaint.ts';
import type { FoundCommand } from './find-command.ts';
import { markWords, unmark } from './mark-words.ts';
import { usageError } from './usage-error.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Lets yargs read the flags and words of a command line.
 * @returns flags and words by name: those given, and those with a default
 * @throws USAGE for anything that is not understood
 */
export async function parseValues(found: FoundCommand): Promise<Values> {
  const { args, command } = found;
  const read: Values = await createParser(found, null).parseAsync(markWords(args));
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(command.positionals)) {
    const word = read[name];
    if (typeof word === 'string') values[name] = unmark(word);
  }
  for (const [name, option] of Object.entries(command.options)) {
    const given = read[name];
    if (given === undefined) continue;
    // yargs gives the values of a repeated flag in a list. The last switch counts; of values none can be chosen.
    if (Array.isArray(given) && option.type !== 'boolean') {
      throw usageError(`--${name} is given ${given.length} times`, 'give it once');
    }
    const value: unknown = Array.isArray(given) ? given.at(-1) : given;
    if (option.type === 'boolean') refuseValue(name, args);
    // yargs takes the opposite of every flag for one, even of a flag that has no opposite.
    else if (typeof value === 'boolean') throw unknownFlag(`--${name}`, command.options);
    else if (option.type === 'number' && !isNumber(value, name, args))
      throw missingValue(name, command.options);
    values[name] = value;
  }
  return values;
}

/** yargs reads nothing as 0. */
function isNumber(value: unknown, name: string, args: readonly string[]): boolean {
  return typeof value === 'number' && !Number.isNaN(value) && !args.includes(`--${name}=`);
}

/** yargs reads `--switch=anything` as "off". */
function refuseValue(name: string, args: readonly string[]): void {
  const given = args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  if (given === undefined || given === 'true' || given === 'false') return;
  throw usageError(`--${name} takes no value`, `give it as --${name} or --no-${name}`);
}
