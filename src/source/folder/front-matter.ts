// gray-matter splits front matter from text as site generators do. It gets our YAML parser, and its engines that run code are off.
import matter from 'gray-matter';
import { LineError } from '../../core/errors.ts';
import { formatYaml, formatYamlLike, parseYaml, type ReportField } from '../../core/yaml.ts';

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
  const unmarked = text.replace(/^\uFEFF/, '');
  // A file whose first line ends as in Windows was converted as a whole, by Git or an editor.
  const source = /^---[ \t]*\r\n/.test(unmarked) ? unmarked.replaceAll('\r\n', '\n') : unmarked;
  const file = cutYaml(source, /^---[ \t]*$/);
  if (file === null) throw new Error('the file must begin with a line "---" and its front matter');
  return file;
}

/** @param end what may close it: the first line that begins with `---`, or is three dots where the generator allows that */
function cutYaml(
  source: string,
  end: RegExp,
  onRepeated?: ReportField,
  onCut?: ReportField,
): FrontMatterFile | null {
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
      yaml: (text) => asObject(parseYaml(text, onRepeated, onCut)),
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

/** The text of a file that replaces another one, with the comments that an author wrote into its front matter. */
export function keepComments(text: string, before: string): string {
  const [, yaml] =
    /^\uFEFF?---[ \t]*\n([\s\S]*?\n)---[ \t]*(?:\n|$)/.exec(before.replaceAll('\r\n', '\n')) ?? [];
  if (yaml === undefined) return text;
  const { data, body } = parseFrontMatter(text);
  return `---\n${formatYamlLike(data, yaml)}---\n${body}\n`;
}

/**
 * Reads the YAML front matter of a page, between lines of `---`. `null` if it has none. Of a field given twice, the last value is used. A value
 * is cut at a comment. Throws an `Error` with a sentence for the author, also if the first lines look like front matter in another form.
 */
export function parsePageFrontMatter(
  text: string,
  onRepeated: ReportField = () => {},
  onCut: ReportField = () => {},
): FrontMatterFile | null {
  const yaml = cutYaml(text, /^(?:---|\.\.\.)[ \t]*$/, onRepeated, onCut);
  if (yaml === null) refuseUnreadFrontMatter(text);
  // A program that adds front matter may have found some.
  else if (/^\s*---[ \t]*\r?\n/.test(yaml.body) && hidesPage(yaml.body))
    refuseAt(text.slice(0, text.length - yaml.body.trimEnd().length).split('\n').length);
  return yaml;
}

/**
 * Throws a {@link LineError} if the first lines of a page look like front matter that was not read as such, e.g. because a comment or an
 * invisible character is before it: they may hide the page, and would be printed.
 */
function refuseUnreadFrontMatter(text: string): void {
  const before = /^(?:[\s\p{Cc}\p{Cf}]|<!--[\s\S]*?-->|%%[\s\S]*?%%)*/u.exec(text)?.[0] ?? '';
  const rest = text.slice(before.length);
  const line = before.split('\n').length;
  const [, fence = null] =
    /^((?:\\?-){2,}|[–—][-–—]*|\+{2,}|;{3,})[ \t]*\w*[ \t]*\r?\n\s*(?:#[^\n]*\n\s*)*["']?[\p{L}_][\w .-]*["']?[ \t]*[:=]/u.exec(
      rest,
    ) ?? [];
  const isJson = /^;{3,}[ \t]*\w*[ \t]*\r?\n\s*[{"]/.test(rest) || /^\{\s*"[\w -]+"\s*:/.test(rest);
  if (fence !== null || isJson || hidesPage(rest)) refuseAt(line);
}

function refuseAt(line: number): never {
  throw new LineError(
    'the first lines look like front matter, but are not read as such; begin the file with a line of three hyphens ("---"), write the fields as YAML, and end them with another such line',
    line,
  );
}

/** A field of front matter, and of an outliner: `draft: true`, `draft = true`, `draft:: true`. */
const anyField = /^(?:- )?([A-Za-z_][\w-]*)[ \t]*(::?|=)(?:[ \t]+(.*)|$)/;

/** Whether a text begins with fields, below a line of other characters at most, of which one hides the page or may. */
function hidesPage(text: string): boolean {
  const [block = ''] = text
    .replace(/^(?:[^\p{L}\p{N}`~\n]*\n)+/u, '')
    .split(/\n[ \t]*\r?(?:\n|$)|\n(?:---|\+\+\+)/, 1);
  const fields = block.split('\n').map((one) => anyField.exec(one.trimEnd()));
  // The blocks of an outline follow its properties.
  const end = fields.findIndex((field) => field?.[2] !== '::');
  const properties = end === -1 ? fields : fields.slice(0, end);
  if (properties.some((field) => hides(field?.[1], field?.[3]))) return true;
  const isField = (field: RegExpExecArray | null): boolean =>
    field !== null && field[2] !== '::' && !field[0].startsWith('-');
  return fields.every(isField) && fields.some((field) => isAboutVisibility.test(field?.[1] ?? ''));
}

const isAboutVisibility = /^(?:is_?)?(?:draft|published?|public|private|internal|hidden|unlisted)$/i;

/** Whether a property says that the page is not public. */
function hides(name = '', value = ''): boolean {
  if (!isAboutVisibility.test(name)) return false;
  const says = /^(?:false|no)\b/i.test(value) ? 'no' : /^(?:true|yes)\b/i.test(value) ? 'yes' : 'unknown';
  return says !== (/publi/i.test(name) ? 'yes' : 'no');
}
