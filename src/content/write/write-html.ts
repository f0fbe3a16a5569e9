import { escapeHtml, escapeText } from '../../foundation/html.ts';
import type { CleanElement, CodeDetail } from '../tree/clean-tree.ts';
import { highlight } from './highlight.ts';

const childless = new Set(['br', 'img', 'hr']);
/** Blocks that start a line of their own, so that published pages diff well. */
const ownLine = new Set(
  'div section article aside address blockquote figure figcaption details summary p h2 h3 h4 h5 h6 hr pre ul ol li dl dt dd table caption thead tbody tfoot tr'.split(
    ' ',
  ),
);

/** Elements whose first child starts a line, too. */
const breaksInside = new Set(['ul', 'ol', 'dl', 'table', 'thead', 'tbody', 'tfoot', 'tr']);

/** Characters of code highlighted in one body; what comes after stays plain. */
const maxHighlighted = 100_000;

/** Serialises the sanitised tree; iterative, so that no depth of nesting overflows the stack. */
export function writeHtml(root: CleanElement): string {
  let html = '';
  const parents: CleanElement[] = [];
  const positions: number[] = [];
  let parent = root;
  let position = 0;
  let highlightable = maxHighlighted;
  for (;;) {
    const node = parent.children[position++];
    if (node === undefined) {
      if (parent === root) return html;
      html += `</${parent.tag}>`;
      parent = parents.pop() as CleanElement;
      position = positions.pop() as number;
      continue;
    }
    if (typeof node === 'string') {
      html += escapeText(node);
      continue;
    }
    if (isNothing(node)) continue;
    if (html !== '' && ownLine.has(node.tag) && (position > 1 || breaksInside.has(parent.tag))) html += '\n';
    if (node.detail?.kind === 'code') {
      highlightable -= node.detail.text.length;
      html += codeBlock(node.detail, highlightable >= 0);
      continue;
    }
    html += openTag(node);
    if (!childless.has(node.tag)) {
      parents.push(parent);
      positions.push(position);
      parent = node;
      position = 0;
    }
  }
}

function openTag(element: CleanElement): string {
  const id = element.id === null ? '' : ` id="${escapeHtml(element.id)}"`;
  const href = element.detail?.kind === 'link' ? ` href="${escapeHtml(element.detail.href)}"` : '';
  return `<${element.tag}${id}${href}${element.attributes}>`;
}

function codeBlock({ language, text }: CodeDetail, isHighlighted: boolean): string {
  if (language === null) return `<pre tabindex="0"><code>${escapeText(text)}</code></pre>`;
  const code = (isHighlighted ? highlight(text, language) : null) ?? escapeText(text);
  return `<pre tabindex="0"><code class="language-${escapeHtml(language)}">${code}</code></pre>`;
}

/** An anchor whose id another element has, or a table without cells. */
function isNothing(element: CleanElement): boolean {
  if (element.tag === '') return true;
  return (
    element.tag === 'span' &&
    element.id === null &&
    element.attributes === '' &&
    element.children.length === 0
  );
}
