import type { ReportedProblem } from '../../foundation/report.ts';
import { describeError, formatError } from '../format-error.ts';
import { createPaint } from '../terminal.ts';
import { type GithubTarget, reportToGithub } from './github.ts';
import { type ReportFiles, writeReports } from './write-reports.ts';

/** What was known of a run when it failed. */
export interface FailedRun {
  readonly error: unknown;
  /** Absolute path of the output, or `null` where the configuration was not read yet. */
  readonly out: string | null;
  readonly problems: readonly ReportedProblem[];
}

/** Where a failed run is reported; `files` are relative to `folder`. */
export interface FailureTarget extends GithubTarget {
  readonly files: ReportFiles;
  readonly folder: string;
  /** Errors are printed as JSON lines, and so is the report. */
  readonly json: boolean;
  readonly writeOutput: (text: string) => void;
}

/**
 * Writes that a run failed, and why, into every report that was asked for, and prints an annotation for GitHub. It never throws: the
 * failure itself must reach the user, and so does, on stderr, a report that could not be written.
 */
export async function reportFailure(
  { error, out, problems }: FailedRun,
  { files, folder, json, writeOutput, ...github }: FailureTarget,
): Promise<void> {
  const report = { schema: 'lectern.report/1', error: describeError(error), out, problems } as const;
  if (json) writeOutput(`${JSON.stringify(report)}\n`);
  try {
    await writeReports(report, files, folder);
    await reportToGithub(report, github);
  } catch (second) {
    if (describeError(second).code === report.error.code) return;
    github.writeError(formatError(second, { json, github: false, paint: createPaint({}, {}), width: null }));
  }
}

/**
 * The reports a command line asks for that could not be understood as a whole; `null` where it is not one of
 * `lectern build`.
 */
export function findReportFlags(argv: readonly string[]): ReportFiles | null {
  if (!argv.includes('build')) return null;
  return {
    report: valueOfFlag('--report', argv),
    changedFiles: valueOfFlag('--changed-files', argv),
    gitlab: valueOfFlag('--gitlab-report', argv),
    junit: valueOfFlag('--junit-report', argv),
  };
}

/** `--name VALUE` or `--name=VALUE`. */
function valueOfFlag(name: string, argv: readonly string[]): string | undefined {
  const index = argv.findIndex((word) => word === name || word.startsWith(`${name}=`));
  if (index < 0) return undefined;
  const word = argv[index] === name ? argv[index + 1] : argv[index]?.slice(name.length + 1);
  return word === undefined || word === '' || word.startsWith('-') ? undefined : word;
}
