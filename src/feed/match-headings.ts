import type { Heading } from '../content/document.ts';
import type { Block } from './markdown-blocks.ts';

/** Headings of a document by their place in its Markdown. */
export interface MatchedHeadings {
  /** Headings a place stands under, outermost first, a heading that starts there included. */
  pathAt(offset: number): readonly { readonly text: string; readonly id: string | null }[];
}

interface Place {
  readonly offset: number;
  readonly level: number;
  readonly text: string;
  readonly id: string | null;
  /** The heading it stands under. */
  readonly above: Place | null;
}

/** A longer heading is cut in heading paths. */
const maxHeadingChars = 200;

/** How many headings of the document may be missing from the Markdown in a row. */
const lookAhead = 100;

/**
 * Finds the id of each heading of the Markdown: both lists are in document order, and a document may list more
 * headings than stand at the top level of its Markdown (those in quotes, lists and tables).
 */
export function matchHeadings(
  markdown: string,
  blocks: readonly Block[],
  headings: readonly Heading[],
): MatchedHeadings {
  const wanted: string[] = [];
  const places: Place[] = [];
  let next = 0;
  for (const { start, end, level } of blocks) {
    if (level === null) continue;
    const plain = plainText(markdown.slice(start, end));
    const found = findHeading(headings, next, level, plain, wanted);
    const heading = found < 0 ? undefined : headings[next + found];
    if (found >= 0) next += found + 1;
    let above = places.at(-1) ?? null;
    while (above !== null && above.level >= level) above = above.above;
    places.push({
      offset: start,
      level,
      text: shorten(heading?.text ?? plain),
      id: heading?.id ?? null,
      above,
    });
  }
  return {
    pathAt(offset) {
      const path: Place[] = [];
      for (let place = lastBefore(places, offset); place !== null; place = place.above) path.unshift(place);
      return path;
    },
  };
}

/** Every chunk below a heading repeats it, so one as long as an article would make the feed grow with its square. */
function shorten(text: string): string {
  return text.length > maxHeadingChars
    ? `${text.slice(0, maxHeadingChars - 1).replace(/[\ud800-\udbff]$/, '')}…`
    : text;
}

/** How far behind `next` the heading stands; -1 when it is not near. `wanted` remembers what was made to compare. */
function findHeading(
  headings: readonly Heading[],
  next: number,
  level: number,
  plain: string,
  wanted: string[],
): number {
  const first = headings[next];
  if (first?.level === level && first.text === plain) return 0;
  const words = `${level} ${letters(plain)}`;
  const end = Math.min(next + lookAhead, headings.length);
  for (let at = next; at < end; at += 1) {
    const heading = headings[at] as Heading;
    wanted[at] ??= `${heading.level} ${letters(heading.text)}`;
    if (wanted[at] === words) return at - next;
  }
  return -1;
}

/** The last place at or before an offset. */
function lastBefore(places: readonly Place[], offset: number): Place | null {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle]?.offset ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return places[low - 1] ?? null;
}

/** The words of a heading line without its markup. */
function plainText(line: string): string {
  return line
    .replace(/^\s*#+\s*/, '')
    .replaceAll(/!?\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/\\(.)|[*_`]/g, '$1')
    .trim();
}

function letters(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}
