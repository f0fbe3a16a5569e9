import { join } from 'node:path';
import type { UserConfig } from '../config/schema.ts';
import { readFileOrNull, writeFileAtomically } from '../foundation/file-system.ts';

/** File in the cache folder. */
const fileName = 'last-flags.json';

/** The flags of a build that are settings, except the cache, which contains this file. */
const settings = {
  source: 'source',
  'base-url': 'baseUrl',
  'site-url': 'siteUrl',
  out: 'out',
  'default-language': 'defaultLanguage',
  languages: 'languages',
  noindex: 'noindex',
} as const satisfies Readonly<Record<string, keyof UserConfig>>;

type FlagName = keyof typeof settings;

/** Settings as they were typed, by flag. */
type TypedFlags = Readonly<Partial<Record<Exclude<FlagName, 'noindex'>, string>> & { noindex?: boolean }>;

/** The content of the file; `config` is the configuration file of the build. */
type StoredFlags = TypedFlags & { readonly config?: string };

/**
 * Stores the flags of a build, so that a preview without flags shows the same site. If that fails, the build is published all the same.
 * @param cache absolute path of the cache folder
 */
export function storeFlags(
  cache: string,
  flags: { readonly [name in keyof StoredFlags]: StoredFlags[name] | undefined },
): void {
  const names = ['config', ...Object.keys(settings)] as (keyof typeof flags)[];
  const given = Object.fromEntries(names.map((name) => [name, flags[name]]));
  const text = `${JSON.stringify(given)}\n`;
  const path = join(cache, fileName);
  try {
    if (readFileOrNull(path)?.toString() !== text) writeFileAtomically(path, [text]);
  } catch {
    // The disk is full, or the folder is gone.
  }
}

/**
 * The flags of the last build for settings that have no value now; none if it had another configuration file.
 * @param config configuration file that was given now
 * @param isGiven whether a setting has a value that is stronger
 */
export function readLastFlags(
  cache: string,
  config: string | undefined,
  isGiven: (setting: keyof UserConfig) => boolean,
): TypedFlags {
  const { config: lastConfig, ...flags } = parseFlags(readFileOrNull(join(cache, fileName)));
  if (lastConfig !== config) return {};
  // They are one thing: the URL belongs to the kind of source.
  const hasSource = isGiven('source') || isGiven('baseUrl');
  return Object.fromEntries(
    Object.entries(flags).filter(([name]) => {
      const setting = settings[name as FlagName];
      return !isGiven(setting) && !(hasSource && (setting === 'source' || setting === 'baseUrl'));
    }),
  );
}

/** Of a damaged file none. */
function parseFlags(stored: Buffer | null): StoredFlags {
  try {
    return stored === null ? {} : JSON.parse(stored.toString());
  } catch {
    return {};
  }
}
