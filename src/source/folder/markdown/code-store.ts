import { groupBy } from '../../../core/group-by.ts';
import { escapePlaceholders } from './placeholders.ts';

/**
 * Code of a page that is replaced by marks, so that rules for text do not change it: fenced and indented blocks, spans, and code in HTML. Behind
 * each mark is the code exactly as it is written.
 */
export class CodeStore {
  readonly #codes: string[] = [];
  /** Names of the directives of MyST and of programs whose text is in fenced blocks: `{note}`. */
  readonly directives: string[] = [];

  /**
   * Replaces code blocks and spans in a text by marks, and comments of HTML that begin a line by empty ones, because what they contain is no
   * code.
   */
  hide(text: string): string {
    return this.#hideElements(this.#hideSpans(this.#hideBlocks(text)));
  }

  /** The mark of text that no rule changes. */
  mark(text: string): string {
    return `\0${this.#codes.push(text) - 1}\0`;
  }

  /** Restores the code in a text. Marks may be inside of other code. */
  restore(text: string): string {
    return text.replace(/\0(\d+)\0/g, (_all, at: string) => this.restore(this.#codes[Number(at)] ?? ''));
  }

  #hideBlocks(text: string): string {
    const result: string[] = [];
    const lines = text.split('\n');
    /** Where the text of an item, a footnote or a definition begins, which indented lines continue; 0 outside of them. */
    let textStart = 0;
    const lastArrow = lines.findLastIndex((line) => line.includes('-->'));
    const lastPre = lines.findLastIndex((line) => /<\/pre>/i.test(line));
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at] as string;
      const [marker] = item.exec(line) ?? [];
      if (marker !== undefined) textStart = textStartAfter(marker);
      else if (/^\S/.test(line)) textStart = 0;
      const codeStart = textStart + 4;
      const start = at;
      if (isIndented(line, codeStart) && (at === 0 || (lines[at - 1] as string).trim() === '')) {
        at = endOfIndented(lines, at, codeStart);
        result.push(this.mark(lines.slice(start, at + 1).join('\n')));
        continue;
      }
      const [, comment, pre] = /^[ \t>]*(?:(<!--(?!-{0,2}>))|(<pre(?=[\s>])))/i.exec(line) ?? [];
      const commentEnd = comment === undefined || at > lastArrow ? null : endOfComment(lines, at);
      if (commentEnd !== null) {
        // What follows it on its last line is read, too.
        lines[commentEnd.line] = `${line.slice(0, line.indexOf('<!--'))}<!---->${commentEnd.after}`;
        at = commentEnd.line - 1;
        continue;
      }
      if (pre !== undefined && at <= lastPre) {
        // Fences in it are text.
        while (!/<\/pre>/i.test(lines[at] as string)) at += 1;
        result.push(...lines.slice(start, at + 1));
        continue;
      }
      const [, before = '', marks = '', info = ''] = opening.exec(line) ?? [];
      const isFence =
        marks !== '' &&
        !(marks.startsWith('`') && info.includes('`')) &&
        (marker !== undefined || before.includes('>') || widthOf(before) < codeStart);
      if (isFence) {
        at = endOfFence(lines, at, before, marks);
        const [name] = /(?<=^[ \t]*)\{[a-z][\w:.+-]*(?=[\s,}])/i.exec(info) ?? [];
        if (name !== undefined) {
          this.directives.push(`${name}}`);
          // A renderer shows nothing of what is behind the marks: the title of a note, the file of a figure.
          lines[start] = `${before}${marks}\n${before.replace(/[^\s>]/g, ' ')}${info.trim()}`;
        }
      }
      const block = lines.slice(start, at + 1).join('\n');
      result.push(isFence ? before + this.mark(block.slice(before.length)) : block);
    }
    return result.join('\n');
  }

  /** Hides the spans of every paragraph, item and row, by the runs of backticks in it. */
  #hideSpans(text: string): string {
    return text
      .split(textEnd)
      .map((paragraph) => this.#hideInParagraph(paragraph))
      .join('');
  }

  #hideInParagraph(text: string): string {
    const runs = [...text.matchAll(/(?<!\\)(\\*)(`+)|<!--(?!-?>)|%%/g)].map((match) => ({
      start: match.index + (match[1] ?? '').length,
      length: (match[2] ?? '').length,
      isEscaped: (match[1] ?? '').length % 2 === 1,
    }));
    // The last ones first, so that used ones can be taken from the end.
    const byLength = groupBy([...runs.keys()].reverse(), (index) => runs[index]?.length ?? 0);
    let result = '';
    let from = 0;
    const lastArrow = text.lastIndexOf('-->');
    /** Where a comment ends, in which no span begins. */
    let commentEnd = 0;
    for (let index = 0; index < runs.length; index += 1) {
      const { start, length, isEscaped } = runs[index] as (typeof runs)[number];
      if (start < commentEnd) continue;
      if (length === 0) {
        commentEnd = endOfInlineComment(text, start, lastArrow);
        continue;
      }
      const same = byLength.get(length) ?? [];
      while (same.length > 0 && (same.at(-1) as number) <= index) same.pop();
      const closing = same.at(-1);
      if (isEscaped || closing === undefined) continue;
      const end = (runs[closing] as (typeof runs)[number]).start + length;
      result += text.slice(from, start) + this.mark(text.slice(start, end));
      from = end;
      index = closing;
    }
    return result + text.slice(from);
  }

  /** Hides code in HTML. Markdown in it stays Markdown, as in other programs. */
  #hideElements(text: string): string {
    return text.replace(codeOrComment, (found) =>
      found.endsWith('>') && !found.startsWith('<!') ? this.mark(escapePlaceholders(found)) : found,
    );
  }
}

/** The mark of an item, a footnote or a definition. */
const item = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+|^\[\^|^:[ \t]/;

const opening = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})(.*)$/;

/** Blank lines, and the end of a line before an item, heading or block of colons, or between the rows of a table: a span does not continue there. */
const textEnd =
  /(\n[ \t]*\n|\n(?=[ \t>]*:{3})|\n(?=[ \t>]*(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t])|\n(?=[ \t>]*\|)(?<=(?:^|\n)[ \t>]*\|[^\n]*\n))/;

/** Elements of HTML for code, up to their end, and comments, in which none begins. A blank line is a part of `pre` only. */
const codeOrComment =
  /<pre(?=[\s>])(?:(?!<\/?pre[\s>])[\s\S])*<\/pre>|<(code|kbd|samp|tt)(?=[\s>])(?:(?!<\/?\1[\s>]|\n[ \t]*\n)[\s\S])*<\/\1>|<!--(?!-?>)(?:(?!<!--)[\s\S])*?-->|%%[^\n]*?%%|^[ \t]*%%[\s\S]*?%%/gim;

/** No line below a definition is taken for code, because its indent is removed. */
function textStartAfter(marker: string): number {
  if (marker.startsWith(':')) return Number.POSITIVE_INFINITY;
  return marker.startsWith('[') ? 4 : widthOf(marker);
}

function widthOf(indent: string): number {
  let width = 0;
  for (const character of indent) width += character === '\t' ? 4 - (width % 4) : 1;
  return width;
}

function isIndented(line: string, codeStart: number): boolean {
  const [indent = ''] = /^[ \t]*(?=\S)/.exec(line) ?? [];
  return widthOf(indent) >= codeStart;
}

/** The last line of a fenced block. A block in a quotation ends with the quotation. */
function endOfFence(lines: readonly string[], start: number, before: string, marks: string): number {
  const isQuoted = before.includes('>');
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (closesFence(line, before, marks)) return at;
    if (isQuoted && !/^\s*>/.test(line)) return at - 1;
  }
  return lines.length - 1;
}

/** Whether a line ends a fenced block. One that is indented like code inside of the block does not. */
function closesFence(line: string, before: string, marks: string): boolean {
  const [indent = ''] = /^[\s>]*/.exec(line) ?? [];
  const bare = line.slice(indent.length).trimEnd();
  return (
    bare.length >= marks.length &&
    bare === (marks[0] as string).repeat(bare.length) &&
    widthOf(indent) < widthOf(before) + 4
  );
}

function endOfIndented(lines: readonly string[], start: number, codeStart: number): number {
  let last = start;
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (isIndented(line, codeStart)) last = at;
    else if (line.trim() !== '') break;
  }
  return last;
}

/** The last line of a comment of HTML, with what follows the comment; `null` if it has no end. */
function endOfComment(
  lines: readonly string[],
  start: number,
): { readonly line: number; readonly after: string } | null {
  let fence: { readonly before: string; readonly marks: string } | null = null;
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const from = at === start ? line.indexOf('<!--') + '<!--'.length : 0;
    const [, before = '', marks = ''] = at === start ? [] : (opening.exec(line) ?? []);
    if (fence !== null && closesFence(line, fence.before, fence.marks)) fence = null;
    else if (fence === null && marks !== '') fence = { before, marks };
    // A comment in a code block of the comment is code.
    if (fence !== null && line.includes('<!--', from)) {
      at = endOfFence(lines, at, fence.before, fence.marks);
      fence = null;
      continue;
    }
    const end = line.indexOf('-->', from);
    if (end !== -1) return { line: at, after: line.slice(end + '-->'.length) };
  }
  return null;
}

/** The end of a comment in a paragraph, `<!-- … -->` or `%% … %%`; its start if it has none there. */
function endOfInlineComment(text: string, start: number, lastArrow: number): number {
  if (text.startsWith('<', start)) return start < lastArrow ? text.indexOf('-->', start + 4) + 3 : start;
  const end = text.indexOf('%%', start + 2);
  if (end === -1) return start;
  const hasLines = text.slice(start, end).includes('\n');
  const isBlock = hasLines && text.slice(text.lastIndexOf('\n', start) + 1, start).trim() === '';
  return hasLines && !isBlock ? start : end + 2;
}
