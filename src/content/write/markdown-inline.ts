import { trimSpaces } from '../text.ts';
import type { CleanElement, CleanNode } from '../tree/clean-tree.ts';
import { codeSpan } from './markdown-code.ts';
import { EmphasisWriter } from './markdown-emphasis.ts';
import { escapeDestination, escapeLineStart, escapeMarkdown } from './markdown-escape.ts';

/** Where running text is written: line breaks stay in paragraphs, become spaces on one line, `<br>` in cells. */
export type InlinePlace = 'paragraph' | 'line' | 'cell';

const breaks: Readonly<Record<InlinePlace, string>> = { paragraph: '\\\n', line: ' ', cell: '<br>' };

const marks: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
};

/** Markdown of running text; `''` when there is nothing to show. */
export function writeInline(nodes: readonly CleanNode[], place: InlinePlace): string {
  const [only] = nodes;
  // Most runs are one piece of text.
  if (nodes.length === 1 && typeof only === 'string') {
    const text = escapeMarkdown(only, { isCell: place === 'cell', isLink: false });
    return place === 'paragraph' ? escapeLineStart(text) : text;
  }
  const writer = new InlineWriter(place);
  writer.nodes(nodes, false);
  const text = trimSpaces(writer.out.finish());
  if (place !== 'paragraph') return text;
  return text.includes('\n') ? text.split('\n').map(escapeLineStart).join('\n') : escapeLineStart(text);
}

class InlineWriter {
  readonly out: EmphasisWriter;
  private readonly place: InlinePlace;
  private isLink = false;

  constructor(place: InlinePlace) {
    this.place = place;
    this.out = new EmphasisWriter(
      place === 'cell' ? (code) => codeSpan(code).replaceAll('|', '\\|') : codeSpan,
    );
  }

  /** Recursion is bounded: the sanitised tree holds no more than a few dozen levels of running text. */
  nodes(nodes: readonly CleanNode[], isCode: boolean): void {
    for (const node of nodes) {
      if (typeof node !== 'string') this.element(node, isCode);
      else if (isCode) this.code(node);
      else this.out.text(escapeMarkdown(node, { isCell: this.place === 'cell', isLink: this.isLink }));
    }
  }

  private element(element: CleanElement, isCode: boolean): void {
    const { tag, detail, children } = element;
    if (tag === 'br') this.out.syntax(breaks[this.place]);
    else if (detail?.kind === 'image') this.image(detail.url, detail.alt);
    else if (detail?.kind === 'media') this.link(detail.url, () => this.nodes([detail.title], false));
    else if (detail?.kind === 'link') {
      if (children.some(isVisible)) this.link(detail.url, () => this.nodes(children, isCode));
    } else if (tag === 'code') this.nodes(joinText(children), true);
    else {
      const mark = isCode ? undefined : marks[tag];
      if (mark === undefined) this.nodes(children, isCode);
      else this.out.marked(mark, () => this.nodes(children, false));
    }
  }

  private code(text: string): void {
    const isCell = this.place === 'cell';
    // No code span in a table can hold a backslash before a bar.
    if (isCell && text.includes('\\|')) {
      this.out.text(escapeMarkdown(text, { isCell, isLink: this.isLink }));
      return;
    }
    // Spaces between pieces of code (a link in it) stand between code spans.
    const code = text.trim();
    if (code === '' || text.startsWith(' ')) this.out.text(' ');
    if (code === '') return;
    this.out.code(code);
    if (text.endsWith(' ')) this.out.text(' ');
  }

  private link(url: string, writeText: () => void): void {
    const isOutermost = !this.isLink;
    this.out.openLink();
    this.isLink = true;
    writeText();
    if (isOutermost) this.isLink = false;
    this.out.syntax(`](${escapeDestination(url, this.place === 'cell')})`);
  }

  private image(url: string, alt: string): void {
    const isCell = this.place === 'cell';
    this.out.syntax(`![${escapeMarkdown(alt, { isCell, isLink: true })}](${escapeDestination(url, isCell)})`);
  }
}

/** Children with neighbouring text joined, so that code is one span. */
function joinText(nodes: readonly CleanNode[]): CleanNode[] {
  const joined: CleanNode[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (typeof node === 'string' && typeof last === 'string') joined[joined.length - 1] = last + node;
    else if (typeof node === 'string' || node.tag === 'br' || node.detail !== null) joined.push(node);
    else for (const inner of joinTextInto(joined, joinText(node.children))) joined.push(inner);
  }
  return joined;
}

/** Moves a leading text onto the last one already there. */
function joinTextInto(joined: CleanNode[], nodes: CleanNode[]): CleanNode[] {
  const [first, ...rest] = nodes;
  const last = joined.at(-1);
  if (typeof first !== 'string' || typeof last !== 'string') return nodes;
  joined[joined.length - 1] = last + first;
  return rest;
}

function isVisible(node: CleanNode): boolean {
  return typeof node === 'string' || node.detail !== null || node.children.some(isVisible);
}
