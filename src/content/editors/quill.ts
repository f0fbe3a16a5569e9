import {
  isBlank,
  isHidden,
  moveContent,
  newElement,
  nextElement,
  replace,
  setAttribute,
  shortText,
} from '../parse/edit-tree.ts';
import { attribute, childrenOf, type SourceNode, unlink } from '../parse/source-tree.ts';
import { classAfter, type EditorRule } from './editor-rule.ts';
import { markTask } from './lists.ts';
import { type FlatItem, nestItems } from './nested-list.ts';

const documentation = 'https://quilljs.com/docs/formats';

const alignClass = /(?:^|\s)(?:ql|intercom|(?:wysiwyg|has)-text)-align-(left|center|right|justify)(?:\s|$)/;

export const quillRules: readonly EditorRule[] = [
  { editor: 'Quill', report: 'slab/quill#4706', on: 'span', hasClass: 'ql-ui', rewrite: unlinkMarker },
  { editor: 'Quill', report: 'slab/quill#4706', on: 'ol ul', rewrite: nestList },
  {
    editor: 'Quill',
    report: documentation,
    on: 'div pre',
    hasClass: 'ql-code-block-container',
    rewrite(node, { remove }) {
      let language: string | null = null;
      for (const line of childrenOf(node)) {
        language ??= attribute(line, 'data-language');
        // The choice of a language is one of the editor.
        if (line.name === 'select') {
          remove(line);
          unlink(line);
        }
      }
      const code = newElement(
        'pre',
        language === null || language === 'plain' ? {} : { 'data-language': language },
      );
      moveContent(node, code);
      replace(node, code);
    },
  },
  { editor: 'Quill', report: 'slab/quill#979', hasClass: 'ql-indent-*', rewrite: indent },
  {
    editor: 'Quill, Intercom, Zendesk, WordPress',
    report: 'https://developers.intercom.com/docs/guides/help-center/supported-html',
    has: 'class',
    rewrite(node) {
      const [, side] = alignClass.exec(attribute(node, 'class') ?? '') ?? [];
      if (side !== undefined) addStyle(node, `text-align:${side}`);
    },
  },
  {
    editor: 'Quill',
    report: documentation,
    hasClass: 'ql-direction-rtl',
    rewrite: (node) => setAttribute(node, 'dir', 'rtl'),
  },
];

/** Removes what Quill draws before an item. */
function unlinkMarker(node: SourceNode): void {
  if (shortText(node).trim() === '') unlink(node);
}

/** Pixels of one step of an indent, as the style sheet of Lectern has them. */
const indentPx = 40;

function indent(node: SourceNode): void {
  const steps = Number(classAfter(node, 'ql-indent-'));
  if (node.name !== 'li' && steps >= 1) addStyle(node, `margin-left:${steps * indentPx}px`);
}

function addStyle(node: SourceNode, declaration: string): void {
  setAttribute(node, 'style', `${attribute(node, 'style') ?? ''};${declaration}`);
}

/** Quill writes one flat list for all kinds and levels; an indented list continues the one before it. */
function nestList(first: SourceNode): void {
  if (first.parent === null || !isQuillList(first)) return;
  const items: FlatItem[] = [];
  const lists: SourceNode[] = [];
  for (let list: SourceNode | null = first; list !== null; list = nextElement(list)) {
    if ((list.name !== 'ol' && list.name !== 'ul') || !hasItem(list, () => true)) break;
    if (isHidden(list)) break;
    if (lists.length > 0 && !isQuillList(list) && !isIndented(lists.at(-1) ?? null)) break;
    readItems(list, items);
    lists.push(list);
  }
  nestItems(items, lists);
}

function readItems(list: SourceNode, items: FlatItem[]): void {
  const isChecked = attribute(list, 'data-checked');
  for (const item of childrenOf(list)) {
    if (item.name !== 'li') continue;
    const kind =
      attribute(item, 'data-list') ??
      (isChecked === null ? null : isChecked === 'true' ? 'checked' : 'unchecked');
    if (kind === 'checked' || kind === 'unchecked') markTask(item, kind === 'checked');
    items.push({
      level: Number(classAfter(item, 'ql-indent-')) || 0,
      list: kind === null ? (list.name as 'ul' | 'ol') : kind === 'ordered' ? 'ol' : 'ul',
      type: '1',
      number: null,
      content: item,
    });
  }
}

function isQuillList(list: SourceNode): boolean {
  return (
    attribute(list, 'data-checked') !== null ||
    isIndented(list) ||
    hasItem(list, (item) => attribute(item, 'data-list') !== null)
  );
}

function isIndented(list: SourceNode | null): boolean {
  return list !== null && hasItem(list, (item) => classAfter(item, 'ql-indent-') !== null);
}

/** Whether an item passes, and the list has only items, as Quill writes it. */
function hasItem(list: SourceNode, test: (item: SourceNode) => boolean): boolean {
  const children = childrenOf(list).filter((child) => !isBlank(child));
  return children.every(({ name }) => name === 'li') && children.some(test);
}
