import { type BuildReport, countSeverities, type ReportedProblem } from '../../report.ts';
import { githubCommand } from './github-command.ts';

/** GitHub shows ten annotations of each level per step and drops the rest. */
const shownPerLevel = 10;

const levels = { error: 'error', warning: 'warning', info: 'notice' } as const;

/**
 * Workflow commands that GitHub Actions shows as annotations of the run
 * (docs.github.com, "Workflow commands for GitHub Actions").
 */
export function formatGithubAnnotations({ problems }: BuildReport): string {
  const shown = (['error', 'warning'] as const).flatMap((level) =>
    problems.filter(({ severity }) => severity === level).slice(0, shownPerLevel),
  );
  return shown
    .map((problem) =>
      githubCommand(
        levels[problem.severity],
        problem.code,
        `${placeOf(problem)}: ${problem.message}\n${problem.hint}`,
      ),
    )
    .join('');
}

/** The job summary of a step, in GitHub's Markdown. */
export function formatGithubSummary(report: BuildReport): string {
  const { error, warning, info } = countSeverities(report.problems);
  const leftOut = Object.entries(report.excluded).map(([reason, number]) => `${number} ${reason}`);
  const rows = report.problems
    .filter(({ severity }) => severity !== 'info')
    .map(
      (problem) =>
        `| ${problem.severity} | \`${problem.code}\` | ${cell(placeOf(problem))} | ${cell(problem.message)} | ${cell(problem.hint)} |`,
    );
  const table = ['', '| | code | where | what | to do |', '|---|---|---|---|---|', ...rows];
  return [
    '## Help centre published',
    '',
    `- ${report.articles} articles, ${report.pages} pages, ${report.files} files in ${report.languages.map(({ language }) => language).join(', ')}`,
    `- ${report.changes} pages changed since the run before`,
    `- left out: ${leftOut.join(', ') || 'nothing'}`,
    `- odd: ${error} errors, ${warning} warnings, ${info} for information`,
    ...(rows.length === 0 ? [] : table),
    '',
  ].join('\n');
}

function placeOf({ articleId, categoryId, language }: ReportedProblem): string {
  const record =
    articleId !== null
      ? `article ${articleId}`
      : categoryId !== null
        ? `category ${categoryId}`
        : 'knowledge base';
  return language === null ? record : `${record} (${language})`;
}

/** Text of the knowledge base inside a Markdown table: no cell borders, line ends or HTML. */
function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\|<>&`*_[\]]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
