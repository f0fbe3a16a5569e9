import { relative } from 'node:path';
import { countOf } from '../../foundation/count-of.ts';
import type { FetchReport } from '../../pipeline/fetch-snapshot.ts';
import {
  insecureFlag,
  massDeleteFlag,
  outFlag,
  printFlags,
  readBuildFlags,
  reportFlags,
  settingFlags,
  sinceFlag,
  strictFlag,
} from '../flags.ts';
import { defineCommand } from '../parser/command.ts';
import { textWidth, writeOutput, writePainted } from '../terminal.ts';

const shards = 'Shards (docs/scale.md):';

/** `lectern build`: fetch → site + feed. */
export const buildCommand = defineCommand({
  options: {
    ...settingFlags,
    ...outFlag,
    offline: {
      type: 'boolean',
      group: 'Safety:',
      describe: 'Build from the last snapshot without using the network',
    },
    ...massDeleteFlag,
    ...sinceFlag,
    ...strictFlag,
    ...insecureFlag,
    shard: {
      type: 'string',
      group: shards,
      describe: 'Render one part of the articles, e.g. 3/8 (then lectern merge)',
    },
    previous: {
      type: 'string',
      group: shards,
      describe: 'With --shard: the output that merge replaces, to skip unchanged articles',
    },
    ...reportFlags,
    ...printFlags,
  },
  examples: [
    ['lectern build --base-url https://kb.example.com/v1', 'Publish into dist/'],
    ['lectern build --source folder:./docs --out docs-site', 'Publish a folder of Markdown'],
    ['lectern build --languages en,de --strict', 'Two languages; fail on warnings'],
    ['lectern build --offline', 'Render the last snapshot again'],
    ['lectern build --offline --shard 3/8 --out shard-3', 'One of eight shards'],
  ],
  epilogue:
    'The API key is read from the variable LECTERN_API_KEY; a folder needs none. Exit codes: 0 published, 1 failed (the ' +
    'previous output is unchanged), 2 wrong command line or configuration.',
  run: async (flags) => {
    if (flags.shard !== undefined || flags.previous !== undefined) {
      const { runShard } = await import('../run-build.ts');
      return runShard(await readBuildFlags(flags), flags);
    }
    const { runBuild } = await import('../run-build.ts');
    await runBuild(await readBuildFlags(flags), {
      offline: flags.offline ?? false,
      allowMassDelete: flags['allow-mass-delete'] ?? false,
      strict: flags.strict ?? false,
      ...(flags.since === undefined ? {} : { since: flags.since }),
      insecureLoopback: flags['insecure-loopback'] ?? false,
    });
  },
});

const { cache: _, ...otherSettings } = settingFlags;

/** `lectern fetch`: the public knowledge base → a snapshot for `build --offline`. */
export const fetchCommand = defineCommand({
  options: {
    out: {
      type: 'string',
      group: 'Output:',
      describe: 'Folder of the snapshot (default: the cache folder, .lectern)',
    },
    ...otherSettings,
    ...massDeleteFlag,
    ...insecureFlag,
    ...printFlags,
  },
  examples: [
    ['lectern fetch', 'Read the knowledge base into .lectern'],
    ['lectern fetch --out snapshot', 'Then: lectern build --offline --cache snapshot'],
  ],
  epilogue:
    'The snapshot contains only public articles and their images. ' +
    'The API key is read from the variable LECTERN_API_KEY.',
  run: async ({ out, ...flags }) => {
    const commandLine = await readBuildFlags({ ...flags, cache: out });
    const { runWithConfig } = await import('../run-build.ts');
    const apiKey = process.env.LECTERN_API_KEY || null;
    const report = await runWithConfig(commandLine, async ({ config, options }) => {
      const { fetchSnapshot } = await import('../../pipeline/fetch-snapshot.ts');
      return fetchSnapshot(config, {
        ...options,
        allowMassDelete: flags['allow-mass-delete'] ?? false,
        insecureLoopback: flags['insecure-loopback'] ?? false,
        apiKey,
      });
    });
    const { reportProblems } = await import('../../foundation/report.ts');
    const problems = reportProblems(report.problems, apiKey);
    if (commandLine.json) writeOutput(`${JSON.stringify({ ...report, problems })}\n`);
    if (commandLine.json || commandLine.quiet) return;
    const { formatProblems } = await import('../format-report.ts');
    const width = textWidth();
    if (problems.length > 0)
      writePainted('stdout', (paint) => `${formatProblems(problems, width, paint).join('\n')}\n`);
    writeOutput(formatFetch(report));
  },
});

function formatFetch({ folder, articles, languages, skipped }: FetchReport): string {
  const perLanguage = Object.entries(languages)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([language, count]) => `${language} ${count}`);
  const reasons = Object.entries(skipped).map(([reason, count]) => `${count} ${reason}`);
  return [
    `${countOf(articles, 'public article')}: ${perLanguage.join(', ')}`,
    ...(reasons.length === 0 ? [] : [`Skipped: ${reasons.join(', ')}`]),
    `Snapshot  ${relative(process.cwd(), folder) || '.'}`,
    '',
  ].join('\n');
}

/** `lectern merge`: shards → the site and feed that one build would have written. */
export const mergeCommand = defineCommand({
  positionals: { shards: { describe: 'Folders of all shards of one build', isList: true } },
  options: {
    ...settingFlags,
    ...outFlag,
    ...massDeleteFlag,
    ...sinceFlag,
    ...strictFlag,
    ...reportFlags,
    ...printFlags,
  },
  examples: [
    ['lectern merge shard-*/', 'Publish into dist/'],
    ['lectern merge shard-*/ --since https://help.example.com/', 'Continue the published feed'],
  ],
  epilogue:
    'Use the cache folder, the configuration and the version that the shards were built with. ' +
    'Exit codes are those of lectern build.',
  run: async (flags) => {
    const { runBuild } = await import('../run-build.ts');
    await runBuild(await readBuildFlags(flags), {
      shards: flags.shards,
      offline: true,
      allowMassDelete: flags['allow-mass-delete'] ?? false,
      strict: flags.strict ?? false,
      ...(flags.since === undefined ? {} : { since: flags.since }),
      insecureLoopback: false,
    });
  },
});
