/** Lines around a change that are shown with it. */
const context = 3;

/**
 * What turns one text into another, line by line: `-` gone, `+` new, blank for the lines around; a line `…` stands for
 * lines left out. Empty when the texts are equal. Quadratic in the number of lines, which templates keep small.
 */
export function diffLines(before: string, after: string): readonly string[] {
  const marked = markLines(before.split('\n'), after.split('\n'));
  const isNear = marked.map((_, at) =>
    marked.slice(Math.max(0, at - context), at + context + 1).some((line) => !line.startsWith(' ')),
  );
  const shown: string[] = [];
  for (const [at, line] of marked.entries()) {
    if (isNear[at]) shown.push(line);
    else if (isNear[at - 1] || (at === 0 && isNear.includes(true))) shown.push('…');
  }
  return shown;
}

/** Every line of both texts once, along a longest common subsequence. */
function markLines(before: readonly string[], after: readonly string[]): readonly string[] {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const marked: string[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      marked.push(` ${before[row]}`);
      row += 1;
      column += 1;
    } else if (
      column === after.length ||
      (row < before.length && at(row + 1, column) >= at(row, column + 1))
    ) {
      marked.push(`-${before[row]}`);
      row += 1;
    } else {
      marked.push(`+${after[column]}`);
      column += 1;
    }
  }
  return marked;
}
