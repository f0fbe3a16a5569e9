// css-select runs the selectors of CSS on the tree of the content stage, so that themes are data and users can name selectors of their own.
import { compile, type Options } from 'css-select';
import { findBelow, following } from '../../content/parse/edit-tree.ts';
import { attribute, childrenOf, type SourceNode } from '../../content/parse/source-tree.ts';
import { oncePerKey } from '../../core/concurrency.ts';
import { orNull } from '../../core/errors.ts';

/** A selector that was compiled once. */
interface Selector {
  matches(node: SourceNode): boolean;
  /** Elements below a node that match, in document order. */
  all(root: SourceNode): readonly SourceNode[];
  /** The first of them, or `null`. */
  first(root: SourceNode): SourceNode | null;
}

/** Compiles a selector. Throws an `Error` that says what is wrong if it is not valid CSS. */
export const selector = oncePerKey((text: string): Selector => {
  const matches = compile<SourceNode, SourceNode>(text, options);
  return {
    matches,
    all(root) {
      const found: SourceNode[] = [];
      for (let node = root.first; node !== null; node = following(node, root))
        if (matches(node)) found.push(node);
      return found;
    },
    first: (root) => findBelow(root, matches),
  };
});

/** Whether a text is a selector. */
export function isSelector(text: string): boolean {
  return orNull(() => selector(text)) !== null;
}

/** Text below a node, in document order. Iterative, because a page may nest deeper than the stack. */
export function textBelow(root: SourceNode): string {
  let text = '';
  for (let node = root.first; node !== null; node = following(node, root)) text += node.text;
  return text;
}

/** Text on one line, in which parts that a page shows below each other are words of their own. */
export function lineBelow(root: SourceNode): string {
  let text = '';
  for (let node = root.first; node !== null; node = following(node, root))
    text += beginsLine.test(node.name) ? ' ' : node.text;
  return text.replace(/\s+/g, ' ').trim();
}

const beginsLine = /^(?:br|div|p|h[1-6]|[uo]l|li|d[ltd]|t[rdh])$/;

function isElement(node: SourceNode): node is SourceNode {
  return !node.name.startsWith('#');
}

const options: Options<SourceNode, SourceNode> = {
  // A tree changes between two queries.
  cacheResults: false,
  adapter: {
    isTag: isElement,
    getAttributeValue: (node, name) => attribute(node, name) ?? undefined,
    getChildren: childrenOf,
    getName: ({ name }) => name,
    getParent: ({ parent }) => parent,
    getSiblings: (node) => (node.parent === null ? [node] : childrenOf(node.parent)),
    prevElementSibling(node) {
      let at = node.previous;
      while (at?.name.startsWith('#')) at = at.previous;
      return at;
    },
    // `:empty` asks for the text of a text node, too.
    getText: (node) => node.text + textBelow(node),
    hasAttrib: (node, name) => attribute(node, name) !== null,
    removeSubsets: outermost,
  },
};

/** The nodes that are not below another one of them. */
export function outermost(nodes: readonly SourceNode[]): SourceNode[] {
  const all = new Set(nodes);
  return nodes.filter((node) => {
    for (let at = node.parent; at !== null; at = at.parent) if (all.has(at)) return false;
    return true;
  });
}

/** Whether a node is below another one. */
export function isBelow(node: SourceNode, other: SourceNode): boolean {
  for (let at = node.parent; at !== null; at = at.parent) if (at === other) return true;
  return false;
}
