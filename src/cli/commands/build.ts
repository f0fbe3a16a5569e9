import type { UserConfig } from '../../config/schema.ts';
import { defineCommand } from '../parser/command.ts';

const settings = 'Settings (over the file and LECTERN_… variables):';
const safety = 'Safety:';
const output = 'Output:';

/** `lectern build`: fetch → site + feed. */
export const buildCommand = defineCommand({
  options: {
    config: {
      type: 'string',
      group: settings,
      describe: 'Configuration file (default lectern.config.json)',
    },
    'base-url': {
      type: 'string',
      group: settings,
      describe: 'URL of the knowledge-base API, ending in /v1',
    },
    'site-url': { type: 'string', group: settings, describe: 'Public URL of the help site' },
    out: { type: 'string', group: settings, describe: 'Output folder (default dist)' },
    'default-language': {
      type: 'string',
      group: settings,
      describe: 'Default language of the articles (default en)',
    },
    languages: {
      type: 'string',
      group: settings,
      describe: 'Languages to publish, e.g. en,de (default all)',
    },
    cache: { type: 'string', group: settings, describe: 'Folder of the snapshot (default .lectern)' },
    offline: {
      type: 'boolean',
      group: safety,
      describe: 'Build from the last snapshot without using the network',
    },
    'allow-mass-delete': {
      type: 'boolean',
      group: safety,
      describe: 'Publish even if the listing is empty or many articles have disappeared',
    },
    since: {
      type: 'string',
      group: safety,
      describe: 'Continue the feed published at this URL or in this folder',
    },
    strict: {
      type: 'boolean',
      group: safety,
      describe: 'Fail on warnings; the previous output is unchanged',
    },
    'insecure-loopback': {
      type: 'boolean',
      group: safety,
      describe: 'Allow plain http to this machine',
    },
    report: { type: 'string', group: output, describe: 'Write the report (JSON) to this file' },
    'changed-files': {
      type: 'string',
      group: output,
      describe: 'List added, changed and removed files in this file',
    },
    'gitlab-report': { type: 'string', group: output, describe: 'Write a GitLab code-quality report' },
    'junit-report': { type: 'string', group: output, describe: 'Write a JUnit report' },
    json: {
      type: 'boolean',
      group: output,
      describe: 'Print the report, progress and errors as JSON',
    },
    quiet: { type: 'boolean', group: output, describe: 'Print nothing but errors' },
  },
  examples: [
    ['lectern build --base-url https://kb.example.com/v1', 'Publish into dist/'],
    ['lectern build --languages en,de --strict', 'Two languages; stop on warnings'],
    ['lectern build --offline', 'Render the last snapshot again'],
  ],
  epilogue:
    'The API key is read from the variable LECTERN_API_KEY. Exit codes: 0 published, 1 the run failed and ' +
    'the previous output is unchanged, 2 the command line or configuration is wrong.',
  run: async (flags) => {
    const { runBuild } = await import('../run-build.ts');
    await runBuild(
      {
        config: flags.config,
        settings: settingsFromFlags(flags),
        files: {
          report: flags.report,
          changedFiles: flags['changed-files'],
          gitlab: flags['gitlab-report'],
          junit: flags['junit-report'],
        },
        quiet: flags.quiet ?? false,
        json: flags.json ?? false,
      },
      {
        offline: flags.offline ?? false,
        allowMassDelete: flags['allow-mass-delete'] ?? false,
        strict: flags.strict ?? false,
        ...(flags.since === undefined ? {} : { since: flags.since }),
        insecureLoopback: flags['insecure-loopback'] ?? false,
      },
    );
  },
});

/** The flags that are settings. */
interface SettingFlags {
  readonly 'base-url': string | undefined;
  readonly 'site-url': string | undefined;
  readonly out: string | undefined;
  readonly 'default-language': string | undefined;
  readonly languages: string | undefined;
  readonly cache: string | undefined;
}

function settingsFromFlags(flags: SettingFlags): Partial<UserConfig> {
  const { out, cache } = flags;
  const given = {
    baseUrl: flags['base-url'],
    siteUrl: flags['site-url'],
    out,
    defaultLanguage: flags['default-language'],
    languages: flags.languages?.split(',').map((language) => language.trim()),
    cache,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
