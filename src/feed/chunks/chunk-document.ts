import { hash } from 'node:crypto';
import type { Block, BlockType, Document } from '../../content/document.ts';
import { type CountRange, countRanges } from '../tokens/count-ranges.ts';
import type { CountTokens } from '../tokens/count-tokens.ts';
import {
  belongsTo,
  blockIndexAt,
  buildAtoms,
  itemStartAt,
  noHeading,
  refineAtom,
  sentenceStarts,
} from './build-atoms.ts';
import { headingsOf, type MarkdownRange, placeOf } from './chunk-text.ts';
import { findOwnText, type PageFacts } from './own-text.ts';
import { type Atom, type ChunkSettings, joinSections, splitRun } from './split-sections.ts';

/** One chunk of a document: ranges of its Markdown (UTF-16 offsets), the headings above them, and its id. */
export interface ChunkCut {
  /** Derived from the heading path and, if the section was cut, from the position of the part in the cuts. Stable across edits. */
  readonly key: string;
  /** Begins below the headings of `headingPath`. */
  readonly start: number;
  readonly end: number;
  /** Texts of the headings above it, outermost first. */
  readonly headingPath: readonly string[];
  /** Id of the heading that it starts with or is below; `null` above the first heading. */
  readonly anchor: string | null;
  /**
   * Earlier ranges that the chunk repeats: the sentence that introduces the list, code or table that it continues, header rows, and the key of
   * a row that is cut.
   */
  readonly repeats: readonly MarkdownRange[];
}

const keyChars = 8;

const unknownPage: PageFacts = { url: '', boilerplate: new Set() };

/** A document's chunks in order. */
interface ChunkedDocument {
  readonly chunks: readonly ChunkCut[];
  /** Of its whole Markdown. */
  readonly tokens: number;
  /** Counts a range of its Markdown. */
  readonly count: CountRange;
}

/**
 * Cuts what the Markdown of one document says itself (see {@link findOwnText}) into chunks. Pure.
 * @param page of the document; absent if unknown
 */
export function chunkDocument(
  { markdown, blocks }: Pick<Document, 'markdown' | 'blocks'>,
  settings: ChunkSettings,
  countTokens: CountTokens,
  page: PageFacts = unknownPage,
): ChunkedDocument {
  const count = countRanges(markdown, countTokens);
  const atoms = buildAtoms(markdown, blocks, markdown.length, count);
  const headings = headingsOf(blocks);
  const refine = (atom: Atom) => refineAtom(markdown, atom, blocks, count);
  const parts = findOwnText(markdown, blocks, atoms, page, count).flatMap((own) =>
    joinSections(own, settings.minTokens).flatMap((run) => splitRun(run, settings, refine)),
  );
  const seen = new Map<string, number>();
  const openFence = createFenceFinder(markdown);
  const chunks = parts.map(({ atoms: part, turns }): ChunkCut => {
    const [first] = part as readonly [Atom];
    const end = contentEnd(markdown, first.start, part.at(-1)?.end ?? first.start);
    const at = blockIndexAt(blocks, first.start);
    const isSection = first.level < noHeading;
    const start = isSection ? belowHeadings(blocks, at, end) : first.start;
    const { path, names, anchor } = placeOf(markdown, headings, start, end);
    return {
      key: uniqueKey(seen, isSection ? names : [...names, `\u0001${turns}`]),
      start,
      end,
      headingPath: path,
      anchor,
      repeats: isSection ? [] : repeatedRanges(markdown, blocks, start, openFence),
    };
  });
  return { chunks, tokens: count(0, markdown.length), count };
}

/**
 * Where the text of a section begins: if it starts with headings, below the headings above its first text. A heading that another one of the same
 * or a stronger level follows has no text, and stays, with all after it: `## Unplug it` before `## Plug it in`.
 */
function belowHeadings(blocks: readonly Block[], first: number, end: number): number {
  const levels: number[] = [];
  let at = first;
  for (; (blocks[at]?.start ?? end) < end; at += 1) {
    const { heading } = blocks[at] as Block;
    if (heading === null) break;
    levels.push(heading.level);
  }
  const isAll = (blocks[at]?.start ?? end) >= end;
  const alone = levels.findIndex((level, index) => levels.slice(index + 1).some((later) => later <= level));
  const stays = alone < 0 ? levels.length - (isAll ? 1 : 0) : alone;
  return blocks[first + stays]?.start ?? end;
}

/** The key of a chunk. @param seen how many chunks have each key so far @param parts its headings, and the part of a section that was cut */
function uniqueKey(seen: Map<string, number>, parts: readonly string[]): string {
  const digest = BigInt(`0x${hash('sha256', parts.join('\u0000')).slice(0, 16)}`);
  const key = digest.toString(36).padStart(keyChars, '0').slice(-keyChars);
  const times = (seen.get(key) ?? 0) + 1;
  seen.set(key, times);
  return times === 1 ? key : `${key}-${times}`;
}

