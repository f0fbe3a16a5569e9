import { decodeUrlLetters, parseUrl } from '../../core/addresses.ts';
import { endOf, plainScript, trimSpaces } from '../text.ts';
import type { CleanElement, CleanNode, MathDetail } from '../tree/clean-tree.ts';
import { authorTags, type Reader, type Tags } from './author-html.ts';
import { EmphasisWriter } from './markdown-emphasis.ts';
import { dropNeedlessEscapes } from './needless-escapes.ts';

/** Where running text is written. Line breaks stay in a paragraph, become spaces in a line, and `<br>` in a cell. */
type InlineContext = 'paragraph' | 'line' | 'cell';

const breaks: Readonly<Record<InlineContext, string>> = { paragraph: '\\\n', line: ' ', cell: '<br>' };
/** The other form of a line break, which has no backslash that a model reads. */
const spacedBreak = '  \n';

const marks: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
};

/** How Markdown is written. */
export interface MarkdownOptions {
  /**
   * `author`: with HTML if Markdown has no equivalent. `site`: the closest Markdown, for models that read it as it is: images as their
   * alternative texts, or as images if they have none, and no escapes that Markdown can do without.
   */
  readonly reader: Reader;
  /** Called for every target of a link, player or image that is written: the URL to write, `#` if there is none. */
  readonly urlFor: (url: string) => string;
  /** Writes the id of a heading after its text (`{#id}`) if it is not the one that the text gives; absent: no. */
  readonly hasIds?: boolean;
}

/** Elements that Markdown writes as code: what one types is read like code. */
const codeTags = new Set(['code', 'kbd', 'samp']);

/** Markdown of running text; `''` if nothing is visible. */
export function writeInline(
  nodes: readonly CleanNode[],
  context: InlineContext,
  options: MarkdownOptions,
): string {
  const text = writeRun(nodes, context, options);
  // The parts of a cell are one text, in which marks of two parts could make a pair.
  const isWhole = context !== 'cell' && options.reader === 'site';
  const plain = isWhole ? dropNeedlessEscapes(text, formulasIn(nodes, context)) : text;
  if (context !== 'paragraph') return plain;
  return plain.includes('\n') ? plain.split('\n').map(escapeLineStart).join('\n') : escapeLineStart(plain);
}

/** The formulas in a text, as they are written, in order. */
export function formulasIn(nodes: readonly CleanNode[], context: InlineContext): readonly string[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    return node.detail?.kind === 'math'
      ? [formulaOf(node.detail, context)]
      : formulasIn(node.children, context);
  });
}

/** In a cell, a bar would end the column. */
function formulaOf({ tex, isBlock }: MathDetail, context: InlineContext): string {
  const source = isBlock ? `$$${tex}$$` : `$${tex}$`;
  return context === 'cell' ? source.replace(/\\?\|/g, '\\vert ') : source;
}

function writeRun(nodes: readonly CleanNode[], context: InlineContext, options: MarkdownOptions): string {
  const [only] = nodes;
  // Most runs are one piece of text.
  if (nodes.length === 1 && typeof only === 'string')
    return escapeMarkdown(only, context, options.reader, false);
  const writer = new InlineWriter(context, options);
  writer.nodes(nodes, false);
  const written = trimSpaces(writer.out.finish());
  // Two line breaks in a row would end the paragraph.
  return context === 'paragraph' && options.reader === 'site'
    ? written.replace(/\n(?:[ \t]*\n)+/g, '\n')
    : written;
}

class InlineWriter {
  readonly out: EmphasisWriter;
  private readonly context: InlineContext;
  private readonly reader: Reader;
  private readonly urlFor: MarkdownOptions['urlFor'];
  private isLink = false;
  /** The end of the text written so far; it decides the meaning of a superscript. */
  private before = '';
  /** Whether the alternative text of an image was written last. */
  private isAfterImage = false;

  constructor(context: InlineContext, { reader, urlFor }: MarkdownOptions) {
    this.context = context;
    this.reader = reader;
    this.urlFor = urlFor;
    this.out = new EmphasisWriter(
      context === 'cell' ? (code) => codeSpan(code).replaceAll('|', '\\|') : codeSpan,
      reader !== 'site',
    );
  }

