import { isMap, isScalar, LineCounter, parseDocument, stringify, visit, type YAMLError } from 'yaml';
import { LineError } from './errors.ts';

/** Called for a field that is given again in the same place, with its line. */
export type ReportRepeated = (field: string, line: number) => void;

/** Aliases (`*name`) repeat values, and aliases of aliases multiply them: a few lines could become gigabytes. */
const maxAliasCount = 100;

/**
 * Parses YAML 1.2 (core schema: no dates, no `yes`/`no`) without changing what the author wrote: a plain number, boolean or null that would
 * be printed differently (`1.10`, `007`, `True`) stays text. Merge keys (`<<: *name`) are those of YAML 1.1, as in other generators. Throws a `LineError` whose message contains the line.
 * @param onRepeated the last of repeated fields is used, and the others are reported; absent: they are refused
 */
export function parseYaml(text: string, onRepeated?: ReportRepeated): Record<string, unknown> {
  const lineCounter = new LineCounter();
  const document = parseDocument(`${text}\n`, {
    schema: 'core',
    version: '1.2',
    merge: true,
    prettyErrors: true,
    uniqueKeys: onRepeated === undefined,
    lineCounter,
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
    Scalar(_key, node) {
      if (isScalar(node) && node.source !== undefined && isRespelled(node.value, node.source)) {
        node.value = node.source;
      }
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

/** What to do about an error, for the mistakes that people make; others in the words of the parser. */
function describeYamlError({ code, message, linePos }: YAMLError, text: string): LineError {
  const line = linePos?.[0].line ?? null;
  const source = text.split('\n')[(line ?? 1) - 1] ?? '';
  const advice = adviceOf(code, source);
  const plain = message.split('\n', 1)[0]?.replace(/:$/, '') ?? message;
  return new LineError(advice === null || line === null ? plain : `line ${line}: ${advice}`, line);
}

function adviceOf(code: YAMLError['code'], line: string): string | null {
  const value = /^[^:]*:[ \t]+(.*)$/.exec(line)?.[1] ?? '';
  if (code === 'BLOCK_AS_IMPLICIT_KEY' && /:(?:\s|$)/.test(value) && !/^["'[{]/.test(value))
    return 'quote the value, because it contains a colon';
  if (code === 'BAD_SCALAR_START' && /^[@`%]/.test(value))
    return `quote the value, because it begins with ${value.charAt(0)}`;
  if (code === 'TAB_AS_INDENT') return 'indent with spaces, because YAML allows no tabs';
  return null;
}

/** Formats YAML that {@link parseYaml} parses to the same values. */
export function formatYaml(data: Readonly<Record<string, unknown>>): string {
  return stringify(data, { schema: 'core', version: '1.2', lineWidth: 0, aliasDuplicateObjects: false });
}

function isRespelled(value: unknown, source: string): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value) !== source;
  return value === null && source !== '' && source !== 'null' && source !== '~';
}
