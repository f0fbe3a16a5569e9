/** Terms as they are defined, without regard to speed: what `templates/assets/tokens.js` gives must be the same. */

import { isLink } from '../../../src/core/search/language-words.ts';

const unspaced =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';
const words = /[\p{L}\p{N}\p{M}]+/gu;
const runs = new RegExp(`[${unspaced}]+|[^${unspaced}]+`, 'gu');
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u');
const marks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc\u00ad\u02bb-\u02bf]|\u200d|(?<![\u0600-\u06ff])\u200c/g;
const letters = new Map(
  Object.entries({
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    đ: 'd',
    ð: 'd',
    ł: 'l',
    ı: 'i',
    þ: 'th',
    ς: 'σ',
    ى: 'ی',
    ي: 'ی',
    ك: 'ک',
    ة: 'ه',
    ہ: 'ه',
    ۃ: 'ه',
    ґ: 'г',
    '\u0901': '\u0902',
  }),
);
const arabicArticle = /^(?:و|ف|ب|ک)?(?:ال|لل)(?=\p{sc=Arabic}{3})/u;

/** Each nasal of Devanagari before the consonants before which it is written as a dot. */
const nasals =
  /(?:ङ\u094d(?=[कखगघ])|ञ\u094d(?=[चछजझ])|ण\u094d(?=[टठडढ])|न\u094d(?=[तथदध])|म\u094d(?=[पफबभ]))/g;

/** The digits of a script are ten characters in order. */
function asciiDigit(digit: string): string {
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint((digit.codePointAt(0) ?? 0) - before - 1))) before += 1;
  return String(before % 10);
}

/** Lower case without marks, the whole text at once. */
export function plainFold(text: string): string {
  let folded = text.replace(/[℠™]/g, ' ').normalize('NFKD').replace(marks, '').toLowerCase();
  folded = [...folded].map((character) => letters.get(character) ?? character).join('');
  return [...folded.replace(nasals, '\u0902')]
    .map((character) =>
      /[^0-9]/.test(character) && /\p{Nd}/u.test(character) ? asciiDigit(character) : character,
    )
    .join('')
    .normalize('NFC')
    .replace(/(^|[^a-z0-9])c\+\+/g, '$1cpp')
    .replace(/(^|[^a-z0-9])([cf])#(?![a-z0-9])/g, '$1$2sharp')
    .replace(/[\u30a1-\u30f6\u30fd\u30fe]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
}

/** Words, and pairs of characters in scripts without spaces; then parts of names such as maxRetries, and words with a sign between them as one. */
export function plainTerms(text: string, isQuery: boolean): readonly string[] {
  const names = [...text.matchAll(/[\p{Ll}\p{Lu}\p{N}]+/gu)].filter(
    ([name]) => /^[a-z0-9]{1,32}$/i.test(name) && /[a-z][A-Z]/.test(name),
  );
  const parts = names.map(([name]) =>
    name.replace(/([a-z])(?=[A-Z])/g, '$1 ').replace(/([A-Z])(?=[A-Z][a-z])/g, '$1 '),
  );
  const folded = plainFold(isQuery ? text : [text, ...parts].join(' '));
  const found = [...folded.matchAll(words)].flatMap(({ 0: word, index }) =>
    [...word.matchAll(runs)].map((run) => ({ text: run[0], start: index + run.index })),
  );
  const cut = (word: string) =>
    word
      .replace(arabicArticle, '')
      .slice(0, 32)
      .replace(/[\ud800-\udbff]$/, '');
  const isLinked = (at: number): boolean => {
    const [one, two] = [found[at - 1], found[at]];
    if (one === undefined || two === undefined || [one, two].some((run) => isUnspaced.test(run.text)))
      return false;
    const end = one.start + one.text.length;
    return (
      end + 1 === two.start &&
      isLink(
        folded.charCodeAt(end),
        folded.charCodeAt(end - 1),
        folded.charCodeAt(two.start),
        one.text.length,
        two.text.length,
      )
    );
  };
  const joined = found.flatMap((_, at) => {
    if (!isLinked(at)) return [];
    const textOf = (from: number) =>
      found
        .slice(from, at + 1)
        .map((run) => run.text)
        .join('');
    return [cut(textOf(at - 1)), ...(isLinked(at - 1) ? [cut(textOf(at - 2))] : [])];
  });
  const terms = found.flatMap(({ text: run }) => {
    if (!isUnspaced.test(run)) return [cut(run)];
    const characters = run.match(/\P{M}\p{M}*|^\p{M}+/gu) ?? [];
    const pairs = characters.slice(1).map((character, at) => characters[at] + character);
    return !isQuery || characters.length === 1 ? [...pairs, characters.at(-1) ?? ''] : pairs;
  });
  return isQuery ? terms : [...terms, ...joined];
}
