import { stripInvisible } from '../../core/invisible.ts';
import { previousElement, shortText, textNode } from '../parse/edit-tree.ts';
import { link } from '../parse/source-tree.ts';
import type { EditorRule } from './editor-rule.ts';

/** Readings of characters (`<ruby>漢<rt>かん</rt></ruby>`) become text in brackets, as browsers without ruby show it. */
export const rubyRule: EditorRule = {
  editor: 'HTML with ruby',
  report: 'https://html.spec.whatwg.org/multipage/text-level-semantics.html#the-rp-element',
  on: 'rt',
  rewrite(reading) {
    // Letters between characters have an empty reading.
    if (stripInvisible(shortText(reading)).trim() === '') return;
    // The author has written the brackets.
    if (previousElement(reading)?.name === 'rp') return;
    link(reading, textNode('('), reading.first);
    link(reading, textNode(')'), null);
  },
};
