import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LecternError } from '../../foundation/errors.ts';
import { makeFolder } from '../../foundation/make-folder.ts';
import type { RunReport } from '../../foundation/report.ts';
import { escapeControls } from '../escape-controls.ts';
import { formatGitlabReport } from './gitlab.ts';
import { formatJunitReport } from './junit.ts';

/** Files a run was asked to write, relative to the working folder. */
export interface ReportFiles {
  readonly report: string | undefined;
  readonly changedFiles: string | undefined;
  readonly gitlab: string | undefined;
  readonly junit: string | undefined;
}

/**
 * Writes the report in every form that was asked for. One that cannot be written does not keep the others from it.
 * @throws REPORT_UNWRITABLE for the first that cannot be written
 */
export async function writeReports(report: RunReport, files: ReportFiles, folder: string): Promise<void> {
  const forms = [
    [files.report, () => `${escapeControls(JSON.stringify(report, null, 2))}\n`],
    [files.changedFiles, () => formatChangedFiles(report)],
    [files.gitlab, () => formatGitlabReport(report)],
    [files.junit, () => formatJunitReport(report)],
  ] as const;
  const writing = forms.map(async ([name, text]) => {
    if (name !== undefined) await write(resolve(folder, name), text());
  });
  for (const written of await Promise.allSettled(writing)) {
    if (written.status === 'rejected') throw written.reason;
  }
}

async function write(path: string, text: string): Promise<void> {
  try {
    makeFolder(dirname(path));
    await writeFile(path, text);
  } catch (cause) {
    throw new LecternError('REPORT_UNWRITABLE', `the report ${path} cannot be written`, {
      hint: 'check that the folder is writable and the disk is not full',
      cause,
    });
  }
}

/**
 * One line per file that differs from the replaced output: `A`, `M` or `D`, a tab, the path (as `git diff --name-status`);
 * none of a run that failed.
 */
export function formatChangedFiles(report: RunReport): string {
  if (report.error !== null || report.changedFiles === null) return '';
  const { added, changed, removed } = report.changedFiles;
  const lines = [
    ...added.map((path) => `A\t${path}`),
    ...changed.map((path) => `M\t${path}`),
    ...removed.map((path) => `D\t${path}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
