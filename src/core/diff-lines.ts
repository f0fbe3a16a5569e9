import { diffArrays, structuredPatch } from 'diff';

/**
 * Line diff of two texts: `-` removed, `+` added, a space for context lines; a line `…` replaces omitted lines. Empty if the texts are
 * equal.
 * @param context number of context lines around a change
 */
export function diffLines(before: string, after: string, context = 3): readonly string[] {
  // Adds a line feed to the last line, so that all lines end the same way.
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

/** One change of a text in pieces: at `start`, `removed` became `added`. */
interface Hunk {
  readonly start: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * Merges two edits of an author's text, given in pieces such as lines. `null` if the edits overlap or touch, or if one of them opens an
 * element or a code block that ends outside of it, so that the other could break the structure.
 */
export function mergePieces(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): string | null {
  const [own, other] = [listHunks(base, ours), listHunks(base, theirs)];
  if (own === null || other === null || ![...own, ...other].every(isSelfContained)) return null;
  const merged: string[] = [];
  let next = 0;
  while (own.length + other.length > 0) {
    const [one, two] = [own[0], other[0]];
    const isSame = one !== undefined && two !== undefined && isEqual(one, two);
    if (one !== undefined && two !== undefined && !isSame && !isApart(one, two)) return null;
    const hunk = (two === undefined || (one !== undefined && one.start <= two.start) ? one : two) as Hunk;
    if (hunk === one || isSame) own.shift();
    if (hunk === two || isSame) other.shift();
    merged.push(...base.slice(next, hunk.start), ...hunk.added);
    next = hunk.start + hunk.removed.length;
  }
  return [...merged, ...base.slice(next)].join('');
}

/** Texts with more edits are not compared, because the time grows with their square. */
const maxEdits = 2000;

function listHunks(before: readonly string[], after: readonly string[]): Hunk[] | null {
  const changes = diffArrays([...before], [...after], { maxEditLength: maxEdits });
  if (changes === undefined) return null;
  const hunks: Hunk[] = [];
  let start = 0;
  let hunk = { start, removed: [] as string[], added: [] as string[] };
  const close = (): void => {
    if (hunk.removed.length + hunk.added.length > 0) hunks.push(hunk);
    hunk = { start, removed: [], added: [] };
  };
  for (const { added, removed, value } of changes) {
    if (added) hunk.added.push(...value);
    else if (removed) hunk.removed.push(...value);
    else close();
    if (!added) start += value.length;
    if (!added && !removed) hunk.start = start;
  }
  close();
  return hunks;
}

/** Whether an unchanged piece is between two changes. */
function isApart(one: Hunk, two: Hunk): boolean {
  const [first, second] = one.start <= two.start ? [one, two] : [two, one];
  return first.start + first.removed.length < second.start;
}

function isEqual(one: Hunk, two: Hunk): boolean {
  return JSON.stringify(one) === JSON.stringify(two);
}

function isSelfContained({ removed, added }: Hunk): boolean {
  return [removed, added].every((pieces) => isBalanced(pieces.join('')));
}

const voidElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;

/** Matches the start or end of a code block, also in quotes and list items. */
const fence = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t>]+)*(?:```|~~~)/gm;

/** Whether every element and every fenced code block that starts in a text also ends in it. */
function isBalanced(text: string): boolean {
  if (text.includes('<!') || (text.match(fence) ?? []).length % 2 === 1) return false;
  const open: string[] = [];
  for (const [, slash, tag = ''] of text.matchAll(/<(\/?)([a-z][^\s/>]*)[^>]*>/gi)) {
    const name = tag.toLowerCase();
    if (slash === '') {
      if (!voidElements.test(name)) open.push(name);
    } else if (open.pop() !== name) return false;
  }
  return open.length === 0;
}
