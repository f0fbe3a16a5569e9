/** Longest slug made from a title, in characters. */
const maxLength = 80;

/**
 * Makes a slug from a title: lower case, letters and digits of every script, words joined by `-`.
 * Accents above Latin letters (U+0300–036F) are folded away, the rest is NFC. May be empty.
 */
export function makeSlug(title: string): string {
  const folded = title
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase();
  const words = folded.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...words.join('-')].slice(0, maxLength).join('').replace(/-+$/, '');
}
