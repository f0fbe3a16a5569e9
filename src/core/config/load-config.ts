import { docsPage } from '../docs-page.ts';
import { LecternError } from '../errors.ts';
import { describeIssue, valueAt, z } from '../schema.ts';
import { splitList } from '../split-list.ts';
import { isRecord } from '../unknown-record.ts';
import { parseSource } from './find-source.ts';
import { nearestName } from './nearest-name.ts';
import { readConfigFile } from './read-config-file.ts';
import { configSchema, type ResolvedConfig, type UserConfig } from './schema.ts';

/** Settings that can be given as environment variables. A flag for the same setting wins. */
const environmentSettings = {
  LECTERN_SOURCE: 'source',
  LECTERN_BASE_URL: 'baseUrl',
  LECTERN_SITE_URL: 'siteUrl',
  LECTERN_OUT: 'out',
  LECTERN_CACHE: 'cache',
  LECTERN_DEFAULT_LANGUAGE: 'defaultLanguage',
  LECTERN_LANGUAGES: 'languages',
} as const satisfies Record<string, keyof UserConfig>;

export interface ConfigInput {
  /** File named by `--config`; `undefined` reads `lectern.config.json` (or .yaml, .ts, .js) if it exists. */
  readonly file: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Settings given as flags; an entry that is `undefined` was not given. */
  readonly flags: Readonly<Partial<UserConfig>>;
  readonly folder: string;
}

interface LoadedConfig {
  readonly config: ResolvedConfig;
  /** Where the value at a path comes from: `--out`, `LECTERN_OUT`, a file name, or `default`. */
  readonly originOf: (path: readonly PropertyKey[]) => string;
}

/**
 * Resolves the configuration: defaults < file < environment < flags.
 * @throws CONFIG_INVALID (every mistake at once); all exit 2
 */
export async function loadConfig(input: ConfigInput): Promise<LoadedConfig> {
  const file = await readConfigFile(input.file, input.folder);
  const environment = readEnvironment(input);
  const flags = definedOnly(input.flags);
  const layers = [file.settings, environment.settings, flags];
  const source = layers.map((layer) => layer.source).reduce(mergeSources);
  const merged = { ...Object.assign({}, ...layers), ...(source === undefined ? {} : { source }) };
  const originOf = (path: readonly PropertyKey[]): string => {
    const name = String(path[0]);
    if (Object.hasOwn(flags, name))
      return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return (
      environment.origins.get(name) ??
      (valueAt(file.settings, path) === undefined ? 'default' : (file.name ?? ''))
    );
  };
  return { config: parseSettings(merged, originOf), originOf };
}

/**
 * Checks settings and fills in the defaults.
 * @param originOf says where the value at a path comes from
 * @throws CONFIG_INVALID (lists all errors), exit 2
 */
export function parseSettings(
  settings: unknown,
  originOf: (path: readonly PropertyKey[]) => string,
): ResolvedConfig {
  // Read once: compiling the schema would take longer than checking it.
  const parsed = configSchema.safeParse(settings, { jitless: true });
  if (parsed.success) return parsed.data;
  const mistakes = explainMistakes(parsed.error.issues, settings, originOf);
  throw new LecternError('CONFIG_INVALID', `Invalid configuration:\n  ${mistakes.join('\n  ')}`, {
    hint: `fix the settings listed above; ${docsPage('settings.md')} explains every setting`,
  });
}

function readEnvironment({ environment, folder }: ConfigInput) {
  const settings: Record<string, unknown> = {};
  /** The variable that each setting comes from. */
  const origins = new Map<string, string>();
  for (const [variable, setting] of Object.entries(environmentSettings)) {
    const value = environment[variable];
    if (value === undefined || value === '') continue;
    settings[setting] = readVariable[setting]?.(value, folder) ?? value;
    origins.set(setting, variable);
  }
  return { settings, origins };
}

const readVariable: Partial<Record<keyof UserConfig, (text: string, folder: string) => unknown>> = {
  languages: splitList,
  source: parseSource,
};

/**
 * Merges two sources. If their kinds differ, nothing of the lower one is used. A lower one without kind, such as `{ "math": true }`, is of the
 * same kind, unless it says how an API lists.
 */
