import { escapeHtml } from '../../core/html.ts';
import type { CleanContext } from './clean-context.ts';
import { CleanElement, type CleanNode, childElements, oneLine, type TableDetail } from './clean-tree.ts';
import { placeCells, type TableGrid } from './table-grid.ts';

/**
 * Makes a finished table valid and accessible, in place. Repairs its grid, sets the scope of header cells, makes a bold or shaded first row
 * the header, and turns a table of one cell (layout) into a plain block. The table gets a focusable region, labelled with its caption, else
 * the heading above it, else its first row. A nested table gets no region, because the outer one scrolls.
 */
export function repairTable(table: CleanElement, context: CleanContext): void {
  const parts = childElements(table);
  const caption = joinCaptions(parts.filter(({ tag }) => tag === 'caption'));
  const grid = placeCells(parts.filter(({ tag }) => tag !== 'caption'));
  if (grid.rows.length === 0) {
    // A table that has only a caption: the text of the caption stays.
    table.rename(caption === null ? '' : 'p');
    table.attributes = '';
    table.children = caption?.children ?? [];
    table.id = caption?.id ?? null;
    return;
  }
  const [only] = grid.cells;
  if (caption === null && grid.cells.length === 1 && only !== undefined) {
    table.rename(only.element.children.length === 0 ? '' : 'div');
    // The only cell, its row and its group are not published, but links may lead to them.
    const { children } = only.element;
    const targets = [only.element, ...grid.groups, ...grid.groups.flatMap(childElements)];
    const named = targets.filter(({ id }) => id !== null);
    table.id ??= named.shift()?.id ?? null;
    for (const target of named) {
      target.rename('span');
      target.attributes = '';
      target.detail = null;
      target.children = [];
    }
    table.attributes = '';
    table.children = [...named, ...children];
    return;
  }
  const hasHeader = markHeaders(grid);
  for (const { element, colspan, rowspan } of grid.cells) {
    element.detail = null;
    if (colspan > 1) element.attributes += ` colspan="${colspan}"`;
    if (rowspan > 1) element.attributes += ` rowspan="${rowspan}"`;
  }
  const children = caption === null ? grid.groups : [caption, ...grid.groups];
  const detail = {
    kind: 'table',
    caption,
    rows: grid.rows,
    hasHeader,
    arrangesCode: arrangesCode(grid, hasHeader),
  } as const;
  const label = (caption === null ? '' : oneLine(caption)) || context.nearestHeading() || firstRowText(grid);
  if (context.builder.isInside('td', 'th') || label === '') {
    table.detail = detail;
    table.children = children;
    return;
  }
  const inner = new CleanElement('table', table.attributes, detail, children);
  table.rename('div');
  table.attributes = regionAttributes(context.uniqueLabel(label), isWide(grid));
  table.children = [inner];
}

/** Class of the region around a table. A region that the body already has is replaced. */
export const tableRegionClass = 'table-scroll';

function regionAttributes(label: string, isWide: boolean): string {
  const names = isWide ? `${tableRegionClass} table-wide` : tableRegionClass;
  return ` class="${names}" role="region" tabindex="0" aria-label="${escapeHtml(label)}"`;
}

const wideColumns = 5;
/** Characters beside each other in the measure of the text, in the font of tables. */
const measureLength = 70;
/** Room between two columns, in characters. */
const columnGap = 3;
/** Characters of a row with three or more columns that would be a column of short lines in the measure. */
const wideRow = 400;

/**
 * Whether a table uses the free width of a desktop page: it has many columns, its longest words do not fit beside each other into the
 * measure of the text, or a row of several columns is long.
 */
function isWide({ cells, rows }: TableGrid): boolean {
  const columns = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (columns >= wideColumns) return true;
  const longestWords = new Map<number, number>();
  const rowLengths = new Map<number, number>();
  for (const { element, row, column, colspan } of cells) {
    rowLengths.set(row, (rowLengths.get(row) ?? 0) + oneLine(element).length);
    if (colspan === 1)
      longestWords.set(column, Math.max(longestWords.get(column) ?? 0, longestPiece(element)));
  }
  const narrowest = [...longestWords.values()].reduce((sum, length) => sum + length + columnGap, 0);
  return (
    narrowest > measureLength || (columns > 2 && [...rowLengths.values()].some((length) => length > wideRow))
  );
}

/** Length of the longest text in an element that a browser does not break: a word, or a line of code. */
function longestPiece(element: CleanElement): number {
  if (element.detail?.kind === 'code') return longest(element.detail.text.split('\n'));
  return element.children.reduce(
    (length, child) => Math.max(length, typeof child === 'string' ? longestWord(child) : longestPiece(child)),
    0,
  );
}

/** Where a line may end (UAX 14, simplified): at spaces, after hyphens, and around the characters of scripts without spaces. */
const breaks =
  /\s+|(?<=[-\u00ad\u200b])|(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])/u;

/** Length of the longest piece that is not broken. Most texts are ASCII, and need no regular expression. */
function longestWord(text: string): number {
  let longestLength = 0;
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) return longest(text.split(breaks));
    length = unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) ? 0 : length + 1;
    if (length > longestLength) longestLength = length;
    if (unit === 0x2d) length = 0;
  }
  return longestLength;
}

