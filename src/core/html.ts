const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\u00a0': '&nbsp;',
};

/** Escapes text for HTML and XML: between tags, and in attributes with quotes of either kind. */
export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => entities[character] as string) : text;
}

/** Escapes text between HTML tags: quotes stay readable, and no-break spaces become visible in the source. */
export function escapeText(text: string): string {
  return /[&<>\u00a0]/.test(text)
    ? text.replace(/[&<>\u00a0]/g, (character) => entities[character] as string)
    : text;
}

const characters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

const entity = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g;

/** Decodes the entities of characters that must be escaped in markup, of no-break spaces, and those with the number of a character. */
export function decodeEntities(text: string): string {
  return text.replace(entity, (_whole, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return characters[name] ?? '';
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ' ';
  });
}
