import type { Option, Options } from './command.ts';
import { unknownName, usageError } from './usage-error.ts';

/** A command line in its parts. */
export interface ReadFlags {
  /** Flags by name: those given, and those with a default. */
  readonly values: Readonly<Record<string, string | number | boolean>>;
  /** Everything else, in order. */
  readonly words: readonly string[];
}

/**
 * Takes a command line apart: `--name value`, `--name=value`, `--switch`, `--no-switch`; of a flag given twice the last
 * one counts, and after `--` everything is a word. A name may be in camel case, as in the configuration file.
 * @throws USAGE for a flag that does not exist, has no value or a wrong one
 */
export function readFlags(args: readonly string[], options: Options): ReadFlags {
  const values: Record<string, string | number | boolean> = {};
  for (const [name, option] of Object.entries(options)) {
    if (option.default !== undefined) values[name] = option.default;
  }
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === '--') return { values, words: [...words, ...args.slice(at + 1)] };
    if (!isFlag(arg)) {
      words.push(arg);
      continue;
    }
    const { name, option, isOff, text } = findFlag(arg, options);
    const next = args[at + 1];
    if (option.type === 'boolean') {
      const state = text ?? (next === 'true' || next === 'false' ? next : null);
      if (text === null && state !== null) at += 1;
      values[name] = readSwitch(name, state ?? 'true') !== isOff;
    } else {
      const given = text ?? (next !== undefined && !isFlag(next) ? next : null);
      if (text === null) at += 1;
      values[name] = option.type === 'number' ? readNumber(name, given) : readText(name, given, option);
    }
  }
  return { values, words };
}

/** A dash alone means stdin, and a number may be negative. */
export function isFlag(arg: string): boolean {
  return /^-[^\d]/.test(arg);
}

function findFlag(arg: string, options: Options) {
  const [, dashes = '', typed = '', text = null] = /^(--?)([^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
  const positive = typed.replace(/^no-/, '');
  for (const spelled of [typed, positive]) {
    const name = spelled.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    const isOff = spelled !== typed;
    if (dashes === '--' && option !== undefined && (!isOff || option.type === 'boolean')) {
      return { name, option, isOff, text };
    }
  }
  throw unknownName(
    `there is no flag ${dashes}${positive}`,
    positive,
    ['help', 'version', ...Object.keys(options)],
    (name) => `--${name}`,
  );
}

function readSwitch(name: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw usageError(`--${name} takes no value`, `give it as --${name} or --no-${name}`);
}

function readNumber(name: string, text: string | null): number {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isNaN(value)) return value;
  throw usageError(`--${name} needs a number`, `give it as --${name} VALUE`);
}

function readText(name: string, text: string | null, { choices }: Option): string {
  if (text === null) throw usageError(`--${name} needs a value`, `give it as --${name} VALUE`);
  if (choices === undefined || choices.includes(text)) return text;
  const list = choices.map((choice) => JSON.stringify(choice)).join(', ');
  throw unknownName(
    `--${name} is one of ${list}, not ${JSON.stringify(text)}`,
    text,
    choices,
    JSON.stringify,
  );
}