  /** Recursion is bounded: the sanitised tree has at most a few dozen levels of running text. */
  nodes(nodes: readonly CleanNode[], isCode: boolean): void {
    for (const node of nodes) {
      if (typeof node !== 'string') {
        this.element(node, isCode);
        continue;
      }
      if (this.isAfterImage && /^[\p{L}\p{N}]/u.test(node)) this.out.text(' ');
      this.isAfterImage = false;
      this.before = endOf(this.before, node);
      if (isCode) this.code(node);
      else this.out.text(this.escape(node));
    }
  }

  private escape(text: string, isLink = this.isLink): string {
    return escapeMarkdown(text, this.context, this.reader, isLink);
  }

  private element(element: CleanElement, isCode: boolean): void {
    const { tag, detail, children } = element;
    const tags =
      this.reader === 'site' ? null : authorTags(element, this.context === 'paragraph', this.reader);
    if (tags !== null) {
      this.tagged(tags, children);
      return;
    }
    const isParagraph = this.context === 'paragraph';
    if (tag === 'br') {
      this.out.syntax(isParagraph && this.reader === 'site' ? spacedBreak : breaks[this.context]);
      // A space at the start of a line would hide from the writer that the line begins, and with it an item or a heading.
      this.isAfterImage = false;
      this.before = '';
    } else if (detail?.kind === 'image') this.image(detail.url, detail.alt);
    else if (detail?.kind === 'math') {
      // Side by side, the dollars of two formulas would be those of one.
      if (this.before === '$') this.out.text(' ');
      this.out.syntax(formulaOf(detail, this.context));
      this.before = '$';
    } else if (detail?.kind === 'media') this.link(detail.url, () => this.nodes([detail.title], false));
    else if (detail?.kind === 'link') {
      if (this.reader === 'site' && backToText.test(textOf(children))) return;
      const autolink = this.autolink(detail.url, children);
      if (autolink !== null) this.out.syntax(autolink);
      else if (children.some((child) => this.isVisible(child)))
        this.link(detail.url, () => this.linkText(children, isCode));
    } else if ((tag === 'sup' || tag === 'sub') && !isCode) this.script(tag, element);
    else if (tag === 'q' && !isCode) this.nodes(['"', ...children, '"'], false);
    else if (codeTags.has(tag)) this.nodes(joinText(children), true);
    else {
      const mark = isCode ? undefined : marks[tag];
      if (mark === undefined) this.nodes(children, isCode);
      else this.out.marked(mark, () => this.nodes(children, false));
    }
  }

  private tagged({ open, close }: Tags, children: readonly CleanNode[]): void {
    this.out.syntax(open);
    if (close === null) return;
    this.nodes(children, false);
    this.out.syntax(close);
  }

  private script(tag: 'sup' | 'sub', { children }: CleanElement): void {
    const script = plainScript(tag, textOf(children), this.before);
    if (script.text !== null && isText(children)) this.nodes([script.text], false);
    else
      this.nodes(
        [script.open, ...children, script.close].filter((node) => node !== ''),
        false,
      );
  }

  private code(text: string): void {
    const isCell = this.context === 'cell';
    // In a table, a code span cannot contain a backslash before a bar.
    if (isCell && text.includes('\\|')) {
      this.out.text(this.escape(text));
      return;
    }
    // Spaces between parts of code (around a link in it) are written between code spans.
    const code = text.trim();
    if (code === '' || text.startsWith(' ')) this.out.text(' ');
    if (code === '') return;
    this.out.code(code);
    if (text.endsWith(' ')) this.out.text(' ');
  }

  private link(url: string, writeText: () => void): void {
    const isOutermost = !this.isLink;
    this.out.syntax('[');
    this.isLink = true;
    writeText();
    if (isOutermost) this.isLink = false;
    this.out.syntax(`](${this.destination(url)})`);
  }

