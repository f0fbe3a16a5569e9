import type { Block, BlockType } from '../../content/document.ts';
import { hashText } from '../../core/hash-slots.ts';
import type { CountRange } from '../tokens/count-ranges.ts';
import type { Atom } from './split-sections.ts';

/** Longest line after an image or before a table that counts as its caption. */
const captionChars = 160;

const introduced = new Set<BlockType>(['list', 'steps', 'table', 'code', 'image']);
/** More labels before a heading are a separate text. */
const maxLabels = 3;
/** Level of an atom that does not start with a heading. */
export const noHeading = 9;
/** Length of an opening. Text after it may change without moving a cut. */
const openingChars = 80;

/**
 * Joins blocks that belong together: a heading or label with the next block, a line ending in a colon with the block it introduces, a
 * caption with its image or table, a rule with the block before it. A label before a heading starts the heading's section. The `end` of an
 * atom is the start of the next one, or `end` for the last.
 */
export function buildAtoms(
  markdown: string,
  blocks: readonly Block[],
  end: number,
  count: CountRange,
): readonly Atom[] {
  const starts = [...blocks.keys()].filter((at) => at === 0 || !belongsTo(blocks, at, markdown));
  return starts.map((first, at) => {
    const next = blocks[starts[at + 1] ?? blocks.length];
    const level = sectionHeading(blocks, first)?.heading?.level ?? noHeading;
    return makeAtom(markdown, (blocks[first] as Block).start, next?.start ?? end, level, count);
  });
}

/** The heading that a block is, or whose section it starts as a label before the heading. */
function sectionHeading(blocks: readonly Block[], at: number): Block | undefined {
  let heading = at;
  while (heading - at < maxLabels && blocks[heading]?.type === 'label') heading += 1;
  const block = blocks[heading];
  return block !== undefined && block.heading !== null && (heading === at || isLabelled(blocks, heading))
    ? block
    : undefined;
}

/** Whether the labels before a heading start its section. Labels that are the only content below another heading belong to that one. */
function isLabelled(blocks: readonly Block[], heading: number): boolean {
  let before = heading - 1;
  while (heading - before <= maxLabels && blocks[before]?.type === 'label') before -= 1;
  const block = blocks[before];
  return block === undefined || (block.type !== 'label' && block.heading === null);
}

/**
 * Cuts an atom into smaller units: its blocks, else rows, items or lines, else sentences, else words. Text before the first unit (a
 * heading, a table header) stays with it.
 */
export function refineAtom(
  markdown: string,
  atom: Atom,
  blocks: readonly Block[],
  count: CountRange,
): readonly Atom[] {
  const inside = blocks.slice(blockIndexAt(blocks, atom.start), blockIndexAt(blocks, atom.end - 1) + 1);
  const own = inside.filter(({ start }) => start >= atom.start && start < atom.end);
  const body = own.slice(own.findLastIndex(({ heading }) => heading !== null) + 1);
  const starts = body.length > 1 ? body.map(({ start }) => start) : finerStarts(markdown, atom, body[0]);
  // The first unit includes the text before it.
  const cuts = [
    atom.start,
    ...starts.filter((start) => start > atom.start).slice(starts[0] === atom.start ? 0 : 1),
  ];
  const levels = new Map(own.map((block) => [block.start, block.heading?.level]));
  return cuts.map((start, at) =>
    makeAtom(
      markdown,
      start,
      cuts[at + 1] ?? atom.end,
      at === 0 ? atom.level : (levels.get(start) ?? noHeading),
      count,
    ),
  );
}

/** Index of the first block that ends after an offset; the number of blocks if there is none. */
export function blockIndexAt(blocks: readonly Block[], offset: number): number {
  return lowerBound(blocks.length, (at) => (blocks[at]?.end ?? 0) <= offset);
}

/** Start of the item of a list in which an offset is; of the block if it has no items. */
export function itemStartAt({ start, items }: Block, offset: number): number {
  return items[lowerBound(items.length, (at) => (items[at] ?? 0) <= offset) - 1] ?? start;
}

