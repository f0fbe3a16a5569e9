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
    ...row('Skipped', skippedByBuild(report)),
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

/** What is not published, by reason: `1 draft, 2 with no content, 1 hidden translation`. */
export function formatSkipped(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, number]) => number > 0)
    .map(([reason, number]) => reasons[reason]?.(number) ?? `${number} ${reason}`)
    .join(', ');
}

/** The same of a build. */
export function skippedByBuild({ excluded, hiddenTranslations }: BuildReport): string {
  return formatSkipped({ ...excluded, 'hidden-translation': hiddenTranslations });
}

/** Reasons that do not read as they are called. */
const reasons: Readonly<Record<string, (count: number) => string>> = {
  'no-content': (count) => `${count} with no content`,
  'other-language': (count) => `${count} in other languages only`,
  'visibility-unknown': (count) => `${count} with unknown visibility`,
  gone: (count) => `${count} deleted during the build`,
  'hidden-translation': (count) => countOf(count, 'hidden translation'),
  'other-language-translation': (count) => `${countOf(count, 'translation')} in other languages`,
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
