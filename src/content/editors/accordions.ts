import { wrapAccordion } from '../parse/disclosures.ts';
import { isHidden, nextElement, previousElement } from '../parse/edit-tree.ts';
import { classesOf, type EditorRule } from './editor-rule.ts';

/** Classes of the content of a section that a script opens, and of its title. Before their last words they are equal. */
const contentClass =
  /^(.*(?:accordion|collaps|expand|toggle|spoiler|faq).*?)[_-]+(?:content|body|panel|answer)$/i;
const titleClass =
  /^(.*(?:accordion|collaps|expand|toggle|spoiler|faq).*?)[_-]+(?:title|header|heading|question|control|trigger|button)$/i;

const stemsOf = (names: readonly string[], pattern: RegExp): readonly string[] =>
  names.flatMap((name) => (name.length < 100 ? (pattern.exec(name)?.[1] ?? []) : []));

export const accordionRules: readonly EditorRule[] = [
  {
    editor: 'copies of the accordion of W3Schools',
    report: 'https://www.w3schools.com/howto/howto_js_accordion.asp',
    on: 'button',
    has: 'class',
    rewrite(button) {
      const content = nextElement(button);
      // Other buttons of accordions open all sections, or close one.
      const isTitle = classesOf(button).some((name) => name === 'accordion' || name === 'collapsible');
      if (content?.name !== 'div' || !isTitle || isHidden(button)) return;
      content.isDisclosed = true;
      wrapAccordion(button, content);
    },
  },
  {
    editor: 'Confluence, Helpjuice, Heroic KB, themes of Zendesk',
    report: 'kovetskiy/mark#689',
    on: 'div section',
    has: 'class',
    rewrite(node) {
      const stems = stemsOf(classesOf(node), contentClass);
      if (stems.length === 0) return;
      const head = previousElement(node);
      const isTitle =
        head !== null && stemsOf(classesOf(head), titleClass).some((stem) => stems.includes(stem));
      // Without its title, nobody can open it.
      if (isTitle && isHidden(head)) return;
      node.isDisclosed = true;
      if (isTitle) wrapAccordion(head, node);
    },
  },
];
