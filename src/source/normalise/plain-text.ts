/** The entities that stand for characters which cannot be written plainly in markup, and the blank that pastes bring along. */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

const entity = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g;

/** Controls, line and paragraph separators, direction overrides, byte order marks, non-characters and half characters. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\u202d\u202e\ufeff\ufff9-\uffff]+/gu;

/**
 * A one-line text as the API gives it, ready to be shown: no control characters, white space folded, and entities
 * decoded only where the text is certainly escaped, that is where it has entities and no character that escaping would
 * have replaced. `''` when nothing is left.
 */
export function plainText(value: string): string {
  return decodeEntities(value).replaceAll(unprintable, ' ').replaceAll(/\s+/g, ' ').trim();
}

function decodeEntities(value: string): string {
  if (
    !value.includes('&') ||
    /[<>]|&(?!(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)/.test(value)
  ) {
    return value;
  }
  return value.replaceAll(entity, (_whole, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return named[name] ?? '';
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ' ';
  });
}
