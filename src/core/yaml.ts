import { isDeepStrictEqual } from 'node:util';
// yaml reads YAML 1.2, and knows the place of each mistake.
import { isMap, isScalar, LineCounter, parseDocument, Scalar, stringify, visit, type YAMLError } from 'yaml';
import { LineError } from './errors.ts';

/** Called for a field that may not be what its author meant, with its line. */
export type ReportField = (field: string, line: number) => void;

const ignore: ReportField = () => {};

/** Aliases (`*name`) repeat values, and aliases of aliases multiply them: a few lines could become gigabytes. */
const maxAliasCount = 100;

/**
 * Parses YAML 1.2 (core schema: no dates, no `yes`/`no`) without changing what the author wrote: a plain number, boolean or null that would
 * be printed differently (`1.10`, `007`, `True`) stays text. Merge keys (`<<: *name`) are those of YAML 1.1, as in other generators. Throws a `LineError` whose message contains the line.
 * @param onRepeated the last of repeated fields is used, and the others are reported; absent: they are refused
 * @param onCut called for a value that ends at a `#` with text directly behind it: this begins a comment. Absent: it is refused
 */
export function parseYaml(
  text: string,
  onRepeated?: ReportField,
  onCut: ReportField = refuseCut,
): Record<string, unknown> {
  const lineCounter = new LineCounter();
  const document = parseDocument(`${text}\n`, {
    schema: 'core',
    version: '1.2',
    merge: true,
    prettyErrors: true,
    uniqueKeys: onRepeated === undefined,
    lineCounter,
    // Otherwise a field such as `{{ date }}` of a template makes Node print a warning.
    logLevel: 'error',
  });
  const [error] = [...document.errors, ...document.warnings];
  if (error) throw describeYamlError(error, text);
  const lineOf = ({ range }: { range?: readonly number[] | null }): number =>
    lineCounter.linePos(range?.[0] ?? 0).line;
  let lastAliasLine: number | null = null;
  visit(document, {
    Alias(_key, alias, path) {
      lastAliasLine = lineOf(alias);
      const target = alias.resolve(document);
      if (target !== undefined && !path.includes(target)) return;
      const why = target === undefined ? 'has no anchor above it' : 'stands for the value that it is in';
      throw new LineError(`line ${lastAliasLine}: *${alias.source} ${why}`, lastAliasLine);
    },
    Scalar(place, node, path) {
      const [start, end] = node.range ?? [0, 0];
      // Not `1.10` or `True`, which become a text now.
      const isText = typeof node.value === 'string' || start === end;
      keepSpelling(place, node);
      if (place === 'key' || node.type !== Scalar.PLAIN || !isText) return;
      if (/^[ \t]*#[^\s#]/.test(text.slice(end)))
        onCut(String(path.findLast((one) => 'key' in one)?.key ?? 'a list'), lineOf(node));
    },
    Map(_key, map) {
      if (onRepeated === undefined || !isMap(map)) return;
      const seen = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (seen.has(name)) onRepeated(name, lineOf(key));
        seen.add(name);
      }
    },
  });
  try {
    return document.toJS({ maxAliasCount }) ?? {};
  } catch (error) {
    if (!(error instanceof ReferenceError) || lastAliasLine === null) throw error;
    const advice = 'its aliases repeat more than a file may contain; write the values out';
    throw new LineError(`line ${lastAliasLine}: ${advice}`, lastAliasLine);
  }
}

function refuseCut(field: string, line: number): never {
  const what = `a # begins a comment behind the value of ${field}; put the value into quotation marks, or write a space after the #`;
  throw new LineError(`line ${line}: ${what}`, line);
}

/** What to do about an error, for the mistakes that people make; others in the words of the parser. */
function describeYamlError({ code, message, linePos }: YAMLError, text: string): LineError {
  const line = linePos?.[0].line ?? null;
  const advice = line === null ? null : adviceOf(code, message, text.split('\n'), line);
  if (advice !== null) return new LineError(`line ${advice.line}: ${advice.what}`, advice.line);
  return new LineError(message.split('\n', 1)[0]?.replace(/:$/, '') ?? message, line);
}

interface Advice {
  /** Number of the line; the first one is 1. An unclosed value begins above the line of the error. */
  readonly line: number;
  readonly what: string;
}

