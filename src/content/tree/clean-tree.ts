import { stripSoftHyphens } from '../../core/invisible.ts';
import type { CalloutKind, Heading, Link } from '../document.ts';
import { type ElementKind, kindOf } from '../policy/elements.ts';
import { endOf, quoted, scriptText } from '../text.ts';

/** A link; the URL of a link within the page is set once all ids are known. */
export interface LinkDetail {
  readonly kind: 'link';
  readonly target: Link['kind'];
  readonly articleId: string | null;
  /** URL in the published page. */
  href: string;
  /** URL in Markdown. */
  url: string;
  /** Decoded, without `#`. */
  fragment: string | null;
}

/** A table cell, before its table is repaired. */
interface CellDetail {
  readonly kind: 'cell';
  colspan: number;
  rowspan: number;
  /** Its background colour or that of its row; `null` for none. */
  shade: string | null;
  /** What it is marked as the header of. */
  scope: 'col' | 'row' | null;
}

/**
 * A repaired table. Each row has an entry per column: a cell, or `null` if a cell further left spans this column. A cell that spans rows is
 * in each of them.
 */
export interface TableDetail {
  readonly kind: 'table';
  readonly caption: CleanElement | null;
  readonly rows: readonly (readonly (CleanElement | null)[])[];
  /** Whether the first row is the header in Markdown and text. */
  readonly hasHeader: boolean;
  /** Whether the table only arranges code, whose lines a cell of Markdown would join: its cells are written one below the other. */
  readonly arrangesCode: boolean;
}

/** A block of code, unchanged. */
export interface CodeDetail {
  readonly kind: 'code';
  /** Lower case, as the author named it. */
  readonly language: string | null;
  readonly text: string;
}

/** A formula. */
export interface MathDetail {
  readonly kind: 'math';
  /** The formula in TeX, on one line. */
  readonly tex: string;
  readonly isBlock: boolean;
  /** MathML. */
  readonly html: string;
}

/** Data that the writers need besides the tag of an element. */
export type Detail =
  | LinkDetail
  | CellDetail
  | TableDetail
  | { readonly kind: 'image'; readonly url: string; readonly alt: string }
  | { readonly kind: 'media'; readonly url: string; readonly title: string }
  | CodeDetail
  | MathDetail
  /** A heading with its final level and id. */
  | { readonly kind: 'heading'; readonly heading: Heading }
  | { readonly kind: 'callout'; readonly callout: CalloutKind };

/** A text node (with folded white space) or an element. */
export type CleanNode = string | CleanElement;

/**
 * An element of the sanitised tree. Everything in it is already checked, so the writers need no policy. The tree is built once per body and
 * is not used outside the content stage.
 */
export class CleanElement {
  readonly tag: string;
  /** What its tag says. Looked up once, because every writer asks for it. */
  readonly kind: ElementKind;
  /** Serialised attributes, each with a leading space: ` lang="de" class="y"`. `id` is separate until all ids are known. */
  attributes: string;
  detail: Detail | null;
  children: CleanNode[];
  id: string | null = null;
  /** Created for content that its parent must not contain (text in a list, an item without a list). */
  isImplied = false;

  constructor(tag: string, attributes = '', detail: Detail | null = null, children: CleanNode[] = []) {
    this.tag = tag;
    this.kind = kindOf(tag);
    this.attributes = attributes;
    this.detail = detail;
    this.children = children;
  }

  rename(tag: string): void {
    Object.assign(this, { tag, kind: kindOf(tag) });
  }
}

/** Elements among the children. */
export function childElements({ children }: CleanElement): CleanElement[] {
  return children.filter((child): child is CleanElement => child instanceof CleanElement);
}

/** Whether an element is only a link target. */
export function isAnchor({ tag, children }: CleanElement): boolean {
  return tag === 'span' && children.length === 0;
}

/** Removes soft hyphens from everything in a tree that a writer of text or Markdown reads. */
export function removeSoftHyphens(element: CleanElement): void {
  const { detail } = element;
  element.detail = detail === null ? null : withoutSoftHyphens(detail);
  element.children = element.children.map((child) => {
    if (typeof child === 'string') return stripSoftHyphens(child);
    removeSoftHyphens(child);
    return child;
  });
}

function withoutSoftHyphens(detail: Detail): Detail {
  switch (detail.kind) {
    case 'image':
      return { ...detail, alt: stripSoftHyphens(detail.alt) };
    case 'media':
      return { ...detail, title: stripSoftHyphens(detail.title) };
    case 'code':
      return { ...detail, text: stripSoftHyphens(detail.text) };
    case 'heading':
      return { ...detail, heading: { ...detail.heading, text: stripSoftHyphens(detail.heading.text) } };
    case 'table':
      for (const cell of new Set([detail.caption, ...detail.rows.flat()]))
        if (cell !== null) removeSoftHyphens(cell);
      return detail;
    default:
      return detail;
  }
}

/** Text of an element on one line, with the alt text of images and the title of players. */
export function oneLine(element: CleanElement): string {
  return runningText(element, '', { hasAlt: true, marksDeleted: false })
    .replace(/[ \n]{2,}|\n/g, ' ')
    .trim();
}

/** Whether images are their alt text, and whether deleted text has marks. */
interface RunningForm {
  readonly hasAlt: boolean;
  readonly marksDeleted: boolean;
}

/**
 * Text of an element, in which a line break is a line feed, and spaces are around a block. The depth limit of the tree bounds the recursion.
 * @param before preceding text, which decides the meaning of a superscript
 */
export function runningText(
  { tag, detail, children }: CleanElement,
  before: string,
  form: RunningForm,
): string {
  if (tag === 'br') return '\n';
  if (detail?.kind === 'image') return form.hasAlt ? detail.alt : '';
  if (detail?.kind === 'media') return detail.title;
  if (detail?.kind === 'math') return detail.tex;
  let text = '';
  let end = before;
  for (const child of children) {
    const added =
      typeof child === 'string'
        ? child
        : child.kind.isText
          ? runningText(child, end, form)
          : ` ${runningText(child, '', form)} `;
    text += added;
    end = endOf(end, added);
  }
  // `<del>10</del>5` must not become 105.
  if (form.marksDeleted && (tag === 'del' || tag === 's')) return text.replace(/\S(?:[^\n]*\S)?/g, '~~$&~~');
  if (tag === 'q') return quoted(text);
  return tag === 'sup' || tag === 'sub' ? scriptText(tag, text, before) : text;
}
