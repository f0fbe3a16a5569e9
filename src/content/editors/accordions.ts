import { wrapAccordion } from '../parse/disclosures.ts';
import { nextElement, previousElement } from '../parse/edit-tree.ts';
import { classesOf, type EditorRule } from './editor-rule.ts';

/** Classes of the content of a section that a script opens, and of its title. Before their last words they are equal. */
const contentClass =
  /^(.*(?:accordion|collaps|expand|toggle|spoiler|faq).*?)[_-]+(?:content|body|panel|answer)$/i;
const titleClass =
  /^(.*(?:accordion|collaps|expand|toggle|spoiler|faq).*?)[_-]+(?:title|header|heading|question|control|trigger|button)$/i;

/** The content of a tab, which a script shows: `tab-pane`, `tabcontent`, `ui-tabs-panel`. */
const tabClass = /(?:^|[_-])tabs?[_-]*(?:content|pane|panel)$/i;

const stemsOf = (names: readonly string[], pattern: RegExp): readonly string[] =>
  names.flatMap((name) => pattern.exec(name)?.[1] ?? []);

export const accordionRules: readonly EditorRule[] = [
  {
    editor: 'jQuery UI, Bootstrap, Webflow',
    report: 'https://api.jqueryui.com/tabs/',
    on: 'div section',
    has: 'class',
    rewrite(node) {
      if (classesOf(node).some((name) => tabClass.test(name))) node.isDisclosed = true;
    },
  },
  {
    editor: 'copies of the accordion of W3Schools',
    report: 'https://www.w3schools.com/howto/howto_js_accordion.asp',
    on: 'button',
    has: 'class',
    rewrite(button) {
      const content = nextElement(button);
      if (content?.name !== 'div' || !classesOf(button).some((name) => /accordion|collapsib/i.test(name)))
        return;
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
      node.isDisclosed = true;
      const head = previousElement(node);
      if (head !== null && stemsOf(classesOf(head), titleClass).some((stem) => stems.includes(stem)))
        wrapAccordion(head, node);
    },
  },
];
