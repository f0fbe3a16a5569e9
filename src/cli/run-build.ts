import { resolve, sep } from 'node:path';
import type { BuildOptions } from '../build/build-options.ts';
import { checkUpToDate } from '../build/check-up-to-date.ts';
import { readVersion } from '../build/read-version.ts';
import { loadConfig } from '../config/load-config.ts';
import type { UserConfig } from '../config/schema.ts';
import { LecternError } from '../foundation/errors.ts';
import { type ReportedProblem, reportProblems } from '../foundation/report.ts';
import { formatProblems } from './format-problems.ts';
import { formatSummary } from './format-summary.ts';
import { interruptible } from './interrupt.ts';
import { reportToGithub } from './reports/github.ts';
import { reportFailure } from './reports/report-failure.ts';
import { type ReportFiles, writeReports } from './reports/write-reports.ts';
import { type ProgressDisplay, type ProgressTarget, showProgress } from './show-progress.ts';
import {
  isTerminal,
  rewriteLine,
  terminalColumns,
  textWidth,
  writeError,
  writeOutput,
  writePainted,
} from './terminal.ts';

/** What the command line says about configuration and output. */
export interface BuildCommandLine {
  readonly config: string | undefined;
  readonly settings: Partial<UserConfig>;
  readonly files: ReportFiles;
  readonly quiet: boolean;
  readonly json: boolean;
}

type BuildSwitches = Pick<
  BuildOptions,
  'offline' | 'allowMassDelete' | 'strict' | 'insecureLoopback' | 'since' | 'shards'
>;

const noFiles: ReportFiles = {
  report: undefined,
  changedFiles: undefined,
  gitlab: undefined,
  junit: undefined,
};

/**
 * Runs `lectern build` and `lectern merge`: resolves the configuration, builds, shows progress, writes reports, prints the summary.
 * @throws whatever stopped the run, once the reports say so
 */
export function runBuild(commandLine: BuildCommandLine, switches: BuildSwitches): Promise<void> {
  return interruptible((signal) => runUntil(signal, commandLine, switches));
}

async function runUntil(
  signal: AbortSignal,
  commandLine: BuildCommandLine,
  switches: BuildSwitches,
): Promise<void> {
  const folder = process.cwd();
  const { env: environment } = process;
  const { files } = commandLine;
  const progress = startProgress(commandLine);
  const width = textWidth();
  const isForPeople = !commandLine.json && !commandLine.quiet;
  let out: string | null = null;
  let problems: readonly ReportedProblem[] = [];
  try {
    const config = await loadConfig({
      file: commandLine.config,
      environment,
      flags: commandLine.settings,
      folder,
    });
    out = resolve(folder, config.out);
    refuseReportsInside(out, files, folder);
    const options: BuildOptions = {
      ...switches,
      signal,
      apiKey: environment.LECTERN_API_KEY || null,
      signingKey: environment.LECTERN_SIGNING_KEY || null,
      folder,
      generator: `lectern ${await readVersion()}`,
      now: new Date().toISOString(),
      compareFiles: files.changedFiles !== undefined,
      onProgress: progress.update,
      onWait: (message) => writeError(formatWait(message, commandLine)),
      onProblems: (known) => {
        problems = reportProblems(known, options.apiKey);
      },
      onReport: async (report) => {
        problems = report.problems;
        await writeReports(report, files, folder);
      },
    };
    // The pipeline takes longer to load than to see that there is nothing for it to do.
    const report =
      (await checkUpToDate(config, options)) ??
      (await (await import('../build/build.ts')).build(config, options));
    progress.end();
    await reportToGithub(report, { environment, writeError });
    if (commandLine.json) writeOutput(`${JSON.stringify(report)}\n`);
    if (isForPeople) {
      writePainted('stdout', (paint) => formatSummary(report, { folder, width, paint }));
    }
  } catch (error) {
    progress.end();
    if (isForPeople && error instanceof LecternError && error.code === 'STRICT') {
      writePainted('stderr', (paint) => `${formatProblems(problems, width, paint).join('\n')}\n`);
    }
    const isReportInside = error instanceof LecternError && error.code === 'REPORT_INSIDE_OUTPUT';
    await reportFailure(
      { error, out, problems },
      {
        files: isReportInside ? noFiles : files,
        folder,
        json: commandLine.json,
        environment,
        writeOutput,
        writeError,
      },
    );
    throw error;
  }
}

/** What a run writes into the output it is about to replace is gone with it. */
function refuseReportsInside(out: string, files: ReportFiles, folder: string): void {
  for (const name of Object.values(files)) {
    if (name === undefined || !`${resolve(folder, name)}${sep}`.startsWith(`${out}${sep}`)) continue;
    throw new LecternError(
      'REPORT_INSIDE_OUTPUT',
      `the report ${name} is inside the output folder ${out}, which the build replaces`,
      {
        hint: 'choose a path outside the output folder',
        exitCode: 2,
      },
    );
  }
}

export function formatWait(
  message: string,
  { json, quiet }: Pick<BuildCommandLine, 'quiet' | 'json'>,
): string {
  if (quiet) return '';
  return json ? `${JSON.stringify({ event: 'waiting', message })}\n` : `note: ${message}\n`;
}

/** Shows progress on stderr as the flags say. */
export function startProgress(commandLine: Pick<BuildCommandLine, 'quiet' | 'json'>): ProgressDisplay {
  return showProgress({
    write: writeError,
    rewrite: rewriteLine,
    style: progressStyle(commandLine),
    columns: terminalColumns('stderr'),
    now: () => performance.now(),
  });
}

function progressStyle({ quiet, json }: Pick<BuildCommandLine, 'quiet' | 'json'>): ProgressTarget['style'] {
  if (quiet) return 'none';
  if (json) return 'json';
  return isTerminal('stderr') && process.env.TERM !== 'dumb' ? 'line' : 'plain';
}
