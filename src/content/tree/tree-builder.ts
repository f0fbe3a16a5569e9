import { kindOf } from '../policy/elements.ts';
import { isSpaceAt } from '../text.ts';
import { CleanElement, type Detail, isAnchor } from './clean-tree.ts';
import {
  carriedText,
  hasRightParent,
  isHeading,
  isTableOpen,
  mayHoldBlock,
  type OpenElement,
} from './open-elements.ts';

/** Deepest nesting of the published tree; browsers stop at 512. */
const maxDepth = 256;

/** Maximum number of formatting elements that are open at once. Untrusted bodies could otherwise grow without bound. */
const maxOpenText = 24;

/** Running text that means something within itself; a bold word in bold text is bold. */
const nestable = new Set(['span', 'q']);

/** A complete table needs this many levels. If fewer remain, the table is unwrapped. */
const tableDepth = 8;

/**
 * Builds the sanitised tree from enter, leave and text events, and keeps it valid HTML for any sequence of events. A block closes the
 * running text around it and repeats its formatting inside. Items get their list. An element is created when its first content arrives.
 * White space and line breaks are written only between words, never at the edge of an element.
 */
export class TreeBuilder {
  private readonly root = new CleanElement('#root');
  private readonly parents = new ImpliedParents();
  private readonly pendingAnchors: string[] = [];
  /** Elements with an id from the author, in document order. */
  readonly anchored: CleanElement[] = [];
  /** Numbers of items and cells that became plain blocks or text, because their place does not allow them. */
  readonly flattened = { items: 0, cells: 0 };
  /** Whether an element was unwrapped because it was nested too deep. */
  isTooDeep = false;
  private readonly openElements: OpenElement[] = [];
  private readonly onClose: (element: CleanElement) => void;
  private openText = 0;
  /** White space and line breaks that were not written yet. They are written if text follows in the same block. */
  private space = '';
  private breaks = 0;
  /** Whether the current run of text has content. */
  private hasText = false;

  /** `onClose` is called with each completed element, and several times if blocks split it. */
  constructor(onClose: (element: CleanElement) => void) {
    this.onClose = onClose;
  }

  /** Whether an element of one of these tags is open. */
  isInside(...tags: readonly string[]): boolean {
    for (const { tag } of this.openElements) if (tags.includes(tag)) return true;
    return false;
  }

  /**
   * Starts an element; call {@link leave} if it returns `true`. If it returns `false`, the element is removed and its content stays. The
   * tag must have a content model.
   */
  enter(tag: string, attributes: string, detail: Detail | null, id: string | null): boolean {
    const { model } = kindOf(tag);
    if (model === undefined) throw new Error(`no content model for ${tag}`);
    const isTooDeep = this.openElements.length >= (tag === 'table' ? maxDepth - tableDepth : maxDepth);
    if (isTooDeep) this.isTooDeep = true;
    const { role, holds } = model;
    const isText = role === 'text';
    const entry = { tag, attributes, detail, isText, holds, isCarried: false, live: null, id };
    if (isText) {
      if (isTooDeep || this.openText >= maxOpenText || (!nestable.has(tag) && this.isInside(tag)))
        return false;
      this.openText++;
      this.openElements.push(entry);
      return true;
    }
    const isAllowed = !isTooDeep && mayHoldBlock(this.openElements, tag);
    if (!isAllowed || !hasRightParent(this.openElements, tag, role)) {
      if (role === 'item') this.flattened.items++;
      if (role === 'cell') this.flattened.cells++;
      if (isAllowed) return this.enter('div', '', null, id);
      this.addSpace(' ');
      return false;
    }
    if (isHeading(tag) && this.isInside('th')) return this.enter('p', '', null, id);
    this.endText();
    const carried = carriedText(this.openElements);
    this.openElements.push(entry);
    // Empty cells are visible, and cells can span empty rows.
    if (role === 'cell' || (role === 'row' && isTableOpen(this.openElements))) this.openBelow();
    this.openElements.push(...carried);
    return true;
  }

  /** Ends the element entered last. An id that no element received gets its own link target. */
  leave(): void {
    while (this.openElements.at(-1)?.isCarried) this.pop();
    const id = this.pop();
    if (id !== null) this.addAnchor(id);
  }

  /** Adds text. Each run of its white space must already be a single character. */
  text(value: string): void {
    if (value === '') return;
    const from = isSpaceAt(value, 0) ? 1 : 0;
    const to = value.length > from && isSpaceAt(value, value.length - 1) ? value.length - 1 : value.length;
    if (from === 1) this.addSpace(value.charAt(0));
    if (to > from) {
      const host = this.open();
      const space = this.takeSpace(host);
      addString(host, space + value.slice(from, to));
      this.hasText = true;
      if (to < value.length) this.addSpace(value.charAt(to));
    }
  }

  /** Adds a childless element of running text (an image, an iframe). */
  addInline(element: CleanElement): void {
    const host = this.open();
    const space = this.takeSpace(host);
    if (space !== '') addString(host, space);
    host.children.push(element);
    this.hasText = true;
  }

  /** Adds a finished block. Returns `false` if no block is allowed here. */
  addBlock(element: CleanElement): boolean {
    if (!mayHoldBlock(this.openElements, element.tag)) return false;
    this.endText();
    this.openBelow(true);
    this.parents.hostFor(this.blockHost(this.openElements.length), element.tag).children.push(element);
    return true;
  }

  /** Adds a link target before the next content. */
  addAnchor(id: string): void {
    this.pendingAnchors.push(id);
  }

  /** Completes the tree; call nothing afterwards. */
  finish(): CleanElement {
    while (this.openElements.length > 0) this.pop();
    this.writeAnchors(this.root);
    for (const element of this.parents.elements) this.onClose(element);
    return this.root;
  }

