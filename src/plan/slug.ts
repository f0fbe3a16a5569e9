/** Longest slug in UTF-8 bytes: with an id before it a segment stays under the 255 bytes file systems allow. */
const maxSlugBytes = 180;

const combiningMarks = /[\u0300-\u036f]/g;
const variationSelectors = /[\ufe00-\ufe0f]/g;
const notSlugCharacters = /[^\p{L}\p{M}\p{N}]+/gu;
const reservedOnWindows = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i;

/**
 * A slug that is safe in a path and a URL, in whatever script the text is written.
 * Only U+0300–036F are folded away, the rest is NFC; everything but letters, marks and digits becomes one hyphen.
 * Gives `''` when nothing is left (an emoji, `..`).
 */
export function slugify(text: string): string {
  const folded = text.normalize('NFD').replace(combiningMarks, '').normalize('NFC');
  const hyphenated = folded
    .replace(variationSelectors, '')
    .toLowerCase()
    .replace(notSlugCharacters, '-')
    .replace(/^-|-$/g, '');
  return shorten(hyphenated);
}

/** Whether a slug from the API can be used as it stands (its own upper case is kept). */
export function isSafeSlug(slug: string): boolean {
  return slug !== '' && slugify(slug) === slug.toLowerCase();
}

/** A path segment that Windows reserves for a device (`con`, `nul`, …) gets an underscore. */
export function safeSegment(segment: string): string {
  return reservedOnWindows.test(segment) ? `${segment}_` : segment;
}

/** Cuts at a hyphen where there is one in the second half, never inside a character. */
function shorten(slug: string): string {
  if (Buffer.byteLength(slug) <= maxSlugBytes) return slug;
  let kept = '';
  let bytes = 0;
  for (const character of slug) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxSlugBytes) break;
    kept += character;
  }
  const hyphen = kept.lastIndexOf('-');
  return hyphen > kept.length / 2 ? kept.slice(0, hyphen) : kept.replace(/-$/, '');
}
