import { newElement, rename } from '../parse/edit-tree.ts';
import { attribute } from '../parse/source-tree.ts';
import type { EditorRule } from './editor-rule.ts';

/** Word for the web, page builders and headings below the sixth level have the level in an attribute. Without it, it is 2 (ARIA 1.2, heading). */
export const headingRule: EditorRule = {
  editor: 'Word for the web',
  report: 'ckeditor/ckeditor5#9029',
  on: 'p div span',
  has: 'role',
  rewrite(node) {
    if (attribute(node, 'role')?.trim().toLowerCase() !== 'heading') return;
    const level = Number.parseInt(attribute(node, 'aria-level') ?? '', 10);
    rename(node, newElement(`h${level >= 1 ? Math.min(level, 6) : 2}`));
  },
};
