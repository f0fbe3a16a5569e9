import { isScalar, parseDocument, stringify, visit } from 'yaml';

/**
 * Parses YAML 1.2 (core schema: no dates, no `yes`/`no`) without changing what the author wrote: a plain number, boolean or null that would
 * be printed differently (`1.10`, `007`, `True`) stays text. Throws an `Error` whose message contains line and column.
 */
export function parseYaml(text: string): Record<string, unknown> {
  const document = parseDocument(`${text}\n`, { schema: 'core', version: '1.2', prettyErrors: true });
  const [error] = [...document.errors, ...document.warnings];
  if (error) throw new Error(error.message.split('\n', 1)[0]?.replace(/:$/, ''));
  visit(document, {
    Scalar(_key, node) {
      if (isScalar(node) && node.source !== undefined && isRespelled(node.value, node.source)) {
        node.value = node.source;
      }
    },
  });
  return document.toJS({ maxAliasCount: 0 }) ?? {};
}

/** Formats YAML that {@link parseYaml} parses to the same values. */
export function formatYaml(data: Readonly<Record<string, unknown>>): string {
  return stringify(data, { schema: 'core', version: '1.2', lineWidth: 0, aliasDuplicateObjects: false });
}

function isRespelled(value: unknown, source: string): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value) !== source;
  return value === null && source !== '' && source !== 'null' && source !== '~';
}
