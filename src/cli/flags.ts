import { resolve } from 'node:path';
import type { UserConfig } from '../core/config/schema.ts';
import { quoteForShell } from '../core/quote-for-shell.ts';
import { type FlagValues, lecternCommand, type Option, usageError } from './command.ts';
import type { BuildCommandLine } from './run-build.ts';
import { writeError } from './terminal.ts';

/** Flags with the same heading in the help. */
function under<const Flags extends Readonly<Record<string, Option>>>(group: string, flags: Flags) {
  const grouped = Object.entries(flags).map(([name, option]) => [name, { ...option, group }]);
  return Object.fromEntries(grouped) as {
    readonly [Name in keyof Flags]: Flags[Name] & { readonly group: string };
  };
}

const settings = 'Settings (override the file and LECTERN_… variables):';
const output = 'Output:';

export const configFlag = {
  type: 'string',
  describe: 'Configuration file (default lectern.config.json)',
} as const;

/** What a project says of its content: flags of builds, and of `lectern init`. */
const contentFlags = {
  source: { type: 'string', describe: 'Folder of Markdown, built site, zendesk or api (default)' },
  'base-url': { type: 'string', describe: 'URL of the API, ending in /v1' },
  'site-url': { type: 'string', describe: 'Public URL of the site' },
  'default-language': { type: 'string', describe: 'Default language of the articles (default en)' },
  languages: { type: 'string', describe: 'Languages, e.g. en,de (default all)' },
} as const;

const cacheFlag = { type: 'string', describe: 'Folder of the snapshot (default .lectern)' } as const;

/** Flags for the configuration file and for settings of every build command. */
export const settingFlags = under(settings, { config: configFlag, ...contentFlags, cache: cacheFlag });

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

export const outFlag = under(settings, {
  out: { type: 'string', describe: 'Output folder (default dist)' },
});

export const noindexFlag = under(settings, {
  noindex: { type: 'boolean', describe: 'Ask search engines not to list the site, e.g. of a preview' },
});

/** Flags of a build for what it must not do by itself. */
export const safetyFlags = under('Safety:', {
  offline: { type: 'boolean', describe: 'Build from the last snapshot without using the network' },
  'allow-mass-delete': {
    type: 'boolean',
    describe: 'Publish even if many or all articles have disappeared',
  },
  since: { type: 'string', describe: 'Continue the feed published at this URL or in this folder' },
  strict: { type: 'boolean', describe: 'Fail on errors and warnings in the report' },
  'insecure-loopback': { type: 'boolean', describe: 'Allow plain http to this machine' },
});

export const reportFlag = under(output, {
  report: { type: 'string', describe: 'Write the report to FILE.html (a page) or FILE.json' },
});

export const printFlags = under(output, {
  json: { type: 'boolean', describe: 'Print report, progress and errors as JSON' },
  verbose: { type: 'boolean', describe: 'List every problem, also those for information' },
  quiet: { type: 'boolean', describe: 'Print errors only' },
});

/** Values of the flags above. */
type BuildFlags = FlagValues<typeof settingFlags & typeof printFlags> &
  Partial<FlagValues<typeof outFlag & typeof noindexFlag & typeof reportFlag & typeof safetyFlags>>;

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
    switches: {
      offline: flags.offline ?? false,
      allowMassDelete: flags['allow-mass-delete'] ?? false,
      strict: flags.strict ?? false,
      insecureLoopback: flags['insecure-loopback'] ?? false,
      ...(flags.since === undefined ? {} : { since: flags.since }),
    },
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
  flags: T & Partial<Pick<BuildFlags, 'config' | 'quiet' | 'json'>>,
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

/** Flags of every command that connects to a knowledge base. */
export const clientFlags = under('Knowledge base:', {
  config: configFlag,
  'base-url': contentFlags['base-url'],
  'insecure-loopback': { type: 'boolean', default: false, describe: 'Allow plain http to this machine' },
});

const planFlags = {
  'dry-run': { type: 'boolean', default: false, describe: 'Print the plan and stop' },
  json: { type: 'boolean', default: false, describe: 'Print the plan and errors as JSON' },
} as const;

/** Flags of `lectern pull`. */
export const pullFlags = {
  ...clientFlags,
  ...planFlags,
  theirs: {
    type: 'boolean',
    default: false,
    describe: "Resolve conflicts with the other side's value of the whole field",
  },
  'allow-mass-delete': {
    type: 'boolean',
    default: false,
    describe: 'Allow removing more than 20 % of the articles',
  },
  ...under('With --source:', {
    source: { type: 'string', describe: 'Write what a folder, a built site, zendesk or api publishes' },
    'default-language': contentFlags['default-language'],
    languages: contentFlags.languages,
    cache: cacheFlag,
    'embed-images': {
      type: 'boolean',
      default: false,
      describe: 'Copy images of other hosts instead of keeping their URLs',
    },
    report: { type: 'string', describe: 'Write the problems (JSON) to this file' },
  }),
} as const;

/** Flags of `lectern push`. */
export const pushFlags = {
  ...clientFlags,
  ...planFlags,
  delete: { type: 'boolean', default: false, describe: 'Delete articles that were deleted in the folder' },
  'allow-mass-delete': {
    type: 'boolean',
    default: false,
    describe: 'Allow deleting more than 20 % of the articles',
  },
  ours: {
    type: 'boolean',
    default: false,
    describe: "Resolve conflicts with this side's value of the whole field",
  },
} as const;

/** Flags of `lectern init`; for missing ones it asks, or uses the default. */
export const initFlags = {
  ...contentFlags,
  title: { type: 'string', describe: 'Name of the help centre' },
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
