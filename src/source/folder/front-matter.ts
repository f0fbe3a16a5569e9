// gray-matter splits front matter from text as site generators do. It gets our YAML parser, and its engines that run code are off.
import matter from 'gray-matter';
// smol-toml reads TOML front matter; it is small and strict.
import { parse as parseToml, TomlDate, TomlError } from 'smol-toml';
import { LineError, messageOf } from '../../core/errors.ts';
import { formatYaml, parseYaml, type ReportRepeated } from '../../core/yaml.ts';

/** A file of the folder, split into front matter and body. */
export interface FrontMatterFile {
  readonly data: Readonly<Record<string, unknown>>;
  /** The text after the front matter, unchanged, without one trailing newline. */
  readonly body: string;
}

/**
 * Reads a file with YAML front matter. Throws an `Error` with a sentence for the author if the front matter is missing, not closed, not
 * YAML, or not a list of fields.
 */
export function parseFrontMatter(text: string): FrontMatterFile {
  const source = text.replace(/^\uFEFF/, '');
  const file = cutYaml(source, /^---[ \t]*$/);
  if (file === null) throw new Error('the file must begin with a line "---" and its front matter');
  return file;
}

/** @param end what may close it: the first line that begins with `---`, or is three dots where the generator allows that */
function cutYaml(source: string, end: RegExp, onRepeated?: ReportRepeated): FrontMatterFile | null {
  const start = /^---[ \t]*\r?\n/.exec(source)?.[0];
  if (start === undefined) return null;
  const closing = /(?<=\n)(?:---[^\n]*|\.\.\.[ \t]*\r?)(?=\n|$)/g;
  closing.lastIndex = start.length;
  let last: RegExpExecArray | null;
  do last = closing.exec(source);
  while (last?.[0].startsWith('.') && !end.test('...'));
  if (last === null || !end.test(last[0].replace(/\r$/, '')))
    throw new LineError('the front matter is not closed with a line "---"', 1);
  const yaml = source.slice(start.length, last.index);
  const rest = source.slice(last.index + last[0].length).replace(/^\n/, '');
  // gray-matter reads dashes only without blanks, and a word after them selects an engine: its JavaScript engine executes the front matter.
  // The options object prevents it from caching the file and sharing its data between callers.
  const { data } = matter(`---\n${yaml}---\n`, {
    language: 'yaml',
    engines: {
      yaml: (text) => asObject(parseYaml(text, onRepeated)),
      javascript: refuse,
      js: refuse,
      json: refuse,
    },
  });
  const lineEnd = start.endsWith('\r\n') ? '\r\n' : '\n';
  return { data, body: rest.endsWith(lineEnd) ? rest.slice(0, -lineEnd.length) : rest };
}

function asObject(data: unknown): object {
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data;
  throw new LineError('the front matter must be a list of fields, e.g. "title: Hello"', 2);
}

function refuse(): never {
  throw new Error('only YAML front matter is read');
}

/** Writes a file that {@link parseFrontMatter} reads back unchanged. Preserves the order of the fields. */
export function formatFrontMatter(file: FrontMatterFile): string {
  return `---\n${formatYaml(file.data)}---\n${file.body}\n`;
}

/**
 * Reads a page of a site generator. Its front matter is YAML between lines of `---`, TOML between lines of `+++`, or a JSON object, which
 * is on one line or ends with a line that is only `}` (Hugo). `null` if it has none. Of a field given twice, the last value is used. Throws
 * an `Error` with a sentence for the author.
 */
