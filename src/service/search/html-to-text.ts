/** What begins a piece whose text is not read. */
const unreadStart = /<(script|style|template|noscript)\b|<!--/gi;
const blockEnd =
  /<\/?(?:address|article|aside|blockquote|br|caption|dd|details|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)\b[^<>]*>/gi;
const tag = /<\/?[a-z][^<>]*>/gi;

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
};

/**
 * The words of an HTML body, one block per line, for search and the chatbot source page. This is no sanitiser: its
 * result is text and must be escaped wherever it becomes HTML again.
 */
export function htmlToText(html: string): string {
  return dropUnread(html)
    .replace(blockEnd, '\n')
    .replace(tag, '')
    .replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, decodeEntity)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\n ]*/g, '\n')
    .trim();
}

/** In one pass over the text, whatever it holds: every search begins where the last one ended. */
function dropUnread(html: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    unreadStart.lastIndex = from;
    const start = unreadStart.exec(html);
    if (!start) return kept + html.slice(from);
    kept += `${html.slice(from, start.index)} `;
    const end = start[1] === undefined ? /-->/g : new RegExp(`</${start[1]}[^<>]*>`, 'gi');
    end.lastIndex = start.index + start[0].length;
    if (!end.exec(html)) return kept;
    from = end.lastIndex;
  }
}

function decodeEntity(
  whole: string,
  hex: string | undefined,
  decimal: string | undefined,
  name: string | undefined,
) {
  if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
