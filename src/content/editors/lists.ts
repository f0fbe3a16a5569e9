import {
  findBelow,
  following,
  isAlone,
  isBlank,
  isHidden,
  isLink,
  newElement,
  nextElement,
  previousElement,
  replaceByContent,
  setAttribute,
  shortText,
  styleOf,
  textNode,
} from '../parse/edit-tree.ts';
import { attribute, childrenOf, link, type SourceNode, unlink } from '../parse/source-tree.ts';
import { classAfter, classesOf, type EditorRule, type RewriteNotes } from './editor-rule.ts';
import { type FlatItem, nestItems } from './nested-list.ts';

export const listRules: readonly EditorRule[] = [
  { editor: 'Word', report: 'ckeditor/ckeditor5#11210', on: 'p div', has: 'style', rewrite: nestParagraphs },
  {
    editor: 'Word',
    report: 'nhn/tui.editor#1682',
    on: 'p',
    hasClass: 'MsoListParagraph*',
    rewrite: nestParagraphs,
  },
  {
    editor: 'Google Docs',
    report: 'https://support.google.com/docs/answer/49114',
    on: 'ul ol',
    hasClass: 'lst-kix_*',
    rewrite: nestExportedLists,
  },
  {
    editor: 'Word for the web',
    report: 'ckeditor/ckeditor5#14611',
    on: 'ul ol',
    has: 'role',
    rewrite: (list) => joinLists(list, webLevel),
  },
  {
    editor: 'Notion',
    report: 'https://www.notion.com/help/export-your-content',
    on: 'ul ol',
    has: 'class',
    rewrite(first) {
      const kind = notionKind(first);
      if (kind !== undefined)
        joinLists(first, (item, list) => (notionKind(list) === kind && isAlone(item) ? 0 : null));
    },
  },
  {
    editor: 'TinyMCE, CKEditor, Confluence',
    report: 'hallowelt/migrate-confluence#307',
    on: 'li',
    has: 'style',
    // An item without a mark that only indents a list: the list belongs to the item before it.
    rewrite(item, { unwrap }) {
      const isUnmarked = styleOf(item)?.classes.includes('list-none') === true;
      const parts = childrenOf(item).filter((part) => !isBlank(part));
      const isIndent = parts.every(({ name }) => name === 'ul' || name === 'ol');
      const hasItemBefore = previousElement(item) !== null;
      if (!isUnmarked || !isIndent || !hasItemBefore) return;
      if (item.parent?.name !== 'ul' || attribute(item, 'id') !== null) return;
      unwrap(item);
      replaceByContent(item);
    },
  },
  {
    editor: 'TinyMCE',
    report: 'https://www.tiny.cloud/docs/tinymce/latest/checklist/',
    on: 'ul ol',
    hasClass: 'tox-checklist',
    rewrite: (list) => markTasks(list, 'tox-checklist--checked'),
  },
  {
    editor: 'Confluence',
    report: 'https://confluence.atlassian.com/doc/add-assign-and-view-tasks-590260030.html',
    on: 'ul ol',
    hasClass: 'inline-task-list',
    rewrite: (list) => markTasks(list, 'checked'),
  },
  {
    editor: 'CKEditor 5, Tiptap',
    report: 'https://ckeditor.com/docs/ckeditor5/latest/features/lists/todo-lists.html',
    on: 'label',
    // The text of the task is beside the label of its box.
    rewrite(label) {
      const parts = childrenOf(label).filter(
        (part) => !isBlank(part) && (part.name !== 'span' || part.first !== null),
      );
      const [box] = parts;
      const item = label.parent;
      if (parts.length !== 1 || box?.name !== 'input' || attribute(box, 'type') !== 'checkbox') return;
      if (item?.name !== 'li') return;
      unlink(label);
      markTask(item, attribute(box, 'checked') !== null);
    },
  },
  {
    editor: 'Notion',
    report: 'https://www.notion.com/help/export-your-content',
    on: 'div',
    hasClass: 'checkbox-*',
    rewrite(box) {
      const item = box.parent;
      const state = classAfter(box, 'checkbox-');
      if (item?.name !== 'li' || box.first !== null || (state !== 'on' && state !== 'off')) return;
      unlink(box);
      markTask(item, state === 'on');
    },
  },
  ...['data-checked', 'aria-checked'].map(
    (has): EditorRule => ({
      editor: 'Tiptap, Lexical, Google Docs',
      report: 'Mr0grog/google-docs-to-markdown#89',
      on: 'li',
      has,
      rewrite(item, { remove }) {
        const box = findBelow(item, (node) => attribute(node, 'aria-roledescription') === 'checkbox', 20);
        if (box !== null && shortText(box).trim() === '') {
          remove(box);
          unlink(box);
        }
        markTask(item, attribute(item, has) === 'true');
      },
    }),
  ),
];

