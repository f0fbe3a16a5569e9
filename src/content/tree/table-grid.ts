import { CleanElement, childElements, oneLine } from './clean-tree.ts';

/** Limits of colspan and rowspan: larger ones would let a few bytes create a table of millions of cells. */
const maxColspan = 100;
const maxRowspan = 1000;

/** Maximum number of grid positions per cell of a table. A table with more loses its spans; its short rows are not filled. */
const maxGrowth = 4;

/** A cell with its position in the grid. */
interface PlacedCell {
  readonly element: CleanElement;
  row: number;
  column: number;
  colspan: number;
  rowspan: number;
}

/** A regular table: every row and every column has a cell that begins in it, and no two cells overlap. */
export interface TableGrid {
  /** Row groups that still have rows. */
  readonly groups: CleanElement[];
  /** Rows of the header group, which come first. */
  readonly headRows: number;
  readonly cells: readonly PlacedCell[];
  /** Cells by row and column. A cell that spans rows is in each of them; `null` if a cell further left spans this column. */
  readonly rows: readonly (readonly (CleanElement | null)[])[];
}

/** Assigns cells to grid positions as a browser does, then cuts, drops and fills cells until the grid is regular. */
export function placeCells(groups: readonly CleanElement[]): TableGrid {
  const ordered = [...groups].sort((a, b) => groupOrder(a) - groupOrder(b));
  const rows = ordered.flatMap(childElements);
  const spanned = placeRows(ordered, true);
  const placement = isOutOfProportion(spanned) ? placeRows(ordered, false) : spanned;
  const { cells, rowCount, columnCount } = placement;
  const kept = rows.filter((row) => row.children.length > 0);
  for (const group of ordered) group.children = childElements(group).filter((row) => row.children.length > 0);
  if (!isOutOfProportion(placement)) fill(kept, cells, columnCount);
  cells.sort((a, b) => a.row - b.row || a.column - b.column);
  return {
    groups: ordered.filter(({ children }) => children.length > 0),
    headRows: ordered.reduce((sum, group) => sum + (group.tag === 'thead' ? group.children.length : 0), 0),
    cells,
    rows: slots(cells, rowCount),
  };
}

interface Placement {
  readonly cells: PlacedCell[];
  readonly rowCount: number;
  readonly columnCount: number;
}

function placeRows(groups: readonly CleanElement[], withSpans: boolean): Placement {
  const cells: PlacedCell[] = [];
  let rowCount = 0;
  for (const group of groups) {
    const rows = childElements(group);
    placeGroup(rows, rowCount, cells, withSpans);
    rowCount += rows.length;
  }
  const width = cells.reduce((widest, { column, colspan }) => Math.max(widest, column + colspan), 0);
  return {
    cells,
    rowCount: dropEmpty(cells, 'row', 'rowspan', rowCount),
    columnCount: dropEmpty(cells, 'column', 'colspan', width),
  };
}

function isOutOfProportion({ cells, rowCount, columnCount }: Placement): boolean {
  return rowCount * columnCount > cells.length * maxGrowth + 1000;
}

/** Header first, footer last. */
function groupOrder(group: CleanElement): number {
  return group.tag === 'thead' ? 0 : group.tag === 'tfoot' ? 2 : 1;
}

const single = { colspan: 1, rowspan: 1 };

function placeGroup(
  rows: readonly CleanElement[],
  firstRow: number,
  cells: PlacedCell[],
  withSpans: boolean,
): void {
  /** First row in which each column is free. */
  const freeFrom: number[] = [];
  rows.forEach((row, index) => {
    let column = 0;
    for (const element of row.children) {
      if (typeof element === 'string') continue;
      while ((freeFrom[column] ?? 0) > index) column++;
      const wanted = withSpans && element.detail?.kind === 'cell' ? element.detail : single;
      const rest = rows.length - index;
      const rowspan = Math.min(wanted.rowspan === 0 ? rest : wanted.rowspan, rest, maxRowspan);
      const limit = Math.min(wanted.colspan, maxColspan);
      let colspan = 0;
      while (colspan < limit && (freeFrom[column + colspan] ?? 0) <= index) {
        freeFrom[column + colspan] = index + rowspan;
        colspan++;
      }
      cells.push({ element, row: firstRow + index, column, colspan, rowspan });
      column += colspan;
    }
  });
}

/** Removes the rows, or columns, in which no cell begins. Returns the number of those that remain. */
function dropEmpty(
  cells: readonly PlacedCell[],
  place: 'row' | 'column',
  span: 'rowspan' | 'colspan',
  count: number,
): number {
  const starts = cells.map((cell) => cell[place]);
  const newIndex = countStarts(count, starts);
  for (const cell of cells) {
    const end = newIndex[cell[place] + cell[span]] as number;
    cell[place] = newIndex[cell[place]] as number;
    cell[span] = end - cell[place];
  }
  return newIndex[count] as number;
}

/** For every position up to and including `length`: the number of starts before it. */
function countStarts(length: number, starts: readonly number[]): readonly number[] {
  const isStart = new Uint8Array(length + 1);
  for (const start of starts) isStart[start] = 1;
  const counts = new Array<number>(length + 1);
  let count = 0;
  for (let at = 0; at <= length; at++) {
    counts[at] = count;
    count += isStart[at] as number;
  }
  return counts;
}

/** Gives every row the same width. */
function fill(rows: readonly CleanElement[], cells: PlacedCell[], columnCount: number): void {
  const used = new Uint8Array(rows.length * columnCount);
  for (const { row, column, colspan, rowspan } of cells) {
    for (let down = row; down < row + rowspan; down++)
      used.fill(1, down * columnCount + column, down * columnCount + column + colspan);
  }
  rows.forEach((tr, row) => {
    for (let column = 0; column < columnCount; column++) {
      if (used[row * columnCount + column] === 1) continue;
      const element = new CleanElement('td');
      tr.children.push(element);
      cells.push({ element, row, column, colspan: 1, rowspan: 1 });
    }
  });
}

/** Longer cells are not repeated in the rows they span. */
const maxRepeatedChars = 120;

/** Maximum number of repeated characters per table, which limits the growth of a body. */
const maxRepeated = 50_000;

function slots(cells: readonly PlacedCell[], rowCount: number): (CleanElement | null)[][] {
  const rows: (CleanElement | null)[][] = Array.from({ length: rowCount }, () => []);
  let repeatable = maxRepeated;
  for (const { element, row, column, rowspan } of cells) {
    (rows[row] as (CleanElement | null)[])[column] = element;
    if (rowspan === 1) continue;
    const { length } = oneLine(element);
    repeatable -= length * (rowspan - 1);
    const repeated = length <= maxRepeatedChars && repeatable >= 0 ? element : null;
    for (let below = row + 1; below < row + rowspan; below++) {
      (rows[below] as (CleanElement | null)[])[column] = repeated;
    }
  }
  // Columns that a wide cell spans have no entry yet.
  return rows.map((row) => Array.from(row, (cell) => cell ?? null));
}
