import type { CalloutKind, Heading, Link } from '../document.ts';
import { contentModels } from '../policy/elements.ts';
import { endOf, scriptText } from '../text.ts';

/** A link; the URL of a link within the page is set once all ids are known. */
export interface LinkDetail {
  readonly kind: 'link';
  readonly target: Link['kind'];
  readonly articleId: string | null;
  /** Address in the published page. */
  href: string;
  /** Address in Markdown. */
  url: string;
  /** Decoded, without `#`. */
  fragment: string | null;
}

/** A table cell, before its table is repaired. */
export interface CellDetail {
  readonly kind: 'cell';
  colspan: number;
  rowspan: number;
  /** Its background colour or that of its row; `null` for none. */
  shade: string | null;
  /** Whether it says that it is the header of its column. */
  isColumnHeader: boolean;
}

/**
 * A repaired table: its rows, each with a cell (or `null`, where one from the left reaches in) per column; a cell over
 * several rows is in each.
 */
export interface TableDetail {
  readonly kind: 'table';
  readonly caption: CleanElement | null;
  readonly rows: readonly (readonly (CleanElement | null)[])[];
  readonly hasHeader: boolean;
}

/** A block of code, to the byte. */
export interface CodeDetail {
  readonly kind: 'code';
  /** Lower case, as the author named it. */
  readonly language: string | null;
  readonly text: string;
}

/** Data of an element, besides its tag, that the writers need. */
export type Detail =
  | LinkDetail
  | CellDetail
  | TableDetail
  | { readonly kind: 'image'; readonly url: string; readonly alt: string }
  | { readonly kind: 'media'; readonly url: string; readonly title: string }
  | CodeDetail
  /** A heading with its final level and id. */
  | { readonly kind: 'heading'; readonly heading: Heading }
  | { readonly kind: 'callout'; readonly callout: CalloutKind };

/** A text node (with folded white space) or an element. */
export type CleanNode = string | CleanElement;

/**
 * An element of the sanitised tree: everything in it is known to be allowed, so that the writers only write.
 * The tree is built once per body and never escapes the content stage.
 */
export class CleanElement {
  tag: string;
  /** Serialised, each with a leading space: ` lang="de" class="y"`. `id` is separate until all are known. */
  attributes: string;
  detail: Detail | null;
  children: CleanNode[] = [];
  id: string | null = null;
  /** Created for content its parent may not hold (text in a list, an item without a list). */
  isImplied = false;

  constructor(tag: string, attributes: string, detail: Detail | null) {
    this.tag = tag;
    this.attributes = attributes;
    this.detail = detail;
  }
}

/** Text of an element on one line, images by their alt text, players by their title. */
export function oneLine(element: CleanElement): string {
  return plainText(element).replace(/ {2,}/g, ' ').trim();
}

/** Recursion is bounded by the depth cap of the tree. */
function plainText(element: CleanElement, before = ''): string {
  let text = '';
  let end = before;
  for (const child of element.children) {
    const added = typeof child === 'string' ? child : childText(child, end);
    text += added;
    end = endOf(end, added);
  }
  return element.tag === 'sup' || element.tag === 'sub' ? scriptText(element.tag, text, before) : text;
}

function childText(child: CleanElement, before: string): string {
  if (child.detail?.kind === 'image') return child.detail.alt;
  if (child.detail?.kind === 'media') return child.detail.title;
  const isInline = contentModels.get(child.tag)?.role === 'text' && child.tag !== 'br';
  return isInline ? plainText(child, before) : ` ${plainText(child)} `;
}
