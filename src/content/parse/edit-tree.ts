import { readStyle, type StyleFacts } from '../policy/styles.ts';
import { attribute, htmlNamespace, link, SourceNode, unlink } from './source-tree.ts';

/** A new element with these attributes and this content, which leaves its place. */
export function newElement(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly SourceNode[]
): SourceNode {
  const list = Object.entries(attributes).map(([key, value]) => ({ name: key, value }));
  const element = new SourceNode(name, htmlNamespace, list, '');
  for (const node of content) {
    unlink(node);
    link(element, node, null);
  }
  return element;
}

/** A new text. */
export function textNode(text: string): SourceNode {
  return new SourceNode('#text', '', [], text);
}

export function setAttribute(node: SourceNode, name: string, value: string): void {
  const own = node.attributes.find((one) => one.name === name);
  if (own === undefined) node.attributes.push({ name, value });
  else own.value = value;
}

export function moveContent(from: SourceNode, to: SourceNode): void {
  for (let child = from.first; child !== null; child = from.first) {
    unlink(child);
    link(to, child, null);
  }
}

/** Puts the children of an element where it was. */
export function replaceByContent(node: SourceNode): void {
  const { parent } = node;
  if (parent === null) return;
  for (let child = node.first; child !== null; child = node.first) {
    unlink(child);
    link(parent, child, node);
  }
  unlink(node);
}

/** Puts `other` where `node` was. */
export function replace(node: SourceNode, other: SourceNode): void {
  if (node.parent === null) return;
  link(node.parent, other, node);
  unlink(node);
}

const shared = ['id', 'style', 'lang', 'dir', 'hidden'];

/** Replaces an element by another one that gets its children, its id, its style and its language, and is hidden if it was. */
export function rename(node: SourceNode, other: SourceNode): SourceNode {
  for (const own of node.attributes) {
    if (shared.includes(own.name) && attribute(other, own.name) === null) other.attributes.push(own);
  }
  moveContent(node, other);
  replace(node, other);
  return other;
}

export function isBlank(node: SourceNode): boolean {
  return node.name === '#text' && node.text.trim() === '';
}

/** What the style of an element says; `null` if it has none. */
export function styleOf(node: SourceNode): StyleFacts | null {
  const style = attribute(node, 'style');
  return style === null ? null : readStyle(style);
}

/** Whether an attribute or a style hides an element or all its text, or it is a closed dialog or a hidden field, and no trigger shows it. */
export function isHidden(node: SourceNode): boolean {
  if (node.isDisclosed || (node.attributes.length === 0 && node.name !== 'dialog')) return false;
  const isClosed = node.name === 'dialog' && attribute(node, 'open') === null;
  const isField = node.name === 'input' && attribute(node, 'type')?.toLowerCase() === 'hidden';
  if (isClosed || isField || attribute(node, 'hidden') !== null) return true;
  const style = styleOf(node);
  if (style === null || style.isHidden) return style !== null;
  return style.hidesText !== null && hasText(node, style.hidesText === 'size');
}

/** Nodes in which a text is looked for; with more, an element counts as one with text. */
const maxTextNodes = 1000;

/** Whether an element has text that its style hides. The text of a formula may be in an attribute. */
function hasText(root: SourceNode, isUnsized: boolean): boolean {
  if (root.name === 'math') return true;
  let node = root.first;
  for (let step = 0; node !== null; step++) {
    if (step === maxTextNodes || node.name === 'math' || (node.name === '#text' && !isBlank(node)))
      return true;
    const isSized = isUnsized && styleOf(node)?.hasOwnSize === true;
    node = isSized ? after(node, root) : following(node, root);
  }
  return false;
}

/** Whether all siblings of a node are white space. */
export function isAlone(node: SourceNode): boolean {
  for (let sibling = node.parent?.first ?? null; sibling !== null; sibling = sibling.next) {
    if (sibling !== node && !isBlank(sibling)) return false;
  }
  return true;
}

const maxAround = 8;

/** The nearest elements around a node, the innermost first: as many as editors put around something small. */
export function elementsAround(node: SourceNode): readonly SourceNode[] {
  const around: SourceNode[] = [];
  for (let at = node.parent; at !== null && around.length < maxAround; at = at.parent) around.push(at);
  return around;
}

/** Whether an element is a link, and not only a target. */
export function isLink(node: SourceNode): boolean {
  return node.name === 'a' && attribute(node, 'href') !== null;
}

/** The next sibling that is not white space. */
export function nextElement(node: SourceNode): SourceNode | null {
  let next = node.next;
  while (next !== null && isBlank(next)) next = next.next;
  return next;
}

/** The previous sibling that is not white space. */
export function previousElement(node: SourceNode): SourceNode | null {
  let previous = node.previous;
  while (previous !== null && isBlank(previous)) previous = previous.previous;
  return previous;
}

/** The next node below `root` in document order. */
export function following(node: SourceNode, root: SourceNode): SourceNode | null {
  return node.first ?? after(node, root);
}

/** The next node below `root` that is not below `node`. */
export function after(node: SourceNode, root: SourceNode): SourceNode | null {
  let at: SourceNode | null = node;
  while (at !== null && at.next === null) at = at.parent === root ? null : at.parent;
  return at === null ? null : at.next;
}

/** The first node below `root` that passes, among so many; `null` if there is none. */
export function findBelow(
  root: SourceNode,
  passes: (node: SourceNode) => boolean,
  maxNodes = Number.POSITIVE_INFINITY,
): SourceNode | null {
  let node = root.first;
  for (let count = 0; node !== null && count < maxNodes; count++) {
    if (passes(node)) return node;
    node = following(node, root);
  }
  return null;
}

/** A bold line. */
export function boldText(name: 'p' | 'span', text: string): SourceNode {
  return newElement(name, {}, newElement('strong', {}, textNode(text)));
}

/** Visits every node below one, without recursion. @param enter returns whether to visit the content, and then `leave` */
export function visitSource(
  root: SourceNode,
  enter: (node: SourceNode) => boolean,
  leave: (node: SourceNode) => void,
): void {
  let node = root.first;
  while (node !== null) {
    const isEntered = enter(node);
    if (isEntered && node.first !== null) {
      node = node.first;
      continue;
    }
    if (isEntered) leave(node);
    while (node.next === null) {
      if (node.parent === null || node.parent === root) return;
      node = node.parent;
      leave(node);
    }
    node = node.next;
  }
}

/** Maximum number of nodes that {@link shortText} reads; labels have fewer than ten. */
const maxNodes = 256;

/** The text of a label: at most 200 characters. */
export function shortText(node: SourceNode): string {
  let text = '';
  let at = node.first;
  for (let step = 0; step < maxNodes && at !== null; step++) {
    text += at.kind.isBlock && text !== '' ? ' ' : at.text.slice(0, 200);
    at = following(at, node);
  }
  return text.slice(0, 200);
}
