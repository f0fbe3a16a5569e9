import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parseFragment } from 'parse5';
import { parseBody } from '../../src/content/parse/parse-body.ts';
import type { SourceNode } from '../../src/content/parse/source-tree.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;

/** A tree as nested lists, without comments and with neighbouring texts joined. */
export type Outline = (string | [name: string, attributes: string, children: Outline])[];

/** What parse5 itself makes of a body in a `<div>`. */
export function plainOutline(body: string): Outline {
  const context = defaultTreeAdapter.createElement('div', html.NS.HTML, []);
  const outline = (nodes: readonly Node[]): Outline => {
    const entries: Outline = [];
    for (const node of nodes) {
      if (defaultTreeAdapter.isTextNode(node)) addText(entries, node.value);
      else if (defaultTreeAdapter.isElementNode(node)) {
        const name = node.namespaceURI + node.tagName;
        entries.push([
          name,
          attributesOf(node.attrs),
          node.tagName === 'template' ? [] : outline(node.childNodes),
        ]);
      }
    }
    return entries;
  };
  return outline(parseFragment(context, body, {}).childNodes);
}

/** What the content stage makes of it. */
export function ourOutline(body: string): Outline {
  const outline = (parent: SourceNode): Outline => {
    const entries: Outline = [];
    for (let node = parent.first; node !== null; node = node.next) {
      if (node.name === '#text') addText(entries, node.text);
      else
        entries.push([
          node.namespace + node.name,
          attributesOf(node.attributes),
          node.name === 'template' ? [] : outline(node),
        ]);
    }
    return entries;
  };
  return outline(parseBody(body));
}

function addText(entries: Outline, text: string): void {
  const last = entries.at(-1);
  if (typeof last === 'string') entries[entries.length - 1] = last + text;
  else entries.push(text);
}

function attributesOf(attributes: readonly { readonly name: string; readonly value: string }[]): string {
  return attributes.map(({ name, value }) => `${name}=${JSON.stringify(value)}`).join(' ');
}
