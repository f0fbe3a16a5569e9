import type { Block, BlockType, Document, Heading } from '../../content/document.ts';
import { sha256 } from '../records/record-schemas.ts';
import type { CountTokens } from '../tokens/count-tokens.ts';
import {
  belongsTo,
  blockIndexAt,
  buildAtoms,
  type CountSlice,
  noHeading,
  refineAtom,
  sectionHeading,
  sentenceStarts,
} from './build-atoms.ts';
import { findOwnText, type PageFacts } from './own-text.ts';
import { type Atom, type ChunkSettings, joinSections, splitRun, sumTokens } from './split-sections.ts';

/** Main content of a chunk: one kind of block, or running text. */
type ChunkType = 'text' | 'list' | 'steps' | 'table' | 'code' | 'callout';

/** One chunk of a document: a range of its Markdown and its id. */
export interface ChunkCut {
  /** Derived from the heading path and, if the section was cut, from the position of the part in the cuts. Stable across edits. */
  readonly key: string;
  /** UTF-16 offsets into the Markdown. */
  readonly start: number;
  readonly end: number;
  /** Texts of the headings above its first paragraph, outermost first. */
  readonly headingPath: readonly string[];
  /** Id of the heading it starts with or is below; `null` above the first heading. */
  readonly anchor: string | null;
  readonly type: ChunkType;
  readonly tokens: number;
  /**
   * Preceding Markdown that the chunk repeats: the sentence that introduces the list, code or table it continues, and header rows.
   * Otherwise empty.
   */
  readonly lead: string;
}

const keyChars = 8;

const unknownPage: PageFacts = { url: '', boilerplate: new Set() };

/** Longer headings are cut in heading paths. */
const maxHeadingChars = 200;

/** A document's chunks in order, and the tokens of its whole Markdown. */
interface ChunkedDocument {
  readonly chunks: readonly ChunkCut[];
  readonly tokens: number;
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
  const count = (start: number, end: number) => countTokens(markdown.slice(start, end));
  const atoms = buildAtoms(markdown, blocks, markdown.length, count);
  const headingsAt = createHeadingLookup(blocks);
  const refine = (atom: Atom) => refineAtom(markdown, atom, blocks, count);
  const parts = findOwnText(markdown, blocks, atoms, page, count).flatMap((own) =>
    joinSections(own, settings.minTokens).flatMap((run) => splitRun(run, settings, refine)),
  );
  const seen = new Map<string, number>();
  const bodyStart = createBodyFinder(blocks);
  const chunks = parts.map(({ atoms: part, turns }): ChunkCut => {
    const [first] = part as readonly [Atom];
    const { start } = first;
    const end = contentEnd(markdown, start, part.at(-1)?.end ?? start);
    // A label before a heading belongs to the heading's section.
    const sectionStart =
      first.level < noHeading ? (sectionHeading(blocks, blockIndexAt(blocks, start))?.start ?? start) : start;
    const named = headingsAt(sectionStart);
    const names = named.map(({ text }) => text);
    const bodyAt = bodyStart(sectionStart);
    return {
      key: uniqueKey(seen, first.level < noHeading ? names : [...names, `\u0001${turns}`]),
      start,
      end,
      headingPath: headingsAt(bodyAt < end ? bodyAt : sectionStart).map(({ text }) => text),
      // Headings of a page that exists already may have no id.
      anchor: named.findLast(({ id }) => id !== '')?.id ?? null,
      type: chunkType(blocks, start, end),
      tokens: countPart(markdown, part, end, count),
      lead: leadOf(markdown, blocks, start),
    };
  });
  return { chunks, tokens: countPart(markdown, atoms, markdown.length, count) };
}

/** Tokens of a part up to `end`, computed from the tokens of its atoms. No token crosses a line feed, except `/` after one. */
function countPart(markdown: string, part: readonly Atom[], end: number, count: CountSlice): number {
  const last = part.at(-1);
  if (last === undefined) return 0;
  const start = part[0]?.start ?? 0;
  if (part.some((atom) => atom.start > start && !isSeparate(markdown, atom.start))) return count(start, end);
  return sumTokens(part) - (end === last.end ? 0 : tailTokens(markdown, last, end, count));
}

/**
 * Tokens that an atom loses if it ends at `end`, after its last words. Only the tokens of its last line and the blank lines after it
 * change.
 */
function tailTokens(markdown: string, atom: Atom, end: number, count: CountSlice): number {
  // Searches inside the atom only: a line may be as long as the document.
  const line = atom.start + markdown.slice(atom.start, end).lastIndexOf('\n') + 1;
  const start = line > atom.start && isSeparate(markdown, line) ? line : atom.start;
  return (start === atom.start ? atom.tokens : count(start, atom.end)) - count(start, end);
}

/** Whether a line that is not blank starts with a new token. */
function isSeparate(markdown: string, start: number): boolean {
  return markdown[start - 1] === '\n' && markdown[start] !== '/' && markdown[start] !== '\r';
}

/** Finds the first block at or after a position that is not a heading. */
function createBodyFinder(blocks: readonly Block[]): (start: number) => number {
  const bodies = blocks.filter(({ heading }) => heading === null);
  return (start) => Math.max(start, bodies[blockIndexAt(bodies, start)]?.start ?? start);
}

