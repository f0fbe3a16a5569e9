import { configSchema } from '../../../src/config/schema.ts';
import { z } from '../../../src/foundation/schema.ts';
import { readDocComments } from './read-doc-comments.ts';

export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
}

/** The JSON Schema of the configuration file, with the doc comments of the settings as descriptions. */
export function configJsonSchema(): SchemaNode {
  const comments = readDocComments();
  const schema = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) as SchemaNode;
  return { title: 'Configuration of Lectern', ...describeNode(schema, []) } as SchemaNode;

  function describeNode(node: SchemaNode, path: readonly string[]): SchemaNode {
    const description = comments.get(path.join('.'));
    const { properties, ...rest } = node;
    return {
      ...(description === undefined ? {} : { description }),
      ...rest,
      ...(properties === undefined
        ? {}
        : {
            properties: Object.fromEntries(
              Object.entries(properties).map(([name, child]) => [name, describeNode(child, [...path, name])]),
            ),
          }),
    };
  }
}

/** `docs/settings.md`: every setting with its default and meaning, made from the schema. */
export function settingsPage(schema: SchemaNode): string {
  const rows = walk(schema, []).filter(([path]) => path !== '$schema');
  return `# Settings

Every setting of the configuration file, made from its schema (\`docs/schema/config.json\`, which editors use for completion).
[configuration.md](configuration.md) shows where settings may stand.

| setting | default | meaning |
|---|---|---|
${rows.map(([path, node]) => `| \`${path}\` | ${defaultOf(node)} | ${meaningOf(node)} |\n`).join('')}`;
}

function walk(node: SchemaNode, path: readonly string[]): (readonly [string, SchemaNode])[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
    child.properties === undefined
      ? [[[...path, name].join('.'), child] as const]
      : walk(child, [...path, name]),
  );
}

function defaultOf(node: SchemaNode): string {
  return node.default === undefined ? '' : `\`${JSON.stringify(node.default)}\``;
}

function meaningOf({ description = '', enum: choices }: SchemaNode): string {
  const values =
    choices === undefined ? '' : ` One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.`;
  return `${description}${values}`.replaceAll('|', '\\|');
}
