import { escapeHtml, escapeText } from '../../core/html.ts';
import {
  CleanElement,
  type CleanNode,
  type CodeDetail,
  childElements,
  isAnchor,
} from '../tree/clean-tree.ts';
import { highlight } from './highlight.ts';

/**
 * Who reads the Markdown. `site`: visitors and programs; `author`: an author, who gets HTML if Markdown has no equivalent; `author-html`:
 * also tables and players as HTML.
 */
export type Reader = 'site' | 'author' | 'author-html';

/** Start and end tag of an element in running text; an element without content has no end tag. */
export interface Tags {
  readonly open: string;
  readonly close: string | null;
}

const marked = new Set(['strong', 'em', 'del', 'b', 'i', 's']);

/** The tags that an author's Markdown needs for an element in running text; `null` if Markdown has an equivalent. */
export function authorTags(element: CleanElement, keepsBreaks: boolean, reader: Reader): Tags | null {
  const { tag, detail, children } = element;
  const attributes = ownAttributes(element);
  if (detail?.kind === 'math') return null;
  if (tag === 'br') return keepsBreaks ? null : { open: '<br>', close: null };
  if (detail?.kind === 'media')
    return reader === 'author-html' ? { open: `<${tag}${attributes}>`, close: `</${tag}>` } : null;
  if (detail?.kind === 'image') {
    const more = attributes.replace(/ (?:src|alt)="[^"]*"/g, '');
    return more === '' ? null : { open: `<img${attributes}>`, close: null };
  }
  if (tag === '' || (tag === 'span' && attributes === '')) return null;
  if (detail?.kind === 'link') {
    if (attributes === '' && children.length > 0) return null;
    return { open: `<a href="${escapeHtml(detail.href)}"${attributes}>`, close: '</a>' };
  }
  const isPlain = attributes === '' && (tag !== 'code' || children.every((one) => typeof one === 'string'));
  if (isPlain && (marked.has(tag) || tag === 'code')) return null;
  return { open: `<${tag}${attributes}>`, close: `</${tag}>` };
}

/** Whether Markdown has no equivalent for a block, so that its tags are written. */
export function needsTags(element: CleanElement, reader: Reader): boolean {
  const { tag, detail } = element;
  if (detail?.kind === 'table') return reader === 'author-html';
  if (detail?.kind === 'code') return false;
  if (detail?.kind === 'heading') return element.attributes !== '';
  if (detail?.kind === 'callout') return element.id !== null;
  if (tag === 'div' || tag === 'aside' || tag === 'details' || tag === 'figure' || tag === 'dl') return true;
  if (tag === 'ul' || tag === 'ol') {
    return [element, ...childElements(element)].some(
      (one) => ownAttributes(one).replace(/ start="\d{1,9}"/, '') !== '',
    );
  }
  return (tag === 'p' || tag === 'blockquote') && ownAttributes(element) !== '';
}

/** A block with its tags on separate lines; its child blocks stay Markdown. `null` if there is text directly between its tags. */
export function containerTags(
  element: CleanElement,
  reader: Reader,
): (Tags & { readonly blocks: readonly CleanNode[] }) | null {
  const { tag, children } = element;
  if (tag !== 'div' && tag !== 'aside' && tag !== 'details' && tag !== 'blockquote') return null;
  const [first] = children;
  const summary = first instanceof CleanElement && first.tag === 'summary' ? first : null;
  const blocks = summary === null ? children : children.slice(1);
  if (!blocks.every((node) => typeof node !== 'string' && !node.kind.isText)) return null;
  const head = summary === null ? '' : blockHtml(summary, reader);
  if (head === null) return null;
  const open = `<${tag}${ownAttributes(element)}>${head === '' ? '' : `\n${head}`}`;
  return { open, close: `</${tag}>`, blocks };
}

/** A block as HTML inside Markdown; `null` if it contains a player or an empty line, which would end the HTML block. */
export function blockHtml(element: CleanElement, reader: Reader): string | null {
  if (reader !== 'author-html' && hasMedia(element)) return null;
  const html = stripGenerated(writeHtml(new CleanElement('', '', null, [element]), true));
  return html.includes('\n\n') ? null : html;
}

function hasMedia(element: CleanElement): boolean {
  return (
    element.detail?.kind === 'media' ||
    element.children.some((child) => typeof child !== 'string' && hasMedia(child))
  );
}

function ownAttributes({ id, attributes }: CleanElement): string {
  return (id === null ? '' : ` id="${escapeHtml(id)}"`) + stripGenerated(attributes);
}

/** Removes generated HTML that every rendering adds. */
function stripGenerated(html: string): string {
  return html
    .replace(/ (?:loading="lazy"|role="note"|aria-label="[^"]*"|tabindex="0")/g, '')
    .replace(/ class="image-block"/g, '')
    .replace(/ class="image-block /g, ' class="');
}

const childless = new Set(['br', 'img', 'hr']);
/** Blocks that start on a new line, so that published pages have readable diffs. */
const ownLine = new Set(
  'div section article aside address blockquote figure figcaption details summary p h2 h3 h4 h5 h6 hr pre ul ol li dl dt dd table caption thead tbody tfoot tr'.split(
    ' ',
  ),
);

/** Elements whose first child starts a line, too. */
const breaksInside = new Set(['ul', 'ol', 'dl', 'table', 'thead', 'tbody', 'tfoot', 'tr']);

/** Characters of code highlighted in one body; what comes after stays plain. */
const maxHighlighted = 100_000;

/**
 * Serialises the sanitised tree; iterative, so that no depth of nesting overflows the stack.
 * @param withSources whether formulas have their TeX, of which the content stage makes them again
 */
export function writeHtml(root: CleanElement, withSources = false): string {
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
    if (node.detail?.kind === 'math') {
      const { html: mathml, tex } = node.detail;
      const source = `<annotation encoding="application/x-tex">${escapeText(tex)}</annotation>`;
      html += withSources
        ? mathml.replace(
            /(<math[^>]*>)([\s\S]*)<\/math>/,
            (_all, open: string, drawn: string) => `${open}<semantics>${drawn}${source}</semantics></math>`,
          )
        : mathml;
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
  return element.tag === '' || (isAnchor(element) && element.id === null && element.attributes === '');
}
