import { stripInvisible, suspicious } from '../core/invisible.ts';

/** White space that is folded: ASCII, and the spaces of typography. */
const space = '\\t\\n\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

/** Matches what {@link foldSpace} changes; most texts have none of it. One class of characters takes half the time of several alternatives. */
const needsWork = new RegExp(`[\u00ad\\t\\n\\f\\r\\u2028\\u2029${suspicious.source.slice(1)}|[${space}]{2}`);
/** Matches soft hyphens that no reader sees, next to white space or at an end. Removed only after folding, they would leave white space. */
const looseHyphens = /(?<!\S)\u00ad+|\u00ad+(?!\S)/g;
const run = new RegExp(`[${space}]+`, 'g');

/** Text as readers see it: without invisible characters, and with one space for each run of white space. A single special space stays. */
export function foldSpace(text: string): string {
  // The most common text between blocks.
  if (text === '\n') return ' ';
  if (!needsWork.test(text)) return text;
  return stripInvisible(text).replace(looseHyphens, '').replace(run, foldRun);
}

function foldRun(spaces: string): string {
  return spaces.length === 1 && spaces >= '\u00a0' && spaces !== '\u2028' && spaces !== '\u2029'
    ? spaces
    : ' ';
}

const special = new Set([
  ...'\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
]);

/** Whether the character at a position is one of the spaces that {@link foldSpace} preserves. */
export function isSpaceAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || (code >= 0xa0 && special.has(text.charAt(at)));
}

/** Removes ordinary spaces, not special ones, from both ends. */
export function trimSpaces(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) === 0x20) from++;
  while (to > from && text.charCodeAt(to - 1) === 0x20) to--;
  return text.slice(from, to);
}

/** How superscript and subscript are written in plain text. */
interface PlainScript {
  /** Characters with the same meaning, such as `₂`; `null` if there are none. */
  readonly text: string | null;
  /** Marks around the element's own text, without {@link text} or if it would lose a link or an image. */
  readonly open: string;
  readonly close: string;
}

/** Characters before a superscript that decide what it means. */
const contextLength = 12;

/** The last characters of a text plus `added`, as many as {@link plainScript} needs; takes constant time per call. */
export function endOf(before: string, added: string): string {
  return added.length >= contextLength ? added.slice(-contextLength) : (before + added).slice(-contextLength);
}

const lowered = new Map(
  [...'0123456789+-−=()'].map((sign, at) => [sign, [...'₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎'][at] ?? sign]),
);
const words = new Map([
  ['tm', '™'],
  ['sm', '℠'],
]);
const squares: Readonly<Record<string, string>> = { 2: '²', 3: '³' };
const ordinal = /^(?:st|nd|rd|th|er|ère|re|e|ème|o|a|os|as)$/i;
const number = /^[-−+]?\d+$/;
/** Matches a unit of length at the end of the text, which a square or cube may follow. */
const unit = /(?:^|[\s\d(/])(?:[kcdmµμn]?m|in|ft|yd|mi)$/;
/** Matches a product of variables at the end of the text, as in `E = mc`. Three letters after a plus or minus are a word, as in `web + app`. */
const product = /(?:[=×·]\s*\p{Ll}{2,3}|[+−]\s*\p{Ll}{2})$/u;
/** Matches the base of a power at the end of the text: 10, 2, a variable or brackets. A number in brackets is the mark of a footnote. */
const base = /(?:^|[^\p{L}\p{N}.,])(?:10|2|\p{L})$|[×*·x]10$|\)$(?<!\(\d[\d\s,;–-]*\))/u;

/**
 * Preserves the meaning of `<sup>` and `<sub>`: powers become `10^6` and `m²`, ordinals `1st`, other numbers a footnote mark `(5)`,
 * and subscripts become Unicode characters (`H₂O`) or `V_max`. Otherwise `1<sup>5</sup>` would become 15.
 * @param text of the element
 * @param before the text it follows
 */
export function plainScript(tag: 'sup' | 'sub', text: string, before: string): PlainScript {
  const trimmed = text.trim();
  if (tag === 'sub') {
    const signs = [...trimmed].map((sign) => lowered.get(sign));
    // A sign without a number may be anything: hyphens are not a minus.
    const isIndex = /\d/.test(trimmed) && signs.every((sign) => sign !== undefined);
    return marks('_', trimmed, isIndex ? signs.join('') : null);
  }
  const word = words.get(trimmed.toLowerCase());
  if (word !== undefined) return { ...plain, text: word };
  if (number.test(trimmed)) {
    const isPower = base.test(before) || unit.test(before);
    const square = squares[trimmed];
    if (square !== undefined && (isPower || product.test(before))) return marks('^', trimmed, square);
    return isPower ? marks('^', trimmed) : footnote;
  }
  // Ordinals, signs such as * and ®, and marks that already have brackets.
  if (ordinal.test(trimmed) || !/[\p{L}\p{N}]/u.test(trimmed) || /^[([].*[)\]]$/.test(trimmed)) return plain;
  if (/^[\d\s,;–-]+$/.test(trimmed)) return footnote;
  return /[\p{L}\p{N})]$/u.test(before) ? marks('^', trimmed) : plain;
}

/** The text of a `<sup>` or `<sub>` as plain text. */
export function scriptText(tag: 'sup' | 'sub', text: string, before: string): string {
  const script = plainScript(tag, text, before);
  return script.text ?? script.open + text + script.close;
}

/** A quotation (`<q>`), around which browsers draw marks. */
export function quoted(text: string): string {
  return text.trim() === '' ? text : `"${text}"`;
}

const footnote: PlainScript = { text: null, open: '(', close: ')' };
const plain: PlainScript = { text: null, open: '', close: '' };

function marks(sign: string, content: string, text: string | null = null): PlainScript {
  // The text is empty if there is nothing but an image, for example.
  if (content === '') return plain;
  const isOneWord = /^[-−+]?[\p{L}\p{N}]+$/u.test(content);
  return { text, open: isOneWord ? sign : `${sign}(`, close: isOneWord ? '' : ')' };
}
