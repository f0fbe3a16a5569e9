import { relative } from 'node:path';
import { countOf, countProblems } from '../core/count-of.ts';
import { describeLeftMarkup, readLeftMarkup } from '../core/left-markup.ts';
import { countSeverities } from '../core/problems.ts';
import type { BuildReport, ReportedProblem } from '../core/report.ts';
import { describePlace } from './describe-place.ts';
import { readableUrls } from './readable-urls.ts';
import { escapeControls, type Paint } from './terminal.ts';
import { wrapText } from './wrap-text.ts';

/** Layout of the summary. */
interface SummaryLayout {
  /** Paths are shown relative to this folder. */
  readonly folder: string;
  /** Columns of the terminal. */
  readonly width: number;
  readonly paint: Paint;
  /** Whether the output was left as it is. */
  readonly isUpToDate: boolean;
}

/** The summary at the end of a build: what was published, what was skipped and why, what changed, problems, output folder. */
export function formatSummary(
  report: BuildReport,
  { folder, width, paint, isUpToDate }: SummaryLayout,
): string {
  const { articles, languages, files, bytes } = report;
  const lines = [
    ...row(
      'Published',
      `${countOf(articles, 'article')} in ${countOf(languages.length, 'language')}: ${countOf(files, 'file')}, ${size(bytes)}`,
    ),
    ...row('', languages.map((entry) => `${entry.language} ${entry.articles}`).join(', ')),
    ...row('Source', formatCoverage(report)),
    ...skippedByBuild(report).flatMap((text, index) => row(index === 0 ? 'Skipped' : '', text)),
    ...row('Changed', isUpToDate ? 'nothing since the last build' : changedPages(report)),
    ...row('', isUpToDate ? '' : changedFileCounts(report)),
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

/** What a source has, and what became of it: `24 articles: 21 published, 3 skipped. Not read: 7 files (5 _posts/**, 2 *.rst)`. */
export function formatCoverage({
  seen,
  articles,
  unread,
}: Pick<BuildReport, 'seen' | 'articles' | 'unread'>): string {
  const skipped = (seen - articles).toLocaleString('en');
  const published =
    seen === articles ? 'all published' : `${articles.toLocaleString('en')} published, ${skipped} skipped`;
  const counts = Object.entries(unread);
  const files = counts.reduce((sum, [, count]) => sum + count, 0);
  if (files === 0) return `${countOf(seen, 'article')}: ${published}`;
  const shown = counts
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, maxPatterns)
    .map(([pattern, count]) => `${count.toLocaleString('en')} ${escapeControls(pattern)}`);
  const more = counts.length > shown.length ? [`${counts.length - shown.length} more places`] : [];
  return `${countOf(seen, 'article')}: ${published}. Not read: ${countOf(files, 'file')} (${[...shown, ...more].join(', ')})`;
}

/** Maximum number of patterns of unread files; the report has all. */
const maxPatterns = 5;

/** Skipped records by reason: `1 draft, 2 with no content, 1 hidden translation`. */
export function formatSkipped(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .filter(([, number]) => number > 0)
    .map(([reason, number]) => describeReason(reason, number))
    .join(', ');
}

function describeReason(reason: string, number: number): string {
  return reasons[reason]?.(number) ?? `${number} ${reason}`;
}

/** Maximum number of skipped articles per reason; the report has all. */
const shownSkipped = 5;

/** Skipped records of a build, one text per reason: `2 drafts: docs/a.md, docs/b.md`. */
export function skippedByBuild({ skipped }: BuildReport): readonly string[] {
  const names = new Map<string, string[]>();
  for (const { reason, file, articleId, language } of skipped) {
    const name = file ?? (language === null ? articleId : `${articleId} (${language})`);
    names.set(reason, [...(names.get(reason) ?? []), escapeControls(name)]);
  }
  return [...names].map(([reason, all]) => {
    const more = all.length > shownSkipped ? ` and ${all.length - shownSkipped} more` : '';
    return `${describeReason(reason, all.length)}: ${all.slice(0, shownSkipped).join(', ')}${more}`;
  });
}

/** Reasons whose text differs from their name. */
const reasons: Readonly<Record<string, (count: number) => string>> = {
  draft: (count) => countOf(count, 'draft'),
  'no-content': (count) => `${count} with no content`,
  noindex: (count) => `${count} with noindex`,
  redirect: (count) => countOf(count, 'redirect'),
  'not-found': (count) => `${countOf(count, 'page')} for URLs that do not exist`,
  listing: (count) => `${countOf(count, 'page')} that only list${count === 1 ? 's' : ''} others`,
  copy: (count) => countOf(count, 'copy', 'copies'),
  'other-language': (count) => `${count} in other languages only`,
  'visibility-unknown': (count) => `${count} with unknown visibility`,
  gone: (count) => `${count} deleted during the build`,
  'hidden-translation': (count) => countOf(count, 'hidden translation'),
  'other-language-translation': (count) => `${countOf(count, 'translation')} in other languages`,
};

/** Number of article pages whose text changed: `3 article pages since the last run`. Settings and templates may have changed others. */
export function changedPages({ seq, changes }: BuildReport): string {
  if (changes === 0) return 'no text since the last run';
  return `${countOf(changes, 'article page')} ${seq === 1 ? '(first build)' : 'since the last run'}`;
}

function changedFileCounts({ changedFiles }: BuildReport): string {
  if (changedFiles === null) return '';
  const { added, changed, removed } = changedFiles;
  return `files: ${added.length} added, ${changed.length} changed, ${removed.length} removed`;
}

function size(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Maximum number of articles in the terminal; the report has all. */
const shownGroups = 12;
/** Maximum number of problems per article. */
const shownOfGroup = 4;

/** Errors and warnings grouped by record, with the hint of each kind at its first occurrence. Information is only in the report. */
export function formatProblems(problems: readonly ReportedProblem[], width: number, paint: Paint): string[] {
  const groups = groupByRecord(
    problems.filter(({ severity, message }) => severity !== 'info' && readLeftMarkup(message) === null),
  );
  const explained = new Set<string>();
  const lines = [...groups].slice(0, shownGroups).flatMap(([record, group]) => {
    const shown = group.slice(0, shownOfGroup);
    const body = shown.flatMap((problem) => {
      const { code, hint, severity, language, message, line } = problem;
      const color = severity === 'error' ? paint.red : paint.yellow;
      const where = `${line === null ? '' : ` line ${line}`}${language === null ? '' : ` (${language})`}`;
      const head = `    ${color(severity)} ${code}${where}`;
      const help = explained.has(code) ? [] : indentText('      → ', hint, width);
      explained.add(code);
      return [
        head,
        ...indentText('      ', escapeControls(readableUrls(message)), width),
        ...help.map(paint.dim),
      ];
    });
    const more = group.length - shown.length;
    return [
      ...indentText('  ', record, width).map(paint.bold),
      ...body,
      ...(more > 0 ? [`    … and ${more} more in this record`] : []),
    ];
  });
  const all = [...formatLeftMarkup(problems, width, paint), ...lines];
  const hidden = groups.size - shownGroups;
  if (hidden <= 0) return all;
  const rest = `${hidden} more records; lectern build --report FILE lists them all`;
  return [...all, ...indentText('  … and ', rest, width)];
}

/** Maximum number of names of syntax in the terminal. */
const shownNames = 20;

/** Syntax of site generators that is left in texts, counted by its name over all pages: `580 × <RuleLinks>`. The report names the files. */
function formatLeftMarkup(problems: readonly ReportedProblem[], width: number, paint: Paint): string[] {
  const left = problems.filter(({ message }) => readLeftMarkup(message) !== null);
  const [first] = left;
  if (first === undefined) return [];
  const counts = new Map<string, number>();
  for (const { message } of left) {
    const { name = '', count = 0 } = readLeftMarkup(message) ?? {};
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const sorted = [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  const shown = sorted.slice(0, shownNames).map(([name, count]) => describeLeftMarkup({ name, count }));
  const more = sorted.length > shownNames ? ` and ${sorted.length - shownNames} more` : '';
  const pages = new Set(left.map(({ articleId, language }) => `${articleId} ${language}`));
  return [
    paint.bold(`  Left in the text of ${countOf(pages.size, 'page')}`),
    `    ${paint.yellow(first.severity)} ${first.code}`,
    ...indentText('      ', escapeControls(shown.join(', ') + more), width),
    ...indentText('      → ', `${first.hint} lectern build --report FILE lists the files.`, width).map(
      paint.dim,
    ),
  ];
}

function groupByRecord(problems: readonly ReportedProblem[]): ReadonlyMap<string, ReportedProblem[]> {
  const groups = new Map<string, ReportedProblem[]>();
  for (const problem of problems) {
    const record = escapeControls(describePlace({ ...problem, line: null }));
    const group = groups.get(record);
    if (group === undefined) groups.set(record, [problem]);
    else group.push(problem);
  }
  return groups;
}

/** Like {@link wrapText}, with an indent: `first` before the first line, spaces of the same width before the others. */
function indentText(first: string, text: string, width: number): string[] {
  const rest = ' '.repeat(first.length);
  return wrapText(text, width - first.length).map((line, index) => `${index === 0 ? first : rest}${line}`);
}
