import { newElement, rename, setAttribute } from '../parse/edit-tree.ts';
import { link, type SourceNode, unlink } from '../parse/source-tree.ts';

/** An item of a list that an editor wrote without nesting. */
export interface FlatItem {
  /** From 0. */
  readonly level: number;
  readonly list: 'ul' | 'ol';
  /** Numbering of an `ol`: `1`, `a`, `A`, `i` or `I`. */
  readonly type: string;
  /** The number that the editor wrote, or `null`. */
  readonly number: number | null;
  /** Attributes of the list that had it. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** An `li`, or a block whose children are those of the item. */
  readonly content: SourceNode;
}

/** Editors have nine levels. */
const maxLevel = 9;

/** Puts nested lists of items with levels where these nodes were, which have the items and are side by side. */
export function nestItems(items: readonly FlatItem[], replaced: readonly SourceNode[]): void {
  const parent = replaced[0]?.parent ?? null;
  const end = replaced.at(-1)?.next ?? null;
  if (parent === null) return;
  const open: { level: number; item: FlatItem; list: SourceNode; next: number }[] = [];
  for (const item of items) {
    const level = Math.min(item.level, maxLevel);
    while ((open.at(-1)?.level ?? -1) > level) open.pop();
    const same = open.at(-1);
    if (same?.level === level && (same.item.list !== item.list || same.item.type !== item.type)) open.pop();
    if (open.at(-1)?.level !== level) {
      const type = item.type === '1' || item.list === 'ul' ? {} : { type: item.type };
      const list = newElement(item.list, { ...item.attributes, ...type });
      const host = open.at(-1)?.list.last;
      if (host) link(host, list, null);
      else link(parent, list, end);
      open.push({ level, item, list, next: 1 });
    }
    const top = open.at(-1) as (typeof open)[number];
    const isNumbered = item.list === 'ol' && item.number !== null && item.number !== top.next;
    const entry = asListItem(item.content);
    if (isNumbered) setAttribute(entry, 'value', String(item.number));
    top.next = (item.number ?? top.next) + 1;
    link(top.list, entry, null);
  }
  for (const node of replaced) unlink(node);
}

/** Takes an item out of its place, and makes an `li` of it that is hidden if it was. */
function asListItem(content: SourceNode): SourceNode {
  const item = content.name === 'li' ? content : rename(content, newElement('li'));
  unlink(item);
  return item;
}
