import { configSchema } from '../../../../src/core/config/schema.ts';
import { z } from '../../../../src/core/schema.ts';
import { readDocComments } from './read-doc-comments.ts';

export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: SchemaNode;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  /** One schema per kind, for a section that has several kinds. */
  readonly oneOf?: readonly SchemaNode[];
}

/** The JSON Schema of the configuration file, with the doc comments of the settings as descriptions. */
export function configJsonSchema(): SchemaNode {
  const comments = readDocComments();
  const schema = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) as SchemaNode;
  return { title: 'Configuration of Lectern', ...describeNode(schema, []) } as SchemaNode;

  function describeNode(node: SchemaNode, path: readonly string[]): SchemaNode {
    const description = comments.get(path.join('.'));
    const { properties, oneOf, ...rest } = node;
    return {
      ...(description === undefined ? {} : { description }),
      ...rest,
      ...(oneOf === undefined ? {} : { oneOf: oneOf.map((kind) => describeNode(kind, path)) }),
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

/** Headings of `docs/settings.md`, by the first name of a path; `''`: settings that are not in a section. */
const headings = {
  '': 'The project',
  urls: 'Addresses of pages',
  tls: 'Where articles come from',
  source: 'Where articles come from',
  content: 'What authors may write',
  media: 'Images and files',
  site: 'How the site looks and what it offers',
  redirects: 'Redirects',
  feed: 'The feed',
  headers: 'The output',
  output: 'The output',
};

/** `docs/settings.md`: every setting with its default and meaning, generated from the schema. */
export function settingsPage(schema: SchemaNode): string {
  const rows = walk(schema, []).filter(([path]) => path !== '$schema');
  const sections = [...new Set(rows.map(([path]) => headingOf(path)))];
  return `---
category: 06-Look something up
order: 3
---

# Settings

\`lectern init\` asks what it needs, and writes your configuration and a CI job. A flag overrides an environment variable, and that overrides the file. \`lectern config\` shows every value, and where it comes from.

## The file

Lectern reads \`lectern.config.json\` in the current folder, or the file of \`--config\`. Set only what should differ from the default. With the first line of this example, your editor completes and checks it:

\`\`\`json
{
  "$schema": "./node_modules/lectern/docs/schema/config.json",
  "baseUrl": "https://kb.example.com/v1",
  "siteUrl": "https://help.example.com",
  "languages": ["en", "de", "ar"],
  "site": { "title": "Example Help", "theme": { "accent": "#0a58ca" } }
}
\`\`\`

You may write YAML instead (\`lectern.config.yaml\`), or a program that exports the configuration or a function (\`lectern.config.ts\`, \`.js\`, \`.mjs\`, \`.cjs\`). Save it as UTF-8. In JSON and YAML, nothing replaces \`$NAME\`; a program can read the environment:

\`\`\`ts
import { defineConfig } from 'lectern';

export default defineConfig({ baseUrl: 'https://kb.example.com/v1', out: process.env.CI ? 'public' : 'dist' });
\`\`\`

If you installed Lectern elsewhere, not in the folder of your project, export the object without \`defineConfig\`.

## Environment

- \`LECTERN_API_KEY\`: The key of the API. There is no flag or setting for it, so that it stays out of your repository.
- \`LECTERN_SOURCE\`, \`LECTERN_BASE_URL\`, \`LECTERN_SITE_URL\`, \`LECTERN_OUT\`, \`LECTERN_CACHE\`, \`LECTERN_DEFAULT_LANGUAGE\`, \`LECTERN_LANGUAGES\`: The same as the flag of that name.
- \`NODE_EXTRA_CA_CERTS\`: A PEM file with certificate authorities that you trust.
- \`HTTPS_PROXY\`, \`HTTP_PROXY\`: The proxies to use, such as \`http://USER:PASSWORD@proxy.example.com:3128\`.
- \`NO_PROXY\`: Hosts to reach without a proxy: \`intranet.example.com\`, or \`.example.com\` for all its subdomains.

### Proxies and private CAs

Name the certificate of your company in \`tls.ca\`. Block [private networks](content.md#images-and-files) in your proxy, because behind one, Lectern cannot.

## All settings

The default is in brackets. A name with dots is a field of an object: write \`site.title\` as \`{ "site": { "title": "Acme Help" } }\`.
${sections
  .map(
    (heading) =>
      `\n### ${heading}\n\n${rows
        .filter(([path]) => headingOf(path) === heading)
        .map(describeSetting)
        .join('')}`,
  )
  .join('')}`;
}

function headingOf(path: string): string {
  const [first = ''] = path.split('.');
  const heading = headings[(path.includes('.') ? first : '') as keyof typeof headings];
  if (heading === undefined) throw new Error(`no heading for ${path}`);
  return heading;
}

function describeSetting([path, node]: readonly [string, SchemaNode]): string {
  const meaning = meaningOf(node).replace(/docs\/([\w-]+)\.md/g, '[$1]($1.md)');
  return `- \`${path}\`${defaultOf(node)}: ${meaning}\n`;
}

function walk(node: SchemaNode, path: readonly string[]): (readonly [string, SchemaNode])[] {
  return Object.entries(propertiesOf(node)).flatMap(([name, child]) =>
    Object.keys(propertiesOf(child)).length === 0
      ? [[[...path, name].join('.'), child] as const]
      : walk(child, [...path, name]),
  );
}

/** Properties of a section; of a section with several kinds, the properties of all, with the discriminator as a choice. */
function propertiesOf({ properties = {}, oneOf = [] }: SchemaNode): Readonly<Record<string, SchemaNode>> {
  const all: Record<string, SchemaNode> = { ...properties };
  for (const [name, node] of oneOf.flatMap((kind) => Object.entries(kind.properties ?? {}))) {
    const other = all[name];
    if (node.const === undefined) all[name] ??= node;
    else all[name] = { ...(other ?? node), enum: [...(other?.enum ?? []), node.const] };
  }
  return all;
}

function defaultOf(node: SchemaNode): string {
  const value = JSON.stringify(node.default);
  return value === undefined || value === '[]' || value === '{}' ? '' : ` (\`${value}\`)`;
}

function meaningOf({ description = '', enum: choices }: SchemaNode): string {
  const names = choices?.map((choice) => `\`${choice}\``) ?? [];
  const isComplete = names.every((name) => description.includes(name));
  return isComplete ? description : `${description} One of ${names.join(', ')}.`;
}
