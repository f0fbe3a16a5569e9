import { wrapAccordion } from '../parse/disclosures.ts';
import { previousElement } from '../parse/edit-tree.ts';
import { classesOf, type EditorRule } from './editor-rule.ts';

/** Sections that a script opens: the classes of the title and of the content below it. */
const sections: readonly { editor: string; report: string; title: string; content: string }[] = [
  { editor: 'Confluence', report: 'kovetskiy/mark#689', title: 'expand-control', content: 'expand-content' },
  {
    editor: 'Helpjuice',
    report: 'bodies of published articles',
    title: 'helpjuice-accordion-title',
    content: 'helpjuice-accordion-body',
  },
  {
    editor: 'Heroic KB',
    report: 'https://wordpress.org/plugins/heroic-blocks/',
    title: 'wp-block-hb-toggle__title',
    content: 'wp-block-hb-toggle__content',
  },
  {
    editor: 'Heroic KB',
    report: 'https://wordpress.org/plugins/heroic-blocks/',
    title: 'wp-block-hb-accordion__title',
    content: 'wp-block-hb-accordion__content',
  },
];

export const accordionRules: readonly EditorRule[] = sections.map(({ editor, report, title, content }) => ({
  editor,
  report,
  on: 'div',
  hasClass: content,
  rewrite(node) {
    node.isDisclosed = true;
    const head = previousElement(node);
    if (head !== null && classesOf(head).includes(title)) wrapAccordion(head, node);
  },
}));
