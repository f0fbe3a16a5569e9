import {
  elementsAround,
  isAlone,
  newElement,
  nextElement,
  previousElement,
  rename,
  shortText,
} from '../parse/edit-tree.ts';
import { attribute, childrenOf, unlink } from '../parse/source-tree.ts';
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

/** The sign of a link to its own heading, which is no part of the text. */
export const permalinkRule: EditorRule = {
  editor: 'Sphinx, MkDocs',
  report: 'https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-html_permalinks',
  on: 'a',
  has: 'href',
  rewrite(link, { remove }) {
    const isSign =
      /^[¶#§🔗]$/u.test(shortText(link).trim()) && attribute(link, 'href')?.includes('#') === true;
    const isPart = elementsAround(link).some(({ name }) => /^h[1-6]$/.test(name)) && !isAlone(link);
    // Between words, it is one of them.
    if (!isSign || !isPart || (previousElement(link) !== null && nextElement(link) !== null)) return;
    remove(link);
    for (const child of childrenOf(link)) unlink(child);
    rename(link, newElement('span'));
  },
};
