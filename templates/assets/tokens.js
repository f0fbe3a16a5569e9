// Converts text to search terms. The build and the browser load the same file, so that index and queries match.

/** Scripts written without spaces, or with spaces that do not divide what readers search for. */
const unspaced =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';
const words = /(?<![a-z0-9])(?:c\+\+\d*|[cf]#(?![a-z0-9]))|[\p{L}\p{N}\p{M}\u00ad]+/giu;
const runs = new RegExp(`[${unspaced}]+|[^${unspaced}]+`, 'gu');
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u');
const isWord = /^[\p{L}\p{N}\p{M}]/u;
/** Scripts below this character have no article to remove. */
const firstArabic = '\u0600';

/**
 * Soft hyphens, accents (Latin, Greek, Cyrillic), vowel signs of Arabic and Hebrew, the Arabic stretching sign, dots below letters of India,
 * apostrophes that Unicode counts as letters, and joiners. The non-joiner of Persian stays, because many write a space instead.
 */
const marks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc\u00ad\u02bb-\u02bf]|\u200d|(?<![\u0600-\u06ff])\u200c/g;
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
  ہ: 'ه',
  ۃ: 'ه',
  ґ: 'г',
  '\u0901': '\u0902',
};
const letter = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');
const arabicArticle = /^(?:و|ف|ب|ک)?(?:ال|لل)(?=\p{sc=Arabic}{3})/u;

/** Signs after a name, which would become letters of it. */
const tradeMarks = /[\u2120\u2122]/g;
/** Folded names of programming languages whose signs are a part of the name; readers also type cpp and csharp. */
const signedNames = /(?<![a-z0-9])(?:c\+\+([a-z]?)|[cf]#(?![a-z0-9]))/g;

/** A nasal before a consonant of its own class, which writers of Hindi and Marathi shorten to a dot: हिन्दी, हिंदी. */
const nasals = /ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])/g;
/** Decimal digits other than ASCII. */
const digits = /(?![0-9])\p{Nd}/gu;
const isDigit = /^\p{Nd}/u;
/** Katakana, each of which has a hiragana 96 characters before it. */
const katakana = /[\u30a1-\u30f6\u30fd\u30fe]+/g;

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

/** Lower case without accents; letters and names that readers type in several ways become one. */
export function fold(text) {
  const isAscii = /^[\x00-\x7f]*$/.test(text);
  const folded = isAscii
    ? text.toLowerCase()
    : text.replace(pieces, foldPiece).toLowerCase().replace(katakana, toHiragana);
  // C++Builder is two words.
  return folded.replace(signedNames, (name, next) =>
    next ? `cpp ${next}` : name.replace('++', 'pp').replace('#', 'sharp'),
  );
}

function toHiragana(run) {
  return String.fromCharCode(...Array.from(run, (character) => character.charCodeAt(0) - 0x60));
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
    .replace(tradeMarks, ' ')
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(letter, (character) => letters[character])
    .replace(nasals, 'ं')
    .replace(digits, toAscii)
    .normalize('NFC');
}

