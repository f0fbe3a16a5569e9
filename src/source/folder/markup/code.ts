import { escapeHtml } from '../../../core/html.ts';

/** A fenced code block, or a code span (`fence` is `null`). */
interface HiddenCode {
  readonly fence: Fence | null;
  /** The content of a block, without the indentation of its fence; a span as written, with its marks. */
  readonly text: string;
}

/** What follows the marks of a fence. */
interface Fence {
  readonly language: string;
  /** A title or file name; `''` if there is none. */
  readonly title: string;
}

/** Reads the info string of a fence, e.g. `js {1,3} title="a.js"`. */
export type ReadFence = (info: string) => Fence;

/** A text without tags of HTML, except in code spans: titles and labels are plain. */
export function withoutTags(text: string): string {
  return text.replace(/(`+)[^`]+\1|<\/?[a-z][^<>]*>/gi, (part) => (part.startsWith('`') ? part : ''));
}

/**
 * Code of a page that is replaced by marks, so that rules for text do not change it. The mark of a block is alone on its line; when it is
 * restored, all lines of the block get what precedes the mark, so a rule may indent or quote it.
 */
export class CodeStore {
  readonly #codes: HiddenCode[] = [];
  readonly #readFence: ReadFence;

  constructor(readFence: ReadFence) {
    this.#readFence = readFence;
  }

  /** Replaces code blocks and spans in a text by marks. */
  hide(text: string): string {
    return this.#hideSpans(this.#hideBlocks(text));
  }

  /** The mark of a new code block. */
  block(text: string, fence: Fence): string {
    return this.#mark({ fence, text });
  }

  /** The mark of text that no rule changes. */
  span(text: string): string {
    return this.#mark({ fence: null, text });
  }

  /** Restores the code in Markdown. */
  restore(text: string): string {
    return text
      .split('\n')
      .flatMap((line) => this.#restoreLine(line))
      .join('\n');
  }

  /** The text as HTML: code spans and `**bold**` are elements, everything else is escaped. */
  toHtml(text: string): string {
    const shown = text.replace(spanMark, (_all, at: string) => this.#codes[Number(at)]?.text ?? '');
    return escapeHtml(shown.trim())
      .replace(/(`+) ?([^`]+?) ?\1/g, '<code>$2</code>')
      .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
      .replace(/(?<!\w)_([^_]+)_(?!\w)|\*([^*]+)\*/g, '<em>$1$2</em>');
  }

  /** The title of the code block whose mark is a line; `null` if the line is something else. */
  titleOf(line: string): string | null {
    const fence = this.#at(line.trim())?.fence;
    return fence === null || fence === undefined ? null : fence.title || fence.language;
  }

  /** The mark of the same block without its title. */
  withoutTitle(line: string): string {
    const code = this.#at(line.trim());
    if (code === undefined || code.fence === null) return line;
    return this.#mark({ fence: { ...code.fence, title: '' }, text: code.text });
  }

  /** Replaces the marks of spans by their code, and applies `change` to each. */
  changeSpans(text: string, change: (code: string) => string): string {
    return text.replace(spanMark, (all, at: string) => {
      const code = this.#codes[Number(at)];
      return code === undefined || code.fence !== null
        ? all
        : this.#mark({ ...code, text: change(code.text) });
    });
  }

  #at(mark: string): HiddenCode | undefined {
    return this.#codes[Number(/^\0(\d+)\0$/.exec(mark)?.[1] ?? -1)];
  }

  #mark(code: HiddenCode): string {
    return `\0${this.#codes.push(code) - 1}\0`;
  }

  #restoreLine(line: string): readonly string[] {
    const [, before = '', at = ''] = /^(.*?)\0(\d+)\0\s*$/.exec(line) ?? [];
    const code = at === '' ? undefined : this.#codes[Number(at)];
    if (code?.fence && !before.includes('\0')) {
      const { language, title } = code.fence;
      const marks = '`'.repeat(Math.max(3, longestRun(code.text) + 1));
      const head = title === '' ? [] : [`**${title}**`, ''];
      const lines = [...head, `${marks}${language}`, ...code.text.split('\n'), marks];
      const rest = before.replace(/[^\s>]/g, ' ');
      return lines.map((one, index) =>
        index === 0 ? before + one : one === '' ? rest.trimEnd() : rest + one,
      );
    }
    return [line.replace(spanMark, (_all, index: string) => this.#codes[Number(index)]?.text ?? '')];
  }

  #hideBlocks(text: string): string {
    const result: string[] = [];
    const lines = text.split('\n');
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at] as string;
      const [, before = '', marks = '', info = ''] = opening.exec(line) ?? [];
      if (marks === '' || (marks.startsWith('`') && info.includes('`'))) {
        result.push(line);
        continue;
      }
      const isQuoted = before.includes('>');
      const inside: string[] = [];
      for (at += 1; at < lines.length; at += 1) {
        const next = lines[at] as string;
        const bare = next.replace(/^[\s>]*/, '').trimEnd();
        if (bare.length >= marks.length && bare === (marks[0] as string).repeat(bare.length)) break;
        if (isQuoted && !/^\s*>/.test(next)) {
          at -= 1;
          break;
        }
        inside.push(dedent(next, before, isQuoted));
      }
      result.push(before + this.#mark({ fence: this.#readFence(info.trim()), text: inside.join('\n') }));
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
      result += text.slice(from, start) + this.#mark({ fence: null, text: text.slice(start, end) });
      from = end;
      index = closing;
    }
    return result + text.slice(from);
  }
}

const spanMark = /\0(\d+)\0/g;

const opening = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})(.*)$/;

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/^[ \t]*`{3,}/gm) ?? []).map((run) => run.trim().length));
}

/** Removes up to `width` blanks from the start of a line; a tab counts as four. */
export function unindent(line: string, width: number): string {
  let left = width;
  let at = 0;
  while (left > 0 && (line[at] === ' ' || line[at] === '\t')) {
    left -= line[at] === '\t' ? 4 : 1;
    at += 1;
  }
  return line.slice(at);
}

/** Removes the indentation of a fence from a line of its block. */
function dedent(line: string, before: string, isQuoted: boolean): string {
  if (isQuoted) return line.replace(/^\s*(?:> ?)+/, '');
  return unindent(line, before.length);
}

/** `js{1,3}`, `js:line-numbers {1} [a.js]`, `js title="a.js"`, `{ .js title="a.js" }`. */
export function readFence(info: string): Fence {
  const [, double, single] = /\btitle\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(info) ?? [];
  const title = double ?? single ?? /\[([^\]]+)\]\s*$/.exec(info)?.[1] ?? '';
  const [, braced] = /^\{\s*\.([\w+#-]+)/.exec(info) ?? [];
  const [plain = ''] = /^[^\s{}:,[\]="']+(?!\s*=)/.exec(info) ?? [];
  return { language: braced ?? plain, title };
}
