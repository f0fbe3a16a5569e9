import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LecternError } from '../../core/errors.ts';
import { makeFolder } from '../../core/file-system.ts';
import type { FailedReport, RunReport } from '../../core/report.ts';
import { describeError, formatError } from '../format-error.ts';
import { createPaint, escapeControls, writeError, writeOutput } from '../terminal.ts';
import { reportToGithub } from './github.ts';
import type { ReaderNumbers } from './html-report.ts';

/** Requested report files, relative to the working folder. */
export interface ReportFiles {
  readonly report: string | undefined;
  readonly changedFiles: string | undefined;
}

/**
 * Writes all requested reports, even if one cannot be written.
 * @throws REPORT_UNWRITABLE for the first that cannot be written
 */
export async function writeReports(report: RunReport, files: ReportFiles, folder: string): Promise<void> {
  const forms = [
    [
      files.report,
      async () =>
        isHtml(files)
          ? formatReportPage(report, false)
          : `${escapeControls(JSON.stringify(report, null, 2))}\n`,
    ],
    [files.changedFiles, async () => formatChangedFiles(report)],
  ] as const;
  const writing = forms.map(async ([name, text]) => {
    if (name !== undefined) await write(resolve(folder, name), await text());
  });
  for (const written of await Promise.allSettled(writing)) {
    if (written.status === 'rejected') throw written.reason;
  }
}

function isHtml({ report }: ReportFiles): boolean {
  return report !== undefined && /\.html?$/i.test(report);
}

async function formatReportPage(
  report: RunReport,
  published: boolean,
  numbers: ReaderNumbers | null = null,
): Promise<string> {
  const { formatHtmlReport } = await import('./html-report.ts');
  return escapeControls(formatHtmlReport(report, published, numbers));
}

/**
 * Completes a report that is a page after the site was published, whose feed has what the page shows. Does nothing for other reports.
 * @param readNumbers called only if there is such a page
 */
export async function completeReport(
  report: RunReport,
  files: ReportFiles,
  folder: string,
  readNumbers: () => Promise<ReaderNumbers | null>,
): Promise<void> {
  if (files.report === undefined || !isHtml(files)) return;
  await write(resolve(folder, files.report), await formatReportPage(report, true, await readNumbers()));
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
 * One line per file that differs from the replaced output: `A`, `M` or `D`, a tab, the path (as `git diff --name-status`); empty for a
 * failed run.
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

/**
 * Writes the error of a failed run to all requested reports, and prints an annotation for GitHub. Never throws, because the user must see
 * the error itself; a report that cannot be written is reported on stderr.
 * @param json whether errors and the report are printed as JSON lines
 */
export async function reportFailure(
  { error, out, problems }: Pick<FailedReport, 'out' | 'problems'> & { readonly error: unknown },
  files: ReportFiles,
  json: boolean,
): Promise<void> {
  const report = { schema: 'lectern.report/1', error: describeError(error), out, problems } as const;
  if (json) writeOutput(`${JSON.stringify(report)}\n`);
  try {
    await writeReports(report, files, process.cwd());
    await reportToGithub(report);
  } catch (second) {
    if (describeError(second).code === report.error.code) return;
    writeError(formatError(second, { json, github: false, paint: createPaint({}, {}), width: null }));
  }
}

/** The reports that an invalid command line requests; `null` if it is not one of `lectern build`. */
export function findReportFlags(argv: readonly string[]): ReportFiles | null {
  if (!argv.includes('build')) return null;
  return {
    report: valueOfFlag('--report', argv),
    changedFiles: valueOfFlag('--changed-files', argv),
  };
}

/** `--name VALUE` or `--name=VALUE`. */
function valueOfFlag(name: string, argv: readonly string[]): string | undefined {
  const index = argv.findIndex((word) => word === name || word.startsWith(`${name}=`));
  if (index < 0) return undefined;
  const word = argv[index] === name ? argv[index + 1] : argv[index]?.slice(name.length + 1);
  return word === undefined || word === '' || word.startsWith('-') ? undefined : word;
}
