// How text becomes search terms. The build and the browser both load this very file, so that what is indexed is what is asked for.

/** Scripts written without spaces, or with spaces that do not divide what readers search for. */
const unspaced =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';
const words = /[\p{L}\p{N}\p{M}]+/gu;
const runs = new RegExp(`[${unspaced}]+|[^${unspaced}]+`, 'gu');
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u');
const hasUnspaced = new RegExp(`[${unspaced}]`, 'u');
/** Below this character no script is written without spaces, and none has an article to take off. */
const firstArabic = '\u0600';

/** Accents (Latin, Greek, Cyrillic), vowel signs of Arabic and Hebrew, the Arabic stretching sign. */
const marks = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]/g;
const letters = {
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
};
const letter = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');
const arabicArticle = /^(?:و|ف|ب|ک)?(?:ال|لل)(?=\p{sc=Arabic}{3})/u;

/** Longer words are keys and hashes; their beginning is enough to find them. */
const maxLength = 32;

/** Lower case without accents; letters that readers type in more than one way become one. */
export function fold(text) {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(letter, (character) => letters[character])
    .normalize('NFC');
}

/**
 * Terms of a text: words, and overlapping pairs of characters in scripts without spaces.
 * A run's last character is a term of its own (every character then begins a term, and can be searched for alone), but
 * not in a query, where it would say nothing new.
 */
export function tokenize(text, isQuery = false) {
  const terms = [];
  for (const word of fold(text).match(words) ?? []) {
    if (word < firstArabic && !hasUnspaced.test(word)) {
      terms.push(word.slice(0, maxLength));
      continue;
    }
    for (const run of word.match(runs) ?? []) {
      if (!isUnspaced.test(run)) {
        terms.push(run.replace(arabicArticle, '').slice(0, maxLength));
        continue;
      }
      const characters = [...run];
      for (let at = 0; at + 1 < characters.length; at += 1) terms.push(characters[at] + characters[at + 1]);
      if (!isQuery || characters.length === 1) terms.push(characters.at(-1));
    }
  }
  return terms;
}

/** Whether a term is a pair (or single character) of a script without spaces: no typing errors or endings there. */
export function isPair(term) {
  return isUnspaced.test(term);
}

/** Places in a text (start and end offsets, in order, not overlapping) where one of the terms stands. */
export function findTerms(text, terms) {
  const places = [];
  const add = (start, end) => {
    const last = places.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else places.push([start, end]);
  };
  for (const { 0: word, index } of text.matchAll(words)) {
    let at = index;
    for (const [run] of word.matchAll(runs)) {
      if (isUnspaced.test(run)) {
        const characters = [...run];
        let start = at;
        characters.forEach((character, position) => {
          const next = characters[position + 1];
          if (next && terms.has(fold(character + next))) add(start, start + character.length + next.length);
          else if (terms.has(fold(character))) add(start, start + character.length);
          start += character.length;
        });
      } else if (tokenize(run).some((term) => terms.has(term))) add(at, at + run.length);
      at += run.length;
    }
  }
  return places;
}