/** The digits of a script are ten characters in order. */
function toAscii(digit) {
  let before = 0;
  while (isDigit.test(String.fromCodePoint(digit.codePointAt(0) - before - 1))) before += 1;
  return String(before % 10);
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

/** UTF-16 units of signs between words. */
const hyphens = new Set([0x2d, 0x5be, 0x2010, 0x2011, 0x200c]);
const quotes = new Set([0x22, 0x5f3, 0x5f4]);
const apostrophes = new Set([0x27, 0x2019]);
const [dot, middleDot, ampersand, slash] = [0x2e, 0xb7, 0x26, 0x2f];
/** Signs between groups of three digits, folded; the last one is Arabic. */
const separators = new Set([0x20, dot, 0x2c, 0x66c]);
const digitsPerGroup = 3;
const [letterO, lastDigit, firstGreek, firstHebrew, lastHebrew] = [0x6f, 0x39, 0x370, 0x5d0, 0x5ea];
/** Lengths of verbs after an apostrophe, by their first letter: 'd, 'm, 'll, 're, 've. */
const shortVerbs = new Map([
  [0x64, 1],
  [0x6d, 1],
  [0x6c, 2],
  [0x72, 2],
  [0x76, 2],
]);
/** Longest ending after an apostrophe (don't) or a dot (Node.js), and longest part of an abbreviation (R&D, TCP/IP). */
const maxEnding = 3;
const maxSuffix = 4;
const maxInitials = 3;

/**
 * Whether readers also write two folded words with a sign between them as one: Wi-Fi, don't, Node.js, AT&T, col·lecció, 1,500, 1 500, and the
 * Persian non-joiner. French l'article is two words.
 * @param sign between the words; `last` and `first` are the units beside it, `before` and `after` the lengths of the words
 */
export function isLink(sign, last, first, before, after) {
  if (hyphens.has(sign) || sign === middleDot) return true;
  if (apostrophes.has(sign)) {
    // Of I'd, we'll, we're and they've, readers do not write one word, and others are id, well and were.
    const isVerb = shortVerbs.get(first) === after;
    return (after <= maxEnding && !isVerb) || first >= firstGreek || (before === 1 && last === letterO);
  }
  if (separators.has(sign) && last <= lastDigit && first <= lastDigit)
    return before <= digitsPerGroup && after === digitsPerGroup;
  if (sign === dot) return last > lastDigit && first > lastDigit && after <= maxSuffix;
  if (sign === ampersand || sign === slash) return before <= maxInitials && after <= maxInitials;
  return quotes.has(sign) && last >= firstHebrew && last <= lastHebrew;
}

/** Words short enough for names such as maxRetries and parseJSONText, what makes a word such a name, and where its parts begin. */
const names = /(?<![\p{Ll}\p{Lu}\p{N}])[A-Za-z0-9]{1,32}(?![\p{Ll}\p{Lu}\p{N}])/gu;
const capital = /[a-z][A-Z]/;
const humps = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

/** A text, and after it the parts of its names. */
export function withParts(text) {
  if (!capital.test(text)) return text;
  const found = (text.match(names) ?? []).filter((name) => capital.test(name));
  return [text, ...found.flatMap((name) => name.split(humps))].join(' ');
}

/**
 * Terms of a text: words, and overlapping pairs of characters in scripts without spaces. The last character of a run is also a term, so
 * that every character starts a term and can be found alone; then the parts of names such as maxRetries; after all of these, two or three words
 * that are also written as one (see `isLink`). None of them is in a query, where it would add nothing. If the language of the text is given, it
 * counts.
 */
export function tokenize(text, isQuery = false, language = '') {
  if (hasSyllables(language)) return tokenizeSyllables(text, isQuery);
  const terms = [];
  const joined = [];
  const characters = fold(isQuery ? text : withParts(text));
  let start = 0;
  let runKind = between;
  // The last word, and the one before it if they are linked.
  let [wordStart, wordEnd, linkedStart, linkedEnd] = [-1, -1, -1, -1];
  const endRun = (end) => {
    if (runKind === between) return;
    addRun(terms, characters.slice(start, end), runKind, isQuery);
    if (isQuery || runKind === paired) return;
    if (wordEnd !== start - 1 || !areLinked(characters, wordStart, wordEnd, start, end)) linkedStart = -1;
    else {
      const two = characters.slice(wordStart, wordEnd) + characters.slice(start, end);
      addRun(joined, two, spaced, isQuery);
      if (linkedStart >= 0) addRun(joined, characters.slice(linkedStart, linkedEnd) + two, spaced, isQuery);
      [linkedStart, linkedEnd] = [wordStart, wordEnd];
    }
    [wordStart, wordEnd] = [start, end];
  };
  for (let at = 0, next = 0; at < characters.length; at = next) {
    next = at + 1;
    let kind = kinds[characters.charCodeAt(at)];
    if (kind === 0) {
      next = at + widthAt(characters, at);
      kind = kindOf(characters.slice(at, next));
      if (!isSurrogate(characters, at)) kinds[characters.charCodeAt(at)] = kind;
    }
    if (kind === runKind) continue;
    endRun(at);
    start = at;
    runKind = kind;
  }
  endRun(characters.length);
  return joined.length === 0 ? terms : terms.concat(joined);
}

function areLinked(text, wordStart, wordEnd, start, end) {
  if (wordStart < 0) return false;
  const [sign, last, first] = [wordEnd, wordEnd - 1, start].map((at) => text.charCodeAt(at));
  return isLink(sign, last, first, wordEnd - wordStart, end - start);
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
    const lower = word.normalize('NFC').toLowerCase();
    const folded = tokenize(lower, isQuery);
    const written = lower.length > maxLength ? cut(lower) : lower;
    const isSyllable = folded.length === 1;
    if (!isSyllable || written === folded[0]) terms.push(...folded);
    else terms.push(...(isQuery ? [] : folded), written);
    const gap = text.slice(end, index);
    if (isSyllable && previous !== null && /^\s+$/.test(gap)) terms.push(`${previous} ${folded[0]}`);
    // Words of other languages, such as Wi-Fi.
    if (isSyllable && previous !== null && gap === '-' && !isQuery) terms.push(previous + folded[0]);
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
    let range = [start, end];
    while (ranges.length > 0 && range[0] <= ranges.at(-1)[1]) {
      const last = ranges.pop();
      range = [Math.min(last[0], range[0]), Math.max(last[1], range[1])];
    }
    ranges.push(range);
  };
  let wordEnd = -1;
  let wordStart = 0;
  /** Starts of the two words before, if there is one sign after each. */
  let starts = [];
  for (const { 0: word, index } of text.matchAll(words)) {
    const isNext = index > 0 && wordEnd === index - 1 && (/\S/.test(text[wordEnd]) || isDigit.test(word));
    starts = isNext ? [...starts, wordStart].slice(-2) : [];
    // Two or three words with one sign between them may be written as one: two have three terms, and three have six.
    starts.forEach((start, at) => {
      const own = tokenize(fold(text.slice(start, index + word.length)));
      const isWhole = own.length === (starts.length - at === 1 ? 3 : 6);
      if (isWhole && !isPair(own[0]) && terms.has(own.at(-1))) add(start, index + word.length);
    });
    [wordStart, wordEnd] = [index, index + word.length];
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

/** How readers type letters that their keyboard lacks, by language: `loeschen` for `löschen`, after folding `loschen`. */
const spellings = [
  [/^de\b/i, /(?<![aeq])([aou])e/g],
  [/^(?:da|nb|nn|no|sv|fi)\b/i, /(?<![aeq])([ao])e|(a)a/g],
];

/** Other spellings of a word of a query, if the language has any: folded, as in the index. */
export function spellingsOf(word, language) {
  const found = spellings.filter(([tag]) => tag.test(language));
  return found
    .map(([, pattern]) => word.replace(pattern, (_, first, second) => first ?? second))
    .filter((spelling) => spelling !== word);
}

/**
 * Adjacent words of a query that texts may have as one: "check sum", "wi fi", and initials: "u s a".
 * @returns for each, its words and the term
 */
export function joinsOf(typed) {
  const joins = [];
  for (let at = 1; at < typed.length; at += 1) {
    const pair = typed.slice(at - 1, at + 1);
    if (!pair.some(isPair)) joins.push([pair, pair.join('')]);
  }
  const rest = typed.findIndex((word) => word.length > 1 || isPair(word));
  const initials = typed.slice(0, rest < 0 ? typed.length : rest);
  if (initials.length > 2) joins.push([initials, initials.join('')]);
  return joins;
}
