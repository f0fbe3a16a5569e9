import { parseFragment } from 'parse5';

/** Start of an element or comment whose text is skipped. */
const skippedStart = /<(script|style|template|noscript)\b|<!--/gi;
const blockEnd =
  /<\/?(?:address|article|aside|blockquote|br|caption|dd|details|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)\b[^<>]*>/gi;
const tag = /<\/?[a-z][^<>]*>/gi;

/**
 * Plain text of an HTML body, one block per line, for search and the service's chatbot source page: a fraction of the time
 * that {@link import('./transform.ts').transform} takes. This is no sanitiser: escape the result wherever it becomes HTML again.
 */
export function htmlToText(html: string): string {
  return dropSkipped(html)
    .replace(blockEnd, '\n')
    .replace(tag, '')
    .replace(/&(?:#x?[0-9a-f]+|[a-z][a-z0-9]*);?/gi, decodeReference)
    .replaceAll('\u00ad', '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\n ]*/g, '\n')
    .trim();
}

/** Removes skipped elements in one pass: every search begins where the last one ended. */
function dropSkipped(html: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    skippedStart.lastIndex = from;
    const start = skippedStart.exec(html);
    if (!start) return kept + html.slice(from);
    kept += `${html.slice(from, start.index)} `;
    const end = start[1] === undefined ? /-->/g : new RegExp(`</${start[1]}[^<>]*>`, 'gi');
    end.lastIndex = start.index + start[0].length;
    if (!end.exec(html)) return kept;
    from = end.lastIndex;
  }
}

/** Decoded character references: few distinct ones occur in a knowledge base. */
const decoded = new Map<string, string>();
const mostDecoded = 3000;

/** Decodes as a browser does, references without a semicolon too; what is no reference stays as it is. */
function decodeReference(reference: string): string {
  // The longest name has 32 characters.
  if (reference.length > 34) return reference;
  let text = decoded.get(reference);
  if (text === undefined) {
    const [node] = parseFragment(reference).childNodes;
    text = node !== undefined && 'value' in node ? node.value : reference;
    if (decoded.size < mostDecoded) decoded.set(reference, text);
  }
  return text;
}
