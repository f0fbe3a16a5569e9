import type { Holds, Role } from '../policy/elements.ts';
import type { CleanElement, Detail } from './clean-tree.ts';

/** Limit of open elements, including formatting that was carried into blocks. Untrusted bodies could otherwise grow without bound. */
const maxOpenElements = 512;

/** An element that was entered and not left yet. The builder creates it when its first content arrives. */
export interface OpenElement {
  readonly tag: string;
  readonly attributes: string;
  readonly detail: Detail | null;
  readonly isText: boolean;
  readonly holds: Holds;
  /** Formatting from around a block that is repeated inside it and closed with it. */
  readonly isCarried: boolean;
  /** The element that receives content now; `null` until there is content, and again after a block closed it. */
  live: CleanElement | null;
  /** An id waiting for the element to open. */
  id: string | null;
}

/** Whether the innermost block may contain a block of this tag. */
export function mayHoldBlock(open: readonly OpenElement[], tag: string): boolean {
  for (let at = open.length - 1; at >= 0; at--) {
    const element = open[at] as OpenElement;
    if (element.isText || element.tag === 'p') continue;
    // A summary may contain a heading; other running text must not contain a block.
    return element.holds !== 'text' || (element.tag === 'summary' && isHeading(tag));
  }
  return true;
}

/** Whether the innermost block is a parent that an element of this tag requires; most tags require none. */
export function hasRightParent(open: readonly OpenElement[], tag: string, role: Role): boolean {
  if (role === 'flow' && tag !== 'summary' && tag !== 'figcaption') return true;
  if (role === 'item' || role === 'term') return true;
  const parent = open.findLast(({ isText }) => !isText);
  if (tag === 'summary') return parent?.tag === 'details';
  if (tag === 'figcaption') return parent?.tag === 'figure';
  return parent?.holds === `${role}s`;
}

/** Elements that repeat the innermost formatting inside a block that is about to start. */
export function carriedText(open: readonly OpenElement[]): OpenElement[] {
  const carried: OpenElement[] = [];
  for (let at = open.length - 1; at >= 0 && open.length + carried.length < maxOpenElements; at--) {
    const element = open[at] as OpenElement;
    if (!element.isText) break;
    carried.unshift({ ...element, isCarried: true, live: null, id: null });
  }
  return carried;
}

/** Whether the innermost table has content. */
export function isTableOpen(open: readonly OpenElement[]): boolean {
  return open.findLast(({ tag }) => tag === 'table')?.live !== null;
}

/** `h1` to `h6`. */
export function isHeading(tag: string): boolean {
  return tag.length === 2 && tag >= 'h1' && tag <= 'h6';
}