/** Where the text of a chunk ends: before rules and blank lines. A chunk that has nothing but a rule keeps it. */
function contentEnd(markdown: string, start: number, end: number): number {
  const text = markdown.slice(start, end).trimEnd();
  return start + text.replace(/(?:\n+___)+$/, '').length;
}

/** More is not repeated, the introduction first. */
const maxRepeatedChars = 1000;
/** The last sentence of a longer paragraph counts as the introduction. */
const maxIntroChars = 300;
/** A longer first cell is no key. */
const maxKeyChars = 200;

const continued = new Set<BlockType>(['list', 'steps', 'table', 'code']);
/** Their items may have code. */
const containers = new Set<BlockType>(['list', 'steps', 'callout', 'quote']);

/**
 * The ranges that a chunk at an offset repeats, so that it can be understood alone: the sentence that introduces the list, code or table it
 * continues, the header rows of the table or the opening fence of the code, also in an item or a callout, and the first cell of a row that is cut.
 */
function repeatedRanges(
  markdown: string,
  blocks: readonly Block[],
  start: number,
  openFence: OpenFence,
): readonly MarkdownRange[] {
  const at = blockIndexAt(blocks, start);
  const block = blocks[at];
  if (block === undefined || block.start > start) return [];
  const fence = containers.has(block.type) ? openFence(itemStartAt(block, start), start) : [];
  if (!continued.has(block.type)) return fence;
  const before = blocks[at - 1];
  const intro = before === undefined ? null : introStart(markdown, before);
  const ranges: MarkdownRange[] = [];
  // At the start of a block, only an introduction that was cut from it is repeated.
  if (intro !== null && (block.start < start || belongsTo(blocks, at, markdown)))
    ranges.push([intro, block.start]);
  // A chunk that starts within a long header row cannot repeat that row.
  if (block.bodyStart > block.start && block.bodyStart <= start) ranges.push([block.start, block.bodyStart]);
  if (block.type === 'table') ranges.push(...keyOfRow(markdown, block, start));
  ranges.push(...fence);
  let chars = ranges.reduce((sum, [from, to]) => sum + to - from, 0);
  while (chars > maxRepeatedChars) {
    const [from, to] = ranges.shift() as MarkdownRange;
    chars -= to - from;
  }
  return ranges;
}

/** A line with a fence, the marks of lists and callouts before it, and what follows it. */
const fenceLine = /^[ >]*((?:(?:[-*]|\d{1,9}[.)]) +)*)(`{3,})([^`\n]*)\n/gm;

/** The line that opens the code in which an offset is; nothing outside of code. @param from a position before it, outside of code */
type OpenFence = (from: number, offset: number) => readonly MarkdownRange[];

/** Reads each line once if it is asked in the order of the text, because a callout may have many chunks. */
function createFenceFinder(markdown: string): OpenFence {
  let origin = -1;
  let at = 0;
  let opened: { readonly range: MarkdownRange; readonly fence: string } | null = null;
  return (from, offset) => {
    if (from !== origin || offset < at) {
      origin = at = from;
      opened = null;
    }
    for (const match of markdown.slice(at, offset).matchAll(fenceLine)) {
      const [line, item, fence = '', info = ''] = match;
      const start = at + match.index;
      if (opened === null) opened = { range: [start, start + line.length], fence };
      else if (item === '' && info.trim() === '' && fence.length >= opened.fence.length) opened = null;
    }
    at = Math.max(at, markdown.lastIndexOf('\n', offset - 1) + 1);
    return opened === null ? [] : [opened.range];
  };
}

/** Start of the paragraph that introduces the next block, or of its last sentence; `null` if the block does not introduce anything. */
function introStart(markdown: string, { type, start, end }: Block): number | null {
  if (type !== 'paragraph' && type !== 'label') return null;
  if (end - start <= maxIntroChars) return start;
  const last = start + (sentenceStarts(markdown.slice(start, end)).at(-1) ?? 0);
  return end - last <= maxIntroChars ? last : null;
}

/**
 * The first cell of the row in which an offset is, and the bars of the cells between; nothing at the start of a row, within the first cell or after
 * more cells than are repeated.
 */
function keyOfRow(markdown: string, { bodyStart }: Block, offset: number): readonly MarkdownRange[] {
  const row = markdown.lastIndexOf('\n', offset - 1) + 1;
  if (row === offset || row < bodyStart) return [];
  const bars: number[] = [];
  for (const { index } of markdown.slice(row, offset).matchAll(/(?<!\\)\| /g)) {
    bars.push(row + index);
    // A longer row has many chunks. Reading it from its start for each of them takes time with the square of its length.
    if (2 * bars.length > maxRepeatedChars) return [];
  }
  const [first, second, ...others] = bars;
  if (first !== row || second === undefined || second - first > maxKeyChars) return [];
  const ranges: MarkdownRange[] = [[first, second + 2], ...others.map((bar) => [bar, bar + 2] as const)];
  return ranges.filter(([, end]) => end <= offset);
}
