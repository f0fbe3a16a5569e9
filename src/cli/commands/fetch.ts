import { relative } from 'node:path';
import { describeExclusions } from '../../core/exclusions.ts';
import type { FetchReport } from '../../pipeline/fetch-snapshot.ts';
import { defineCommand } from '../command.ts';
import { printFlags, readBuildFlags, safetyFlags, settingFlags } from '../flags.ts';
import { formatCoverage, formatLanguages } from '../format-report.ts';
import { writeOutput } from '../terminal.ts';

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
    'allow-mass-delete': safetyFlags['allow-mass-delete'],
    'insecure-loopback': safetyFlags['insecure-loopback'],
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
    const commandLine = await readBuildFlags('fetch', { ...flags, cache: out });
    const { runWithConfig } = await import('../run-build.ts');
    const report = await runWithConfig(commandLine, async ({ config, options }) => {
      const { fetchSnapshot } = await import('../../pipeline/fetch-snapshot.ts');
      return fetchSnapshot(config, {
        ...options,
        ...commandLine.switches,
        apiKey: process.env.LECTERN_API_KEY || null,
      });
    });
    const { reportProblems } = await import('../../core/report.ts');
    const problems = reportProblems(report.problems, process.env.LECTERN_API_KEY || null);
    if (commandLine.json) writeOutput(`${JSON.stringify({ ...report, problems })}\n`);
    if (commandLine.json || commandLine.quiet) return;
    const { printProblems } = await import('../print-problems.ts');
    printProblems('stdout', problems, commandLine.rest, commandLine.verbose);
    writeOutput(formatFetch(report));
  },
});

function formatFetch({ folder, languages, skipped, ...coverage }: FetchReport): string {
  const reasons = describeExclusions(skipped);
  return [
    `Source    ${formatCoverage(coverage)}`,
    `Public    ${formatLanguages(languages)}`,
    ...(reasons === '' ? [] : [`Skipped   ${reasons}`]),
    `Snapshot  ${relative(process.cwd(), folder) || '.'}`,
    '',
  ].join('\n');
}
