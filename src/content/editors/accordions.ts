import { wrapAccordion } from '../parse/disclosures.ts';
import { previousElement } from '../parse/edit-tree.ts';
import { classesOf, type EditorRule } from './editor-rule.ts';

/** Classes of the content of a section that a script opens, and of its title. Before their last words they are equal. */
const contentClass =
  /^(.*(?:accordion|collaps|expand|toggle|spoiler|faq).*?)[_-]+(?:content|body|panel|answer)$/i;
const titleClass =
  /^(.*(?:accordion|collaps|expand|toggle|spoiler|faq).*?)[_-]+(?:title|header|heading|question|control|trigger|button)$/i;

const stemsOf = (names: readonly string[], pattern: RegExp): readonly string[] =>
  names.flatMap((name) => pattern.exec(name)?.[1] ?? []);

export const accordionRules: readonly EditorRule[] = [
  {
    editor: 'Confluence, Helpjuice, Heroic KB, themes of Zendesk',
    report: 'kovetskiy/mark#689',
    on: 'div section',
    has: 'class',
    rewrite(node) {
      const stems = stemsOf(classesOf(node), contentClass);
      if (stems.length === 0) return;
      node.isDisclosed = true;
      const head = previousElement(node);
      if (head !== null && stemsOf(classesOf(head), titleClass).some((stem) => stems.includes(stem)))
        wrapAccordion(head, node);
    },
  },
];
