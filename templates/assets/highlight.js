// Marks the words of the search that led to a page. The ranges do not change the text, which an author's script or a reader's copy could see.
import { findTerms } from './tokens.js';

/** Marks terms in the text of an element; browsers without highlights show the page without marks. */
export function highlight(element, terms) {
  if (!CSS.highlights || !Array.isArray(terms)) return;
  const wanted = new Set(terms);
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const ranges = [];
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    for (const [from, to] of findTerms(node.data, wanted)) {
      const range = new Range();
      range.setStart(node, from);
      range.setEnd(node, to);
      ranges.push(range);
    }
  }
  CSS.highlights.set('search', new Highlight(...ranges));
}
