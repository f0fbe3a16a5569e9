import { escapeHtml } from '../../foundation/html.ts';
import { contentModels } from '../policy/elements.ts';
import { CleanElement, type CleanNode } from '../tree/clean-tree.ts';
import { writeHtml } from './write-html.ts';

/**
 * Who reads the Markdown: visitors of the site and programs, or an author, who gets HTML for what Markdown has no form for;
 * `author-html`: tables and players, too.
 */
export type Reader = 'site' | 'author' | 'author-html';

/** Start and end tag of an element in running text; an element without content has no end tag. */
export interface Tags {
  readonly open: string;
  readonly close: string | null;
}

const marked = new Set(['strong', 'em', 'del', 'b', 'i', 's']);

/** The tags a writer's Markdown needs for an element in running text; `null` where Markdown has a form for it. */
export function authorTags(element: CleanElement, keepsBreaks: boolean, reader: Reader): Tags | null {
  const { tag, detail, children } = element;
  const attributes = ownAttributes(element);
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

/** Whether Markdown has no form for a block, so that its tags are written. */
export function needsTags(element: CleanElement, reader: Reader): boolean {
  const { tag, detail, children } = element;
  if (detail?.kind === 'table') return reader === 'author-html';
  if (detail?.kind === 'code') return false;
  if (detail?.kind === 'heading') return element.attributes !== '';
  if (detail?.kind === 'callout') return element.id !== null;
  if (tag === 'div' || tag === 'aside' || tag === 'details' || tag === 'figure' || tag === 'dl') return true;
  if (tag === 'ul' || tag === 'ol') {
    const items = children.filter((item) => item instanceof CleanElement);
    return [element, ...items].some((one) => ownAttributes(one).replace(/ start="\d{1,9}"/, '') !== '');
  }
  return (tag === 'p' || tag === 'blockquote') && ownAttributes(element) !== '';
}

/** A block as tags on lines of their own around its blocks, which stay Markdown; `null` if there is text between its tags. */
export function containerTags(
  element: CleanElement,
  reader: Reader,
): (Tags & { readonly blocks: readonly CleanNode[] }) | null {
  const { tag, children } = element;
  if (tag !== 'div' && tag !== 'aside' && tag !== 'details' && tag !== 'blockquote') return null;
  const [first] = children;
  const summary = first instanceof CleanElement && first.tag === 'summary' ? first : null;
  const blocks = summary === null ? children : children.slice(1);
  if (!blocks.every((node) => typeof node !== 'string' && !isRunningText(node))) return null;
  const head = summary === null ? '' : blockHtml(summary, reader);
  if (head === null) return null;
  const open = `<${tag}${ownAttributes(element)}>${head === '' ? '' : `\n${head}`}`;
  return { open, close: `</${tag}>`, blocks };
}

/** A block as HTML that Markdown passes through; `null` where it holds an empty line, which would end it, or a player. */
export function blockHtml(element: CleanElement, reader: Reader): string | null {
  if (reader !== 'author-html' && hasMedia(element)) return null;
  const root = new CleanElement('', '', null);
  root.children = [element];
  const html = stripGenerated(writeHtml(root));
  return html.includes('\n\n') ? null : html;
}

/** Whether a node is running text and no block. */
export function isRunningText(element: CleanElement): boolean {
  return contentModels.get(element.tag)?.role === 'text';
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

/** Takes off what every rendering adds by itself. */
function stripGenerated(html: string): string {
  return html
    .replace(/ (?:loading="lazy"|role="note"|aria-label="[^"]*"|tabindex="0")/g, '')
    .replace(/ class="image-block"/g, '')
    .replace(/ class="image-block /g, ' class="');
}