  /** A link whose text is its URL, or an image without a text, has its URL once; `null` for other links. */
  private autolink(target: string, children: readonly CleanNode[]): string | null {
    const isVisible = children.some((child) => this.isVisible(child));
    if (this.reader !== 'site' || this.isLink) return null;
    if (!isVisible) return children.some(hasImage) ? `<${readable(this.urlFor(target))}>` : null;
    if (!children.every((child) => typeof child === 'string')) return null;
    const text = children.join('');
    // Most texts are no URLs, and parsing one takes long. Parsers differ in whether they read a reference to a character.
    if (!/^[^\s<>|\\]+[:@][^\s<>|\\]+$/.test(text) || /&[#a-z\d]+;/i.test(text)) return null;
    if (!isSameUrl(text, this.urlFor(target))) return null;
    this.before = text;
    this.isAfterImage = false;
    return `<${decodeUrlLetters(text)}>`;
  }

  /** The number of a footnote keeps its brackets, which need no escapes, because they are balanced (CommonMark 0.31, link text). */
  private linkText(children: readonly CleanNode[], isCode: boolean): void {
    const text = textOf(children);
    if (/^\[\d+(?::\d+)?\]$/.test(text)) this.out.syntax(text);
    else this.nodes(children, isCode);
  }

  private image(url: string, alt: string): void {
    if (!this.isShown(url, alt)) return;
    const isText = this.reader === 'site' && alt !== '';
    if (this.reader === 'site' && (this.isAfterImage || /[\p{L}\p{N}]$/u.test(this.before))) {
      this.out.text(' ');
      this.isAfterImage = false;
    }
    if (isText) this.nodes([alt], false);
    else this.out.syntax(`![${this.escape(alt, true)}](${this.destination(url)})`);
    this.isAfterImage = this.reader === 'site';
  }

  /** The feed has no image that is data, or is on a private machine, and no alternative text that only says that there is a picture. */
  private isShown(url: string, alt: string): boolean {
    if (this.reader !== 'site') return true;
    return alt === '' ? this.urlFor(url) !== '#' : !saysPicture.test(alt);
  }

  private isVisible(node: CleanNode): boolean {
    if (typeof node === 'string') return true;
    if (node.detail?.kind === 'image') return this.isShown(node.detail.url, node.detail.alt);
    return node.detail !== null || node.children.some((child) => this.isVisible(child));
  }

  private destination(url: string): string {
    const written = this.urlFor(url);
    const isCell = this.context === 'cell';
    return escapeDestination(this.reader === 'site' ? readable(written) : written, isCell);
  }
}

/** Matches an alternative text of which a reader learns nothing: a word for pictures, or the name of a file. */
const saysPicture =
  /^(?:avatar|icon|image|img|photo|picture|[^\s/]+\.(?:gif|jpe?g|png|svg|webp)(?: > \S+)?)$/i;

/** Matches the text of a link from a footnote to where it is cited. */
const backToText = /^[↩↵⏎]\ufe0e?\d*$/;

/** Whether a text is a URL, or an address of mail without `mailto:`. */
function isSameUrl(text: string, url: string): boolean {
  if (text.includes('://')) return parseUrl(text)?.href === parseUrl(url)?.href;
  return url === `mailto:${text}` && /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(text);
}

function hasImage(node: CleanNode): boolean {
  return typeof node !== 'string' && (node.detail?.kind === 'image' || node.children.some(hasImage));
}

/** A URL as models read it. Characters that would end it where a link in Markdown is read as text are encoded. */
function readable(url: string): string {
  return decodeUrlLetters(url).replace(
    /[()<>\\]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Children without formatting, with adjacent texts joined, so that code becomes one span. */
function joinText(nodes: readonly CleanNode[], joined: CleanNode[] = []): CleanNode[] {
  for (const node of nodes) {
    const last = joined.at(-1);
    if (typeof node !== 'string' && node.tag !== 'br' && node.detail === null)
      joinText(node.children, joined);
    else if (typeof node === 'string' && typeof last === 'string') joined[joined.length - 1] = last + node;
    else joined.push(node);
  }
  return joined;
}

/** Whether nodes have nothing but text: no link, image or player, and nothing struck. */
function isText(nodes: readonly CleanNode[]): boolean {
  return nodes.every(
    (node) =>
      typeof node === 'string' || (node.detail === null && marks[node.tag] !== '~~' && isText(node.children)),
  );
}

function textOf(nodes: readonly CleanNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');
}

/** Characters with a Markdown meaning anywhere in running text, and characters that have one next to certain others. */
const special = /[\\`*[\]~]|_|<(?=[a-zA-Z/!?]|$)|&(?=$|[#a-zA-Z][a-zA-Z0-9]{0,32}(?:;|$))/g;
const mayNeedEscape = /[\\`*[\]~_<&|@]|:\/\/|www\./i;
const bareAddress = /(https?|ftp)(?=:\/\/)|(www)(?=\.)|([\w.+-])(?=@)/gi;

/** A URL that the author wrote out, which models read, or a character that may mean something. */
const urlOrSpecial = new RegExp(`(?:(?:https?|ftp)://|www\\.)[^\\s<>[\\]\`|*\\\\]+|${special.source}`, 'gi');

/**
 * Text escaped so that Markdown reads it literally. For the site, {@link dropNeedlessEscapes} takes back what the whole paragraph does not
 * need.
 * @param isLink whether the text is that of a link: a URL in it is not a link itself
 */
function escapeMarkdown(text: string, context: InlineContext, reader: Reader, isLink: boolean): string {
  if (!mayNeedEscape.test(text)) return text;
  let escaped: string;
  if (reader === 'site')
    escaped = text.replace(urlOrSpecial, (sign, offset: number) =>
      sign.length > 1 ? escapeUrl(sign) : escapeSpecial(sign, offset, text),
    );
  else {
    escaped = text.replace(special, escapeSpecial);
    if (!isLink) escaped = escaped.replace(bareAddress, '$&\\');
  }
  // A bar would end the cell.
  return context === 'cell' ? escaped.replaceAll('|', '\\|') : escaped;
}

/** Escapes what Markdown reads in a written URL: references to characters, and marks at its end. */
function escapeUrl(url: string): string {
  return url.replace(/&(?=[#a-zA-Z][a-zA-Z0-9]{0,32};)|[_~](?=[_~]*$)/g, '\\$&');
}

/** An underscore within a word needs no escape. */
function escapeSpecial(character: string, offset: number, text: string): string {
  const isInWord =
    character === '_' && isWord(text.charCodeAt(offset - 1)) && isWord(text.charCodeAt(offset + 1));
  return isInWord ? character : `\\${character}`;
}

function isWord(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

const lineStart =
  /^(?:#{1,6}(?=[ \t]|$)|>|[+-](?=[ \t-]|$)|=+[ \t]*$|:(?=[ :|-])|[|-](?=[ \t:|-]*$)|\[[ xX]\](?=[ \t]))/;
const numberStart = /^(\d{1,9})([.)])(?=[ \t]|$)/;

/** Escapes the start of a line that Markdown would read as a heading, quotation, list, task, rule or table. */
function escapeLineStart(line: string): string {
  const code = line.charCodeAt(0);
  // Lines that start with a letter, the common case, need no escape. A bar starts the row under the header of a table, a bracket a task.
  if (code > 0x40 && code !== 0x7c && code !== 0x5b) return line;
  if (lineStart.test(line)) return `\\${line}`;
  return line.replace(numberStart, '$1\\$2');
}

/** Escapes the trailing `#` of a heading; Markdown would remove it as a closing sequence. */
export function escapeHeadingEnd(text: string): string {
  return text.endsWith('#') ? text.replace(/(^|[ \t])(#+)$/, '$1\\$2') : text;
}

/** Destination of a link or image; URLs contain no white space. */
function escapeDestination(url: string, isCell: boolean): string {
  const escaped = /[()<>\\&*_]/.test(url)
    ? url.replace(/[()<>\\]|&(?=[#a-zA-Z][a-zA-Z0-9]{0,32};)/g, '\\$&')
    : url;
  return isCell ? escaped.replaceAll('|', '\\|') : escaped;
}

/** A fence longer than any run of backticks in the code. */
export function fenceFor(code: string): string {
  return '`'.repeat(Math.max(3, longestRun(code) + 1));
}

/** Code span with enough backticks; the code must not contain a line break. */
function codeSpan(code: string): string {
  const ticks = '`'.repeat(longestRun(code) + 1);
  const isPadded = code.startsWith('`') || code.endsWith('`');
  return isPadded ? `${ticks} ${code} ${ticks}` : ticks + code + ticks;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}
