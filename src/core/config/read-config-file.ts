import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { ParseError } from 'jsonc-parser';
import { docsPage } from '../docs-page.ts';
import { LecternError, messageOf } from '../errors.ts';
import { readTextFile } from '../file-system.ts';
import { isRecord } from '../unknown-record.ts';

/** Default configuration files: without `--config`, these are searched for. */
export const configFiles = ['json', 'jsonc', 'yaml', 'yml', 'ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map(
  (ending) => `lectern.config.${ending}`,
);

/** Content of a configuration file, not validated. */
interface ConfigFile {
  /** Name as the user knows it; `null` if there is no file. */
  readonly name: string | null;
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Reads the configuration file that was named, or the one in the folder.
 * @param name `undefined` looks for one of {@link configFiles}
 * @throws CONFIG_INVALID; all exit 2
 */
export async function readConfigFile(name: string | undefined, folder: string): Promise<ConfigFile> {
  const file = name ?? findConfigFile(folder);
  if (file === null) return { name: null, settings: {} };
  const path = resolve(folder, file);
  if (!existsSync(path))
    throw invalid(`the configuration file ${file} does not exist`, null, 'check the path given to --config');
  const settings = await readSettings(path, file);
  if (isRecord(settings)) return { name: file, settings };
  throw invalid(`${file} is not an object of settings`);
}

function findConfigFile(folder: string): string | null {
  const [first = null, second] = configFiles.filter((name) => existsSync(resolve(folder, name)));
  if (second === undefined) return first;
  const hint = 'delete one, or choose one with --config';
  throw invalid(`two configuration files exist: ${first} and ${second}`, null, hint);
}

async function readSettings(path: string, file: string): Promise<unknown> {
  const type = extname(path);
  const text = readText(path, file);
  if (['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts'].includes(type)) {
    try {
      return await runScript(text, path);
    } catch (cause) {
      const what = firstLine(messageOf(cause));
      // As of the example of the documentation, if Lectern is installed for all folders.
      const hint = /^Cannot find (?:module|package) 'lectern'/.test(what)
        ? 'export the settings without defineConfig, or install Lectern in this folder, too'
        : settingsHint();
      throw invalid(`${file}${lineOf(cause, path)} cannot be run: ${what}`, cause, hint);
    }
  }
  const language = type === '.yaml' || type === '.yml' ? 'YAML' : 'JSON';
  try {
    return language === 'YAML' ? (await import('../yaml.ts')).parseYaml(text) : await parseJson(text);
  } catch (cause) {
    throw invalid(`${file} is not valid ${language}: ${messageOf(cause)}`, cause);
  }
}

function readText(path: string, file: string): string {
  try {
    return readTextFile(path);
  } catch (cause) {
    const what = `the configuration file ${file} cannot be read: ${messageOf(cause)}`;
    throw invalid(what, cause, 'check that it is a readable file');
  }
}

/** `:3`, or `:3:5` of a mistake in the syntax, if the stack of an error names the file, else `''`. */
function lineOf(cause: unknown, path: string): string {
  const stack = cause instanceof Error ? `${cause.stack}\n${cause.message}` : '';
  const [, ...after] = stack.split(path);
  // What the program throws has the columns of the text that jiti made of it.
  const position = /\bParseError\b/.test(stack) ? /^:\d+:\d+/ : /^:\d+/;
  return after.map((text) => position.exec(text)?.[0]).find(Boolean) ?? '';
}

/** The other lines of a compiler error repeat the file name and show code. */
function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').trim();
}

function invalid(message: string, cause?: unknown, hint = settingsHint()): LecternError {
  return new LecternError('CONFIG_INVALID', message, { hint, cause });
}

function settingsHint(): string {
  return `correct the file; ${docsPage('settings.md')} shows each form and lists all settings`;
}

