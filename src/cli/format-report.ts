import { relative } from 'node:path';
import { countOf, countProblems, listSome } from '../core/count-of.ts';
import { describeReason } from '../core/exclusions.ts';
import { groupBy } from '../core/group-by.ts';
import { describeLeftMarkup, readLeftMarkup } from '../core/left-markup.ts';
import { countSeverities } from '../core/problems.ts';
import type { BuildReport, ReportedProblem } from '../core/report.ts';
import { describePlace } from './describe-place.ts';
import { readableUrls } from './readable-urls.ts';
import { escapeControls, type Paint } from './terminal.ts';
import { wrapText } from './wrap-text.ts';

/** Layout of the summary. */
interface SummaryLayout extends ProblemLayout {
  /** Paths are shown relative to this folder. */
  readonly folder: string;
  /** Whether the output was left as it is. */
  readonly isUpToDate: boolean;
  /** The command that shows the site; `null`: it is not named. */
  readonly preview: string | null;
}

/** The summary at the end of a build: what was published, what was skipped and why, what changed, problems, output folder. */
export function formatSummary(
  report: BuildReport,
  { folder, isUpToDate, preview, ...layout }: SummaryLayout,
): string {
  const { articles, languages, files, bytes } = report;
  const lines = [
    ...row(
      'Published',
      `${countOf(articles, 'article')} in ${countOf(languages.length, 'language')}: ${countOf(files, 'file')}, ${formatSize(bytes)}`,
    ),
    ...row('', languages.map((entry) => `${entry.language} ${entry.articles}`).join(', ')),
    ...row('Source', formatCoverage(report)),
    ...skippedByBuild(report).flatMap((text, index) => row(index === 0 ? 'Skipped' : '', text)),
    ...row('Changed', isUpToDate ? 'nothing since the last build' : changedPages(report)),
    ...row('', isUpToDate ? '' : changedFileCounts(report)),
    ...row('Problems', countProblems(countSeverities(report.problems))),
    ...formatProblems(report.problems, layout),
    ...row('Output', relative(folder, report.out) || '.'),
    ...row('Preview', preview ?? ''),
  ];
  return `${lines.join('\n')}\n`;

  function row(label: string, text: string): string[] {
    if (text === '') return [];
    const [first = '', ...rest] = indentText(label.padEnd(10), text, layout.width);
    return [layout.paint.bold(first.slice(0, 10)) + first.slice(10), ...rest];
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

/** Numbers of articles by language: `de 3, en 12`. */
export function formatLanguages(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([language, count]) => `${language} ${count}`)
    .join(', ');
}

/** Maximum number of patterns of unread files; the report has all. */
const maxPatterns = 5;

/** Maximum number of skipped articles per reason; the report has all. */
const shownSkipped = 5;

/** Skipped records of a build, one text per reason: `2 drafts: docs/a.md, docs/b.md`. */
export function skippedByBuild({ skipped }: BuildReport): readonly string[] {
  return [...groupBy(skipped, ({ reason }) => reason)].map(([reason, all]) => {
    const names = all.map(({ file, articleId, language }) =>
      escapeControls(file ?? (language === null ? articleId : `${articleId} (${language})`)),
    );
    return `${describeReason(reason, all.length)}: ${listSome(names, shownSkipped)}`;
  });
}

/** Number of article pages whose text changed: `3 article pages since the last build`. Settings and templates may have changed others. */
export function changedPages({ seq, changes }: BuildReport): string {
  if (changes === 0) return 'no text since the last build';
  return `${countOf(changes, 'article page')} ${seq === 1 ? '(first build)' : 'since the last build'}`;
}

function changedFileCounts({ changedFiles }: BuildReport): string {
  if (changedFiles === null) return '';
  const { added, changed, removed } = changedFiles;
  return `files: ${added.length} added, ${changed.length} changed, ${removed.length} removed`;
}

/** `336 kB`, `4.8 MB`. */
export function formatSize(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Problems of a kind that are shown; `--verbose` shows all. */
const shownOfKind = 3;
/** Kinds whose problems are shown. */
const shownKinds = 12;

/** How problems are shown. */
interface ProblemLayout {
  /** Columns of the terminal. */
  readonly width: number;
  readonly paint: Paint;
  /** Whether every problem is shown, also those for information. */
  readonly isVerbose: boolean;
  /** Sentence that says where all problems are, if some are not shown. */
  readonly rest: string;
}

/** Problems by kind: a table of the kinds with their counts, the first problems of each kind with what to do, and where the others are. */
export function formatProblems(problems: readonly ReportedProblem[], layout: ProblemLayout): string[] {
  const { width, isVerbose, rest } = layout;
  const kinds = groupByCode(problems);
  // A single kind, such as the missing URL in a first build, takes no more lines than its name and where to read about it.
  const isExplained = ([, [first]]: ProblemKindGroup): boolean =>
    isVerbose || kinds.length === 1 || first?.severity !== 'info';
  const explained = kinds.filter(isExplained);
  const shown = isVerbose ? explained : explained.slice(0, shownKinds);
  const isCut = explained.length < kinds.length;
  const lines = shown.map((kind) => formatKind(kind, layout));
  const hasMore = isCut || shown.length < explained.length || lines.some(({ hidden }) => hidden > 0);
  return [
    ...(kinds.length > 1 || isCut ? formatKinds(kinds, layout) : []),
    ...lines.flatMap(({ text }) => text),
    ...(hasMore ? indentText('  ', rest, width) : []),
  ];
}

/** Problems by kind, the most severe and then the most frequent first. */
export function groupByCode(problems: readonly ReportedProblem[]): readonly ProblemKindGroup[] {
  const rank = { error: 0, warning: 1, info: 2 };
  const rankOf = ([, [first]]: ProblemKindGroup): number => rank[first?.severity ?? 'info'];
  return [...groupBy(problems, ({ code }) => code)].sort(
    (a, b) => rankOf(a) - rankOf(b) || b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1),
  );
}

type ProblemKindGroup = readonly [code: string, problems: readonly ReportedProblem[]];

/** `  LINK_BROKEN     17 warnings`, one line for each kind. */
function formatKinds(kinds: readonly ProblemKindGroup[], { paint }: ProblemLayout): string[] {
  const width = Math.max(...kinds.map(([code]) => code.length));
  const digits = Math.max(...kinds.map(([, { length }]) => `${length}`.length));
  return kinds.map(([code, all]) => {
    const [{ severity } = { severity: 'info' as const }] = all;
    const noun = severity === 'info' || all.length === 1 ? severity : `${severity}s`;
    return `  ${code.padEnd(width)}  ${`${all.length}`.padStart(digits)} ${paintSeverity(severity, noun, paint)}`;
  });
}

function paintSeverity(severity: ReportedProblem['severity'], text: string, paint: Paint): string {
  if (severity === 'info') return text;
  return severity === 'error' ? paint.red(text) : paint.yellow(text);
}

function formatKind(
  [code, all]: ProblemKindGroup,
  { width, paint, isVerbose }: ProblemLayout,
): { readonly text: readonly string[]; readonly hidden: number } {
  const [first] = all;
  if (first === undefined) return { text: [], hidden: 0 };
  const isLeft = !isVerbose && readLeftMarkup(first.message) !== null;
  const shown = isVerbose ? all : all.slice(0, shownOfKind);
  const hidden = isLeft ? 0 : all.length - shown.length;
  const body = isLeft
    ? formatLeftMarkup(all, width)
    : shown.flatMap((problem) => {
        const language = problem.language === null ? '' : ` (${problem.language})`;
        return [
          ...indentText('    ', `${escapeControls(describePlace(problem))}${language}`, width),
          ...indentText('      ', escapeControls(readableUrls(problem.message)), width),
        ];
      });
  return {
    text: [
      `  ${paintSeverity(first.severity, first.severity, paint)} ${paint.bold(code)}`,
      ...body,
      ...(hidden > 0 ? [`    … and ${hidden} more`] : []),
      ...indentText('    → ', first.hint, width).map(paint.dim),
    ],
    hidden: isLeft ? 1 : hidden,
  };
}

/** Maximum number of names of syntax in the terminal. */
const shownNames = 20;

/** Syntax of site generators that is left in texts, counted by its name over all pages: `580 × <RuleLinks>`. The report names the files. */
function formatLeftMarkup(problems: readonly ReportedProblem[], width: number): string[] {
  const left = problems.filter(({ message }) => readLeftMarkup(message) !== null);
  const counts = new Map<string, number>();
  for (const { message } of left) {
    const { name = '', count = 0 } = readLeftMarkup(message) ?? {};
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const sorted = [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  const names = sorted.map(([name, count]) => describeLeftMarkup({ name, count }));
  const pages = new Set(left.map(({ articleId, language }) => `${articleId} ${language}`));
  return [
    `    in the text of ${countOf(pages.size, 'page')}`,
    ...indentText('      ', escapeControls(listSome(names, shownNames)), width),
  ];
}

/** Like {@link wrapText}, with an indent: `first` before the first line, spaces of the same width before the others. */
function indentText(first: string, text: string, width: number): string[] {
  const rest = ' '.repeat(first.length);
  return wrapText(text, width - first.length).map((line, index) => `${index === 0 ? first : rest}${line}`);
}
