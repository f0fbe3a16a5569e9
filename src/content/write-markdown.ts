import { CleanElement, type CleanNode, type TableDetail } from './clean-tree.ts';
import { contentModels } from './content-model.ts';
import { fenceFor } from './markdown-code.ts';
import { escapeHeadingEnd } from './markdown-escape.ts';
import { writeInline } from './markdown-inline.ts';
import { writeMarkdownTable } from './markdown-table.ts';

/** Containers nested deeper than this are flattened: every line repeats the marks of all containers around it. */
const maxNesting = 32;

/** CommonMark with GFM tables of the sanitised tree; one trailing newline unless empty. */
export function writeMarkdown(root: CleanElement): string {
  const writer = new BlockWriter();
  writer.blocks(root.children, false);
  return writer.markdown;
}

/** Writes blocks line by line; recursion is bounded by the depth cap of the sanitised tree. */
class BlockWriter {
  markdown = '';
  /** What every line of the current container starts with. */
  private prefix = '';
  /** What the next line starts with instead: a list marker, once. */
  private firstPrefix: string | null = null;
  private nesting = 0;
  /** Whether the next block needs an empty line before it. */
  private needsBlank = false;
  /** Marker of the list that ended last, while nothing came after it: the next list needs another one. */
  private lastMarker = '';

  /** Writes children of a flow container: runs of text become paragraphs. */
  blocks(children: readonly CleanNode[], isTight: boolean): void {
    let run: CleanNode[] = [];
    for (const child of children) {
      if (typeof child === 'string' || isInline(child)) run.push(child);
      else {
        if (run.length > 0) this.paragraph(writeInline(run, 'paragraph'), isTight);
        run = [];
        this.block(child, isTight);
      }
    }
    if (run.length > 0) this.paragraph(writeInline(run, 'paragraph'), isTight);
  }

  private block(element: CleanElement, isTight: boolean): void {
    const { tag, detail, children } = element;
    if (detail?.kind === 'code') this.code(detail.text, detail.language);
    else if (detail?.kind === 'callout') this.quote(children, `[!${detail.callout.toUpperCase()}]`);
    else if (detail?.kind === 'table') this.table(detail);
    else if (tag === 'p') this.paragraph(writeInline(children, 'paragraph'), isTight);
    else if (tag === 'ul' || tag === 'ol') this.list(element, isTight);
    else if (tag === 'blockquote') this.quote(children, null);
    else if (tag === 'hr') this.paragraph('___', false);
    else if (tag === 'dt' || tag === 'summary') this.label(children);
    else if (/^h[1-6]$/.test(tag)) this.heading(Number(tag.charAt(1)), children);
    else this.blocks(children, false);
  }

  private paragraph(text: string, isTight: boolean): void {
    if (text === '') return;
    this.startBlock(isTight);
    if (text.includes('\n')) for (const line of text.split('\n')) this.line(line);
    else this.line(text);
    this.needsBlank = true;
  }

  private heading(level: number, children: readonly CleanNode[]): void {
    const text = writeInline(children, 'line');
    if (text !== '') this.paragraph(`${'#'.repeat(level)} ${escapeHeadingEnd(text)}`, false);
  }

  /** A term or a summary: its heading, or a bold paragraph. */
  private label(children: readonly CleanNode[]): void {
    if (children.some((child) => child instanceof CleanElement && !isInline(child))) {
      this.blocks(children, false);
      return;
    }
    const bold = new CleanElement('strong', '', null);
    bold.children = [...children];
    this.paragraph(writeInline([bold], 'paragraph'), false);
  }

  private code(text: string, language: string | null): void {
    this.startBlock(false);
    const body = text.endsWith('\n') ? text.slice(0, -1) : text;
    const fence = fenceFor(body);
    this.line(fence + (language ?? ''));
    // White space at the end of a line of code stays.
    for (const line of body.split('\n'))
      this.markdown += line === '' ? this.blankLine() : `${this.prefix}${line}\n`;
    this.line(fence);
    this.needsBlank = true;
  }

  private table(detail: TableDetail): void {
    if (detail.caption !== null) this.paragraph(writeInline(detail.caption.children, 'paragraph'), false);
    this.startBlock(false);
    for (const line of writeMarkdownTable(detail)) this.line(line);
    this.needsBlank = true;
  }

  private quote(children: readonly CleanNode[], mark: string | null): void {
    this.nest('> ', '> ', false, () => {
      if (mark !== null) this.line(mark);
      this.blocks(children, false);
    });
    this.needsBlank = true;
  }

  private list(list: CleanElement, isTight: boolean): void {
    const items = list.children.filter((item): item is CleanElement => item instanceof CleanElement);
    const isListTight = items.every(isTightItem);
    let number = list.tag === 'ol' ? firstNumber(list) : 0;
    const delimiter = list.tag === 'ol' ? this.otherMarker('.', ')') : this.otherMarker('-', '*');
    // Only a list that starts with 1 may follow a paragraph without an empty line.
    let followsTightly = isTight && (list.tag === 'ul' || number === 1);
    for (const item of items) {
      const marker = list.tag === 'ol' ? `${number++}${delimiter} ` : `${delimiter} `;
      this.nest(marker, ' '.repeat(marker.length), followsTightly, () =>
        this.blocks(item.children, isListTight),
      );
      followsTightly = isListTight;
    }
    this.needsBlank = true;
    this.lastMarker = delimiter;
  }

  private otherMarker(usual: string, other: string): string {
    return this.lastMarker === usual ? other : usual;
  }

  private nest(first: string, rest: string, isTight: boolean, write: () => void): void {
    if (this.nesting >= maxNesting) {
      write();
      return;
    }
    this.startBlock(isTight);
    const outer = this.prefix;
    this.firstPrefix = (this.firstPrefix ?? outer) + first;
    this.prefix = outer + rest;
    this.nesting++;
    write();
    this.nesting--;
    this.prefix = outer;
    // Nothing was written: the marker alone.
    if (this.firstPrefix !== null) this.line('');
    this.lastMarker = '';
  }

  /** Separates a block from what precedes it. */
  private startBlock(isTight: boolean): void {
    if (this.needsBlank && !isTight) this.markdown += this.blankLine();
    this.needsBlank = false;
    this.lastMarker = '';
  }

  private blankLine(): string {
    return `${this.prefix.trimEnd()}\n`;
  }

  private line(text: string): void {
    const line = (this.firstPrefix ?? this.prefix) + text;
    this.markdown += `${text === '' ? line.trimEnd() : line}\n`;
    this.firstPrefix = null;
  }
}

function isInline(element: CleanElement): boolean {
  return contentModels.get(element.tag)?.role === 'text';
}

function isTightItem(item: CleanElement): boolean {
  return item.children.every(
    (child) => typeof child === 'string' || isInline(child) || child.tag === 'ul' || child.tag === 'ol',
  );
}

/** What an ordered list counts from; Markdown knows no negative numbers. */
function firstNumber(list: CleanElement): number {
  const start = / start="(\d{1,9})"/.exec(list.attributes)?.[1];
  return start === undefined ? 1 : Number(start);
}
