import type { Block, BlockType } from '../../content/document.ts';
import { belongsTo, blockIndexAt, sentenceStarts } from './build-atoms.ts';

/** A lead that is longer is not repeated. */
const maxLeadChars = 1000;
/** Of a longer paragraph the last sentence introduces what follows. */
const maxIntroChars = 300;

const continued = new Set<BlockType>(['list', 'steps', 'table', 'code']);

/**
 * What of the document a chunk that starts at an offset has to repeat so that it can be understood alone: the sentence that introduces
 * the list, code or table that it continues, and the header rows of the table or the opening fence of the code. Consecutive
 * Markdown; empty where there is nothing.
 */
export function leadOf(markdown: string, blocks: readonly Block[], start: number): string {
  const at = blockIndexAt(blocks, start);
  const block = blocks[at];
  if (block === undefined || block.start > start || !continued.has(block.type)) return '';
  const before = blocks[at - 1];
  const intro = before === undefined ? null : introStart(markdown, before);
  if (block.start === start) {
    // Cut right behind its introduction, which is then in the chunk before.
    const isParted = before !== undefined && intro !== null && belongsTo(blocks, at, markdown);
    return isParted ? within(markdown, [intro], before.end) : '';
  }
  const starts = intro === null ? [block.start] : [intro, block.start];
  if (block.bodyStart > block.start) return within(markdown, starts, headerEnd(markdown, block, start));
  return before === undefined || intro === null ? '' : within(markdown, [intro], before.end);
}

/** The longest of the stretches that end there and may be repeated. */
function within(markdown: string, starts: readonly number[], end: number): string {
  const start = starts.find((candidate) => end - candidate <= maxLeadChars);
  return start === undefined ? '' : markdown.slice(start, end);
}

/** Where a paragraph or its last sentence starts; `null`: the block introduces nothing. */
function introStart(markdown: string, { type, start, end }: Block): number | null {
  if (type !== 'paragraph' && type !== 'label') return null;
  if (end - start <= maxIntroChars) return start;
  const last = start + (sentenceStarts(markdown.slice(start, end)).at(-1) ?? 0);
  return end - last <= maxIntroChars ? last : null;
}

/** Where the header ends. The first row is the header of a table that has an empty one, unless the chunk starts with that row. */
function headerEnd(markdown: string, { start, bodyStart }: Block, chunkStart: number): number {
  const end = bodyStart - 1;
  if (/[^|\s:-]/.test(markdown.slice(start, end))) return end;
  const rowEnd = markdown.indexOf('\n', bodyStart);
  return rowEnd < 0 || rowEnd >= chunkStart || markdown[start] !== '|' ? end : rowEnd;
}
