/** What a top-level block of a document's Markdown is; a `label` is a paragraph that is bold from end to end. */
export type BlockType =
  | 'heading'
  | 'paragraph'
  | 'list'
  | 'steps'
  | 'table'
  | 'code'
  | 'callout'
  | 'quote'
  | 'image'
  | 'label'
  | 'rule'
  | 'html';

/** A top-level block: `markdown.slice(start, end)`, whole lines without the last line feed. */
export interface Block {
  readonly type: BlockType;
  readonly start: number;
  readonly end: number;
  /** 1–6 of a heading, else `null`. */
  readonly level: number | null;
}

interface Line {
  readonly text: string;
  readonly start: number;
}

const listMarker = /^ {0,3}(?:([-*+])|\d{1,9}([.)]))(?:\s|$)/;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const delimiterRow = /^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$/;

/**
 * Finds the top-level blocks of the Markdown that the content stage writes (CommonMark with GFM tables, ATX headings).
 * Every line that is not blank belongs to exactly one block.
 */
export function scanBlocks(markdown: string): readonly Block[] {
  const lines = splitLines(markdown);
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] as Line;
    if (line.text.trim() === '') {
      at += 1;
      continue;
    }
    const [type, next] = blockAt(lines, at);
    const last = lines[next - 1] as Line;
    const marks = type === 'heading' ? heading.exec(line.text)?.[1] : undefined;
    blocks.push({
      type,
      start: line.start,
      end: last.start + last.text.length,
      level: marks === undefined ? null : marks.length,
    });
    at = next;
  }
  return blocks;
}

/** Index of the first block that ends after an offset; the number of blocks when none does. */
export function blockIndexAt(blocks: readonly Block[], offset: number): number {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((blocks[middle]?.end ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Cuts a text into its lines; offsets count from the start of the text. */
export function splitLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    lines.push({ text: line, start });
    start += line.length + 1;
  }
  return lines;
}

/** Type of the block that starts in line `at`, and the line after its last one. */
function blockAt(lines: readonly Line[], at: number): readonly [BlockType, number] {
  const text = textAt(lines, at);
  const fenceMarks = fence.exec(text)?.[1];
  if (fenceMarks !== undefined) return ['code', afterFence(lines, at, fenceMarks)];
  if (heading.test(text)) return ['heading', at + 1];
  if (rule.test(text)) return ['rule', at + 1];
  if (/^ {0,3}>/.test(text)) {
    return [/^ {0,3}> ?\[!\w+\]/.test(text) ? 'callout' : 'quote', afterText(lines, at)];
  }
  const marker = listMarker.exec(text);
  if (marker !== null) return [marker[1] === undefined ? 'steps' : 'list', afterList(lines, at)];
  if (/^(?: {4}|\t)/.test(text)) return ['code', afterIndented(lines, at)];
  if (text.includes('|') && delimiterRow.test(textAt(lines, at + 1))) return ['table', afterText(lines, at)];
  const next = afterParagraph(lines, at);
  if (text.startsWith('<')) return ['html', next];
  const whole = lines.slice(at, next).map((line) => line.text);
  return [paragraphType(whole.join(' ').trim()), next];
}

function paragraphType(text: string): BlockType {
  if (/^\[?!\[/.test(text) && text.endsWith(')')) return 'image';
  if (/^\*\*[^*]+\*\*$/.test(text)) return 'label';
  return 'paragraph';
}

function textAt(lines: readonly Line[], at: number): string {
  return lines[at]?.text ?? '';
}

function afterFence(lines: readonly Line[], at: number, marks: string): number {
  for (let next = at + 1; next < lines.length; next += 1) {
    const text = textAt(lines, next).trim();
    if (text.length >= marks.length && text === (marks[0] ?? '').repeat(text.length)) return next + 1;
  }
  return lines.length;
}

/** A block that ends at the first blank line. */
function afterText(lines: readonly Line[], at: number): number {
  let next = at + 1;
  while (next < lines.length && textAt(lines, next).trim() !== '') next += 1;
  return next;
}

/** A paragraph also ends where a heading, a fence, a quote, a list or a table begins. */
function afterParagraph(lines: readonly Line[], at: number): number {
  let next = at + 1;
  while (next < lines.length) {
    const text = textAt(lines, next);
    if (text.trim() === '' || fence.test(text) || heading.test(text) || /^ {0,3}>/.test(text)) break;
    if (/^ {0,3}(?:[-*+]|1[.)]) +\S/.test(text)) break;
    if (text.includes('|') && delimiterRow.test(textAt(lines, next + 1))) break;
    next += 1;
  }
  return next;
}

/** A list goes on over blank lines as long as what follows is indented or one more item with the same marker. */
function afterList(lines: readonly Line[], at: number): number {
  const marker = markerKind(textAt(lines, at));
  let next = at + 1;
  let end = next;
  let afterBlank = false;
  for (; next < lines.length; next += 1) {
    const text = textAt(lines, next);
    if (text.trim() === '') {
      afterBlank = true;
      continue;
    }
    const kind = markerKind(text);
    const indented = /^(?: {2}|\t)/.test(text);
    if (kind !== null && kind !== marker && !indented) break;
    if (kind === null && !indented && (afterBlank || heading.test(text) || fence.test(text))) break;
    afterBlank = false;
    end = next + 1;
  }
  return end;
}

function markerKind(text: string): string | null {
  const marker = rule.test(text) ? null : listMarker.exec(text);
  return marker === null ? null : (marker[1] ?? marker[2] ?? null);
}

function afterIndented(lines: readonly Line[], at: number): number {
  let end = at + 1;
  for (let next = end; next < lines.length; next += 1) {
    const text = textAt(lines, next);
    if (text.trim() === '') continue;
    if (!/^(?: {4}|\t)/.test(text)) break;
    end = next + 1;
  }
  return end;
}
