import type { Heading } from '../content/document.ts';
import type { TocView } from './views.ts';

/** Fewer entries than this need no table of contents. */
const minimum = 2;

/** Two levels of headings (the two topmost levels the body uses) as a tree; empty where there is too little to list. */
export function tableOfContents(headings: readonly Heading[]): readonly TocView[] {
  const named = headings.filter(({ text }) => text.trim() !== '');
  // Not Math.min(...levels): a hostile body has more headings than a call may have arguments.
  const top = named.reduce((least, { level }) => Math.min(least, level), 6);
  const entries: (TocView & { readonly children: TocView[] })[] = [];
  let count = 0;
  for (const { level, id, text } of named) {
    if (level > top + 1) continue;
    count += 1;
    const parent = entries.at(-1);
    if (level === top || parent === undefined) entries.push({ id, text, children: [] });
    else parent.children.push({ id, text, children: [] });
  }
  return count < minimum ? [] : entries;
}
