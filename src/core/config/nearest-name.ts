/**
 * The known name that a mistyped one most probably means, or `null` if none is close: at most a third of its letters may differ (two
 * swapped letters count once). Case and dashes are ignored.
 */
export function nearestName(typed: string, known: Iterable<string>): string | null {
  const wanted = fold(typed);
  let best: string | null = null;
  let bestDistance = Math.floor(Math.max(wanted.length, 3) / 3) + 1;
  for (const name of [...known].sort()) {
    const distance = editDistance(wanted, fold(name));
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

/** Optimal string alignment: insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const replaced = at(rows, i - 1, j - 1) + (isSame ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(rows, i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(replaced, swapped, at(rows, i - 1, j) + 1, (row[j - 1] ?? 0) + 1));
    }
    rows.push(row);
  }
  return at(rows, a.length, b.length);
}

function at(rows: readonly (readonly number[])[], row: number, column: number): number {
  return rows[row]?.[column] ?? 0;
}
