import { resolve, sep } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { ResolvedConfig, UserConfig } from '../core/config/schema.ts';
import { LecternError } from '../core/errors.ts';
import { readVersion } from '../core/file-system.ts';
import { type ReportedProblem, reportProblems } from '../core/report.ts';
import { build } from '../pipeline/build.ts';
import type { BuildOptions } from '../pipeline/build-options.ts';
import { explainInJob } from './explain-in-job.ts';
import { formatSummary } from './format-report.ts';
import { interruptible } from './interrupt.ts';
import { storeFlags } from './last-flags.ts';
import { printProblems } from './print-problems.ts';
import { readConfig } from './read-config.ts';
import { explainServices } from './remembered-service.ts';
import { reportToGithub } from './reports/github.ts';
import type { ReaderNumbers } from './reports/html-report.ts';
import { completeReport, reportFailure, writeReport } from './reports/write-report.ts';
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

/** Configuration and output flags. */
export interface BuildCommandLine {
  readonly config: string | undefined;
  readonly settings: Partial<UserConfig>;
  /** The flags of the settings, as they were typed. */
  readonly typed: Parameters<typeof storeFlags>[1];
  readonly switches: Pick<
    BuildOptions,
    'offline' | 'allowMassDelete' | 'strict' | 'insecureLoopback' | 'since'
  >;
  /** File of `--report`, relative to the working folder. */
  readonly report: string | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly json: boolean;
  /** The command that shows the site, which a first build names; `null`: none. */
  readonly preview: string | null;
  /** Sentence that says where all problems are. */
  readonly rest: string;
}

/**
 * Runs `lectern build`, `lectern forget` and `lectern feed`: resolves the configuration, builds, shows progress, writes reports, prints the
 * summary.
 * @param product the whole site, or the feed of a site that exists already
 * @param forget what to erase from the histories; absent: nothing
 * @throws the error of a failed run, after the reports were written
 */
export function runBuild(
  commandLine: BuildCommandLine,
  product: 'site' | 'feed' = 'site',
  forget?: BuildOptions['forget'],
): Promise<void> {
  compileLater();
  const { report: file, json, quiet, verbose, typed } = commandLine;
  return runWithConfig(commandLine, async ({ config, options: common, known, endProgress }) => {
    const { folder, environment } = common;
    const apiKey = environment.LECTERN_API_KEY || null;
    let isUpToDate = false;
    const { feedSite, siteFolder } = await import('../pipeline/feed-site.ts');
    known.out = product === 'feed' ? siteFolder(config, folder) : resolve(folder, config.out);
    refuseReportInside(known.out, file, folder);
    const options: BuildOptions = {
      ...commandLine.switches,
      ...(forget === undefined ? {} : { forget }),
      ...common,
      apiKey,
      now: new Date().toISOString(),
      compareFiles: file !== undefined,
      onProblems: (problems, placeOf) => {
        known.problems = reportProblems(problems, apiKey, placeOf);
      },
      onUpToDate: () => {
        isUpToDate = true;
      },
      onReport: async (report) => {
        known.problems = report.problems;
        await writeReport(report, file, folder);
      },
    };
    const report = await (product === 'feed' ? feedSite : build)(config, options);
    if (product === 'site') storeFlags(resolve(folder, config.cache), typed);
    endProgress();
    await completeReport(report, file, folder, () => readNumbers(commandLine, config));
    await reportToGithub(report);
    if (json) writeOutput(`${JSON.stringify(report)}\n`);
    if (json || quiet) return;
    // Whoever builds again knows it.
    const isFirst = product === 'site' && report.seq === 1;
    writePainted('stdout', (paint) =>
      formatSummary(report, {
        folder,
        width: textWidth(),
        paint,
        isUpToDate,
        isVerbose: verbose,
        preview: isFirst ? commandLine.preview : null,
        rest: commandLine.rest,
      }),
    );
  });
}

