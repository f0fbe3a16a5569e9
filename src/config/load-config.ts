import { LecternError } from '../foundation/errors.ts';
import { explainMistakes } from './explain-mistakes.ts';
import { readConfigFile } from './read-config-file.ts';
import { configSchema, type ResolvedConfig, type UserConfig } from './schema.ts';

/** Environment variables of settings (flags of the same meaning go before them). */
export const environmentSettings = {
  LECTERN_BASE_URL: 'baseUrl',
  LECTERN_SITE_URL: 'siteUrl',
  LECTERN_OUT: 'out',
  LECTERN_CACHE: 'cache',
  LECTERN_DEFAULT_LANGUAGE: 'defaultLanguage',
  LECTERN_LANGUAGES: 'languages',
} as const satisfies Record<string, keyof UserConfig>;

export interface ConfigInput {
  /** File named by `--config`; `undefined` reads `lectern.config.json` (or .yaml, .ts, .js) when it is there. */
  readonly file: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Settings given as flags; `undefined` entries are not given. */
  readonly flags: Readonly<Partial<UserConfig>>;
  readonly folder: string;
}

/** A configuration and where it comes from. */
export interface LoadedConfig {
  readonly config: ResolvedConfig;
  /** Name of the file that was read, or `null`. */
  readonly file: string | null;
  /** Where the value at a path comes from: `--out`, `LECTERN_OUT`, a file name, or `default`. */
  readonly originOf: (path: readonly PropertyKey[]) => string;
}

/**
 * Resolves the configuration: defaults < file < environment < flags.
 * @throws CONFIG_UNREADABLE, CONFIG_AMBIGUOUS, CONFIG_INVALID (every mistake at once); all exit 2
 */
export async function loadConfig(input: ConfigInput): Promise<ResolvedConfig> {
  return (await loadConfigWithOrigins(input)).config;
}

/** The same, with the origin of every value. */
export async function loadConfigWithOrigins(input: ConfigInput): Promise<LoadedConfig> {
  const file = await readConfigFile(input.file, input.folder);
  const environment = readEnvironment(input.environment);
  const flags = definedOnly(input.flags);
  const merged = { ...file.settings, ...environment.settings, ...flags };
  const originOf = (path: readonly PropertyKey[]): string => {
    const name = String(path[0]);
    if (Object.hasOwn(flags, name))
      return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return environment.origins.get(name) ?? (isGiven(file.settings, path) ? (file.name ?? '') : 'default');
  };
  return { config: parseSettings(merged, originOf), file: file.name, originOf };
}

/**
 * Checks settings and fills in the defaults.
 * @param originOf says where the value at a path comes from
 * @throws CONFIG_INVALID (every mistake at once), exit 2
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
    hint: 'fix the settings listed above; docs/settings.md explains every setting',
    exitCode: 2,
  });
}

interface EnvironmentSettings {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Variable by setting. */
  readonly origins: ReadonlyMap<string, string>;
}

function readEnvironment(environment: ConfigInput['environment']): EnvironmentSettings {
  const settings: Record<string, unknown> = {};
  const origins = new Map<string, string>();
  for (const [variable, setting] of Object.entries(environmentSettings)) {
    const value = environment[variable];
    if (value === undefined || value === '') continue;
    settings[setting] = setting === 'languages' ? splitList(value) : value;
    origins.set(setting, variable);
  }
  return { settings, origins };
}

/** `en, de` → `['en', 'de']`. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function definedOnly(settings: Readonly<Partial<UserConfig>>): Partial<UserConfig> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function isGiven(settings: unknown, path: readonly PropertyKey[]): boolean {
  let value = settings;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as never)[key];
  }
  return true;
}