export function parsePageFrontMatter(
  text: string,
  onRepeated: ReportRepeated = () => {},
): FrontMatterFile | null {
  const yaml = cutYaml(text, /^(?:---|\.\.\.)[ \t]*$/, onRepeated);
  if (yaml !== null) return yaml;
  if (/^\+\+\+[ \t]*(?:\r?\n|$)/.test(text)) {
    return cutFrontMatter(text, /^\+\+\+[ \t]*\r?\n([\s\S]*?\r?\n)??\+\+\+[ \t]*(?:\r?\n|$)/, '+++', (toml) =>
      readToml(`\n${toml}`),
    );
  }
  if (/^\{[ \t]*(?:"|\r?\n|$)/.test(text)) {
    // JSON is valid YAML, and the YAML parser finds repeated fields.
    return cutFrontMatter(text, jsonFrontMatter, '}', (json) => {
      JSON.parse(json);
      return parseYaml(json, onRepeated);
    });
  }
  return null;
}

/**
 * Throws a {@link LineError} if the first lines of a page look like front matter that was not read as such, e.g. because a comment is before
 * it: they may hide the page, and would be printed.
 */
export function refuseUnreadFrontMatter(text: string): void {
  const before = /^(?:\s|\uFEFF|<!--[\s\S]*?-->|%%[\s\S]*?%%)*/.exec(text)?.[0] ?? '';
  const rest = text.slice(before.length);
  const line = before.split('\n').length;
  const [, fence = null] =
    /^(-{2,}|[–—][-–—]*|\+{2,}|;{3,})[ \t]*\w*[ \t]*\r?\n\s*(?:#[^\n]*\n\s*)*["']?[\p{L}_][\w .-]*["']?[ \t]*[:=]/u.exec(
      rest,
    ) ?? [];
  const isJson =
    /^;{3,}[ \t]*\w*[ \t]*\r?\n\s*[{"]/.test(rest) || (before !== '' && /^\{\s*"[\w -]+"\s*:/.test(rest));
  const [block = ''] = rest.split(/\n[ \t]*\r?(?:\n|$)|\n(?:---|\+\+\+)/, 1);
  const fields = block
    .split('\n')
    .map((one) => /^([A-Za-z_][\w-]*)[ \t]*[:=](?:[ \t]|$)/.exec(one.trimEnd())?.[1] ?? null);
  // Fields without a line before them.
  const isBare =
    fields.every((field) => field !== null) &&
    fields.some((field) => /^(?:is_?)?(?:draft|published?|private|hidden|unlisted)$/i.test(field ?? ''));
  if (fence === null && !isJson && !isBare) return;
  throw new LineError(
    'the first lines look like front matter, but are not read as such; begin the file with a line of three hyphens ("---"), and end the fields with another one',
    line,
  );
}

/** A JSON object on one line, or up to a line that is only `}`. */
const jsonFrontMatter = /^(\{[^\r\n]*\}|\{[^\r\n]*(?:\r?\n[\s\S]*?)?\r?\n\})[ \t]*(?:\r?\n|$)/;

function cutFrontMatter(
  text: string,
  pattern: RegExp,
  end: string,
  read: (source: string) => Readonly<Record<string, unknown>>,
): FrontMatterFile {
  const match = pattern.exec(text);
  if (match === null) throw new LineError(`the front matter is not closed with a line "${end}"`, 1);
  return { data: read(match[1] ?? ''), body: text.slice(match[0].length).replace(/\r?\n$/, '') };
}

/** Reads a settings file as TOML, YAML or JSON, by its extension. Throws an `Error` with a sentence for the author. */
export function parseSettingsFile(text: string, path: string): Readonly<Record<string, unknown>> {
  const source = text.replace(/^\uFEFF/, '');
  return path.endsWith('.toml') ? readToml(source) : parseYaml(source);
}

function readToml(source: string): Readonly<Record<string, unknown>> {
  try {
    return withDatesAsText(parseToml(source)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const [message] = messageOf(error).split('\n', 1);
    const place = error instanceof TomlError ? ` at line ${error.line}, column ${error.column}` : '';
    throw new LineError(`${message}${place}`, error instanceof TomlError ? error.line : null);
  }
}

/** Converts dates of TOML to text, because the YAML parser here also reads dates as text. */
function withDatesAsText(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(withDatesAsText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, withDatesAsText(inside)]));
}

/** A setting of an object; the case of its name is ignored, as Hugo does. */
export function settingOf(settings: unknown, name: string): unknown {
  return entriesOf(settings).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

/** The settings of an object by name; none of other values. */
export function entriesOf(settings: unknown): [string, unknown][] {
  return typeof settings === 'object' && settings !== null ? Object.entries(settings) : [];
}

/** Reads `True` as `true`. In YAML 1.2 it is text, but generators written in Python read it as a boolean. */
export function readBoolean(value: unknown): unknown {
  if (typeof value !== 'string' || !/^(?:true|false)$/i.test(value)) return value;
  return value.toLowerCase() === 'true';
}
