import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { countOf, countProblems } from '../../core/count-of.ts';
import { messageOf } from '../../core/errors.ts';
import { countSeverities } from '../../core/problems.ts';
import type { BuildReport, FailedReport, ReportedProblem, RunReport } from '../../core/report.ts';
import { isWithin, relativePath } from '../../core/user-folder.ts';
import { describePlace } from '../describe-place.ts';
import { changedPages, skippedByBuild } from '../format-report.ts';
import { readableUrls } from '../readable-urls.ts';
import { escapeControls, writeError } from '../terminal.ts';

/** GitHub shows ten annotations of each level per step and drops the rest; the error of a failed run is the tenth. */
const shownPerLevel = 10;

/**
 * Workflow commands that GitHub Actions shows as annotations of the run
 * (docs.github.com, "Workflow commands for GitHub Actions"). A problem of a file is shown at its line.
 * @param inRepository makes the path of a file relative to the repository
 */
export function formatGithubAnnotations(
  { error, problems }: RunReport,
  inRepository: (file: string) => string = (file) => file,
): string {
  const limits = { error: error === null ? shownPerLevel : shownPerLevel - 1, warning: shownPerLevel };
  const annotationsOf = (level: 'error' | 'warning'): readonly string[] =>
    problems
      .filter(({ severity }) => severity === level)
      .slice(0, limits[level])
      .map((problem) =>
        githubCommand(
          level,
          problem.code,
          `${placeWithLanguage(problem)}: ${readableUrls(problem.message)}\n${problem.hint}`,
          problem.file === null ? null : { file: inRepository(problem.file), line: problem.line ?? 1 },
        ),
      );
  return [...annotationsOf('error'), ...annotationsOf('warning')].join('');
}

/** GitHub shows no summary above 1 MiB; a row has about 300 bytes, and a text of the knowledge base can make it some times as long. */
const maxRows = 500;

/** The job summary of a step, in GitHub's Markdown. */
export function formatGithubSummary(report: RunReport): string {
  const problems = countProblems(countSeverities(report.problems));
  const shown = report.problems.filter(({ severity }) => severity !== 'info');
  const rows = shown
    .slice(0, maxRows)
    .map(
      (problem) =>
        `| ${problem.severity} | \`${problem.code}\` | ${cell(placeWithLanguage(problem))} | ${cell(readableUrls(problem.message))} | ${cell(problem.hint)} |`,
    );
  const others = shown.length - rows.length;
  const table = ['', '| | code | where | what | to do |', '|---|---|---|---|---|', ...rows];
  return [
    ...(report.error === null ? whatWasPublished(report) : whyNothingWas(report.error)),
    `- problems: ${problems || 'none'}`,
    ...(rows.length === 0 ? [] : table),
    ...(others === 0 ? [] : ['', `${countOf(others, 'more problem')}: \`--report FILE\` lists all of them.`]),
    '',
  ].join('\n');
}

function whatWasPublished(report: BuildReport): string[] {
  const { articles, files, languages } = report;
  const counts = [countOf(articles, 'article'), countOf(files, 'file')].join(', ');
  return [
    '## Help centre published',
    '',
    `- ${counts} in ${languages.map(({ language }) => language).join(', ')}`,
    `- changed: ${changedPages(report)}`,
    `- skipped: ${cell(skippedByBuild(report).join('; ')) || 'none'}`,
  ];
}

function whyNothingWas({ code, message, hint }: FailedReport['error']): string[] {
  return [
    '## Help centre not published',
    '',
    'The published site is unchanged.',
    '',
    `- \`${code}\`: ${cell(message)}`,
    `- what to do: ${cell(hint)}`,
  ];
}

function placeWithLanguage(problem: ReportedProblem): string {
  const place = describePlace(problem);
  return problem.language === null ? place : `${place} (${problem.language})`;
}

/** Text of the knowledge base inside a Markdown table: no cell borders, line ends or HTML. */
function cell(text: string): string {
  return escapeControls(text.replace(/\s+/g, ' ')).replace(
    /[\\|<>&`*_[\]]/g,
    (sign) => `&#${sign.charCodeAt(0)};`,
  );
}

/** One workflow command with its line end. */
export function githubCommand(
  level: 'error' | 'warning',
  title: string,
  text: string,
  place: { readonly file: string; readonly line: number } | null = null,
): string {
  const where =
    place === null
      ? ''
      : `file=${escapeData(place.file).replace(/:/g, '%3A').replace(/,/g, '%2C')},line=${place.line},`;
  return `::${level} ${where}title=${title}::${escapeData(text)}\n`;
}

function escapeData(text: string): string {
  return escapeControls(text).replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

/** The path of a file relative to the repository, if the run is in a subfolder of it. */
export function pathInRepository(file: string, folder: string, repository: string | undefined): string {
  const path = resolve(folder, file);
  return repository && isWithin(repository, path) ? relativePath(repository, path) : file;
}

/**
 * If the run is a step of a GitHub Actions job: writes annotations and a job summary. In a container, the file of the summary may be missing: that
 * fails no build, whose site is published already.
 */
export async function reportToGithub(report: RunReport): Promise<void> {
  const { GITHUB_ACTIONS, GITHUB_WORKSPACE, GITHUB_STEP_SUMMARY: summary } = process.env;
  if (GITHUB_ACTIONS !== 'true') return;
  const inRepository = (file: string) => pathInRepository(file, process.cwd(), GITHUB_WORKSPACE);
  writeError(formatGithubAnnotations(report, inRepository));
  if (!summary) return;
  try {
    await appendFile(summary, formatGithubSummary(report));
  } catch (error) {
    writeError(githubCommand('warning', 'REPORT_UNWRITABLE', `there is no job summary: ${messageOf(error)}`));
  }
}
