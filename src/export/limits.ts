import type { ItemProblem } from './target.ts';

/** Bytes of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text);
}

/**
 * Shortens a text to a number of UTF-16 units, of which the last is `…`; never between the halves of a character.
 */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Leaves fields out, in the order given, until the JSON of the rest keeps within a number of bytes.
 * @param wrap makes what counts of the fields
 * @returns the remaining fields, with a problem for each that was dropped; `null`: the required fields alone are too large
 */
export function dropUntilFits<T extends object>(
  fields: T,
  droppable: readonly (keyof T & string)[],
  maxBytes: number,
  wrap: (fields: Partial<T>) => string,
): { readonly text: string; readonly problems: readonly ItemProblem[] } | null {
  const problems: ItemProblem[] = [];
  const rest: Partial<T> = { ...fields };
  let text = wrap(rest);
  for (const name of droppable) {
    if (utf8Bytes(text) <= maxBytes) break;
    if (!(name in rest)) continue;
    delete rest[name];
    text = wrap(rest);
    problems.push(shortened(`${name} was dropped: the metadata would exceed ${maxBytes} bytes`));
  }
  return utf8Bytes(text) <= maxBytes ? { text, problems } : null;
}

/** A field that was made to fit. */
export function shortened(message: string): ItemProblem {
  return { code: 'EXPORT_FIELD_SHORTENED', message };
}

/** An item that does not fit. @param rule e.g. `a file is at most 50000000 bytes` */
export function tooLarge(id: string, bytes: number, rule: string): ItemProblem {
  return { code: 'EXPORT_TOO_LARGE', message: `${id} has ${bytes} bytes; ${rule}` };
}
