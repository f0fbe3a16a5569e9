/** Longest anchor made from a heading, in UTF-16 units. */
const maxLength = 80;

/**
 * Anchor made from a heading: lower case, letters and digits of every script, hyphens between; Latin diacritics are folded
 * away (U+0300–036F only, so that other scripts keep their marks). `''` when nothing is left.
 */
export function slugify(text: string): string {
  if (isAscii.test(text)) return hyphenated(text.toLowerCase().replace(/[^a-z0-9]+/g, '-'));
  // Only Latin, Greek and Cyrillic letters come apart into a letter and one of these marks.
  const folded = composed.test(text) ? text.normalize('NFD').replace(/[\u0300-\u036f]/g, '') : text;
  return hyphenated(
    folded
      .normalize('NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-'),
  );
}

/** Cuts to the longest length, and a hyphen from either end. */
function hyphenated(slug: string): string {
  return slug
    .slice(0, maxLength)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/^-|-$/g, '');
}

const isAscii = /^[\0-\x7f]*$/;
const composed = /[\u00c0-\u058f\u1e00-\u1fff]/;
