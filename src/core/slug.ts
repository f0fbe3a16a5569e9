/** Longest slug of a heading or a record, in UTF-16 units; paths have their own limit, in bytes. */
const maxLength = 80;

/** The slug of a heading, or of a record of the service: see {@link hyphenate}, cut to 80 UTF-16 units. */
export function slugify(text: string): string {
  const slug = hyphenate(text);
  if (slug.length <= maxLength) return slug;
  // The slug must not end in half a surrogate pair or a hyphen.
  return trimHyphens(slug.slice(0, maxLength).replace(/[\ud800-\udbff]$/, ''));
}

/**
 * The rule for all slugs: lower case, letters and digits of every script, separated by hyphens. Only U+0300–036F are removed (accents of
 * Latin, Greek and Cyrillic letters), the rest is NFC. Soft hyphens do not separate. `''` if nothing is left.
 */
export function hyphenate(text: string): string {
  if (isAscii.test(text)) return trimHyphens(text.toLowerCase().replace(/[^a-z0-9]+/g, '-'));
  const folded = composed.test(text) ? text.normalize('NFD').replace(/[\u0300-\u036f]/g, '') : text;
  return trimHyphens(
    folded
      .normalize('NFC')
      .replace(/\u00ad|[\ufe00-\ufe0f]/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-'),
  );
}

/** The id that GitHub, and most site generators, give a heading with this text: `What's new in v1.2?` → `whats-new-in-v12`. */
export function gitHubId(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

function trimHyphens(slug: string): string {
  return slug.replace(/^-|-$/g, '');
}

const isAscii = /^[\0-\x7f]*$/;

/** Letters that may be decomposed into a letter and an accent: only Latin, Greek and Cyrillic. */
const composed = /[\u00c0-\u058f\u1e00-\u1fff]/;