function finerStarts(markdown: string, atom: Atom, block: Block | undefined): readonly number[] {
  const from = block === undefined ? atom.start : Math.max(atom.start, block.start);
  const items = within(block?.items ?? [], from, atom.end);
  if (items.length > 1) return items;
  const bodyStart = Math.max(from, block?.bodyStart ?? 0);
  const lines = lineStarts(markdown, bodyStart, atom.end);
  // The first row of a table or line of code stays with the header or fence before it.
  const starts = bodyStart > from ? [from, ...lines.slice(1)] : lines;
  if (starts.length > 1) return starts;
  const text = markdown.slice(from, atom.end);
  const sentences = sentenceStarts(text);
  return (sentences.length > 1 ? sentences : windowStarts(text)).map((start) => from + start);
}

/** The offsets in a range, by binary search: a list may have as many items as a document lines. */
function within(offsets: readonly number[], from: number, to: number): readonly number[] {
  const firstFrom = (offset: number): number =>
    lowerBound(offsets.length, (at) => (offsets[at] ?? 0) < offset);
  return offsets.slice(firstFrom(from), firstFrom(to));
}

/** Index of the first of `length` sorted items for which `isBefore` is false; `length` if there is none. Binary search. */
function lowerBound(length: number, isBefore: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Offsets of the lines in a range that are not blank. */
function lineStarts(markdown: string, from: number, to: number): readonly number[] {
  const starts: number[] = [];
  let start = from;
  for (const line of markdown.slice(from, to).split('\n')) {
    if (line.trim() !== '') starts.push(start);
    start += line.length + 1;
  }
  return starts;
}

/** Offsets of the sentences of a text. */
export function sentenceStarts(text: string): readonly number[] {
  const ends = [...text.matchAll(/[\p{Sentence_Terminal}…]\s+|[。！？｡]/gu)].map(
    (match) => match.index + match[0].length,
  );
  const { length } = text.trimEnd();
  return [0, ...ends.filter((end) => end < length)];
}

/** Windows of a fixed size, cut at a space if there is one, and never inside a character or before its marks, such as vowels of Thai. */
function windowStarts(text: string): readonly number[] {
  const windowChars = 400;
  const starts = [0];
  const { length } = text.trimEnd();
  for (let at = windowChars; at < length; at += windowChars) {
    // Searches half a window only: otherwise a text without spaces would be searched to its beginning for every window.
    const from = at - windowChars / 2 + 1;
    const space = text.slice(from, at + 1).lastIndexOf(' ');
    const start = space >= 0 ? from + space + 1 : at;
    const [marks = ''] = /^\p{Cs}?\p{M}*/u.exec(text.slice(start, start + windowChars / 2)) ?? [];
    starts.push(start + marks.length);
  }
  // An empty window would be cut again without end.
  return starts.filter((start) => start < length);
}

/** Whether a block must stay in the same atom as the block before it. @param at index of the block, not 0 */
export function belongsTo(blocks: readonly Block[], at: number, markdown: string): boolean {
  const before = blocks[at - 1] as Block;
  const block = blocks[at] as Block;
  if (block.heading !== null && before.type === 'label') return isLabelled(blocks, at);
  if (before.heading !== null || before.type === 'label' || block.type === 'rule') return true;
  if (block.type === 'paragraph') return before.type === 'image' && block.end - block.start <= captionChars;
  if (!introduced.has(block.type)) return false;
  const end = markdown.slice(Math.max(before.start, before.end - 8), before.end);
  // The caption of a table is one line without a full stop.
  const isLine = before.type === 'paragraph' && before.end - before.start <= captionChars;
  if (block.type === 'table' && isLine && !/[.!?。！？]\W{0,4}$/.test(end)) return true;
  return /[:：]\W{0,4}$/.test(end);
}

function makeAtom(markdown: string, start: number, end: number, level: number, count: CountRange): Atom {
  let rank: number | null = null;
  return {
    start,
    end,
    level,
    // Most sections are not cut, so most ranks are not needed.
    get rank() {
      rank ??= rankOpening(markdown.slice(start, start + openingChars));
      return rank;
    },
    tokens: count(start, end),
  };
}

/** A hash of the letters and digits of the opening, mixed so that similar openings get distant values. */
function rankOpening(opening: string): number {
  // Everything between two words counts as one space.
  const words = opening.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
  return Math.imul(hashText(words), 0x2c1b3c6d) >>> 0;
}
