import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LecternError } from '../../core/errors.ts';
import { makeFolder } from '../../core/file-system.ts';
import type { FailedReport, ReportedProblem, RunReport } from '../../core/report.ts';
import { describePlace } from '../describe-place.ts';
import { describeError, formatError } from '../format-error.ts';
import { createPaint, escapeControls, writeError, writeOutput } from '../terminal.ts';
import { pathInRepository, reportToGithub } from './github.ts';

/** Requested report files, relative to the working folder. */
export interface ReportFiles {
  readonly report: string | undefined;
  readonly changedFiles: string | undefined;
  readonly gitlab: string | undefined;
  readonly junit: string | undefined;
}

/**
 * Writes all requested reports, even if one cannot be written.
 * @param repository absolute path of the repository, if the run is in a subfolder of it
 * @throws REPORT_UNWRITABLE for the first that cannot be written
 */
export async function writeReports(
  report: RunReport,
  files: ReportFiles,
  folder: string,
  repository?: string,
): Promise<void> {
  const inRepository = (file: string) => pathInRepository(file, folder, repository);
  const forms = [
    [files.report, () => `${escapeControls(JSON.stringify(report, null, 2))}\n`],
    [files.changedFiles, () => formatChangedFiles(report)],
    [files.gitlab, () => formatGitlabReport(report, inRepository)],
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

const severities = { error: 'major', warning: 'minor', info: 'info' } as const;

/**
 * GitLab's code-quality report (docs.gitlab.com, "Code Quality report format"). A record of a knowledge base has no file in the
 * repository, so its id replaces the path, and the description names it. The error of a failed run comes first, as a blocker.
 * @param inRepository makes the path of a file relative to the repository
 */
export function formatGitlabReport(
  { error, problems }: RunReport,
  inRepository: (file: string) => string = (file) => file,
): string {
  const issues = problems.map((problem) => {
    const { code, severity, hint, articleId, categoryId, language, file, line, title } = problem;
    const record =
      articleId !== null ? `article/${articleId}` : categoryId !== null ? `category/${categoryId}` : '.';
    const ownPath = language === null ? record : `${record}/${language}`;
    const path = file === null ? ownPath : inRepository(file);
    const message =
      file === null && title !== null ? `${describePlace(problem)}: ${problem.message}` : problem.message;
    return issue({ code, message, hint, path, line: line ?? 1, severity: severities[severity] });
  });
  const failure = error === null ? [] : [issue({ ...error, path: '.', line: 1, severity: 'blocker' })];
  return `${escapeControls(JSON.stringify([...failure, ...issues], null, 2))}\n`;
}

interface ReportedIssue {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly path: string;
  readonly line: number;
  readonly severity: string;
}

function issue({ code, message, hint, path, line, severity }: ReportedIssue) {
  return {
    description: `${message}. ${hint}`,
    check_name: code,
    fingerprint: createHash('sha256')
      .update(JSON.stringify([code, path, message]))
      .digest('hex'),
    severity,
    location: { path, lines: { begin: line } },
  };
}

/**
 * A JUnit report: the build as a test case, with an error if it failed, and one test case per problem. Errors and warnings count as
 * failures.
 */
export function formatJunitReport({ error, problems }: RunReport): string {
  const failures = problems.filter(isFailure).length;
  const cases = [buildCase(error), ...problems.map(testCase)];
  const counts = `tests="${cases.length}" failures="${failures}" errors="${error === null ? 0 : 1}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="lectern" ${counts} skipped="0">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function buildCase(error: RunReport['error']): string {
  const open = '    <testcase classname="lectern" name="build"';
  if (error === null) return `${open}/>`;
  const { code, message, hint } = error;
  return `${open}><error type="${escapeXml(code)}" message="${escapeXml(message)}">${escapeXml(hint)}</error></testcase>`;
}

function testCase(problem: ReportedProblem): string {
  const { code, message, hint, severity, file, line } = problem;
  const where = file === null ? '' : ` file="${escapeXml(file)}"${line === null ? '' : ` line="${line}"`}`;
  const open = `    <testcase classname="lectern.${code}" name="${escapeXml(nameOf(problem))}"${where}`;
  if (!isFailure(problem)) return `${open}/>`;
  return `${open}><failure type="${severity}" message="${escapeXml(message)}">${escapeXml(hint)}</failure></testcase>`;
}

function isFailure({ severity }: ReportedProblem): boolean {
  return severity !== 'info';
}

function nameOf(problem: ReportedProblem): string {
  return [describePlace(problem), problem.language, problem.message].filter(Boolean).join(' ');
}

/** XML 1.0 allows few control characters, not even escaped. */
function escapeXml(text: string): string {
  return escapeControls(text)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
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
    await writeReports(report, files, process.cwd(), repositoryOf(process.env));
    await reportToGithub(report);
  } catch (second) {
    if (describeError(second).code === report.error.code) return;
    writeError(formatError(second, { json, github: false, paint: createPaint({}, {}), width: null }));
  }
}

/** The folder of the repository in a job of GitHub or GitLab. */
export function repositoryOf({ GITHUB_WORKSPACE, CI_PROJECT_DIR }: NodeJS.ProcessEnv): string | undefined {
  return CI_PROJECT_DIR ?? GITHUB_WORKSPACE;
}

/** The reports that an invalid command line requests; `null` if it is not one of `lectern build`. */
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
