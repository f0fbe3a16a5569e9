import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LecternError } from '../../errors.ts';
import type { BuildReport } from '../../report.ts';
import { formatChangedFiles } from './changed-files.ts';
import { formatGithubAnnotations, formatGithubSummary } from './github.ts';
import { formatGitlabReport } from './gitlab.ts';
import { formatJunitReport } from './junit.ts';

/** Files a run was asked to write, relative to the working folder. */
export interface ReportFiles {
  readonly report: string | undefined;
  readonly changedFiles: string | undefined;
  readonly gitlab: string | undefined;
  readonly junit: string | undefined;
}

export interface ReportTarget {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly writeError: (text: string) => void;
}

/**
 * Writes the report in every form that was asked for, and what GitHub Actions shows where the run is one of its jobs.
 * @throws REPORT_UNWRITABLE
 */
export async function writeReports(
  report: BuildReport,
  files: ReportFiles,
  target: ReportTarget,
): Promise<void> {
  const write = async (name: string | undefined, text: () => string): Promise<void> => {
    if (name === undefined) return;
    const path = resolve(target.folder, name);
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text());
    } catch (cause) {
      throw new LecternError('REPORT_UNWRITABLE', `the report ${path} cannot be written`, {
        hint: 'check that the folder can be written to and the disk is not full',
        cause,
      });
    }
  };
  await write(files.report, () => `${JSON.stringify(report, null, 2)}\n`);
  await write(files.changedFiles, () => formatChangedFiles(report));
  await write(files.gitlab, () => formatGitlabReport(report));
  await write(files.junit, () => formatJunitReport(report));
  if (target.environment.GITHUB_ACTIONS !== 'true') return;
  target.writeError(formatGithubAnnotations(report));
  const summary = target.environment.GITHUB_STEP_SUMMARY;
  if (summary) await appendFile(summary, formatGithubSummary(report));
}
