/** Terms as they are defined, without regard to speed: what `templates/assets/tokens.js` gives must be the same. */

const unspaced =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';
const words = /[\p{L}\p{N}\p{M}]+/gu;
const runs = new RegExp(`[${unspaced}]+|[^${unspaced}]+`, 'gu');
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u');
const marks = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670\u00ad]/g;
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
  }),
);
const arabicArticle = /^(?:و|ف|ب|ک)?(?:ال|لل)(?=\p{sc=Arabic}{3})/u;

/** Lower case without marks, the whole text at once. */
export function plainFold(text: string): string {
  const lower = text.normalize('NFKD').replace(marks, '').toLowerCase();
  return [...lower]
    .map((character) => letters.get(character) ?? character)
    .join('')
    .normalize('NFC');
}

/** Words, and pairs of characters in scripts without spaces. */
export function plainTerms(text: string, isQuery: boolean): readonly string[] {
  const found = plainFold(text).match(words) ?? [];
  return found
    .flatMap((word) => word.match(runs) ?? [])
    .flatMap((run) => {
      if (!isUnspaced.test(run)) {
        const word = run.replace(arabicArticle, '').slice(0, 32);
        return [word.replace(/[\ud800-\udbff]$/, '')];
      }
      const characters = run.match(/\P{M}\p{M}*|^\p{M}+/gu) ?? [];
      const pairs = characters.slice(1).map((character, at) => characters[at] + character);
      return !isQuery || characters.length === 1 ? [...pairs, characters.at(-1) ?? ''] : pairs;
    });
}
