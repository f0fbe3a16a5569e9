import { slugify } from '../../core/slug.ts';
import type { Block, BlockType, CalloutKind, Heading } from '../document.ts';
import { CleanElement, type CleanNode, childElements, type TableDetail } from '../tree/clean-tree.ts';
import { cellsInOrder } from '../tree/tables.ts';
import { blockHtml, containerTags, needsTags } from './author-html.ts';
import { withoutKindWord } from './callout-word.ts';
import { type ItemMarker, itemMarkers, withLabel } from './list-markers.ts';
import { escapeHeadingEnd, fenceFor, type MarkdownOptions, writeInline } from './markdown-inline.ts';
import { writeMarkdownTable } from './markdown-table.ts';

/** Containers nested deeper than this are flattened, because every line repeats the marks of all its containers. */
const maxNesting = 32;

/** Markdown and the positions of its top-level blocks. */
interface WrittenMarkdown {
  /** One trailing newline unless empty. */
  readonly markdown: string;
  readonly blocks: readonly Block[];
}

/**
 * Writes the sanitised tree, whose headings have their ids, as CommonMark with GFM tables. Rendering what is written for an author gives the
 * same tree.
 */
export function writeMarkdown(root: CleanElement, options: MarkdownOptions): WrittenMarkdown {
  const writer = new BlockWriter(options);
  writer.flow(root.children, false);
  return { markdown: writer.markdown, blocks: writer.blocks };
}

/** A block that is being written. */
type OpenBlock = { -readonly [Key in keyof Block]: Block[Key] } & { readonly items: number[] };

/** Writes blocks line by line. The depth limit of the sanitised tree bounds the recursion. */
class BlockWriter {
  markdown = '';
  /** Top-level blocks so far. */
  readonly blocks: OpenBlock[] = [];
  /** Prefix of every line of the current container. */
  private prefix = '';
  /** Prefix of the next line only: a list marker. */
  private firstPrefix: string | null = null;
  private nesting = 0;
  /** Whether the next block needs an empty line before it. */
  private needsBlank = false;
  /** Marker of the previous list if nothing follows it yet: an adjacent list needs a different one. */
  private lastMarker = '';
  private readonly options: MarkdownOptions;

  constructor(options: MarkdownOptions) {
    this.options = options;
  }

  /** Writes children of a flow container: runs of text become paragraphs. */
  flow(children: readonly CleanNode[], isTight: boolean): void {
    let run: CleanNode[] = [];
    for (const child of children) {
      if (typeof child === 'string' || child.kind.isText) run.push(child);
      else {
        if (run.length > 0) this.paragraph(run, isTight);
        run = [];
        this.block(child, isTight);
      }
    }
    if (run.length > 0) this.paragraph(run, isTight);
  }

  private block(element: CleanElement, isTight: boolean): void {
    const { tag, detail, children } = element;
    if (this.options.reader !== 'site' && needsTags(element, this.options.reader) && this.tagged(element))
      return;
    if (detail?.kind === 'code') this.code(detail.text, detail.language);
    else if (detail?.kind === 'callout') this.callout(detail.callout, children);
    else if (detail?.kind === 'table') this.table(detail);
    else if (detail?.kind === 'heading') this.heading(detail.heading, children);
    else if (tag === 'p') this.paragraph(children, isTight);
    else if (tag === 'ul' || tag === 'ol') this.list(element, isTight);
    else if (tag === 'blockquote') this.quote(children, null);
    else if (tag === 'hr') this.lines('___', 'rule', false, null);
    else if (tag === 'dt' || tag === 'summary') this.label(children);
    else this.flow(children, false);
  }

  private paragraph(nodes: readonly CleanNode[], isTight: boolean): void {
    const text = writeInline(nodes, 'paragraph', this.options);
    // A tag alone on a line would be read as an HTML block outside of any paragraph.
    const isTag = this.options.reader !== 'site' && /^<[a-z][^>]*>$/i.test(text);
    // Directly after a list, a line would continue its last item.
    const followsTightly = isTight && this.lastMarker === '';
    this.lines(isTag ? `<p>${text}</p>` : text, paragraphType(nodes), followsTightly, null);
  }

