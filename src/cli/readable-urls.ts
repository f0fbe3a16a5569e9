import { decodeUrlLetters } from '../core/addresses.ts';

/** Longest URL that is shown whole, in characters. */
const shownLength = 100;

/**
 * Makes the URLs in a message readable: `%D8%A8` becomes `ب`, and what is still long then loses its middle. Decoded URLs work in a browser,
 * because only letters are decoded; the cut ones are whole in `--report` and `--json`.
 */
export function readableUrls(text: string): string {
  return text
    .split(/(\s+)/)
    .map((word) => (/%[\da-f]{2}/i.test(word) ? shorten(decodeUrlLetters(word)) : word))
    .join('');
}

function shorten(url: string): string {
  const signs = [...url];
  if (signs.length <= shownLength) return url;
  return `${signs.slice(0, 60).join('')}…${signs.slice(-30).join('')}`;
}
