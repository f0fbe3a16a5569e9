import { elementsAround, previousElement, setAttribute } from '../parse/edit-tree.ts';
import { attribute, unlink } from '../parse/source-tree.ts';
import type { EditorRule } from './editor-rule.ts';

/**
 * What reviewers said to each other: an export of Google Docs has it in boxes at the end of the page, and Word in a list that its style hides.
 * The boxes are hidden, and their marks in the text removed.
 */
export const reviewRule: EditorRule = {
  editor: 'Google Docs, Word',
  report: 'dergachev/gdocs-export#8',
  on: 'a',
  has: 'href',
  rewrite(link, { remove }) {
    const href = attribute(link, 'href')?.trim() ?? '';
    if (/^#(?:cmnt|_msocom_)\d+$/.test(href)) {
      remove(link);
      unlink(link);
    } else if (/^#cmnt_ref\d+$/.test(href)) {
      const [paragraph, box] = elementsAround(link).filter(({ kind }) => kind.isBlock);
      const isInBox = box?.name === 'div' && paragraph !== undefined && previousElement(paragraph) === null;
      setAttribute(isInBox ? box : (paragraph ?? link), 'hidden', '');
    }
  },
};
