import type { CalloutKind } from '../../../content/document.ts';
import { unindent } from './code.ts';
import type { BlockRule, MarkupPage } from './rules.ts';

/** Callout kinds by the names that generators use. */
export const calloutKinds: Readonly<Record<string, CalloutKind>> = {
  note: 'note',
  info: 'note',
  abstract: 'note',
  summary: 'note',
  tldr: 'note',
  example: 'note',
  question: 'note',
  help: 'note',
  faq: 'note',
  quote: 'note',
  cite: 'note',
  todo: 'note',
  seealso: 'note',
  tip: 'tip',
  hint: 'tip',
  success: 'tip',
  check: 'tip',
  done: 'tip',
  important: 'important',
  warning: 'warning',
  attention: 'warning',
  caution: 'caution',
  danger: 'caution',
  failure: 'caution',
  fail: 'caution',
  missing: 'caution',
  bug: 'caution',
  error: 'caution',
};

/** A callout with an optional title. */
export function callout(kind: CalloutKind, title: string, lines: readonly string[]): readonly string[] {
  const head = title === '' ? [] : [`**${title}**`, ''];
  const inside = [`[!${kind.toUpperCase()}]`, ...head, ...lines];
  return ['', ...inside.map((one) => (one === '' ? '>' : `> ${one}`)), ''];
}

/** A section that opens with a click. */
export function details(
  title: string,
  lines: readonly string[],
  page: MarkupPage,
  isOpen = false,
): readonly string[] {
  const open = isOpen ? '<details open>' : '<details>';
  return ['', open, `<summary>${page.code.toHtml(title)}</summary>`, '', ...lines, '', '</details>', ''];
}

/** A tab of a group, with its converted lines. */
export interface Tab {
  readonly title: string;
  readonly lines: readonly string[];
}

/** A group of tabs, as sections that open with a click; the first is open. A single one is shown with its title. */
export function tabs(all: readonly Tab[], page: MarkupPage): readonly string[] {
  const [only, ...more] = all;
  if (only !== undefined && more.length === 0)
    return ['', ...(only.title === '' ? [] : [`**${only.title}**`, '']), ...only.lines, ''];
  return all.flatMap(({ title, lines }, at) => details(title, lines, page, at === 0));
}

/** A container between lines of colons. */
interface Container {
  readonly name: string;
  /** Rest of the line after the name, without attributes. */
  readonly title: string;
  /** `{…}` at the end of the line. */
  readonly attributes: string;
  /** Not yet converted. */
  readonly lines: readonly string[];
}

/** `:::name Title {attributes}`, `:::name[Title]`. */
const opening =
  /^([ \t]*)(:{3,})[ \t]*([A-Za-z][\w-]*)(?:\[((?:[^\]\\]|\\.)*)\]|[ \t]+([^{]*?))?[ \t]*(\{[^}]*\})?[ \t]*$/;
const closing = /^[ \t]*(:{3,})[ \t]*$/;

/**
 * Reads containers: `:::note[Title]` … `:::`. One without an end extends to the end of the text. A container with more colons may contain
 * those with fewer.
 * @param convert returns the lines of a container, or `null` if its name is unknown; it is then reported and its content shown
 */
export function containers(
  convert: (container: Container, page: MarkupPage) => readonly string[] | null,
): BlockRule {
  return (lines, start, page) => {
    const [, indent = '', open = '', name = '', bracket, plain, attributes = ''] =
      opening.exec(lines[start] ?? '') ?? [];
    if (open === '') return null;
    let depth = 1;
    let at = start + 1;
    for (; at < lines.length; at += 1) {
      const line = lines[at] as string;
      const end = closing.exec(line)?.[1];
      if (end !== undefined && (end.length === open.length || depth > 1)) depth -= 1;
      else if (opening.test(line)) depth += 1;
      if (depth === 0) break;
    }
    const inside = lines.slice(start + 1, at).map((line) => unindent(line, indent.length));
    const container = { name, title: (bracket ?? plain ?? '').trim(), attributes, lines: inside };
    const converted = convert(container, page);
    if (converted === null) page.unknown((lines[start] as string).trim());
    const shown = converted ?? ['', ...page.convert(inside), ''];
    return { last: at, lines: shown.map((line) => (line === '' ? '' : indent + line)) };
  };
}

/** A block whose content is indented by four more blanks than its first line. */
interface IndentedBlock {
  /** Indentation of its first line. */
  readonly indent: string;
  readonly lines: readonly string[];
  readonly last: number;
}

/** Reads the lines below a line that are indented by four more blanks, and empty lines between them. */
export function readIndented(lines: readonly string[], start: number): IndentedBlock {
  const [indent = ''] = /^[ \t]*/.exec(lines[start] ?? '') ?? [];
  const width = widthOf(indent) + 4;
  let end = start + 1;
  while (end < lines.length) {
    const line = lines[end] as string;
    if (line.trim() !== '' && widthOf(/^[ \t]*/.exec(line)?.[0] ?? '') < width) break;
    end += 1;
  }
  while (end > start + 1 && (lines[end - 1] as string).trim() === '') end -= 1;
  return { indent, lines: lines.slice(start + 1, end).map((line) => unindent(line, width)), last: end - 1 };
}

function widthOf(indent: string): number {
  return indent.replaceAll('\t', '    ').length;
}

/** `!!! note "Title"`, `??? note`, `???+ note`, each with indented lines, as Python-Markdown reads them. */
const marked = /^[ \t]*(!!!|\?\?\?\+?)[ \t]*([\w-]+(?:[ \t]+[\w-]+)*)?(?:[ \t]+"((?:[^"\\]|\\.)*)")?[ \t]*$/;

/** Reads admonitions of Python-Markdown; custom kinds are notes, because their content is shown in any case. */
export const admonitions: BlockRule = (lines, start, page) => {
  const [, marks = '', names = '', title] = marked.exec(lines[start] ?? '') ?? [];
  if (marks === '' || (names === '' && title === undefined)) return null;
  const { indent, lines: inside, last } = readIndented(lines, start);
  const [name = ''] = names.toLowerCase().split(/[ \t]+/);
  const heading = title ?? (calloutKinds[name] === undefined ? titleOf(name) : '');
  const converted = page.convert(inside);
  const shown =
    marks === '!!!'
      ? callout(calloutKinds[name] ?? 'note', heading, converted)
      : details(heading || titleOf(name), converted, page, marks.endsWith('+'));
  return { last, lines: shown.map((line) => (line === '' ? '' : indent + line)) };
};

/** `my-note` → `My note`. */
function titleOf(name: string): string {
  const words = name.replace(/[-_]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
