import matter from 'gray-matter';
import { parse as parseToml, TomlDate, TomlError } from 'smol-toml';
import { messageOf } from '../foundation/errors.ts';
import { formatYaml, parseYaml } from '../foundation/yaml.ts';

/** A file of the folder, split into front matter and body. */
export interface FrontMatterFile {
  readonly data: Readonly<Record<string, unknown>>;
  /** The text after the front matter, unchanged, without one trailing newline. */
  readonly body: string;
}

function refuse(): never {
  throw new Error('only YAML front matter is read');
}

/**
 * Reads a file with YAML front matter. Throws an `Error` with a sentence for the author if the front matter is missing, not closed, not
 * YAML, or not a list of fields.
 */
export function parseFrontMatter(text: string): FrontMatterFile {
  const source = text.replace(/^\uFEFF/, '');
  // A word after the first dashes selects gray-matter's engine, and its JavaScript engine executes the front matter.
  const lineEnd = /^---(\r?\n)/.exec(source)?.[1];
  if (lineEnd === undefined) throw new Error('the file must begin with a line "---" and its front matter');
  // gray-matter ends the front matter at the first line that starts with dashes, or at the end of the file.
  const end = source.indexOf('\n---', 3);
  if (end === -1 || !/^\n---\r?(?:\n|$)/.test(source.slice(end))) {
    throw new Error('the front matter is not closed with a line "---"');
  }
  // The options object prevents gray-matter from caching the file and sharing its data between callers.
  const { data, content } = matter(source, {
    language: 'yaml',
    engines: { yaml: parseYaml, javascript: refuse, js: refuse, json: refuse },
  });
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new Error('the front matter must be a list of fields, e.g. "title: Hello"');
  }
  return { data, body: content.endsWith(lineEnd) ? content.slice(0, -lineEnd.length) : content };
}

/** Writes a file that {@link parseFrontMatter} reads back unchanged. Preserves the order of the fields. */
export function formatFrontMatter(file: FrontMatterFile): string {
  return `---\n${formatYaml(file.data)}---\n${file.body}\n`;
}

/**
 * Reads a page of a site generator. Its front matter is YAML between lines of `---`, TOML between lines of `+++`, or a JSON object, which
 * is on one line or ends with a line that is only `}` (Hugo). `null` if it has none. Throws an `Error` with a sentence for the author.
 */
export function parsePageFrontMatter(text: string): FrontMatterFile | null {
  if (/^---[ \t]*\r?\n/.test(text)) return parseFrontMatter(text);
  if (/^\+\+\+[ \t]*(?:\r?\n|$)/.test(text)) {
    return cutFrontMatter(
      text,
      /^\+\+\+[ \t]*\r?\n([\s\S]*?\r?\n)??\+\+\+[ \t]*(?:\r?\n|$)/,
      '+++',
      readToml,
    );
  }
  if (/^\{[ \t]*(?:"|\r?\n|$)/.test(text)) {
    // JSON is valid YAML, and the YAML parser refuses duplicate fields.
    return cutFrontMatter(text, jsonFrontMatter, '}', (json) => {
      JSON.parse(json);
      return parseYaml(json);
    });
  }
  return null;
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
  if (match === null) throw new Error(`the front matter is not closed with a line "${end}"`);
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
    throw new Error(`${message}${place}`);
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