  /** A line break, written only if there is text before and after it. */
  addBreak(): void {
    if (this.hasText && this.breaks < 2) this.breaks++;
    this.space = '';
  }

  /** A word boundary. */
  addSpace(space: string): void {
    if (this.space === '' && this.breaks === 0) this.space = space;
  }

  /** Ends the running text; the next text starts a new run. */
  private endText(): void {
    this.space = '';
    this.breaks = 0;
    this.hasText = false;
  }

  private pop(): string | null {
    const entry = this.openElements.pop();
    if (entry === undefined) return null;
    if (entry.isText) {
      if (!entry.isCarried) this.openText--;
    } else this.endText();
    if (entry.live !== null) this.onClose(entry.live);
    return entry.id;
  }

  /** Writes pending line breaks into `host`, or returns the pending space. A block without content ends the line, as in browsers. */
  private takeSpace(host: CleanElement): string {
    if (!this.hasText && endsWithText(host)) host.children.push(new CleanElement('br'));
    const space = this.hasText ? this.space : '';
    for (; this.breaks > 0; this.breaks--) host.children.push(new CleanElement('br'));
    this.space = '';
    return space;
  }

  /** The element that receives running text now; creates the elements around it. */
  private open(): CleanElement {
    this.openBelow();
    const host = this.parents.hostFor(this.liveBelow(this.openElements.length), '#text');
    if (this.pendingAnchors.length > 0) this.writeAnchors(host);
    return host;
  }

  private writeAnchors(host: CleanElement): void {
    for (const id of this.pendingAnchors) {
      const anchor = new CleanElement('span');
      anchor.id = id;
      this.anchored.push(anchor);
      host.children.push(anchor);
    }
    this.pendingAnchors.length = 0;
  }

  /** Creates the open elements that are not in the tree yet, except text elements that a block above would close immediately. */
  private openBelow(isForBlock = false): void {
    const { openElements: entries } = this;
    let from = entries.length;
    while (from > 0 && entries[from - 1]?.live === null) from--;
    if (from === entries.length) return;
    let lastBlock = isForBlock ? entries.length : entries.length - 1;
    while (lastBlock >= from && entries[lastBlock]?.isText) lastBlock--;
    for (let at = from; at < entries.length; at++) {
      const entry = entries[at] as OpenElement;
      if (at < lastBlock && (entry.isText || entry.tag === 'p')) continue;
      entry.live = this.materialise(entry, at);
    }
  }

  private materialise(entry: OpenElement, at: number): CleanElement {
    const element = new CleanElement(entry.tag, entry.attributes, entry.detail);
    if (entry.id !== null) {
      element.id = entry.id;
      entry.id = null;
      this.anchored.push(element);
    }
    if (entry.isText) {
      const host = this.parents.hostFor(this.liveBelow(at), '#text');
      // Anchors and white space before an element are written before it, not into it.
      if (this.pendingAnchors.length > 0) this.writeAnchors(host);
      const space = this.takeSpace(host);
      if (space !== '') addString(host, space);
      host.children.push(element);
    } else {
      this.parents.hostFor(this.blockHost(at), entry.tag).children.push(element);
    }
    return element;
  }

  private liveBelow(at: number): CleanElement {
    return this.openElements[at - 1]?.live ?? this.root;
  }

  /** The element that receives a block at position `at`. Closes running text that is open there. */
  private blockHost(at: number): CleanElement {
    let below = at;
    while (below > 0) {
      const entry = this.openElements[below - 1] as OpenElement;
      if (!entry.isText && entry.tag !== 'p') break;
      if (entry.live !== null) this.onClose(entry.live);
      entry.live = null;
      below--;
    }
    return this.liveBelow(below);
  }
}

/** Appends text to the previous text node, or adds a new one. */
function addString(host: CleanElement, text: string): void {
  const { children } = host;
  const last = children.at(-1);
  if (typeof last === 'string') children[children.length - 1] = last + text;
  else children.push(text);
}

/** Creates missing parents: lists may contain only items, and items must be in a list. */
class ImpliedParents {
  /** All elements created here. */
  readonly elements: CleanElement[] = [];

  /** The parent for an element of this tag (or `#text`): `parent`, or an element created in it. */
  hostFor(parent: CleanElement, tag: string): CleanElement {
    const holds = parent.kind.model?.holds ?? 'flow';
    const isItem = tag === 'li';
    const isTerm = tag === 'dt' || tag === 'dd';
    if ((isItem && holds === 'items') || (isTerm && holds === 'terms')) return parent;
    let host = parent;
    if (holds === 'items') host = this.imply(parent, 'li', tag === '#text');
    else if (holds === 'terms') host = this.imply(parent, 'dd', tag === '#text');
    if (isItem) return this.imply(host, 'ul', true);
    return isTerm ? this.imply(host, 'dl', true) : host;
  }

  /** The last child of `parent` if it is a `tag` (and, with `onlyImplied`, was created here), else a new one. */
  private imply(parent: CleanElement, tag: string, onlyImplied: boolean): CleanElement {
    const last = parent.children.at(-1);
    if (last instanceof CleanElement && last.tag === tag && (last.isImplied || !onlyImplied)) return last;
    const element = new CleanElement(tag);
    element.isImplied = true;
    this.elements.push(element);
    parent.children.push(element);
    return element;
  }
}

/** Whether an element ends with running text, apart from link targets. */
function endsWithText({ children }: CleanElement): boolean {
  // An empty table is no element.
  const last = children.findLast(
    (child) => typeof child === 'string' || !(isAnchor(child) || child.tag === ''),
  );
  if (last === undefined) return false;
  return typeof last === 'string' || (last.tag !== 'br' && last.kind.isText);
}
