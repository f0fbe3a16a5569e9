import { elementsAround, previousElement, setAttribute, shortText } from '../parse/edit-tree.ts';
import { attribute, unlink } from '../parse/source-tree.ts';
import type { EditorRule } from './editor-rule.ts';

/** What only a team sees. It is hidden, and so reported. */
export const reviewRules: readonly EditorRule[] = [
  {
    editor: 'Google Docs, Word',
    report: 'dergachev/gdocs-export#8',
    on: 'a',
    has: 'href',
    // An export of Google Docs has comments in boxes at the end of the page, Word in a list that its style hides, and both a mark in the text.
    rewrite(link, { remove }) {
      const href = attribute(link, 'href')?.trim() ?? '';
      if (/^#(?:cmnt|_msocom_)\d+$/.test(href)) {
        // An author may link to a place of this name.
        if (!/^\[.*\]$|^$/s.test(shortText(link).trim())) return;
        remove(link);
        unlink(link);
      } else if (/^#(?:cmnt_ref|_msoanchor_)\d+$/.test(href)) {
        const [paragraph, box] = elementsAround(link).filter(({ kind }) => kind.isBlock);
        const isInBox = box?.name === 'div' && paragraph !== undefined && previousElement(paragraph) === null;
        setAttribute(isInBox ? box : (paragraph ?? link), 'hidden', '');
      }
    },
  },
  {
    editor: 'Helpjuice',
    report: 'https://help.helpjuice.com/en_US/article-editor/how-to-create-internal-sections-in-articles',
    on: 'div',
    hasClass: 'helpjuice-internal-block',
    rewrite: (block) => setAttribute(block, 'hidden', ''),
  },
];
