import { hash } from 'node:crypto';

/** Class names of call-outs in editors and CSS frameworks contain one of these words. */
const calloutWord =
  /callout|alert|admonition|notice|note|tip|hint|info|important|warning|caution|danger|message-box/i;

/** Opening tags that may be those of a call-out: all but quotes need a class. */
const opening = /<(blockquote|(?:div|aside|section|p|pre|td)\b(?=[^<>]*class))\b([^<>]*)>/gi;

/** Maximum number of call-outs of a body that are read, and of opening tags that might be one. Repeated text is usually at the top. */
const maxCallouts = 16;
const maxCandidates = 64;

/** Maximum HTML length of a call-out, so that an unclosed one is not searched to the end of the body. */
const maxHtmlChars = 20_000;

/** Shorter texts are not distinctive; longer ones are article content. */
const minLetters = 15;
const maxLetters = 1000;

const paragraph = /<p\b[^<>]*>/i;

/**
 * Fingerprints of the words of the first paragraph and of the call-outs in a body, without parsing it: blocks with the same words have the same
 * fingerprint. May miss one; results are confirmed on the parsed body by {@link fingerprintWords}.
 */
export function fingerprintBlocks(html: string): readonly string[] {
  const fingerprints = new Set<string>();
  const first = paragraph.exec(html);
  if (first !== null) addFingerprint(fingerprints, html, 'p', first.index + first[0].length);
  let candidates = 0;
  opening.lastIndex = 0;
  for (let match = opening.exec(html); match !== null; match = opening.exec(html)) {
    const [, tag = '', attributes = ''] = match;
    if (tag.toLowerCase() !== 'blockquote' && !hasCalloutClass(attributes)) continue;
    candidates += 1;
    const end = addFingerprint(fingerprints, html, tag, opening.lastIndex);
    if (end !== null) opening.lastIndex = end;
    if (fingerprints.size === maxCallouts || candidates === maxCandidates) break;
  }
  return [...fingerprints];
}

/** Adds the fingerprint of an element, of which only the start is known; returns its end, or `null` if it is not closed. */
function addFingerprint(fingerprints: Set<string>, html: string, tag: string, start: number): number | null {
  const end = findEnd(html, tag, start);
  const fingerprint = end === null ? null : fingerprintWords(wordsOf(html.slice(start, end)));
  if (fingerprint !== null) fingerprints.add(fingerprint);
  return end;
}

/** Fingerprint of the letters and digits of a text, ignoring everything between them; `null` if it is too short or too long. */
export function fingerprintWords(text: string): string | null {
  if (text.length > 4 * maxLetters) return null;
  const letters = text.replaceAll(/[^\p{L}\p{N}]+/gu, '');
  return letters.length < minLetters || letters.length > maxLetters
    ? null
    : hash('sha256', letters).slice(0, 16);
}

function hasCalloutClass(attributes: string): boolean {
  const names = /(?:^|\s)class\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i.exec(attributes);
  return names !== null && calloutWord.test(names[1] ?? names[2] ?? names[3] ?? '');
}

/** End of the element that starts before an offset; `null` if it is not closed. */
function findEnd(html: string, tag: string, from: number): number | null {
  let depth = 1;
  const tags = new RegExp(`<(/?)${tag}\\b[^<>]*>`, 'gi');
  for (const match of html.slice(from, from + maxHtmlChars).matchAll(tags)) {
    depth += match[1] === '' ? 1 : -1;
    if (depth === 0) return from + match.index;
  }
  return null;
}

/** The visible words of HTML, including alt texts of images. Character references do not count as letters. */
function wordsOf(html: string): string {
  return html
    .replaceAll(/<img\b[^<>]*>/gi, (image) => /\balt\s*=\s*"([^"]*)"/i.exec(image)?.[1] ?? '')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/&(?:#\d{1,8}|#x[\da-f]{1,8}|[a-z\d]{1,32});/gi, ' ')
    .replace(/^\s*\[!(?:note|tip|important|warning|caution)\]/i, '');
}
