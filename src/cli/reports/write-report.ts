import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LecternError } from '../../core/errors.ts';
import { makeFolder } from '../../core/file-system.ts';
import type { FailedReport, RunReport } from '../../core/report.ts';
import { describeError, formatError } from '../format-error.ts';
import { createPaint, escapeControls, writeError, writeOutput } from '../terminal.ts';
import { reportToGithub } from './github.ts';
import type { ReaderNumbers } from './html-report.ts';

/**
 * Writes the requested report.
 * @param file relative to `folder`; `undefined`: none is requested
 * @throws REPORT_UNWRITABLE
 */
export async function writeReport(
  report: RunReport,
  file: string | undefined,
  folder: string,
): Promise<void> {
  if (file === undefined) return;
  const text = isHtml(file)
    ? await formatReportPage(report, false)
    : `${escapeControls(JSON.stringify(report, null, 2))}\n`;
  await writeReportFile(resolve(folder, file), text);
}

function isHtml(file: string): boolean {
  return /\.html?$/i.test(file);
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
  file: string | undefined,
  folder: string,
  readNumbers: () => Promise<ReaderNumbers | null>,
): Promise<void> {
  if (file === undefined || !isHtml(file)) return;
  await writeReportFile(resolve(folder, file), await formatReportPage(report, true, await readNumbers()));
}

/** Writes a report, and its folder if that is missing. @throws REPORT_UNWRITABLE */
export async function writeReportFile(path: string, text: string): Promise<void> {
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
 * Writes the error of a failed run to the requested report, and prints an annotation for GitHub. Never throws, because the user must see
 * the error itself; a report that cannot be written is reported on stderr.
 * @param json whether errors and the report are printed as JSON lines
 */
export async function reportFailure(
  { error, out, problems }: Pick<FailedReport, 'out' | 'problems'> & { readonly error: unknown },
  file: string | undefined,
  json: boolean,
): Promise<void> {
  const report = { schema: 'lectern.report/1', error: describeError(error), out, problems } as const;
  if (json) writeOutput(`${JSON.stringify(report)}\n`);
  try {
    await writeReport(report, file, process.cwd());
    await reportToGithub(report);
  } catch (second) {
    if (describeError(second).code === report.error.code) return;
    writeError(formatError(second, { json, github: false, paint: createPaint({}, {}), width: null }));
  }
}

/** The value of `--report` in a command line that could not be read; `undefined`: there is none. */
export function findReportFlag(argv: readonly string[]): string | undefined {
  const name = '--report';
  const index = argv.findIndex((word) => word === name || word.startsWith(`${name}=`));
  if (index < 0) return undefined;
  const word = argv[index] === name ? argv[index + 1] : argv[index]?.slice(name.length + 1);
  return word === undefined || word === '' || word.startsWith('-') ? undefined : word;
}
