import { resolve } from 'node:path';
import type { UserConfig } from '../core/config/schema.ts';
import { quoteForShell } from '../core/quote-for-shell.ts';
import { type FlagValues, lecternCommand, usageError } from './command.ts';
import type { BuildCommandLine } from './run-build.ts';
import { writeError } from './terminal.ts';

const settings = 'Settings (override the file and LECTERN_… variables):';
const safety = 'Safety:';
const output = 'Output:';

/** Flags for the configuration file and for settings of every build command. */
export const settingFlags = {
  config: { type: 'string', group: settings, describe: 'Configuration file (default lectern.config.json)' },
  source: {
    type: 'string',
    group: settings,
    describe: 'Folder of Markdown, built site, zendesk or api (default)',
  },
  'base-url': {
    type: 'string',
    group: settings,
    describe: 'URL of the API, ending in /v1',
  },
  'site-url': { type: 'string', group: settings, describe: 'Public URL of the site' },
  'default-language': {
    type: 'string',
    group: settings,
    describe: 'Default language of the articles (default en)',
  },
  languages: {
    type: 'string',
    group: settings,
    describe: 'Languages, e.g. en,de (default all)',
  },
  cache: { type: 'string', group: settings, describe: 'Folder of the snapshot (default .lectern)' },
} as const;

/** The source of a command as a word after it. */
export const folderWord = {
  folder: { describe: 'Folder of Markdown, or built site (default: the source of the settings)' },
} as const;

/** The word after the command is the same as `--source`. */
export function takeFolder<T extends { readonly folder: string; readonly source: string | undefined }>({
  folder,
  ...flags
}: T): Omit<T, 'folder'> {
  // A word that is not given is undefined, whatever its type says.
  const word = folder as string | undefined;
  if (word === undefined) return flags;
  if (flags.source === undefined) return { ...flags, source: word };
  throw usageError(`Two sources are given: ${word} and ${flags.source}`, 'pass one of them');
}

export const outFlag = {
  out: { type: 'string', group: settings, describe: 'Output folder (default dist)' },
} as const;

export const noindexFlag = {
  noindex: {
    type: 'boolean',
    group: settings,
    describe: 'Ask search engines not to list the site, e.g. of a preview',
  },
} as const;

export const massDeleteFlag = {
  'allow-mass-delete': {
    type: 'boolean',
    group: safety,
    describe: 'Publish even if many or all articles have disappeared',
  },
} as const;

export const sinceFlag = {
  since: {
    type: 'string',
    group: safety,
    describe: 'Continue the feed published at this URL or in this folder',
  },
} as const;

export const strictFlag = {
  strict: {
    type: 'boolean',
    group: safety,
    describe: 'Fail on errors and warnings in the report',
  },
} as const;

export const insecureFlag = {
  'insecure-loopback': {
    type: 'boolean',
    group: safety,
    describe: 'Allow plain http to this machine',
  },
} as const;

export const reportFlag = {
  report: { type: 'string', group: output, describe: 'Write the report to FILE.html (a page) or FILE.json' },
} as const;

export const printFlags = {
  json: {
    type: 'boolean',
    group: output,
    describe: 'Print report, progress and errors as JSON',
  },
  verbose: {
    type: 'boolean',
    group: output,
    describe: 'List every problem, also those for information',
  },
  quiet: { type: 'boolean', group: output, describe: 'Print errors only' },
} as const;

/** Values of the flags above. */
type BuildFlags = FlagValues<typeof settingFlags & typeof printFlags> &
  Partial<FlagValues<typeof outFlag & typeof noindexFlag & typeof reportFlag>>;

/** Reads configuration and output flags of a command. */
export async function readBuildFlags(
  command: 'build' | 'feed' | 'fetch' | 'forget',
  flags: BuildFlags,
): Promise<BuildCommandLine> {
  const hasReport = command === 'build' || command === 'feed';
  return {
    config: flags.config,
    settings: await settingsFromFlags(flags),
    typed: flags,
    report: flags.report,
    quiet: flags.quiet ?? false,
    verbose: flags.verbose ?? false,
    json: flags.json ?? false,
    preview: `${lecternCommand()} preview`,
    rest: `lectern ${command} --verbose lists all of them${hasReport ? ', --report FILE writes them to a file' : ''}.`,
  };
}

/** The settings that flags give. */
export async function settingsFromFlags(flags: Partial<BuildFlags>): Promise<Partial<UserConfig>> {
  const { definedOnly } = await import('../core/config/load-config.ts');
  const { parseSource } = await import('../core/config/find-source.ts');
  const { splitList } = await import('../core/split-list.ts');
  const { source, out, cache, languages } = flags;
  return definedOnly({
    source: source === undefined ? undefined : parseSource(source, process.cwd()),
    baseUrl: flags['base-url'],
    siteUrl: flags['site-url'],
    out,
    defaultLanguage: flags['default-language'],
    languages: languages === undefined ? undefined : splitList(languages),
    cache,
    noindex: flags.noindex,
  });
}

/**
 * The flags of a command with those of the last build that were not given again, which are named on stderr. They are returned as they are if the
 * configuration is wrong, which the command then reports.
 * @param isNeeded whether the flags of the last build are wanted, by where a setting comes from now
 */
