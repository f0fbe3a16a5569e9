import { describeIssue, valueAt, z } from '../foundation/schema.ts';
import { nearestName } from './nearest-name.ts';
import { configSchema } from './schema.ts';

type Issue = z.core.$ZodIssue;

/** Longest value shown whole. */
const shownLength = 60;

/**
 * Every mistake of a configuration as one line: path, what is expected, what was found and where it came from, and
 * the name that was probably meant.
 * @param originOf says where the value at a path comes from, e.g. `--out` or a file name
 */
export function explainMistakes(
  issues: readonly Issue[],
  settings: unknown,
  originOf: (path: readonly PropertyKey[]) => string,
): readonly string[] {
  const known = listSettings();
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(
        (key) => `${pathText([...issue.path, key])}: unknown setting${suggest(key, issue.path, known)}`,
      );
    }
    const value = valueAt(settings, issue.path);
    const found = value === undefined ? '' : `, not ${formatValue(value)}`;
    const near = nearestChoice(issue, value);
    const what = `${pathText(issue.path)}: ${describeIssue(issue, value)}`;
    return [`${what}${found} (${originOf(issue.path)})${near}`];
  });
}

function suggest(key: string, section: readonly PropertyKey[], known: readonly string[]): string {
  if (/^(?:api_?)?key$|^token$/i.test(key))
    return '; set the API key in the environment variable LECTERN_API_KEY';
  if (known.includes([...section, key].join('.'))) return `; it belongs to another ${pathText(section)}.kind`;
  const near = nearestName(key, settingNames(section, known));
  if (near !== null) return `; did you mean ${pathText([...section, near])}?`;
  const elsewhere = known.filter((path) => nearestName(key, [path.split('.').at(-1) ?? '']) !== null);
  return elsewhere.length === 1 ? `; did you mean ${elsewhere[0]}?` : '';
}

function nearestChoice(issue: Issue, value: unknown): string {
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return '';
  const near = nearestName(value, issue.values.map(String));
  return near === null ? '' : `; did you mean ${JSON.stringify(near)}?`;
}

function pathText(path: readonly PropertyKey[]): string {
  return path.length === 0 ? '(top level)' : path.map(String).join('.');
}

/** A value on one line, without the secrets an address may hold. */
export function formatValue(value: unknown): string {
  const text =
    JSON.stringify(value, (_key, item) => (typeof item === 'string' ? hideSecrets(item) : item)) ?? '';
  return text.length <= shownLength ? text : `${text.slice(0, shownLength)}…`;
}

/** Keys end up in addresses although nobody should write them there. */
function hideSecrets(text: string): string {
  return text
    .replace(/(\/\/)[^/@\s]*@/g, '$1…@')
    .replace(/([?&][^=&#\s]*(?:key|token|secret)=)[^&#\s]*/gi, '$1…');
}

/** A JSON Schema as far as it is read here. */
interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  /** The kinds of a section that comes in several. */
  readonly oneOf?: readonly SchemaNode[];
}

/** Paths of all settings, e.g. `urls.article`, in the order of the schema; a section is not a setting. */
export function listSettings(): readonly string[] {
  return walk(z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) as SchemaNode, []).filter(
    (path) => path !== '$schema',
  );
}

/** Names that are allowed in the section at a path (`[]` is the top level). */
function settingNames(section: readonly PropertyKey[], settings: readonly string[]): readonly string[] {
  const prefix = section.map((name) => `${String(name)}.`).join('');
  const names = settings
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length).split('.')[0] ?? '');
  return [...new Set(names)];
}

function walk(section: SchemaNode, path: readonly string[]): string[] {
  return Object.entries(propertiesOf(section)).flatMap(([name, node]) =>
    Object.keys(propertiesOf(node)).length === 0 ? [[...path, name].join('.')] : walk(node, [...path, name]),
  );
}

/** Of a section that comes in several kinds, the settings of all of them. */
function propertiesOf({ properties = {}, oneOf = [] }: SchemaNode): Readonly<Record<string, SchemaNode>> {
  return Object.assign({}, ...oneOf.map(propertiesOf), properties);
}
