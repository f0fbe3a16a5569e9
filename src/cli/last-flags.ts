import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { UserConfig } from '../core/config/schema.ts';
import { readJsonOrNull, writeFileAtomically } from '../core/file-system.ts';

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

/** When this program was started, which then read the configuration file. */
const startedMs = performance.timeOrigin;

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
  try {
    writeFileAtomically(join(cache, fileName), [`${JSON.stringify({ ...given, readMs: startedMs })}\n`]);
  } catch {
    // The disk is full, or the folder is gone.
  }
}

/**
 * The flags of the last build, without those that were given again; none if their file is missing or damaged. They are stronger than variables and the configuration file, as in that
 * build, unless the file was edited since. Returns none if the build had another configuration file.
 * @param config configuration file that was given now
 * @param originOf says where a setting comes from now
 * @param folder base of the name of the configuration file
 */
export function readLastFlags(
  cache: string,
  config: string | undefined,
  originOf: (path: readonly [keyof UserConfig]) => string,
  folder: string,
): TypedFlags {
  const stored = (readJsonOrNull(join(cache, fileName)) ?? {}) as StoredFlags & { readonly readMs?: number };
  const { config: lastConfig, readMs = 0, ...flags } = stored;
  if (lastConfig !== config) return {};
  const isGiven = (setting: keyof UserConfig): boolean => {
    const origin = originOf([setting]);
    if (origin === 'default' || origin.startsWith('LECTERN_')) return false;
    if (origin.startsWith('--')) return true;
    return (statSync(resolve(folder, origin), { throwIfNoEntry: false })?.mtimeMs ?? 0) > readMs;
  };
  // The URL belongs to the kind of source, so both flags are dropped if one of them is given.
  const hasSource = isGiven('source') || isGiven('baseUrl');
  return Object.fromEntries(
    Object.entries(flags).filter(([name]) => {
      const setting = settings[name as FlagName];
      return !isGiven(setting) && !(hasSource && (setting === 'source' || setting === 'baseUrl'));
    }),
  );
}
