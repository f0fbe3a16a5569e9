import { CleanElement, type CleanNode, childElements, type TableDetail } from '../tree/clean-tree.ts';
import { itemMarkers } from './list-markers.ts';
import { formulasIn, type MarkdownOptions, writeInline } from './markdown-inline.ts';
import { dropNeedlessEscapes } from './needless-escapes.ts';

/** The lines of a table, of which the first ones are its header, with the line under it. */
interface WrittenTable {
  readonly lines: readonly string[];
  readonly headerLines: number;
}

/**
 * Writes a GFM table. A cell that spans rows is repeated; one that spans columns is followed by empty cells. Blocks in a cell are joined
 * with `<br>`. Markdown has no table without a header: for the site, the first row that is not empty is it, and empty rows are omitted.
 */
export function writeMarkdownTable(table: TableDetail, options: MarkdownOptions): WrittenTable {
  const isSite = options.reader === 'site';
  const written = table.rows.map((row, index) => ({
    isHeading: row.every((cell) => cell === null || cell.tag === 'th'),
    cells: row.map((cell) => (cell === null ? '' : cellText(cell, options, table.hasHeader && index === 0))),
  }));
  const rows = isSite ? written.filter(({ cells }) => cells.some((text) => text !== '')) : written;
  if (rows.length === 0) return { lines: [], headerLines: 0 };
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  const first = rows.findIndex(({ isHeading }) => !isHeading);
  const [header = [], ...others] =
    table.hasHeader || isSite ? rows.map(({ cells }) => cells) : [[], ...rows.map(({ cells }) => cells)];
  const headed = header.concat(new Array<string>(width - header.length).fill(''));
  return {
    lines: [headed, columnRules(table, width), ...others].map((row) => `| ${row.join(' | ')} |`),
    // A table of headings only has no other rows that could repeat them.
    headerLines: 1 + Math.max(1, table.hasHeader ? first : 1),
  };
}

/** The line under the header; a column is aligned if its first cell is. */
function columnRules(table: TableDetail, width: number): string[] {
  return Array.from({ length: width }, (_, column) => {
    const attributes = table.rows[0]?.[column]?.attributes ?? '';
    if (attributes.includes('align-center')) return ':---:';
    if (attributes.includes('align-right')) return '---:';
    return '---';
  });
}

/** @param isHeader a heading in it is not bold, because the row is */
function cellText(cell: CleanElement, options: MarkdownOptions, isHeader = false): string {
  const parts: string[] = [];
  collect(cell, parts, options, isHeader);
  const text = parts.join('<br>');
  return options.reader === 'site' ? dropNeedlessEscapes(text, formulasIn([cell], 'cell')) : text;
}

/** Adds the text of every block below `element`; a run of text between blocks also counts as a block. */
function collect(element: CleanElement, parts: string[], options: MarkdownOptions, isHeader: boolean): void {
  let run: CleanNode[] = [];
  const endRun = (): void => {
    const text = writeInline(run, 'cell', options);
    if (text !== '') parts.push(text);
    run = [];
  };
  for (const child of element.children) {
    if (typeof child === 'string' || child.kind.isText) {
      run.push(child);
      continue;
    }
    endRun();
    if (child.detail?.kind === 'code') parts.push(codeLines(child.detail.text, options));
    else if (child.detail?.kind === 'table') parts.push(nestedRows(child.detail, options));
    else if (child.detail?.kind === 'heading' && !isHeader) parts.push(boldLine(child, options));
    else if (child.tag === 'ul' || child.tag === 'ol') parts.push(...itemLines(child, options, isHeader));
    else collect(child, parts, options, isHeader);
  }
  endRun();
}

/** A list in a cell: its items with their markers, as in plain text, because a cell has no lists. */
function itemLines(list: CleanElement, options: MarkdownOptions, isHeader: boolean): string[] {
  const markers = list.tag === 'ol' ? itemMarkers(list) : [];
  return childElements(list).flatMap((item, index) => {
    const lines: string[] = [];
    collect(item, lines, options, isHeader);
    return lines.map((line, at) => (at === 0 ? `${markers[index]?.label ?? '-'} ${line}` : line));
  });
}

/** A heading in a cell. */
function boldLine({ children }: CleanElement, options: MarkdownOptions): string {
  return writeInline([new CleanElement('strong', '', null, [...children])], 'cell', options);
}

/** Code in a cell: a code span per line. For the site, it begins with the indent of its line, which means something in some languages. */
function codeLines(text: string, options: MarkdownOptions): string {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const span = writeInline([new CleanElement('code', '', null, [line.trim()])], 'cell', options);
      const indent = options.reader === 'site' ? (/^[ \t]*/.exec(line)?.[0] ?? '') : '';
      return span.replace(/^`+/, (ticks) => ticks + indent.replaceAll('\t', '    '));
    })
    .join('<br>');
}

/** A table in a cell: one line per row, with its columns. */
function nestedRows(table: TableDetail, options: MarkdownOptions): string {
  return table.rows
    .map((row) =>
      row
        .map((cell) => (cell === null ? '' : cellText(cell, options)))
        .join(' \\| ')
        .trim(),
    )
    .filter((text) => /[^ \\|]/.test(text))
    .join('<br>');
}