/** Google Docs exports a list for each run of items of one level. Its class has the id of the whole list and the level: `lst-kix_k3a-1`. */
function nestExportedLists(first: SourceNode): void {
  const levelOf = (list: SourceNode) => /^(.+)-(\d)$/.exec(classAfter(list, 'lst-kix_') ?? '');
  const id = levelOf(first)?.[1];
  joinLists(first, (_item, list) => {
    const level = levelOf(list);
    return id !== undefined && level?.[1] === id ? Number(level[2]) : null;
  });
}

/** The kind of a list of Notion, which has one item. */
const notionKind = (list: SourceNode): string | undefined =>
  classesOf(list).find((name) => /^(?:bulleted|numbered|to-do)-list$/.test(name));

/** Level of an item of Word for the web, from 0. */
function webLevel(item: SourceNode): number | null {
  const level = Number(attribute(item, 'data-aria-level') ?? attribute(item, 'aria-level'));
  return level >= 1 ? level - 1 : null;
}

/**
 * Joins a list with those after it, of which each has some items of what was one list.
 * @param levelOf the level of an item, from 0; `null`: it is of another list
 */
function joinLists(first: SourceNode, levelOf: (item: SourceNode, list: SourceNode) => number | null): void {
  const items: FlatItem[] = [];
  const boxes: SourceNode[] = [];
  const targets: [item: SourceNode, id: string][] = [];
  const firstBox = first.parent !== null && isListBox(first.parent) ? first.parent : first;
  for (let box: SourceNode | null = firstBox; box !== null; box = nextElement(box)) {
    const list: SourceNode | null = isListBox(box) ? box.first : box;
    if (list === null || (list.name !== 'ul' && list.name !== 'ol') || isHidden(list) || isHidden(box)) break;
    const { name } = list;
    const children = childrenOf(list).filter((child) => !isBlank(child));
    // What is hidden would hide what is nested in it.
    const levels = children.map((child) =>
      child.name === 'li' && !isHidden(child) ? levelOf(child, list) : null,
    );
    if (levels.length === 0 || levels.includes(null)) break;
    const start = Number.parseInt(attribute(list, 'start') ?? '', 10);
    // Google Docs marks the first list, and goes on in the others.
    const isNext =
      classesOf(list).some((one) => one.startsWith('lst-kix_')) && !classesOf(list).includes('start');
    const type = attribute(list, 'type') ?? '1';
    const ofText = list.attributes.filter((one) => ['dir', 'lang', 'style'].includes(one.name));
    const attributes = Object.fromEntries(ofText.map((one) => [one.name, one.value]));
    children.forEach((content, at) => {
      const value = Number.parseInt(attribute(content, 'value') ?? '', 10);
      const number = value > 0 ? value : at > 0 ? null : start > 0 ? start : isNext ? null : 1;
      items.push({ level: levels[at] ?? 0, list: name, type, number, attributes, content });
    });
    boxes.push(box);
    const id = attribute(list, 'id');
    if (id !== null && children[0] !== undefined) targets.push([children[0], id]);
  }
  const isWhole = items.every(({ content, level }) => content.parent === first && level === items[0]?.level);
  if (isWhole) return;
  for (const [item, id] of targets) {
    if (attribute(item, 'id') === null) setAttribute(item, 'id', id);
    else link(item, newElement('span', { id }), item.first);
  }
  nestItems(items, boxes);
}

/** Whether an element is the box of Word for the web around a list. */
function isListBox(node: SourceNode): boolean {
  return (
    node.first !== null &&
    node.first === node.last &&
    attribute(node, 'id') === null &&
    classesOf(node).includes('ListContainerWrapper')
  );
}

function markTasks(list: SourceNode, doneClass: string): void {
  for (const item of childrenOf(list))
    if (item.name === 'li') markTask(item, classesOf(item).includes(doneClass));
}

/** Writes a task as a check box is written; one that has a check box is left alone. */
export function markTask(item: SourceNode, isDone: boolean): void {
  // Another attribute says so, too.
  if (/^\s*[☑☐]/.test(shortText(item))) return;
  // The boxes of tasks below it are theirs.
  if (findBelow(item, ({ name }) => name === 'li' || name === 'input', 20)?.name === 'input') return;
  let host = item;
  for (;;) {
    const first = childrenOf(host).find((node) => !isBlank(node));
    if (first?.name !== 'p' && first?.name !== 'div') break;
    host = first;
  }
  link(host, textNode(isDone ? '☑ ' : '☐ '), host.first);
}

