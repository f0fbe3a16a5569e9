import { z } from '../foundation/schema.ts';
import { configSchema } from './schema.ts';

/** A JSON Schema as far as it is read here. */
interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
}

/** Paths of all settings, e.g. `urls.article`, in the order of the schema; a section is not a setting. */
export function listSettings(): readonly string[] {
  return walk(z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) as SchemaNode, []).filter(
    (path) => path !== '$schema',
  );
}

/** Names that may stand in the section at a path (`[]` is the top level). */
export function settingNames(
  section: readonly PropertyKey[],
  settings: readonly string[],
): readonly string[] {
  const prefix = section.map((name) => `${String(name)}.`).join('');
  const names = settings
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length).split('.')[0] ?? '');
  return [...new Set(names)];
}

function walk({ properties = {} }: SchemaNode, path: readonly string[]): string[] {
  return Object.entries(properties).flatMap(([name, node]) =>
    node.properties === undefined ? [[...path, name].join('.')] : walk(node, [...path, name]),
  );
}
