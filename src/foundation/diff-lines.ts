import { structuredPatch } from 'diff';

/**
 * What turns one text into another, line by line: `-` removed, `+` added, a blank for the lines around; a line `…` replaces
 * omitted lines. Empty when the texts are equal.
 * @param context lines around a change that are shown with it
 */
export function diffLines(before: string, after: string, context = 3): readonly string[] {
  // Every line ends with a line feed here, so that the last one is a line like the others.
  const { hunks } = structuredPatch('', '', `${before}\n`, `${after}\n`, '', '', { context });
  const shown: string[] = [];
  let next = 1;
  for (const { oldStart, oldLines, lines } of hunks) {
    if (oldStart > next) shown.push('…');
    for (const line of lines) shown.push(line);
    next = oldStart + oldLines;
  }
  return hunks.length > 0 && next <= before.split('\n').length ? [...shown, '…'] : shown;
}
