import { appendText, dedent } from './components.ts';
import type { MarkupPage } from './rules.ts';

/** A shortcode of Hugo in a page, with its parameters as text. */
export interface Shortcode {
  readonly name: string;
  /** The first parameter that is given: named, or by its position from 0; `''` if none is. */
  get(...keys: readonly (string | number)[]): string;
  /** Its content with the shortcodes replaced, without common indentation; `null` if it has no end. */
  readonly inside: string | null;
  /** Its content as written. */
  readonly written: string;
  /** The shortcodes directly inside. */
  readonly parts: readonly { readonly call: Shortcode; readonly text: string }[];
  /** Whether its content is Markdown (`{{% … %}}`). */
  readonly isMarkdown: boolean;
}

/** Returns the Markdown that replaces a shortcode; `null` if its parameters are not enough. */
export type ShortcodeRule = (call: Shortcode, page: MarkupPage) => string | null;

/** Shortcodes and blocks in each other; deeper ones are removed. */
const mostNested = 32;

interface ShortcodeTag {
  readonly name: string;
  readonly rest: string;
  readonly isEnd: boolean;
  readonly isMarkdown: boolean;
  readonly start: number;
  readonly end: number;
  /** Index of the tag that ends it. */
  closing?: number;
}

const mark =
  /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})[^`\n]*$|\{\{([<%])(?:\/\*([\s\S]*?)\*\/[>%]\}\}|[ \t\n]*(\/?)[ \t]*([\w][\w./-]*)((?:"(?:[^"\\]|\\.)*"|`[^`]*`|(?!\/?[>%]\}\})[^"`])*)(\/?)[>%]\}\})/gm;

/** Shortcodes whose content is code. */
const verbatim = /^(?:highlight|code-toggle|mermaid|katex|math|comment)$/;

/** Finds the shortcodes of a text, except in fenced code; those with an end are connected. */
function findTags(text: string): readonly ShortcodeTag[] {
  const tags: ShortcodeTag[] = [];
  const open = new Map<string, number[]>();
  mark.lastIndex = 0;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    const [whole, fence, kind = '', escaped, slash, name = '', rest = '', closed] = match;
    if (fence !== undefined) {
      const sign = fence[0] as string;
      const end = new RegExp(`^[ \\t>]*\\${sign}{${fence.length},}[ \\t]*$`, 'gm');
      end.lastIndex = match.index + whole.length;
      mark.lastIndex = end.exec(text) === null ? text.length : end.lastIndex;
      continue;
    }
    if (escaped !== undefined) continue;
    const tag: ShortcodeTag = {
      name,
      rest: rest.trim(),
      isEnd: slash !== '',
      isMarkdown: kind === '%',
      start: match.index,
      end: match.index + whole.length,
    };
    const at = tags.push(tag) - 1;
    if (tag.isEnd) {
      const opening = open.get(name)?.pop();
      if (opening !== undefined) (tags[opening] as ShortcodeTag).closing = at;
      continue;
    }
    if (closed !== '') continue;
    if (verbatim.test(name)) {
      const end = new RegExp(`\\{\\{[<%]\\s*/\\s*${name}\\s*[>%]\\}\\}`, 'g');
      end.lastIndex = tag.end;
      const found = end.exec(text);
      if (found !== null) mark.lastIndex = found.index;
    }
    open.set(name, [...(open.get(name) ?? []).slice(-mostNested), at]);
  }
  return tags;
}

/** Replaces the shortcodes of a text, as Hugo does before it reads the Markdown. One without a result is removed with its content. */
export function replaceShortcodes(
  text: string,
  page: MarkupPage,
  find: (call: Shortcode) => string | null,
): string {
  const tags = findTags(text);

  function replace(first: number, last: number, from: number, to: number, depth: number) {
    const buffer: string[] = [];
    const parts: { readonly call: Shortcode; readonly text: string }[] = [];
    let start = from;
    for (let at = first; at < last; at += 1) {
      const tag = tags[at] as ShortcodeTag;
      buffer.push(text.slice(start, tag.start));
      start = tag.end;
      if (tag.isEnd) continue;
      const { closing } = tag;
      const isPaired = closing !== undefined && closing < last;
      const written = isPaired ? text.slice(tag.end, (tags[closing] as ShortcodeTag).start) : '';
      const isRead = isPaired && depth < mostNested;
      const inner = isRead ? replace(at + 1, closing, tag.end, tag.end + written.length, depth + 1) : null;
      const call: Shortcode = {
        name: tag.name,
        get: readParameters(tag.rest),
        inside: inner === null ? null : dedent(inner.text),
        written,
        parts: inner?.parts ?? [],
        isMarkdown: tag.isMarkdown,
      };
      const found = isPaired && !isRead ? null : find(call);
      if (found === null) page.unknown(text.slice(tag.start, tag.end));
      parts.push({ call, text: found ?? '' });
      appendText(buffer, found ?? '', !(found ?? '').includes('\n'));
      if (isPaired) {
        at = closing;
        start = (tags[closing] as ShortcodeTag).end;
      }
    }
    buffer.push(text.slice(start, to));
    return { text: buffer.join(''), parts };
  }

  return replace(0, tags.length, 0, text.length, 0).text.replace(
    /(\{\{[<%])\/\*([\s\S]*?)\*\/([>%]\}\})/g,
    '$1$2$3',
  );
}

const parameter = /(?:([\w-]+)\s*=\s*)?(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`|([^\s"`]+))/g;

function readParameters(text: string): Shortcode['get'] {
  const values = new Map<string | number, string>();
  let position = 0;
  for (const [, name, double, raw, bare] of text.matchAll(parameter)) {
    const value = double?.replace(/\\(.)/g, '$1') ?? raw ?? bare ?? '';
    if (name === undefined) values.set(position++, value);
    else values.set(name.toLowerCase(), value);
  }
  return (...keys) => {
    for (const key of keys) {
      const value = values.get(typeof key === 'string' ? key.toLowerCase() : key);
      if (value !== undefined && value !== '') return value;
    }
    return '';
  };
}

/** `{{ .Get 0 }}`, `{{ $.Inner | markdownify }}`, comments. */
const templateTag = /\{\{-?\s*([\s\S]*?)\s*-?\}\}/g;
const getter =
  /^\(?\$?\.Get\s+(?:(\d+)|"([^"]*)"|`([^`]*)`)\)?(?:\s*\|\s*(?:safeHTML|markdownify|safeURL|plainify|relURL|absURL))*$/;
const inner =
  /^(?:\$?\.Inner(?:\s*\|\s*(?:safeHTML|markdownify|strings\.TrimSpace|\$?\.Page\.RenderString|trim\s+"[^"]*"))*|(?:\$?\.Page\.RenderString|markdownify)\s+\$?\.Inner)$/;

/** Fills a template of a project's own shortcode, if it only inserts parameters and content; `null` if it does more. */
export function fillTemplate(template: string, call: Shortcode): string | null {
  let isPlain = true;
  const filled = template.replace(templateTag, (_all, expression: string) => {
    if (/^\/\*[\s\S]*\*\/$/.test(expression)) return '';
    if (inner.test(expression)) return `\n\n${call.inside ?? ''}\n\n`;
    const [found, position, name, raw] = getter.exec(expression) ?? [];
    if (found === undefined) isPlain = false;
    return escapeText(call.get(position === undefined ? (name ?? raw ?? '') : Number(position)));
  });
  // Empty lines end an element in Markdown, so its own lines are joined.
  return isPlain ? filled.replace(/^[ \t]+(?=<)/gm, '').trim() : null;
}

function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