/** Runs a JavaScript or TypeScript configuration file and gives its default export; a function is called. */
async function runScript(text: string, path: string): Promise<unknown> {
  // jiti runs the same programs on all versions of Node: TypeScript, and ES modules also where a package.json says "commonjs".
  const { createJiti } = await import('jiti');
  const jiti = createJiti(path, { fsCache: false, moduleCache: false });
  // Not imported: a file that is changed during a preview would be the module of the first time.
  const loaded = await jiti.evalModule(text, { filename: path, async: true, forceTranspile: true });
  const hasDefault = isRecord(loaded) && 'default' in loaded;
  // What has only names, or nothing at all, is a program whose author forgot the default export: without its settings, too much may be published.
  const isModule = isRecord(loaded) && (Object.hasOwn(loaded, '__esModule') || !/\bexports?\b/.test(text));
  if (isModule && !hasDefault) return null;
  const exported = hasDefault ? loaded.default : loaded;
  return typeof exported === 'function' ? await exported() : exported;
}

/**
 * Reads JSON that may have comments and trailing commas, but no name twice in an object.
 * @throws SyntaxError whose message says line and column, what is wrong, and shows the line
 */
async function parseJson(text: string): Promise<unknown> {
  try {
    // Starts sooner without the other parser, which is needed for comments and mistakes only.
    const value: unknown = JSON.parse(text);
    if (countNames(value) === [...text.matchAll(nameOrString)].filter(([, colon]) => colon).length)
      return value;
  } catch {
    // The other parser finds the mistake.
  }
  // jsonc-parser reads JSON with comments, and knows the line of a mistake, which JSON.parse does not tell in all versions of Node.
  const { default: jsonc } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const value: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const code = jsonc.printParseErrorCode(error.error);
    throw new SyntaxError(describe(text, error.offset, words[code] ?? code));
  }
  const open: Set<string>[] = [];
  jsonc.visit(text, {
    onObjectBegin: () => {
      open.push(new Set());
    },
    onObjectProperty(name, offset) {
      const names = open.at(-1);
      if (names?.has(name))
        throw new SyntaxError(describe(text, offset, `"${name}" is given twice; delete one of the two`));
      names?.add(name);
    },
    onObjectEnd: () => {
      open.pop();
    },
  });
  return value;
}

/** A string of JSON, and the colon behind it if it is a name. */
const nameOrString = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** The number of names in all objects of a value. JSON.parse takes the last one of two that are equal, so that settings would be lost. */
function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce((sum: number, one) => sum + countNames(one), 0);
  return Array.isArray(value) ? inner : inner + Object.keys(value).length;
}

/** Messages by the parser's error names. */
const words: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not JSON; strings need double quotes',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace } is missing',
  CloseBracketExpected: 'a closing bracket ] is missing',
  EndOfFileExpected: 'there is extra text after the end',
  UnexpectedEndOfComment: 'the comment is not closed',
  UnexpectedEndOfString: 'the closing quote is missing',
  UnexpectedEndOfNumber: 'the number is incomplete',
  InvalidUnicode: 'this is not a valid \\u escape',
  InvalidEscapeCharacter: 'this is not a valid escape',
  InvalidCharacter: 'this character is not allowed in a string',
};

function describe(text: string, offset: number, what: string): string {
  const before = text.slice(0, offset).split('\n');
  const line = before.length;
  const column = (before.at(-1) ?? '').length + 1;
  const shown = hideSecrets((text.split('\n')[line - 1] ?? '').trimEnd()).replaceAll('\t', ' ');
  const from = Math.max(0, column - 60);
  const frame = [
    `  ${line} | ${shown.slice(from, from + 80)}`,
    `  ${' '.repeat(String(line).length)} | ${' '.repeat(column - 1 - from)}^`,
  ];
  return `line ${line}, column ${column}: ${what}\n${frame.join('\n')}`;
}

/** Hides values that look like credentials; the columns of the line do not change. */
function hideSecrets(line: string): string {
  return line.replace(
    /((?:key|token|secret|password)[^":=]*"?\s*[:=]\s*"?)([^",&\s]+)/gi,
    (_whole, name: string, value: string) => name + '*'.repeat(value.length),
  );
}
