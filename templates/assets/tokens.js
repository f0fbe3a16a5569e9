// Converts text to search terms. The build and the browser load the same file, so that index and queries match.

/** Scripts written without spaces, or with spaces that do not divide what readers search for. */
const unspaced =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';
const words = /[\p{L}\p{N}\p{M}\u00ad]+/gu;
const runs = new RegExp(`[${unspaced}]+|[^${unspaced}]+`, 'gu');
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u');
const isWord = /^[\p{L}\p{N}\p{M}]/u;
/** Scripts below this character have no article to remove. */
const firstArabic = '\u0600';

/** Soft hyphens, accents (Latin, Greek, Cyrillic), vowel signs of Arabic and Hebrew, the Arabic stretching sign. */
const marks = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670\u00ad]/g;
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

/** Longer words are keys and hashes; their start is enough to find them. */
const maxLength = 32;

/**
 * Characters that fold to the same result whatever precedes them, because they include no combining marks: ASCII, kana and Han, which only
 * lose upper case, and characters that folding may change without removing them: Latin, Greek and Cyrillic letters, punctuation, symbols.
 */
const constant = '\\0-\\x7f\\u3001-\\u3029\\u3041-\\u3096\\u30a1-\\u30fe\\u4e00-\\u9fff';
const changing =
  '\\x80-\\xac\\xae-\\u02ff\\u0370-\\u0482\\u2010-\\u2027\\u2030-\\u205e\\u2190-\\u2bff\\uff01-\\uff5e';
/** A piece of text that is folded separately: one of those characters, or a run of others with the character before it. */
const pieces = new RegExp(`[${changing}]|[${constant}]?[^${constant}${changing}]+`, 'g');
/** Cache of folded single characters. */
const foldedCharacters = new Map();

/** Lower case without accents; letters that readers type in several ways become one. */
export function fold(text) {
  const isAscii = /^[\x00-\x7f]*$/.test(text);
  return (isAscii ? text : text.replace(pieces, foldPiece)).toLowerCase();
}

function foldPiece(piece) {
  if (piece.length > 1) return foldWhole(piece);
  let folded = foldedCharacters.get(piece);
  if (folded === undefined) {
    folded = foldWhole(piece);
    foldedCharacters.set(piece, folded);
  }
  return folded;
}

/** Folds any text (the definition of folding). */
function foldWhole(text) {
  return text
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(letter, (character) => letters[character])
    .normalize('NFC');
}

/** Kinds of characters; 0 means unknown yet. */
const between = 1;
const spaced = 2;
const paired = 3;
/** Kinds by UTF-16 unit, filled on demand. */
const kinds = new Uint8Array(0x10000);

function kindOf(character) {
  if (!isWord.test(character)) return between;
  return isUnspaced.test(character) ? paired : spaced;
}

/** The characters of a text, each with the vowel and tone signs written on it: pairs of letters alone say little in Thai. */
export function charactersOf(text) {
  return text.match(/.\p{M}*/gsu) ?? [];
}

/** Whether words of a language mostly have two syllables with a space between them, and marks distinguish words: Vietnamese. */
export const hasSyllables = (language) => /^vi\b/i.test(language);

/**
 * Terms of a text: words, and overlapping pairs of characters in scripts without spaces. The last character of a run is also a term, so
 * that every character starts a term and can be found alone. Not in a query, where it would add nothing. If the language of the text is
 * given, it counts.
 */
export function tokenize(text, isQuery = false, language = '') {
  if (hasSyllables(language)) return tokenizeSyllables(text, isQuery);
  const terms = [];
  const characters = fold(text);
  let start = 0;
  let runKind = between;
  for (let at = 0, next = 0; at < characters.length; at = next) {
    next = at + 1;
    let kind = kinds[characters.charCodeAt(at)];
    if (kind === 0) {
      next = at + widthAt(characters, at);
      kind = kindOf(characters.slice(at, next));
      if (!isSurrogate(characters, at)) kinds[characters.charCodeAt(at)] = kind;
    }
    if (kind === runKind) continue;
    if (runKind !== between) addRun(terms, characters.slice(start, at), runKind, isQuery);
    start = at;
    runKind = kind;
  }
  if (runKind !== between) addRun(terms, characters.slice(start), runKind, isQuery);
  return terms;
}

/**
 * Terms of a language with syllables: each syllable with its marks and without, and each two adjacent ones without, with a space between
 * them. A query has its syllables only as they are typed, because "được" (passive) is not "dược" (medicine).
 */
function tokenizeSyllables(text, isQuery) {
  const terms = [];
  let previous = null;
  let end = 0;
  for (const { 0: word, index } of text.matchAll(words)) {
    const folded = tokenize(word, isQuery);
    const lower = word.normalize('NFC').toLowerCase();
    const written = lower.length > maxLength ? cut(lower) : lower;
    const isSyllable = folded.length === 1;
    if (!isSyllable || written === folded[0]) terms.push(...folded);
    else terms.push(...(isQuery ? [] : folded), written);
    if (isSyllable && previous !== null && /^\s+$/.test(text.slice(end, index)))
      terms.push(`${previous} ${folded[0]}`);
    previous = isSyllable ? folded[0] : null;
    end = index + word.length;
  }
  return terms;
}

/** Adds the terms of a run of characters of one kind. */
function addRun(terms, run, kind, isQuery) {
  if (kind === spaced) {
    const word = run < firstArabic ? run : run.replace(arabicArticle, '');
    terms.push(word.length > maxLength ? cut(word) : word);
    return;
  }
  const characters = charactersOf(run);
  const last = characters.length - 1;
  for (let at = 0; at < last; at += 1) terms.push(characters[at] + characters[at + 1]);
  if (!isQuery || last === 0) terms.push(characters[last]);
}

/** The start of a long word, without splitting a surrogate pair. */
function cut(word) {
  return word.slice(0, maxLength + 1 - widthAt(word, maxLength - 1));
}

/** UTF-16 units of the character at a position. */
function widthAt(text, at) {
  return text.codePointAt(at) > 0xffff ? 2 : 1;
}

/** Whether the position is at half a surrogate pair. */
function isSurrogate(text, at) {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** Whether a term is a pair (or single character) of a script without spaces or of syllables, which has no typing errors or endings. */
export function isPair(term) {
  return isUnspaced.test(term) || term.includes(' ');
}

/** Ranges of a text (start and end offsets, sorted, not overlapping) that match one of the terms. */
export function findTerms(text, terms) {
  const ranges = [];
  const add = (start, end) => {
    const last = ranges.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  };
  for (const { 0: word, index } of text.matchAll(words)) {
    let at = index;
    for (const [run] of word.matchAll(runs)) {
      if (isUnspaced.test(run)) {
        const characters = charactersOf(run);
        let start = at;
        characters.forEach((character, position) => {
          const next = characters[position + 1];
          if (next && terms.has(fold(character + next))) add(start, start + character.length + next.length);
          else if (terms.has(fold(character))) add(start, start + character.length);
          start += character.length;
        });
      } else if ([run.normalize('NFC').toLowerCase(), ...tokenize(run)].some((term) => terms.has(term)))
        add(at, at + run.length);
      at += run.length;
    }
  }
  return ranges;
}