/** @param line of the error, from 1 */
function adviceOf(
  code: YAMLError['code'],
  message: string,
  lines: readonly string[],
  line: number,
): Advice | null {
  const here = (what: string): Advice => ({ line, what });
  const source = lines[line - 1] ?? '';
  const value = textAfterName(source);
  const [sign = ''] = value;
  const open =
    /^Flow .* end with a ([\]}])/.exec(message)?.[1] ?? /^Missing closing (["'])/.exec(message)?.[1];
  if (open !== undefined) return describeUnclosed(open, lines, line);
  if (message.startsWith('Source contains multiple'))
    return here('a second document of YAML begins here; delete the line "---" or "..." before it');
  if (code === 'TAB_AS_INDENT') return here('indent with spaces, because YAML allows no tabs');
  if (code === 'DUPLICATE_KEY') {
    return here(`the field "${nameOf(source)}" is given twice; delete one of the two`);
  }
  if (code === 'BLOCK_AS_IMPLICIT_KEY') {
    if (/:(?:\s|$)/.test(value) && !/^["'[{]/.test(value))
      return here('quote the value, because it contains a colon');
    const next = lines[line] ?? '';
    if (/^ +[^:]+:(?:\s|$)/.test(next) && value !== '')
      return { line: line + 1, what: `delete the spaces before "${nameOf(next)}"` };
  }
  if (/ at node end /.test(message) && sign === '"')
    return here('write \\" for each quotation mark inside the quotes');
  if (/ at node end /.test(message) && sign === "'")
    return here("write '' for each apostrophe inside the quotes");
  if (/^(?:BAD_SCALAR_START|UNEXPECTED_TOKEN|TAG_RESOLVE_FAILED)$/.test(code) && /[@`%[\]{}|>!-]/.test(sign))
    return here(`quote the value, because it begins with ${sign}`);
  if (message.startsWith('Comments must be separated')) return here('quote the value, because it contains #');
  if (/IMPLICIT_KEY$/.test(code) && /^\s*[\w-]+:\S/.test(source))
    return here('write a space after the colon');
  if (message.startsWith('Implicit map keys need')) {
    return here(`"${source.trim()}" is no field; write "name: value"`);
  }
  return null;
}

/** What follows the name of a field. */
function textAfterName(line: string): string {
  return /^[^:]*:[ \t]+(.*)$/.exec(line)?.[1] ?? '';
}

function nameOf(line: string): string {
  return line.trim().replace(/\s*:(?:\s.*)?$/, '');
}

/** @param sign that is missing at the end of the value */
function describeUnclosed(sign: string, lines: readonly string[], line: number): Advice | null {
  const open = { ']': '[', '}': '{' }[sign] ?? sign;
  const last = lines.slice(0, line).findLastIndex((source) => textAfterName(source).startsWith(open));
  if (last === -1) return null;
  const what =
    open === sign
      ? `the value begins with ${sign} but does not end with it; add the closing quotation mark`
      : `the value begins with ${open} but does not end with ${sign}; add it, or quote the value if it is a text`;
  return { line: last + 1, what };
}

/** Formats YAML that {@link parseYaml} parses to the same values. */
export function formatYaml(data: Readonly<Record<string, unknown>>): string {
  return stringify(data, { schema: 'core', version: '1.2', lineWidth: 0, aliasDuplicateObjects: false });
}

/**
 * Formats YAML like {@link formatYaml}, with the comments that an earlier text has, and in its order.
 * @param before of a text without comments, or with mistakes, nothing is kept
 */
export function formatYamlLike(data: Readonly<Record<string, unknown>>, before: string): string {
  const document = parseDocument(before, { schema: 'core', version: '1.2', logLevel: 'error' });
  const { contents } = document;
  if (document.errors.length > 0 || !isMap(contents) || !hasComments(document)) return formatYaml(data);
  visit(document, { Scalar: keepSpelling });
  const values = parseYaml(before, undefined, ignore);
  for (const { key } of [...contents.items]) {
    if (!isScalar(key) || !(String(key.value) in data)) document.delete(isScalar(key) ? key.value : key);
  }
  for (const [name, value] of Object.entries(data)) {
    const node = document.get(name, true);
    const isSame = isDeepStrictEqual(values[name], value);
    if (isScalar(node) && typeof value !== 'object') node.value = value;
    else if (!isSame) document.set(name, document.createNode(value));
  }
  const text = document.toString({ lineWidth: 0 });
  return isDeepStrictEqual(parseYaml(text, undefined, ignore), data) ? text : formatYaml(data);
}

function hasComments(document: ReturnType<typeof parseDocument>): boolean {
  let isFound = Boolean(document.commentBefore ?? document.comment);
  visit(document, {
    Node(_key, node) {
      if (node.commentBefore || node.comment) isFound = true;
    },
  });
  return isFound;
}

/** A plain value that would be printed differently is text. */
function keepSpelling(_key: unknown, node: Scalar): void {
  if (node.source !== undefined && isRespelled(node.value, node.source)) node.value = node.source;
}

function isRespelled(value: unknown, source: string): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value) !== source;
  return value === null && source !== '' && source !== 'null' && source !== '~';
}
