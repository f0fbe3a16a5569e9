import { moveContent, newElement, setAttribute } from '../parse/edit-tree.ts';
import { attribute, link, type SourceNode } from '../parse/source-tree.ts';

/** An item of a list that an editor wrote without nesting. */
export interface FlatItem {
  /** From 0. */
  readonly level: number;
  readonly list: 'ul' | 'ol';
  /** Numbering of an `ol`: `1`, `a`, `A`, `i` or `I`. */
  readonly type: string;
  /** The number that the editor wrote, or `null`. */
  readonly number: number | null;
  /** Its children are those of the item. */
  readonly content: SourceNode;
}

/** Editors have nine levels. */
const maxLevel = 9;

/** Makes nested lists of items with levels. Returns the outermost lists. */
export function nestItems(items: readonly FlatItem[]): SourceNode[] {
  const lists: SourceNode[] = [];
  const open: { level: number; item: FlatItem; list: SourceNode; next: number }[] = [];
  for (const item of items) {
    const level = Math.min(item.level, maxLevel);
    while ((open.at(-1)?.level ?? -1) > level) open.pop();
    const same = open.at(-1);
    if (same?.level === level && (same.item.list !== item.list || same.item.type !== item.type)) open.pop();
    if (open.at(-1)?.level !== level) {
      const list = newElement(item.list, item.type === '1' || item.list === 'ul' ? {} : { type: item.type });
      const host = open.at(-1)?.list.last;
      if (host) link(host, list, null);
      else lists.push(list);
      open.push({ level, item, list, next: 1 });
    }
    const top = open.at(-1) as (typeof open)[number];
    const isNumbered = item.list === 'ol' && item.number !== null && item.number !== top.next;
    const entry = newElement('li', isNumbered ? { value: String(item.number) } : {});
    top.next = (item.number ?? top.next) + 1;
    const id = attribute(item.content, 'id');
    if (id !== null) setAttribute(entry, 'id', id);
    moveContent(item.content, entry);
    link(top.list, entry, null);
  }
  return lists;
}
