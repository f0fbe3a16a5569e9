import { inWords, kindAt, sizeOf } from './character-kinds.ts';
import type { Block, BlockType } from './markdown-blocks.ts';
import { blockIndexAt, splitLines } from './markdown-blocks.ts';
import type { Atom } from './split-atoms.ts';
import { createUnitReader } from './text-units.ts';

/** Counts the tokens of `markdown.slice(start, end)`. */
export type CountSlice = (start: number, end: number) => number;

/** A line after an image, or before a table, is its caption up to this length. */
const captionChars = 160;

const introduced = new Set<BlockType>(['list', 'steps', 'table', 'code', 'image']);
/** Level of an atom that starts with no heading. */
export const noHeading = 9;
/** Of these an opening is made; what follows may change without moving a cut. */
const openingChars = 80;

/**
 * Joins blocks that belong together: a heading or label with what follows, a line ending in a colon with what it
 * introduces, a caption with what it describes, a rule with what it ends. `end` of an atom is the start of the next one, or `end` for the last.
 */
export function buildAtoms(
  markdown: string,
  blocks: readonly Block[],
  end: number,
  count: CountSlice,
): readonly Atom[] {
  const starts = blocks.filter(
    (block, at) => at === 0 || !belongsTo(blocks[at - 1] as Block, block, markdown),
  );
  return starts.map((block, at) =>
    makeAtom(markdown, block.start, starts[at + 1]?.start ?? end, block.level ?? noHeading, count),
  );
}

/**
 * Cuts an atom into the next smaller things: its blocks, then rows, items or lines, then sentences, then words.
 * What stands before the first of them (a heading, a table header) stays with it.
 */
export function refineAtom(
  markdown: string,
  atom: Atom,
  blocks: readonly Block[],
  count: CountSlice,
): readonly Atom[] {
  const inside = blocks.slice(blockIndexAt(blocks, atom.start), blockIndexAt(blocks, atom.end - 1) + 1);
  const body = inside.filter(({ level, start }) => level === null && start >= atom.start && start < atom.end);
  const starts = body.length > 1 ? body.map(({ start }) => start) : finerStarts(markdown, atom, body[0]);
  // The first start takes along what precedes it.
  const cuts = [
    atom.start,
    ...starts.filter((start) => start > atom.start).slice(starts[0] === atom.start ? 0 : 1),
  ];
  return cuts.map((start, at) =>
    makeAtom(markdown, start, cuts[at + 1] ?? atom.end, at === 0 ? atom.level : noHeading, count),
  );
}

function finerStarts(markdown: string, atom: Atom, block: Block | undefined): readonly number[] {
  const from = block === undefined ? atom.start : Math.max(atom.start, block.start);
  const text = markdown.slice(from, atom.end);
  const lines = splitLines(text).filter((line) => line.text.trim() !== '');
  const starts = lines.map(({ start }) => start);
  if (block?.type === 'table' && from === block.start) starts.splice(1, 2);
  else if (block?.type === 'code' && from === block.start) starts.splice(1, 1);
  else if (block?.type === 'list' || block?.type === 'steps') {
    const items = lines
      .filter((line) => /^ {0,1}(?:[-*+]|\d{1,9}[.)])\s/.test(line.text))
      .map(({ start }) => start);
    if (items.length > 1) return items.map((start) => from + start);
  }
  if (starts.length > 1) return starts.map((start) => from + start);
  const sentences = sentenceStarts(text);
  if (sentences.length > 1) return sentences.map((start) => from + start);
  return windowStarts(text).map((start) => from + start);
}

function sentenceStarts(text: string): readonly number[] {
  const ends = [...text.matchAll(/[.!?…]\s+|[。！？｡]/gu)].map((match) => match.index + match[0].length);
  const { length } = text.trimEnd();
  return [0, ...ends.filter((end) => end < length)];
}

/** Fixed windows that break at a space where there is one and never inside a character. */
function windowStarts(text: string): readonly number[] {
  const windowChars = 400;
  const starts = [0];
  for (let at = windowChars; at < text.length; at += windowChars) {
    // Looked for in half a window: a text without any space would be searched to its beginning, window by window.
    const from = at - windowChars / 2 + 1;
    const space = text.slice(from, at + 1).lastIndexOf(' ');
    const start = space >= 0 ? from + space + 1 : at;
    const low = text.charCodeAt(start);
    starts.push(low >= 0xdc00 && low <= 0xdfff ? start + 1 : start);
  }
  return starts;
}

/** Whether a block must not be parted from the one before it. */
function belongsTo(before: Block, block: Block, markdown: string): boolean {
  if (before.level !== null || before.type === 'label' || block.type === 'rule') return true;
  const text = markdown.slice(before.start, before.end);
  if (block.type === 'paragraph') return before.type === 'image' && block.end - block.start <= captionChars;
  if (block.type === 'table' && before.type === 'paragraph' && isTitle(text)) return true;
  return introduced.has(block.type) && /[:：]\W{0,4}$/.test(text.slice(-8));
}

/** Captions of tables come as a line of their own, without a full stop. */
function isTitle(text: string): boolean {
  return text.length <= captionChars && !/[.!?。！？]\W{0,4}$/.test(text.slice(-8));
}

function makeAtom(markdown: string, start: number, end: number, level: number, count: CountSlice): Atom {
  return {
    start,
    end,
    level,
    rank: rankOpening(markdown.slice(start, start + openingChars)),
    tokens: count(start, end),
  };
}

const readUnits = createUnitReader();

/** FNV-1a over the letters and digits of the opening words, mixed so that similar openings are far apart. */
function rankOpening(opening: string): number {
  const words = opening.toLowerCase();
  const units = readUnits(words);
  let hash = 0x811c9dc5;
  let wasWord = true;
  for (let at = 0; at < words.length; ) {
    const kind = kindAt(units, at, words.length);
    const isWord = (kind & inWords) !== 0;
    // Whatever stands between two words counts as one space.
    if (!isWord && wasWord) hash = Math.imul(hash ^ 0x20, 0x01000193);
    for (const end = at + sizeOf(kind); at < end; at += 1) {
      if (isWord) hash = Math.imul(hash ^ (units[at] as number), 0x01000193);
    }
    wasWord = isWord;
  }
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}
