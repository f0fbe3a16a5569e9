import { relative } from 'node:path';
import { countSeverities } from '../problems.ts';
import type { BuildReport } from '../report.ts';
import { formatProblems } from './format-problems.ts';
import type { Paint } from './paint.ts';
import { indentText } from './wrap-text.ts';

/** How the summary is laid out. */
export interface SummaryLayout {
  /** Paths are shown relative to this folder. */
  readonly folder: string;
  /** Columns of the terminal. */
  readonly width: number;
  readonly paint: Paint;
}

/** The closing summary of a build: what was published, what was left out and why, what is odd, what changed, where it is. */
export function formatSummary(report: BuildReport, { folder, width, paint }: SummaryLayout): string {
  const { articles, languages, pages, files, bytes } = report;
  const lines = [
    ...row(
      'Published',
      `${count(articles, 'article')} in ${count(languages.length, 'language')}: ${count(pages, 'page')}, ${count(files, 'file')}, ${size(bytes)}`,
    ),
    ...row('', languages.map((entry) => `${entry.language} ${entry.articles}`).join(', ')),
    ...row('Left out', leftOut(report)),
    ...row('Changed', changed(report)),
    ...row('Odd', odd(report)),
    ...formatProblems(report.problems, width, paint),
    ...row('Output', relative(folder, report.out) || '.'),
  ];
  return `${lines.join('\n')}\n`;

  function row(label: string, text: string): string[] {
    if (text === '') return [];
    const [first = '', ...rest] = indentText(label.padEnd(10), text, width);
    return [paint.bold(first.slice(0, 10)) + first.slice(10), ...rest];
  }
}

function leftOut({ excluded }: BuildReport): string {
  return Object.entries(excluded)
    .map(([reason, number]) => `${number} ${reason}`)
    .join(', ');
}

function changed({ changes, changedFiles }: BuildReport): string {
  const documents =
    changes === 0 ? 'nothing since the last run' : `${count(changes, 'page')} since the last run`;
  if (changedFiles === null) return documents;
  const { added, changed: rewritten, removed } = changedFiles;
  return `${documents}; files: ${added.length} added, ${rewritten.length} changed, ${removed.length} removed`;
}

function odd({ problems }: BuildReport): string {
  if (problems.length === 0) return '';
  const { error, warning, info } = countSeverities(problems);
  return `${count(error, 'error')}, ${count(warning, 'warning')}, ${info} for information`;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

function size(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