/** What readers did, from an API that counts it; `null` for other sources, and if the API does not answer. */
async function readNumbers(
  { config: file, switches: { offline, insecureLoopback } }: BuildCommandLine,
  { source, baseUrl }: ResolvedConfig,
): Promise<ReaderNumbers | null> {
  if (source.kind !== 'api' || offline) return null;
  const { withClient } = await import('./with-client.ts');
  try {
    const flags = { config: file, 'base-url': baseUrl, 'insecure-loopback': insecureLoopback };
    return await withClient(flags, async (client) => ({
      articles: (await client.readStatistics()).slice(0, shownNumbers),
      searches: (await client.readSearches({ limit: shownNumbers })).map(
        ({ query, language_code: language, count }) => ({ query, language, count }),
      ),
    }));
  } catch {
    // Not every service with this API has both, and the site is published already.
    return null;
  }
}

/** Articles and searches of the report. */
const shownNumbers = 20;

/**
 * Makes V8 optimise only functions that are called very often. Node 20 does it so early that builds spend a fifth of the processor on it; later
 * versions wait by themselves, and have other options. The threads of the process follow.
 */
function compileLater(): void {
  if (!process.versions.node.startsWith('20.')) return;
  setFlagsFromString('--interrupt-budget=1000000');
  setFlagsFromString('--always-sparkplug');
}

/** A report inside the output would be removed with the replaced output. */
function refuseReportInside(out: string, report: string | undefined, folder: string): void {
  if (report === undefined || !`${resolve(folder, report)}${sep}`.startsWith(`${out}${sep}`)) return;
  throw new LecternError(
    'REPORT_UNWRITABLE',
    `the report ${report} is inside the output folder ${out}, which the build replaces`,
    {
      hint: 'choose a path outside the output folder',
      exitCode: 2,
    },
  );
}

function formatWait(message: string, { json, quiet }: Pick<BuildCommandLine, 'quiet' | 'json'>): string {
  if (quiet) return '';
  return json ? `${JSON.stringify({ event: 'waiting', message })}\n` : `note: ${message}\n`;
}

/** Shows progress on stderr according to the flags. */
function startProgress(commandLine: Pick<BuildCommandLine, 'quiet' | 'json'>): ProgressDisplay {
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

/** What is known of a run. The report of its failure contains it. */
interface KnownRun {
  /** Absolute path of the output; `null` as long as it is unknown. */
  out: string | null;
  problems: readonly ReportedProblem[];
}

/** Runs a build, or a part of one, with configuration and progress. Reports its failure, as JSON with `--json`. */
export function runWithConfig<T>(
  commandLine: BuildCommandLine,
  act: (run: {
    readonly config: ResolvedConfig;
    readonly options: CommonOptions;
    readonly known: KnownRun;
    readonly endProgress: () => void;
  }) => Promise<T>,
): Promise<T> {
  return interruptible(async (signal) => {
    const { config: file, settings, report, json, quiet } = commandLine;
    const progress = startProgress(commandLine);
    const known: KnownRun = { out: null, problems: [] };
    const options = {
      folder: process.cwd(),
      environment: process.env,
      signal,
      onProgress: progress.update,
      generator: `lectern ${readVersion()}`,
      onWait: (message: string) => writeError(formatWait(message, commandLine)),
    };
    try {
      return await act({
        config: await readConfig(file, settings),
        options,
        known,
        endProgress: progress.end,
      });
    } catch (thrown) {
      const error = explainServices(explainInJob(thrown, process.env), options.folder);
      progress.end();
      // They may be the cause, as of a source without a page that can be read.
      const isListed = error instanceof LecternError && error.code !== 'INTERRUPTED';
      if (!json && !quiet && isListed)
        printProblems('stderr', known.problems, commandLine.rest, commandLine.verbose);
      const isReportInside = error instanceof LecternError && error.code === 'REPORT_UNWRITABLE';
      await reportFailure({ error, ...known }, isReportInside ? undefined : report, json);
      throw error;
    } finally {
      progress.end();
    }
  });
}

/** Options that every kind of build gets. */
type CommonOptions = Required<
  Pick<BuildOptions, 'folder' | 'environment' | 'signal' | 'onProgress' | 'generator' | 'onWait'>
>;
