import { decodeEntities } from '../../../core/html.ts';
import { renderMarkdown } from '../render-markdown.ts';
import { CodeStore } from './code-store.ts';
import { otherComment, replaceNotes } from './comments.ts';
import { escapePlaceholders } from './placeholders.ts';

/** The heading that is the title of a page. */
interface TitleHeading {
  /** Plain text. */
  readonly text: string;
  /** The id that the author gave it: `# Title {#id}`. */
  readonly id: string | null;
  /** The page without the heading. */
  readonly rest: string;
}

/** The id after the text of a heading: `{#id}`, also with blanks and class names. */
export const headingId = /\{:?\s*(?:\.[\w-]+\s+)*#([^\s{}<>"']+)(?:\s[^{}\n]*)?\}/;

/** Code blocks and comments, whose lines are no headings, and spans of code, which have no comments. A block without an end extends to the end of the text. */
const hidden = new RegExp(
  `${/<!--[\s\S]*?(?:-->|$(?![\s\S]))|^[ \t]*%%[\s\S]*?(?:%%|$(?![\s\S]))|^ {0,3}<pre(?=[\s>])[\s\S]*?(?:<\/pre>|$(?![\s\S]))|^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))/.source}|${/(?<![`\\])(?<span>`+)(?!`)[^\n]*?(?<!`)\k<span>(?!`)/.source}|${otherComment}`,
  'gm',
);

/** In HTML, a heading of level one may be indented below other HTML; below a blank line, that would be code. A blank line in it begins Markdown. */
const heading =
  /^ {0,3}(#{1,6})[ \t]([^\n]*)$|^(?![\s#>|<]|(?:[-*+:]|\d{1,9}[.)])[ \t]|`{3}|~{3}|(?:[-*_=][ \t]*)+$)([^\n]+)\n(=+|-+)[ \t]*$|(?:^ {0,3}|(?<=>[ \t]*\n)[ \t]+)<h1\b[^<>]*>((?:(?!<h1\b|\n[ \t]*\n)[\s\S]){0,1000}?)<\/h1>/gim;

/**
 * Finds the title of a page without one in its front matter: the first heading of level one, else a heading of another level before all
 * other text. `null` if there is neither.
 * @param text with line ends of `\n`
 * @param isOnlyLevelOne whether the name of the file is a better title than a heading of another level, as in a vault
 */
export function findTitle(text: string, isOnlyLevelOne: boolean): TitleHeading | null {
  const blank = (part: string): string => part.replace(/[^\n]/g, ' ');
  const withoutComments = text.replace(hidden, (part, _fence, span?: string) =>
    span === undefined ? blank(part) : part,
  );
  const shown = replaceNotes(withoutComments, blank);
  let start: RegExpMatchArray | null = null;
  let logo: RegExpMatchArray | null = null;
  // Below other text, an `<h1>` is an example.
  const htmlLength = /^(?:\s+|<[^<>]*>)*/.exec(shown)?.[0].length ?? 0;
  for (const match of shown.matchAll(heading)) {
    const html = match[5];
    if (html !== undefined) {
      if (match.index > htmlLength) continue;
      if (textOf(html.replace(image, '')) === '') {
        logo ??= match;
        continue;
      }
    }
    const level = match[1]?.length ?? (match[4]?.startsWith('-') ? 2 : 1);
    // The lines of a paragraph with a line of `=` below it are one heading.
    if (match[4]?.startsWith('=')) {
      const above = linesAbove(shown.slice(0, match.index));
      if (above === null) continue;
      match[0] = text.slice(match.index - above, match.index + match[0].length);
      match[3] = shown.slice(match.index - above, match.index + (match[3] ?? '').length);
      match.index -= above;
    }
    if (level === 1) return toTitle(text, match);
    if (start === null && shown.slice(0, match.index).trim() === '') start = match;
  }
  const found = logo ?? (isOnlyLevelOne ? null : start);
  return found === null ? null : toTitle(text, found);
}

/** The length of the lines of a paragraph that are above its last one; `null`: there are so many that they are no title. */
function linesAbove(text: string): number | null {
  let start = text.length;
  for (let count = 0; ; count += 1) {
    const line = text.slice(text.lastIndexOf('\n', start - 2) + 1, Math.max(start - 1, 0));
    if (line.trim() === '' || noParagraph.test(line)) return text.length - start;
    if (count === maxLinesAbove) return null;
    start -= line.length + 1;
  }
}

const maxLinesAbove = 2;

/** Lines of other blocks: a heading, quotation, list, table or HTML, or a line across the page. */
const noParagraph =
  /^(?: {0,3}(?:#{1,6}[ \t]|>|\||<|(?:[-*+]|\d{1,9}[.)])[ \t]|`{3}|~{3}|(?:[-*_=][ \t]*)+$)| {4}|\t)/;

const titleId = new RegExp(`${headingId.source}$`);

function toTitle(
  text: string,
  { 0: whole, 2: atx, 3: underlined = '', 5: html, index = 0 }: RegExpMatchArray,
): TitleHeading | null {
  const written = (atx ?? underlined)
    .replace(/\s*\n\s*/g, ' ')
    // The mark of a footnote is no part of a title.
    .replace(/\[\^([^\s[\]]+)\]/g, (mark, name) => (text.includes(`\n[^${name}]:`) ? '' : mark))
    .trim()
    .replace(/(?:^|[ \t])#+$/, '')
    .trim();
  const plain =
    html === undefined
      ? textOf(renderLine(written.replace(titleId, '')))
      : textOf(html.replace(image, '')) || textOf(html);
  if (plain === '') return null;
  const id =
    titleId.exec(written)?.[1] ??
    /<(?:a|h1)\s[^>]*?\b(?:id|name)=["']([^"'\s]+)["']/i.exec(whole)?.[1] ??
    null;
  // The logo in a heading of HTML stays on the page.
  const images = (html ?? '').match(image)?.join(' ') ?? '';
  const after = text.slice(index + whole.length);
  return {
    text: plain,
    id,
    rest: text.slice(0, index) + (images === '' ? after.replace(/^\n/, '') : images + after),
  };
}

const image = /<img\b[^<>]*>/gi;

/** The text of HTML on one line, with the alternative texts of its images. */
function textOf(html: string): string {
  const text = html.replace(/<img\b[^<>]*?\salt="([^"]*)"[^<>]*>/gi, '$1').replace(/<[^<>]*>/g, '');
  return decodeEntities(text).replace(/\s+/g, ' ').trim();
}

/** The HTML of a line. Its links lead nowhere, because they may be defined below it. */
function renderLine(line: string): string {
  const linked = line
    .replace(/!?\[\[(?:[^[\]|\n]*\|)?([^[\]|\n]*)\]\]/g, '$1')
    .replace(/\[([^[\]]*)\]\[[^[\]]*\]/g, '$1');
  if (!/[\\&<*_~`[]/.test(linked) || linked.length > maxTitleLength) return linked;
  const code = new CodeStore();
  return renderMarkdown(`# ${code.restore(escapePlaceholders(code.hide(linked)).replace(image, ''))}`);
}

/** A longer line is no title, and is not read as Markdown. */
const maxTitleLength = 1000;
