// diff compares texts by lines, for plans, conflicts and highlighted `diff` blocks.
import { structuredPatch } from 'diff';

/**
 * Line diff of two texts: `-` removed, `+` added, a space for three lines around a change; a line `…` replaces omitted lines. Empty if the
 * texts are equal.
 */
export function diffLines(before: string, after: string): readonly string[] {
  // Adds a line feed to the last line, so that all lines end the same way.
  const { hunks } = structuredPatch('', '', `${before}\n`, `${after}\n`, '', '', { context: 3 });
  const shown: string[] = [];
  let next = 1;
  for (const { oldStart, oldLines, lines } of hunks) {
    if (oldStart > next) shown.push('…');
    for (const line of lines) shown.push(line);
    next = oldStart + oldLines;
  }
  return hunks.length > 0 && next <= before.split('\n').length ? [...shown, '…'] : shown;
}
