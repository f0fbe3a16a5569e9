import {
  elementsAround,
  isAlone,
  isHidden,
  isLink,
  newElement,
  rename,
  replace,
  textNode,
} from '../parse/edit-tree.ts';
import { attribute, link, type SourceNode } from '../parse/source-tree.ts';
import { foldSpace } from '../text.ts';
import type { EditorRule } from './editor-rule.ts';

export const figureRules: readonly EditorRule[] = [
  {
    editor: 'Froala',
    report: 'https://froala.com/wysiwyg-editor/docs/options/#emoticonsUseImage',
    on: 'span',
    hasClass: 'fr-emoticon-img',
    rewrite(node) {
      const code = /\/([0-9a-f]{4,5})\.(?:svg|png)/i.exec(attribute(node, 'style') ?? '')?.[1];
      if (code !== undefined) replace(node, textNode(String.fromCodePoint(Number.parseInt(code, 16))));
    },
  },
  {
    editor: 'Froala',
    report: 'froala/wysiwyg-editor#2560',
    on: 'span',
    hasClass: 'fr-img-caption',
    rewrite: (node) => void rename(node, newElement('figure')),
  },
  {
    editor: 'Froala',
    report: 'froala/wysiwyg-editor#2560',
    on: 'span',
    hasClass: 'fr-inner',
    rewrite: (node) => void rename(node, newElement('figcaption')),
  },
  {
    editor: 'Froala',
    report: 'froala/wysiwyg-editor#3550',
    on: 'img',
    hasClass: 'fr-dib',
    rewrite: (node) => separateFromText(node, 'figure'),
  },
  {
    editor: 'TinyMCE',
    report: 'https://www.tiny.cloud/docs/tinymce/latest/image/',
    on: 'img',
    has: 'style',
    rewrite(node) {
      if (/display:\s*block/i.test(attribute(node, 'style') ?? '')) separateFromText(node, 'figure');
    },
  },
];

/** A style that puts an element on lines of its own. */
const onOwnLines = /(?:^|;)\s*display\s*:\s*(?:block|flex|grid|table|list-item|flow-root)\s*(?:!|;|$)/i;

/** Running text that a style makes a block: it is no part of the words beside it. */
export const blockRule: EditorRule = {
  editor: 'page builders',
  report: 'html-to-text/node-html-to-text#143',
  on: 'span a b strong i em u font label small code',
  has: 'style',
  rewrite(node) {
    if (onOwnLines.test(attribute(node, 'style') ?? '') && !isAlone(node)) wrap(node, 'div');
  },
};

function wrap(node: SourceNode, block: 'div' | 'figure'): void {
  const around = newElement(block);
  replace(node, around);
  link(around, node, null);
}

/** Elements around an image or a player that do not show anything themselves. */
const wrappers = new Set(['a', 'span', 'b', 'strong', 'i', 'em', 'u', 'font']);

/** Puts a block around an image or a player that has text beside it: words would run into its caption or title. */
export function separateFromText(node: SourceNode, block: 'div' | 'figure'): void {
  let head = node;
  while (head.parent !== null && wrappers.has(head.parent.name) && isAlone(head)) head = head.parent;
  // A link cannot contain a block.
  if (elementsAround(head).some(isLink)) return;
  const isBeside = (sibling: 'previous' | 'next'): boolean => {
    let at = head[sibling];
    while (at !== null && showsNothing(at)) at = at[sibling];
    return at !== null && isRunningText(at);
  };
  if (isBeside('previous') || isBeside('next')) wrap(head, block);
}

function isRunningText({ name, kind: { treatment, isText } }: SourceNode): boolean {
  if (name === 'br') return false;
  if (name === '#text' || isText) return true;
  return treatment === undefined || name === 'input' || name === 'button';
}

const shown = new Set(['img', 'iframe', 'video', 'audio', 'math', 'input', 'br', 'hr', 'pre']);

/** Whether nothing of a node will be published: the search ends after a few nodes, as empty elements are small. */
function showsNothing(node: SourceNode): boolean {
  let at: SourceNode | null = node;
  for (let step = 0; step < 32 && at !== null; step++) {
    const isGone = at.kind.treatment?.kind === 'drop' || isHidden(at);
    if (!isGone && (shown.has(at.name) || (at.name === '#text' && foldSpace(at.text).trim() !== '')))
      return false;
    if (!isGone && at.first !== null) {
      at = at.first;
      continue;
    }
    while (at !== null && at !== node && at.next === null) at = at.parent;
    at = at === null || at === node ? null : at.next;
  }
  return at === null;
}