/** Returns a function that finds the headings above an offset, outermost first, including a heading that starts there. */
function createHeadingLookup(blocks: readonly Block[]): (offset: number) => readonly Heading[] {
  const paths: (readonly Heading[])[] = [];
  let path: readonly Heading[] = [];
  for (const { heading } of blocks) {
    if (heading !== null) {
      const above = path.filter(({ level }) => level < heading.level);
      path = [...above, { ...heading, text: shortenHeading(heading.text) }];
    }
    paths.push(path);
  }
  return (offset) => {
    const at = blockIndexAt(blocks, offset);
    const isBefore = (blocks[at]?.start ?? Number.POSITIVE_INFINITY) > offset;
    return paths[isBefore ? at - 1 : at] ?? [];
  };
}

/** Shortens a heading. Every chunk below it repeats it, so a heading as long as an article would make the feed grow quadratically. */
export function shortenHeading(text: string): string {
  return text.length > maxHeadingChars
    ? `${text.slice(0, maxHeadingChars - 1).replace(/[\ud800-\udbff]$/, '')}…`
    : text;
}

/** The key of a chunk with these headings, before it is made unique. */
export function chunkKey(parts: readonly string[]): string {
  const digest = BigInt(`0x${sha256(parts.join('\u0000')).slice(0, 16)}`);
  return digest.toString(36).padStart(keyChars, '0').slice(-keyChars);
}

function uniqueKey(seen: Map<string, number>, parts: readonly string[]): string {
  const key = chunkKey(parts);
  const times = (seen.get(key) ?? 0) + 1;
  seen.set(key, times);
  return times === 1 ? key : `${key}-${times}`;
}

function contentEnd(markdown: string, start: number, end: number): number {
  return start + markdown.slice(start, end).trimEnd().length;
}

/** The type of most characters of the chunk, not counting headings. */
function chunkType(blocks: readonly Block[], start: number, end: number): ChunkType {
  const signs = new Map<BlockType, number>();
  let all = 0;
  for (let at = blockIndexAt(blocks, start); at < blocks.length; at += 1) {
    const block = blocks[at];
    if (block === undefined || block.start >= end) break;
    const inside = Math.min(block.end, end) - Math.max(block.start, start);
    if (block.heading !== null) continue;
    signs.set(block.type, (signs.get(block.type) ?? 0) + inside);
    all += inside;
  }
  const [main] = [...signs].find(([, count]) => count > all / 2) ?? [];
  switch (main) {
    case 'list':
    case 'steps':
    case 'table':
    case 'code':
    case 'callout':
      return main;
    default:
      return 'text';
  }
}

/** A longer lead is not repeated. */
const maxLeadChars = 1000;
/** The last sentence of a longer paragraph counts as the introduction. */
const maxIntroChars = 300;

const continued = new Set<BlockType>(['list', 'steps', 'table', 'code']);

/**
 * The part of the document that a chunk at an offset repeats, so that it can be understood alone: the sentence that introduces the list,
 * code or table it continues, and the header rows of the table or the opening fence of the code. Consecutive Markdown; empty if there is
 * nothing to repeat.
 */
export function leadOf(markdown: string, blocks: readonly Block[], start: number): string {
  const at = blockIndexAt(blocks, start);
  const block = blocks[at];
  if (block === undefined || block.start > start || !continued.has(block.type)) return '';
  const before = blocks[at - 1];
  const intro = before === undefined ? null : introStart(markdown, before);
  if (block.start === start) {
    // The chunk starts right after its introduction, which is in the previous chunk.
    const isParted = before !== undefined && intro !== null && belongsTo(blocks, at, markdown);
    return isParted ? within(markdown, [intro], before.end) : '';
  }
  const starts = intro === null ? [block.start] : [intro, block.start];
  // A chunk that starts within a long header row cannot repeat that row.
  const hasHeader = block.bodyStart > block.start && block.bodyStart <= start;
  if (hasHeader) return within(markdown, starts, headerEnd(markdown, block, start));
  return before === undefined || intro === null ? '' : within(markdown, [intro], before.end);
}

/** The longest range from one of `starts` to `end` that is short enough to repeat. */
function within(markdown: string, starts: readonly number[], end: number): string {
  const start = starts.find((candidate) => end - candidate <= maxLeadChars);
  return start === undefined ? '' : markdown.slice(start, end);
}

/** Start of the paragraph that introduces the next block, or of its last sentence; `null` if the block does not introduce anything. */
function introStart(markdown: string, { type, start, end }: Block): number | null {
  if (type !== 'paragraph' && type !== 'label') return null;
  if (end - start <= maxIntroChars) return start;
  const last = start + (sentenceStarts(markdown.slice(start, end)).at(-1) ?? 0);
  return end - last <= maxIntroChars ? last : null;
}

/** End of the header. If the header of a table is empty, its first row counts as the header, unless the chunk starts with that row. */
function headerEnd(markdown: string, { start, bodyStart }: Block, chunkStart: number): number {
  const end = bodyStart - 1;
  if (/[^|\s:-]/.test(markdown.slice(start, end))) return end;
  const rowEnd = markdown.indexOf('\n', bodyStart);
  return rowEnd < 0 || rowEnd >= chunkStart || markdown[start] !== '|' ? end : rowEnd;
}