function mergeSources(lower: unknown, higher: unknown): unknown {
  if (higher === undefined || !isRecord(lower) || !isRecord(higher)) return higher ?? lower;
  const { kind = 'listing' in lower ? 'api' : higher.kind } = lower;
  return kind === (higher.kind ?? 'api') ? { ...lower, ...higher } : higher;
}

/** An object without the fields whose value is `undefined`. */
export function definedOnly<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

type Issue = z.core.$ZodIssue;

/** Longer values are shortened in messages. */
const shownLength = 60;

/**
 * Every error of a configuration as one line: path, what is expected, what was found and where it came from, and the name that was probably
 * intended.
 * @param originOf says where the value at a path comes from, e.g. `--out` or a file name
 */
function explainMistakes(
  issues: readonly Issue[],
  settings: unknown,
  originOf: (path: readonly PropertyKey[]) => string,
): readonly string[] {
  const known = [...listDefaults().keys()];
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(
        (key) => `${pathText([...issue.path, key])}: unknown setting${suggest(key, issue.path, known)}`,
      );
    }
    const value = valueAt(settings, issue.path);
    const found = value === undefined ? '' : `, not ${formatValue(value)}`;
    // A field that is missing comes from where the section is.
    const origin = originOf(value === undefined ? issue.path.slice(0, -1) : issue.path);
    const isEmpty = value === null && /\.ya?ml$/.test(origin);
    const near = isEmpty ? '; write a value, or delete the line' : nearestChoice(issue, value);
    const what = `${pathText(issue.path)}: ${describeIssue(issue, value)}`;
    return [`${what}${found} (${origin})${near}`];
  });
}

function suggest(key: string, section: readonly PropertyKey[], known: readonly string[]): string {
  if (/^(?:api_?)?key$|^token$/i.test(key))
    return '; set the API key in the environment variable LECTERN_API_KEY';
  if (known.some((path) => `${path}.`.startsWith(`${[...section, key].join('.')}.`))) {
    return key.includes('.')
      ? `; write ${key.split('.').reduceRight((inner, name) => `{ "${name}": ${inner} }`, '…')}`
      : `; it belongs to another ${pathText(section)}.kind`;
  }
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

/** A value on one line, without the secrets a URL may contain. */
export function formatValue(value: unknown): string {
  const text =
    JSON.stringify(value, (_key, item) => (typeof item === 'string' ? hideSecrets(item) : item)) ?? '';
  return text.length <= shownLength ? text : `${text.slice(0, shownLength)}…`;
}

/** Hides credentials: API keys sometimes end up in URLs by mistake. */
function hideSecrets(text: string): string {
  return text
    .replace(/(\/\/)[^/@\s]*@/g, '$1…@')
    .replace(/([?&][^=&#\s]*(?:key|token|secret)=)[^&#\s]*/gi, '$1…');
}

/** The part of JSON Schema that is used here. */
interface SchemaNode {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  /** One schema per kind, for a section that has several kinds. */
  readonly oneOf?: readonly SchemaNode[];
}

/**
 * The default of every setting by its path, e.g. `urls.article`, in the order of the schema; `undefined` if it has none. A section is not a
 * setting.
 */
export function listDefaults(): ReadonlyMap<string, unknown> {
  const schema = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) as SchemaNode;
  return new Map(walk(schema, []).filter(([path]) => path !== '$schema'));
}

/** Names that are allowed in the section at a path (`[]` is the top level). */
function settingNames(section: readonly PropertyKey[], settings: readonly string[]): readonly string[] {
  const prefix = section.map((name) => `${String(name)}.`).join('');
  const names = settings
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length).split('.')[0] ?? '');
  return [...new Set(names)];
}

function walk(section: SchemaNode, path: readonly string[]): (readonly [path: string, value: unknown])[] {
  return Object.entries(propertiesOf(section)).flatMap(([name, node]) =>
    Object.keys(propertiesOf(node)).length === 0
      ? [[[...path, name].join('.'), node.default] as const]
      : walk(node, [...path, name]),
  );
}

/** Properties of a section; of a section with several kinds, the properties of all of them. */
function propertiesOf({ properties = {}, oneOf = [] }: SchemaNode): Readonly<Record<string, SchemaNode>> {
  return Object.assign({}, ...oneOf.map(propertiesOf), properties);
}
