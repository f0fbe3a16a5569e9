import type { Argv, CommandModule } from 'yargs';
import type { UserConfig } from '../../config/schema.ts';

interface BuildFlags {
  readonly config: string | undefined;
  readonly baseUrl: string | undefined;
  readonly siteUrl: string | undefined;
  readonly out: string | undefined;
  readonly defaultLanguage: string | undefined;
  readonly languages: string | undefined;
  readonly cache: string | undefined;
  readonly offline: boolean | undefined;
  readonly report: string | undefined;
  readonly changedFiles: string | undefined;
  readonly gitlabReport: string | undefined;
  readonly junitReport: string | undefined;
  readonly allowMassDelete: boolean | undefined;
  readonly since: string | undefined;
  readonly strict: boolean | undefined;
  readonly insecureLoopback: boolean | undefined;
  readonly quiet: boolean | undefined;
  readonly json: boolean | undefined;
}

const settings = 'Settings (over the file and LECTERN_… variables):';
const safety = 'Safety:';
const output = 'What it tells:';

/** `lectern build`: fetch → site + feed. */
export const buildCommand: CommandModule<object, BuildFlags> = {
  command: 'build',
  describe: 'Fetch the knowledge base and publish site and feed',
  builder: (yargs) =>
    yargs
      .options({
        config: {
          type: 'string',
          group: settings,
          describe: 'Configuration file (default lectern.config.json)',
        },
        'base-url': {
          type: 'string',
          group: settings,
          describe: 'Address of the knowledge-base API, ending in /v1',
        },
        'site-url': { type: 'string', group: settings, describe: 'Public address of the help site' },
        out: { type: 'string', group: settings, describe: 'Output folder (default dist)' },
        'default-language': {
          type: 'string',
          group: settings,
          describe: 'Language of the records themselves (default en)',
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
          describe: 'Build from the last snapshot, without the network',
        },
        'allow-mass-delete': {
          type: 'boolean',
          group: safety,
          describe: 'Believe a listing that is empty or has lost many articles',
        },
        since: {
          type: 'string',
          group: safety,
          describe: 'Continue the feed published at this address (or folder)',
        },
        strict: { type: 'boolean', group: safety, describe: 'Fail on warnings; the old output stands' },
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
          describe: 'Print the report as JSON; progress and errors, too',
        },
        quiet: { type: 'boolean', group: output, describe: 'Print nothing but errors' },
      })
      .example('$0 build --base-url https://kb.example.com/v1', 'Publish into dist/')
      .example('$0 build --languages en,de --strict', 'Two languages; stop on warnings')
      .example('$0 build --offline', 'Render the last snapshot again')
      .epilogue(
        'The API key is read from the variable LECTERN_API_KEY. Exit codes: 0 published, 1 the run failed and ' +
          'the old output stands, 2 the command line or configuration is wrong.',
      ) as Argv<object> as Argv<BuildFlags>,
  handler: async (flags) => {
    const { runBuild } = await import('../run-build.ts');
    await runBuild(
      {
        config: flags.config,
        settings: settingsFromFlags(flags),
        files: {
          report: flags.report,
          changedFiles: flags.changedFiles,
          gitlab: flags.gitlabReport,
          junit: flags.junitReport,
        },
        quiet: flags.quiet ?? false,
        json: flags.json ?? false,
      },
      {
        offline: flags.offline ?? false,
        allowMassDelete: flags.allowMassDelete ?? false,
        strict: flags.strict ?? false,
        ...(flags.since === undefined ? {} : { since: flags.since }),
        insecureLoopback: flags.insecureLoopback ?? false,
      },
    );
  },
};

function settingsFromFlags(flags: BuildFlags): Partial<UserConfig> {
  const { baseUrl, siteUrl, out, defaultLanguage, cache } = flags;
  const languages = flags.languages?.split(',').map((language) => language.trim());
  const given = { baseUrl, siteUrl, out, defaultLanguage, languages, cache };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