export async function withLastFlags<T extends Parameters<typeof settingsFromFlags>[0]>(
  flags: T & Pick<BuildFlags, 'config' | 'quiet' | 'json'>,
  isNeeded: (originOf: (path: readonly [keyof UserConfig]) => string) => boolean = () => true,
): Promise<T> {
  const { loadConfig } = await import('../core/config/load-config.ts');
  const { readLastFlags } = await import('./last-flags.ts');
  const folder = process.cwd();
  const loaded = await loadConfig({
    file: flags.config,
    environment: process.env,
    flags: await settingsFromFlags(flags),
    folder,
  }).catch(() => null);
  if (loaded === null || !isNeeded(loaded.originOf)) return flags;
  const cache = resolve(folder, loaded.config.cache);
  const last = readLastFlags(cache, flags.config, loaded.originOf, folder);
  const named = Object.entries(last).map(([name, value]) =>
    typeof value === 'boolean' ? `--${value ? '' : 'no-'}${name}` : `--${name} ${quoteForShell(value)}`,
  );
  if (named.length > 0 && !flags.quiet && !flags.json)
    writeError(`as in the last build: ${named.join(' ')}\n`);
  return { ...flags, ...last };
}

const group = 'Knowledge base:';

/** Flags of every command that connects to a knowledge base. */
export const clientFlags = {
  config: { type: 'string', group, describe: 'Configuration file (default lectern.config.json)' },
  'base-url': { type: 'string', group, describe: 'URL of the API, ending in /v1' },
  'insecure-loopback': {
    type: 'boolean',
    group,
    default: false,
    describe: 'Allow plain http to this machine',
  },
} as const;

const planFlag = {
  json: { type: 'boolean', default: false, describe: 'Print the plan and errors as JSON' },
} as const;

const withSource = 'With --source:';

/** Flags of `lectern pull`. */
export const pullFlags = {
  ...clientFlags,
  'dry-run': {
    type: 'boolean',
    default: false,
    describe: 'Print the plan and stop',
  },
  theirs: {
    type: 'boolean',
    default: false,
    describe: "Resolve conflicts with the other side's value of the whole field",
  },
  ...planFlag,
  source: {
    type: 'string',
    group: withSource,
    describe: 'Write what a folder, a built site, zendesk or api publishes',
  },
  'default-language': { ...settingFlags['default-language'], group: withSource },
  languages: { ...settingFlags.languages, group: withSource },
  cache: { ...settingFlags.cache, group: withSource },
  'embed-images': {
    type: 'boolean',
    default: false,
    group: withSource,
    describe: 'Copy images of other hosts instead of keeping their URLs',
  },
  'allow-mass-delete': {
    type: 'boolean',
    default: false,
    group: withSource,
    describe: 'Allow removing more than 20 % of the articles',
  },
  report: { type: 'string', group: withSource, describe: 'Write the problems (JSON) to this file' },
} as const;

/** Flags of `lectern push`. */
export const pushFlags = {
  ...clientFlags,
  'dry-run': {
    type: 'boolean',
    default: false,
    describe: 'Print the plan and stop',
  },
  delete: {
    type: 'boolean',
    default: false,
    describe: 'Delete articles that were deleted in the folder',
  },
  'allow-mass-delete': {
    type: 'boolean',
    default: false,
    describe: 'Allow deleting more than 20 % of the articles',
  },
  ...planFlag,
  ours: {
    type: 'boolean',
    default: false,
    describe: "Resolve conflicts with this side's value of the whole field",
  },
} as const;

/** Flags of `lectern init`; for missing ones it asks, or uses the default. */
export const initFlags = {
  source: { type: 'string', describe: 'Folder of Markdown, built site, zendesk or api (default)' },
  'base-url': { type: 'string', describe: 'URL of the API, ending in /v1' },
  'site-url': { type: 'string', describe: 'Public URL of the site' },
  title: { type: 'string', describe: 'Name of the help centre' },
  'default-language': { type: 'string', describe: 'Default language of the articles (default en)' },
  languages: { type: 'string', describe: 'Languages, e.g. en,de (default all)' },
  ci: {
    type: 'string',
    choices: ['github', 'gitlab', 'cron', 'none'],
    describe: 'Where scheduled builds run',
  },
  check: {
    type: 'boolean',
    default: true,
    describe: 'Read the source and count its articles; --no-check skips this',
  },
  force: { type: 'boolean', describe: 'Replace existing files' },
} as const;

/** Flags of commands that read a published feed. */
export const feedFlags = {
  config: { type: 'string', describe: 'Configuration file, read only for a URL' },
  json: { type: 'boolean', describe: 'Print the result as JSON' },
} as const;

/** Location of the embedded service's data. */
export const dataFlag = {
  type: 'string',
  describe: 'SQLite file or postgres:// URL of the knowledge base (default LECTERN_DATA or lectern.sqlite)',
} as const;

/**
 * Returns the flag, else LECTERN_DATA (which hides a password from other users of the machine), else a default file in the current folder.
 */
export function readDataFlag(data: string | undefined): string {
  return data ?? (process.env.LECTERN_DATA || 'lectern.sqlite');
}
