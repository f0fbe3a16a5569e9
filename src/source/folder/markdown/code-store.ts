/**
 * Code of a page that is replaced by marks, so that rules for text do not change it: fenced and indented blocks, and spans. A mark stands for
 * the code exactly as it is written.
 */
export class CodeStore {
  readonly #codes: string[] = [];

  /** Replaces code blocks and spans in a text by marks. */
  hide(text: string): string {
    return this.#hideSpans(this.#hideBlocks(text));
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
    /** Whether indented lines continue an item, a footnote or a definition, and so are no code. */
    let isInItem = false;
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at] as string;
      if (/^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]|^\[\^|^:[ \t]/.test(line)) isInItem = true;
      else if (/^\S/.test(line)) isInItem = false;
      const [, before = '', marks = '', info = ''] = opening.exec(line) ?? [];
      const isFence = marks !== '' && !(marks.startsWith('`') && info.includes('`'));
      const isIndented =
        !isFence && !isInItem && indented.test(line) && (at === 0 || (lines[at - 1] as string).trim() === '');
      if (!isFence && !isIndented) {
        result.push(line);
        continue;
      }
      const start = at;
      at = isFence ? endOfFence(lines, at, before, marks) : endOfIndented(lines, at);
      result.push(
        before +
          this.mark(
            lines
              .slice(start, at + 1)
              .join('\n')
              .slice(before.length),
          ),
      );
    }
    return result.join('\n');
  }

  /** Hides the spans of every paragraph, by the runs of backticks in it. */
  #hideSpans(text: string): string {
    return text
      .split(/(\n[ \t]*\n)/)
      .map((paragraph) => this.#hideInParagraph(paragraph))
      .join('');
  }

  #hideInParagraph(text: string): string {
    const runs = [...text.matchAll(/(\\*)(`+)/g)].map((match) => ({
      start: match.index + (match[1] ?? '').length,
      length: (match[2] ?? '').length,
      isEscaped: (match[1] ?? '').length % 2 === 1,
    }));
    const byLength = new Map<number, number[]>();
    // The last ones first, so that used ones can be taken from the end.
    for (let index = runs.length - 1; index >= 0; index -= 1) {
      const { length } = runs[index] as (typeof runs)[number];
      const list = byLength.get(length);
      if (list === undefined) byLength.set(length, [index]);
      else list.push(index);
    }
    let result = '';
    let from = 0;
    for (let index = 0; index < runs.length; index += 1) {
      const { start, length, isEscaped } = runs[index] as (typeof runs)[number];
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
}

const opening = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})(.*)$/;

const indented = /^(?: {4}|\t)[ \t]*\S/;

/** The last line of a fenced block. A block in a quotation ends with the quotation. */
function endOfFence(lines: readonly string[], start: number, before: string, marks: string): number {
  const isQuoted = before.includes('>');
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const bare = line.replace(/^[\s>]*/, '').trimEnd();
    if (bare.length >= marks.length && bare === (marks[0] as string).repeat(bare.length)) return at;
    if (isQuoted && !/^\s*>/.test(line)) return at - 1;
  }
  return lines.length - 1;
}

function endOfIndented(lines: readonly string[], start: number): number {
  let last = start;
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (indented.test(line)) last = at;
    else if (line.trim() !== '') break;
  }
  return last;
}