/** Makes lists of a paragraph that is an item of a list in Word, and of the items after it. */
function nestParagraphs(first: SourceNode, { remove }: RewriteNotes): void {
  const items: FlatItem[] = [];
  const paragraphs: SourceNode[] = [];
  for (let node: SourceNode | null = first; node !== null; node = nextElement(node)) {
    const item = readItem(node, remove);
    if (item === null) break;
    items.push(item);
    paragraphs.push(node);
  }
  nestItems(items, paragraphs);
}

/** A list that Word draws with one level is indented by half an inch. */
const pointsPerLevel = 36;
const pointsPerUnit: Readonly<Record<string, number>> = { pt: 1, in: 72, cm: 72 / 2.54 };

function readItem(node: SourceNode, remove: RewriteNotes['remove']): FlatItem | null {
  if ((node.name !== 'p' && node.name !== 'div') || isHidden(node)) return null;
  const style = attribute(node, 'style') ?? '';
  const level = /mso-list:\s*l\d+\s+level(\d)/i.exec(style)?.[1];
  const classes = classesOf(node);
  // A paragraph of text whose first line hangs may be one that begins with a bullet.
  const isHanging = classes.includes('MsoNormal') && /text-indent:\s*-/i.test(style);
  const isList = isHanging || classes.some((name) => name.startsWith('MsoListParagraph'));
  if (level === undefined && !isList) return null;
  const marker = takeMarker(node, remove);
  if (level === undefined && marker === null) return null;
  const [, length, unit = ''] = /margin-left:\s*([\d.]+)(pt|in|cm)/i.exec(style) ?? [];
  const indent =
    length === undefined ? pointsPerLevel : Number(length) * (pointsPerUnit[unit.toLowerCase()] ?? 1);
  return {
    level: level === undefined ? Math.max(0, Math.round(indent / pointsPerLevel) - 1) : Number(level) - 1,
    content: node,
    ...readMarker(marker ?? ''),
  };
}

/** A marker at the start of a text, with the spaces that Word draws after it. */
const writtenMarker = /^\s*([·•o§Øüv–-]|(?:\d+|[a-z]|[ivxl]{2,6})[.)])[\s\u00a0]{2,}/i;

/** Removes the marker of an item, which Word writes as text, and returns it. */
function takeMarker(paragraph: SourceNode, remove: RewriteNotes['remove']): string | null {
  const marked = findBelow(
    paragraph,
    (node) => /mso-list:\s*ignore/i.test(attribute(node, 'style') ?? ''),
    40,
  );
  if (marked !== null) {
    const text = shortText(marked);
    remove(marked);
    unlink(marked);
    return text.replace(/[\s\u00a0]+/g, '');
  }
  // Its font, and the spaces after it, may be in elements of their own.
  const texts: SourceNode[] = [];
  for (let node = paragraph.first; node !== null && texts.length < 8; node = following(node, paragraph)) {
    // A link or code would be lost.
    if (node.name === 'code' || isLink(node)) break;
    if (node.name === '#text') texts.push(node);
  }
  const found = writtenMarker.exec(texts.map(({ text }) => text).join(''));
  let length = found?.[0].length ?? 0;
  for (const node of texts) {
    if (length === 0) break;
    const rest = node.text.slice(length);
    node.text = node.text.slice(0, length);
    length -= node.text.length;
    remove(node);
    node.text = rest;
  }
  return found?.[1] ?? null;
}

/** A marker such as `2.`, `b)`, `iv.`, `1.2.` or a bullet of a symbol font. */
function readMarker(marker: string): Pick<FlatItem, 'list' | 'type' | 'number'> {
  const label = /^\(?(?:\d+\.)*(\d+|[a-z]+)[.):]?\)?$/i.exec(marker)?.[1];
  // Without a stop, a letter is the bullet of a symbol font.
  if (label === undefined || (!/\d/.test(label) && !/[.):]$/.test(marker)))
    return { list: 'ul', type: '1', number: null };
  if (/^\d/.test(label)) return { list: 'ol', type: '1', number: Number(label.slice(0, 9)) };
  const lower = label.toLowerCase();
  const isLower = label === lower;
  const roman = /^[ivxl]+$/.test(lower) ? fromRoman(lower) : null;
  if (roman !== null && (lower.length > 1 || lower === 'i'))
    return { list: 'ol', type: isLower ? 'i' : 'I', number: roman };
  if (lower.length > 1) return { list: 'ul', type: '1', number: null };
  return { list: 'ol', type: isLower ? 'a' : 'A', number: lower.charCodeAt(0) - 96 };
}

const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50 };

function fromRoman(text: string): number {
  const digits = [...text].map((letter) => romanDigits[letter] ?? 0);
  return digits.reduce((sum, digit, at) => (digit < (digits[at + 1] ?? 0) ? sum - digit : sum + digit), 0);
}
