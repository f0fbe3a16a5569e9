/** Letters that mean the same to a searcher and that Unicode does not decompose. */
const sameLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
  ى: 'ي',
  ة: 'ه',
  ک: 'ك',
  ی: 'ي',
};
const sameLetter = new RegExp(`[${Object.keys(sameLetters).join('')}]`, 'g');

/** Latin, Greek and Cyrillic accents; Hebrew and Arabic vowel signs; the Arabic lengthening stroke. */
const accents =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;

/**
 * Folds away what does not matter in a search: case, width, ligatures, accents and vowel signs. Marks that spell a
 * word (Devanagari, Thai, the Japanese voicing marks) stay.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(accents, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(sameLetter, (letter) => sameLetters[letter] ?? letter);
}
