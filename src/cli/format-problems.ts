import type { ReportedProblem } from '../foundation/report.ts';
import type { Paint } from './terminal.ts';
import { escapeControls } from './terminal.ts';

/** Articles shown in the terminal; the report has them all. */
const shownGroups = 12;
/** Problems shown of one article. */
const shownOfGroup = 4;

/**
 * Errors and warnings grouped by record, with the hint of each kind at its first occurrence.
 * Information is left to the report.
 */
export function formatProblems(problems: readonly ReportedProblem[], width: number, paint: Paint): string[] {
  const groups = groupByRecord(problems.filter(({ severity }) => severity !== 'info'));
  const explained = new Set<string>();
  const lines = [...groups].slice(0, shownGroups).flatMap(([record, group]) => {
    const shown = group.slice(0, shownOfGroup);
    const body = shown.flatMap((problem) => {
      const { code, hint, severity, language, message } = problem;
      const color = severity === 'error' ? paint.red : paint.yellow;
      const where = language === null ? '' : ` (${language})`;
      const head = `    ${color(severity)} ${code}${where}`;
      const help = explained.has(code) ? [] : indentText('      → ', hint, width);
      explained.add(code);
      return [head, ...indentText('      ', escapeControls(message), width), ...help.map(paint.dim)];
    });
    const more = group.length - shown.length;
    return [
      `  ${paint.bold(record)}`,
      ...body,
      ...(more > 0 ? [`    … and ${more} more in this record`] : []),
    ];
  });
  const hidden = groups.size - shownGroups;
  return [...lines, ...(hidden > 0 ? [`  … and ${hidden} more records; --report FILE lists them all`] : [])];
}

function groupByRecord(problems: readonly ReportedProblem[]): ReadonlyMap<string, ReportedProblem[]> {
  const groups = new Map<string, ReportedProblem[]>();
  for (const problem of problems) {
    const record = recordOf(problem);
    const group = groups.get(record);
    if (group === undefined) groups.set(record, [problem]);
    else group.push(problem);
  }
  return groups;
}

function recordOf({ articleId, categoryId }: ReportedProblem): string {
  if (articleId !== null) return `article ${articleId}`;
  return categoryId !== null ? `category ${categoryId}` : 'the knowledge base';
}

/** Breaks a text at spaces into lines of at most `width` columns; a longer word stays whole. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > width && line !== '') {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** The same with an indent before every line: `first` before the first one, spaces of the same width before the rest. */
export function indentText(first: string, text: string, width: number): string[] {
  const rest = ' '.repeat(first.length);
  return wrapText(text, width - first.length).map((line, index) => `${index === 0 ? first : rest}${line}`);
}
