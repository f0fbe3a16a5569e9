import type { Token, TreeAdapter, TreeAdapterTypeMap } from 'parse5';
import { type ElementKind, kindOf } from '../policy/elements.ts';

/** Namespace of everything but SVG and MathML. */
export const htmlNamespace = 'http://www.w3.org/1999/xhtml';

/** A node of the body as a browser parses it. All kinds have the same shape, so that property access stays monomorphic. */
export class SourceNode {
  /** Lower-case tag name, or `#text`, `#fragment`, `#ignored` (comments, doctypes). */
  readonly name: string;
  /** What its name says. Looked up once, because every step asks for it. */
  readonly kind: ElementKind;
  /** Foreign elements (SVG, MathML) are dropped with their content. */
  readonly namespace: string;
  readonly attributes: Token.Attribute[];
  text: string;
  parent: SourceNode | null = null;
  first: SourceNode | null = null;
  last: SourceNode | null = null;
  previous: SourceNode | null = null;
  next: SourceNode | null = null;
  /** Elements of the sanitised tree that end with this one. */
  entered = 0;
  /** The author hid it only until a script shows it, so it counts as content. */
  isDisclosed = false;
  /** Readers do not see it: it was removed and reported. */
  isHidden = false;

  constructor(name: string, namespace: string, attributes: Token.Attribute[], text: string) {
    this.name = name;
    this.kind = kindOf(name);
    this.namespace = namespace;
    this.attributes = attributes;
    this.text = text;
  }
}

const noAttributes: Token.Attribute[] = [];

/**
 * Value of an attribute, or `null`; names are lower-case, as the parser gives them.
 */
export function attribute(node: SourceNode, name: string): string | null {
  const { attributes } = node;
  for (let at = 0; at < attributes.length; at++) {
    const candidate = attributes[at];
    if (candidate !== undefined && candidate.name === name) return candidate.value;
  }
  return null;
}

export type SourceMap = TreeAdapterTypeMap<
  SourceNode,
  SourceNode,
  SourceNode,
  SourceNode,
  SourceNode,
  SourceNode,
  SourceNode,
  SourceNode,
  SourceNode,
  SourceNode
>;

/** The children of a node, as they are now. */
export function childrenOf(node: SourceNode): SourceNode[] {
  const children: SourceNode[] = [];
  for (let child = node.first; child !== null; child = child.next) children.push(child);
  return children;
}

/** Puts `node` into `parent`, before a sibling or (`null`) last. */
export function link(parent: SourceNode, node: SourceNode, before: SourceNode | null): void {
  const previous = before === null ? parent.last : before.previous;
  node.parent = parent;
  node.previous = previous;
  node.next = before;
  if (previous === null) parent.first = node;
  else previous.next = node;
  if (before === null) parent.last = node;
  else before.previous = node;
}

/** Removes a node with its descendants from its parent. */
export function unlink(node: SourceNode): void {
  const { parent, previous, next } = node;
  if (parent === null) return;
  if (previous === null) parent.first = next;
  else previous.next = next;
  if (next === null) parent.last = previous;
  else next.previous = previous;
  node.parent = null;
  node.previous = null;
  node.next = null;
}

function insertText(parent: SourceNode, text: string, before: SourceNode | null): void {
  const previous = before === null ? parent.last : before.previous;
  if (previous !== null && previous.name === '#text') previous.text += text;
  else link(parent, new SourceNode('#text', '', noAttributes, text), before);
}

/** Lets parse5 build {@link SourceNode}s. Siblings are linked, so moving a node takes constant time. */
export const sourceTreeAdapter: TreeAdapter<SourceMap> = {
  createDocument: () => new SourceNode('#document', '', noAttributes, ''),
  createDocumentFragment: () => new SourceNode('#fragment', '', noAttributes, ''),
  createElement: (name, namespace, attributes) => new SourceNode(name, namespace, attributes, ''),
  createCommentNode: () => new SourceNode('#ignored', '', noAttributes, ''),
  createTextNode: (text) => new SourceNode('#text', '', noAttributes, text),
  appendChild(parent, node) {
    if (node.name !== '#ignored') link(parent, node, null);
  },
  insertBefore(parent, node, reference) {
    if (node.name !== '#ignored') link(parent, node, reference);
  },
  detachNode: unlink,
  insertText: (parent, text) => insertText(parent, text, null),
  insertTextBefore: insertText,
  adoptAttributes() {},
  // The content of a template is parsed into an unused fragment, because templates are dropped.
  getTemplateContent: () => new SourceNode('#fragment', '', noAttributes, ''),
  setTemplateContent() {},
  setDocumentType() {},
  setDocumentMode() {},
  getDocumentMode: () => 'no-quirks' as ReturnType<TreeAdapter<SourceMap>['getDocumentMode']>,
  getChildNodes: childrenOf,
  getFirstChild: (node) => node.first,
  getParentNode: (node) => node.parent,
  getAttrList: (node) => node.attributes,
  getTagName: (node) => node.name,
  getNamespaceURI: (node) => node.namespace as ReturnType<TreeAdapter<SourceMap>['getNamespaceURI']>,
  getTextNodeContent: (node) => node.text,
  getCommentNodeContent: () => '',
  getDocumentTypeNodeName: () => '',
  getDocumentTypeNodePublicId: () => '',
  getDocumentTypeNodeSystemId: () => '',
  isTextNode: (node): node is SourceNode => node.name === '#text',
  isCommentNode: (node): node is SourceNode => node.name === '#ignored',
  isDocumentTypeNode: (node): node is SourceNode => node.name === '#doctype',
  isElementNode: (node): node is SourceNode => !node.name.startsWith('#'),
  getNodeSourceCodeLocation: () => null,
  setNodeSourceCodeLocation() {},
  updateNodeSourceCodeLocation() {},
};