  /** Writes a block with its tags. Returns `false` if that is not possible. */
  private tagged(element: CleanElement): boolean {
    const tags = containerTags(element, this.options.reader);
    if (tags === null) {
      const html = blockHtml(element, this.options.reader);
      if (html !== null) this.lines(html, 'paragraph', false, null);
      return html !== null;
    }
    this.lines(tags.open, 'paragraph', false, null);
    this.flow(tags.blocks, false);
    this.lines(tags.close ?? '', 'paragraph', false, null);
    return true;
  }

  private heading(heading: Heading, children: readonly CleanNode[]): void {
    const text = writeInline(children, 'line', this.options);
    if (text === '') return;
    const { id, level } = heading;
    const isWritten = this.options.hasIds && /^[^\s{}<>"']+$/.test(id) && id !== slugify(heading.text);
    const end = isWritten ? ` {#${id}}` : '';
    this.lines(`${'#'.repeat(level)} ${escapeHeadingEnd(text)}${end}`, 'heading', false, heading);
  }

  private lines(text: string, type: BlockType, isTight: boolean, heading: Heading | null): void {
    if (text === '') return;
    this.startBlock(type, isTight, heading);
    if (text.includes('\n')) for (const line of text.split('\n')) this.line(line);
    else this.line(text);
    this.endBlock();
  }

  /** A term or a summary: its heading, or a bold paragraph. */
  private label(children: readonly CleanNode[]): void {
    if (children.some((child) => child instanceof CleanElement && !child.kind.isText)) {
      this.flow(children, false);
      return;
    }
    this.paragraph([new CleanElement('strong', '', null, [...children])], false);
  }

  private code(text: string, language: string | null): void {
    this.startBlock('code', false);
    const body = text.endsWith('\n') ? text.slice(0, -1) : text;
    const fence = fenceFor(body);
    this.line(fence + (language ?? ''));
    this.startBody();
    // White space at the end of a line of code is preserved.
    for (const line of body.split('\n'))
      this.markdown += line === '' ? this.blankLine() : `${this.prefix}${line}\n`;
    this.line(fence);
    this.endBlock();
  }

  private table(detail: TableDetail): void {
    if (detail.caption !== null) this.paragraph(detail.caption.children, false);
    if (detail.arrangesCode && this.options.reader === 'site') {
      for (const cell of cellsInOrder(detail)) {
        if (cell.tag === 'th') this.label(cell.children);
        else this.flow(cell.children, false);
      }
      return;
    }
    const { lines, headerLines } = writeMarkdownTable(detail, this.options);
    if (lines.length === 0) return;
    this.startBlock('table', false);
    for (const [index, line] of lines.entries()) {
      if (index === headerLines) this.startBody();
      this.line(line);
    }
    this.endBlock();
  }

  private callout(kind: CalloutKind, children: readonly CleanNode[]): void {
    const shown = this.options.reader === 'site' ? withoutKindWord(children, kind) : children;
    this.quote(shown, `[!${kind.toUpperCase()}]`);
  }

  private quote(children: readonly CleanNode[], mark: string | null): void {
    this.nest(mark === null ? 'quote' : 'callout', '> ', '> ', false, () => {
      if (mark !== null) this.line(mark);
      this.flow(children, false);
    });
    this.endBlock();
  }

  private list(list: CleanElement, isTight: boolean): void {
    const items = childElements(list);
    const isListTight = items.every(isTightItem);
    if (list.tag === 'ul') this.items(items, null, isTight, isListTight);
    else {
      let followsTightly = isTight;
      let written = 0;
      for (const { markers, isLabelled } of cutRuns(itemMarkers(list))) {
        const some = items.slice(written, written + markers.length);
        written += markers.length;
        const labelled = ({ tag, attributes, detail, children }: CleanElement, index: number): CleanElement =>
          new CleanElement(tag, attributes, detail, withLabel(children, markers[index]?.label ?? ''));
        if (isLabelled) this.items(some.map(labelled), null, followsTightly, isListTight, 'steps');
        else this.items(some, markers[0]?.number ?? 1, followsTightly, isListTight);
        followsTightly = false;
      }
    }
  }

  /** Writes items that Markdown numbers as the page does. `first` is the number of the first one, `null` for bullets. */
  private items(
    items: readonly CleanElement[],
    first: number | null,
    isTight: boolean,
    isListTight: boolean,
    kind: BlockType = first === null ? 'list' : 'steps',
  ): void {
    const [usual, other] = first === null ? ['-', '*'] : ['.', ')'];
    const delimiter = this.lastMarker === usual ? other : usual;
    // Only a list that starts with 1 may follow a paragraph without an empty line.
    let followsTightly = isTight && (first === null || first === 1);
    let type: BlockType | 'item' = kind;
    for (const [index, item] of items.entries()) {
      const marker = first === null ? `${delimiter} ` : `${first + index}${delimiter} `;
      this.nest(type, marker, ' '.repeat(marker.length), followsTightly, () =>
        this.flow(item.children, isListTight),
      );
      type = 'item';
      followsTightly = isListTight;
    }
    this.endBlock();
    this.lastMarker = delimiter;
  }

  private nest(
    type: BlockType | 'item',
    first: string,
    rest: string,
    isTight: boolean,
    write: () => void,
  ): void {
    if (this.nesting >= maxNesting) {
      write();
      return;
    }
    this.startBlock(type, isTight);
    const outer = this.prefix;
    this.firstPrefix = (this.firstPrefix ?? outer) + first;
    this.prefix = outer + rest;
    this.nesting++;
    write();
    this.nesting--;
    this.prefix = outer;
    // The item is empty, so its marker is written alone.
    if (this.firstPrefix !== null) this.line('');
    this.lastMarker = '';
  }

  /** Separates a block or a list item from the preceding one, and records where it starts. */
  private startBlock(type: BlockType | 'item', isTight: boolean, heading: Heading | null = null): void {
    if (this.needsBlank && !isTight) this.markdown += this.blankLine();
    this.needsBlank = false;
    this.lastMarker = '';
    if (this.nesting > 0) return;
    const start = this.markdown.length;
    if (type !== 'item') this.blocks.push({ type, start, end: start, bodyStart: start, items: [], heading });
    if (type === 'item' || type === 'list' || type === 'steps') this.blocks.at(-1)?.items.push(start);
  }

  /** Records that the header of a block is written. */
  private startBody(): void {
    const block = this.nesting === 0 ? this.blocks.at(-1) : undefined;
    if (block !== undefined) block.bodyStart = this.markdown.length;
  }

  private endBlock(): void {
    this.needsBlank = true;
    const block = this.nesting === 0 ? this.blocks.at(-1) : undefined;
    if (block !== undefined) block.end = this.markdown.length - 1;
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

function isTightItem(item: CleanElement): boolean {
  return item.children.every(
    (child) => typeof child === 'string' || child.kind.isText || child.tag === 'ul' || child.tag === 'ol',
  );
}

/** Items that one list of Markdown can hold. */
interface MarkerRun {
  readonly markers: ItemMarker[];
  /** Whether they are bullets with their markers as text, because Markdown has only decimal numbers. */
  readonly isLabelled: boolean;
}

/** Cuts a list where its numbers do not go on by one: Markdown ignores all numbers but the first. */
function cutRuns(markers: readonly ItemMarker[]): MarkerRun[] {
  if (!markers.every(({ isMarkdown }) => isMarkdown)) return [{ markers: [...markers], isLabelled: true }];
  const runs: MarkerRun[] = [];
  for (const marker of markers) {
    const run = runs.at(-1);
    if (run !== undefined && run.markers.at(-1)?.number === marker.number - 1) run.markers.push(marker);
    else runs.push({ markers: [marker], isLabelled: false });
  }
  return runs;
}

/** Whether a paragraph has only images, only bold text, or anything else. */
function paragraphType(nodes: readonly CleanNode[]): 'image' | 'label' | 'paragraph' {
  if (typeof nodes[0] === 'string') return 'paragraph';
  if (areAll(nodes, ({ detail }) => detail?.kind === 'image')) return 'image';
  return areAll(nodes, isPlainBold) ? 'label' : 'paragraph';
}

/** Whether bold text is a label. Bold text that contains emphasis is a sentence. */
function isPlainBold({ tag, children }: CleanElement): boolean {
  const isEmphasis = (node: CleanNode): boolean =>
    typeof node !== 'string' && (node.tag === 'em' || node.tag === 'i');
  return (tag === 'strong' || tag === 'b') && !children.some(isEmphasis);
}

/** Whether all visible content is in elements of one kind. */
function areAll(nodes: readonly CleanNode[], isOfKind: (element: CleanElement) => boolean): boolean {
  return nodes.every((node) => {
    if (typeof node === 'string') return node.trim() === '';
    if (isOfKind(node)) return true;
    const showsItself = node.detail !== null && node.detail.kind !== 'link';
    return !showsItself && areAll(node.children, isOfKind);
  });
}