function longest(pieces: readonly string[]): number {
  return pieces.reduce((length, piece) => Math.max(length, piece.length), 0);
}

function joinCaptions(captions: readonly CleanElement[]): CleanElement | null {
  const [first, ...rest] = captions;
  if (first === undefined) return null;
  for (const caption of rest) {
    const anchor = new CleanElement('span');
    anchor.id = caption.id;
    first.children.push(' ', ...(caption.id === null ? [] : [anchor]));
    for (const child of caption.children) first.children.push(child);
  }
  return first;
}

/**
 * The cells of a table that only arranges code, each once: column by column if it has a header, so that a header comes before what is below
 * it, else row by row.
 */
export function cellsInOrder({ rows, hasHeader }: TableDetail): CleanElement[] {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const ordered = hasHeader
    ? Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? null)).flat()
    : rows.flat();
  return [...new Set(ordered)].filter((cell) => cell !== null);
}

/**
 * Whether a table holds code of several lines and is no table of data, which has a header with several rows below it. Its headings must keep
 * their order when its cells are written column by column.
 */
function arrangesCode({ cells, rows }: TableGrid, hasHeader: boolean): boolean {
  if (!cells.some(({ element }) => holdsCode(element))) return false;
  if (!hasHeader || rows.every((row) => row.length === 1)) return true;
  const headed = new Set(cells.filter(({ element }) => holdsHeading(element)).map(({ row }) => row));
  return rows.length <= 2 && headed.size < 2;
}

function holdsCode(element: CleanElement): boolean {
  if (element.detail?.kind === 'code') return /\S[^\n]*\n\s*\S/.test(element.detail.text);
  return childElements(element).some(holdsCode);
}

/** Sets the scope of header cells. Returns whether the first row is a header. */
function markHeaders(grid: TableGrid): boolean {
  const first = grid.cells.filter(({ row }) => row === 0);
  const hasHeaderCells = grid.cells.some(({ element }) => element.tag === 'th');
  if (
    !hasHeaderCells &&
    grid.rows.length > 1 &&
    grid.headRows === 0 &&
    (isBoldRow(first.map(({ element }) => element)) || isMarkedRow(grid))
  ) {
    for (const { element } of first) element.rename('th');
  }
  // A first row that begins like the rows below it, with a header and then data, is one of them.
  const isLikeNext =
    first.some(({ element }) => element.tag === 'td' && element.children.length > 0) &&
    first.every(({ element, column }) => grid.rows[1]?.[column]?.tag === element.tag);
  for (const cell of grid.cells) {
    const isHead = cell.row < grid.headRows;
    const { detail } = cell.element;
    const isRowHeader = cell.row > 0 || isLikeNext || (detail?.kind === 'cell' && detail.scope === 'row');
    if (isHead) cell.element.rename('th');
    if (cell.element.tag !== 'th') continue;
    if (holdsHeading(cell.element)) cell.element.rename('td');
    else cell.element.attributes += isHead || !isRowHeader ? ' scope="col"' : ' scope="row"';
  }
  // A cell with a heading is published as `td`, because `th` must not contain one.
  return (
    grid.headRows > 0 ||
    first.every(({ element }) => element.tag === 'th') ||
    (grid.rows.length > 1 && first.some(({ element }) => holdsHeading(element)) && first.every(isHeadingCell))
  );
}

/** Whether the first row is marked as the header by `scope`, or by a background that no other row starts with. */
function isMarkedRow({ cells }: TableGrid): boolean {
  const shadeOf = ({ detail }: CleanElement) => (detail?.kind === 'cell' ? detail.shade : null);
  const first = cells.filter(({ row }) => row === 0).map(({ element }) => element);
  if (first.every(({ detail }) => detail?.kind === 'cell' && detail.scope === 'col')) return true;
  const shade = first[0] === undefined ? null : shadeOf(first[0]);
  return (
    shade !== null &&
    first.every((element) => shadeOf(element) !== null) &&
    !cells.some(({ row, column, element }) => row > 0 && column === 0 && shadeOf(element) === shade)
  );
}

function isBoldRow(cells: readonly CleanElement[]): boolean {
  return (
    cells.some(({ children }) => children.length > 0) && cells.every(({ children }) => children.every(isBold))
  );
}

function isBold(node: CleanNode): boolean {
  if (typeof node === 'string') return node.trim() === '';
  if (node.tag === 'b' || node.tag === 'strong' || node.tag === 'br') return true;
  return (node.tag === 'p' || node.tag === 'div') && node.children.length > 0 && node.children.every(isBold);
}

/** Whether a cell is empty or shows nothing but headings. */
function isHeadingCell({ element }: { readonly element: CleanElement }): boolean {
  return element.children.every((child) =>
    typeof child === 'string'
      ? child.trim() === ''
      : /^h[1-6]$/.test(child.tag) || (child.tag === 'div' && isHeadingCell({ element: child })),
  );
}

/** Whether an element contains a heading or section, which a header cell must not. */
function holdsHeading(element: CleanElement): boolean {
  return childElements(element).some((child) => /^(?:h[1-6]|aside)$/.test(child.tag) || holdsHeading(child));
}

function firstRowText(grid: TableGrid): string {
  return (grid.rows[0] ?? [])
    .map((cell) => (cell === null ? '' : oneLine(cell).trim()))
    .filter((text) => text !== '')
    .join(', ');
}
