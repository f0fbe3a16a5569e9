import { relative } from 'node:path';
import { countOf, countProblems } from '../foundation/count-of.ts';
import { countSeverities } from '../foundation/problems.ts';
import type { BuildReport } from '../foundation/report.ts';
import { formatProblems, indentText } from './format-problems.ts';
import type { Paint } from './terminal.ts';

/** How the summary is laid out. */
export interface SummaryLayout {
  /** Paths are shown relative to this folder. */
  readonly folder: string;
  /** Columns of the terminal. */
  readonly width: number;
  readonly paint: Paint;
}

/** The closing summary of a build: what was published, what was skipped and why, what changed, the problems, where it is. */
export function formatSummary(report: BuildReport, { folder, width, paint }: SummaryLayout): string {
  const { articles, languages, pages, files, bytes } = report;
  const lines = [
    ...row(
      'Published',
      `${countOf(articles, 'article')} in ${countOf(languages.length, 'language')}: ${countOf(pages, 'page')}, ${countOf(files, 'file')}, ${size(bytes)}`,
    ),
    ...row('', languages.map((entry) => `${entry.language} ${entry.articles}`).join(', ')),
    ...row('Skipped', skippedRecords(report.excluded)),
    ...row('Changed', changed(report)),
    ...row('Problems', countProblems(countSeverities(report.problems))),
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

/** Records that are not published, by reason: `1 draft, 2 with no content`. */
export function skippedRecords(excluded: BuildReport['excluded']): string {
  return Object.entries(excluded)
    .map(([reason, number]) => `${number} ${reasons[reason] ?? reason}`)
    .join(', ');
}

/** Reasons that do not read as they are called. */
const reasons: Readonly<Record<string, string>> = {
  'no-content': 'with no content',
  'other-language': 'in other languages only',
  'visibility-unknown': 'with unknown visibility',
  gone: 'deleted during the build',
};

/** What a consumer of the feed has to do: `3 pages since the last run`. */
export function changedPages({ seq, changes }: BuildReport): string {
  if (changes === 0) return 'nothing since the last run';
  return `${countOf(changes, 'page')} ${seq === 1 ? '(first build)' : 'since the last run'}`;
}

function changed(report: BuildReport): string {
  const documents = changedPages(report);
  const { changedFiles } = report;
  if (changedFiles === null) return documents;
  const { added, changed: rewritten, removed } = changedFiles;
  return `${documents}; files: ${added.length} added, ${rewritten.length} changed, ${removed.length} removed`;
}

function size(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
