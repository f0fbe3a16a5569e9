import { doubleSlots, firstHash, hashPrime } from '../../core/hash-slots.ts';
import {
  charactersOf,
  fold,
  hasSyllables,
  isLink,
  isPair,
  tokenize,
} from '../../core/search/language-words.ts';

/** Matches a character that is folded together with those around it. All others are folded one by one, without a copy of the text. */
const unfoldable =
  /[^\0-\xac\xae-\u02ff\u0370-\u0482\u2010-\u2027\u2030-\u205e\u2190-\u2bff\u3001-\u3029\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fff\uff01-\uff5e]/;

/** The documents with a word, in order: `document * 256 + times`, where `times` is at most 255. */
type Postings = Uint32Array;

/** Kinds of a UTF-16 unit; 0: not known yet. What is `unusual` is left to the tokenizer. */
const between = 1;
const spaced = 2;
const paired = 3;
const unusual = 4;
const kinds = new Uint8Array(0x10000);
/** What each unit becomes when a text is folded. */
const folds = new Uint16Array(0x10000);
/** 1 for units of characters that are folded together with others. */
const isTogether = new Uint8Array(0x10000);
/** 1 for signs that are written on the character before them. */
const isSign = new Uint8Array(0x10000);

/** Words that begin in Arabic and later scripts may have an article to remove. */
const firstArabic = 0x600;
/** The tokenizer cuts longer words. */
const maxWordUnits = 32;
const maxTimes = 255;

const [closingBracket, openingRound, closingRound, space] = [0x5d, 0x28, 0x29, 0x20];

/**
 * Counts the words of documents: the terms of `tokenize`, without the URLs of links. It is several times as fast, because it makes a string of a word only
 * once. Two words with the same 32-bit hash and length count as one, which happens about once in a million pairs of them.
 */
export class WordCounts {
  /** All words, by their number. */
  readonly words: string[] = [];
  /** Number of terms of all documents, and of each. */
  terms = 0;
  readonly lengths: number[] = [];
  private readonly language: string;
  /** Pairs of a hash and a number plus one (0: free). */
  private slots = new Uint32Array(1 << 13);
  private units = new Uint32Array(1 << 10);
  private times = new Uint32Array(1 << 10);
  private seen: number[] = [];
  /** `word * 256 + times` of one document after another. */
  private counts = new Uint32Array(1 << 14);
  private size = 0;
  private readonly ends: number[] = [];
  /** Postings of all words, one after another, and where those of each begin. */
  private postings: Uint32Array | null = null;
  private starts = new Uint32Array(0);

  constructor(language: string) {
    this.language = language;
  }

  /** Counts the words of a range of a text for the current document. */
  count(text: string, start = 0, end = text.length): void {
    if (hasSyllables(this.language)) {
      const terms = tokenize(withoutUrls(text.slice(start, end)), false, this.language);
      for (const term of terms) this.addTerm(term);
      return;
    }
    if (isFoldable(text, start, end)) this.scan(text, start, end);
    else {
      const folded = fold(text.slice(start, end));
      // The tokenizer knows characters of two units.
      if (/[\ud800-\udfff]/.test(folded)) {
        for (const term of tokenize(withoutUrls(text.slice(start, end)), false, this.language))
          this.addTerm(term);
      } else this.scan(folded, 0, folded.length);
    }
  }

  /** Ends the current document. */
  next(): void {
    const before = this.terms;
    for (const word of this.seen) {
      if (this.size === this.counts.length) this.counts = widened(this.counts);
      this.counts[this.size++] = word * 256 + Math.min(maxTimes, this.times[word] as number);
      this.terms += this.times[word] as number;
      this.times[word] = 0;
    }
    this.seen = [];
    this.lengths.push(this.terms - before);
    this.ends.push(this.size);
  }

  /** Sorts the counts by word. Must be called once, after the last document. */
  finish(): void {
    const { counts, size, ends } = this;
    const starts = new Uint32Array(this.words.length + 1);
    for (let at = 0; at < size; at += 1) (starts[((counts[at] as number) >>> 8) + 1] as number) += 1;
    for (let word = 0; word < this.words.length; word += 1)
      (starts[word + 1] as number) += starts[word] as number;
    const postings = new Uint32Array(size);
    const next = starts.slice();
    let at = 0;
    for (const [document, end] of ends.entries())
      for (; at < end; at += 1) {
        const count = counts[at] as number;
        const word = count >>> 8;
        postings[next[word] as number] = document * 256 + (count & maxTimes);
        (next[word] as number) += 1;
      }
    [this.starts, this.postings] = [starts, postings];
    this.counts = new Uint32Array(0);
    this.slots = new Uint32Array(0);
    this.times = new Uint32Array(0);
    this.units = new Uint32Array(0);
  }

  /** The documents with a word. @param word its number */
  postingsOf(word: number): Postings {
    return (this.postings ?? new Uint32Array(0)).subarray(this.starts[word], this.starts[word + 1]);
  }

  /** Counts the words of a range that is folded, or can be folded unit by unit. The same as `tokenize`. */
  private scan(text: string, from: number, to: number): void {
    // The last word, and the one before it if a sign links them.
    let [wordStart, wordEnd, wordLength, linkedStart] = [0, -1, 0, -1];
    let at = from;
    while (at < to) {
      const unit = text.charCodeAt(at);
      const kind = kinds[unit] || learn(unit);
      if (kind === between) {
        at += 1;
        if (unit === closingBracket && text.charCodeAt(at) === openingRound) at = endOfUrl(text, at);
        continue;
      }
      const start = at;
      let hash = Math.imul(firstHash ^ (folds[unit] as number), hashPrime);
      const hashEnd = start + maxWordUnits;
      let isUnusual = kind === unusual;
      for (at += 1; at < to; at += 1) {
        const next = text.charCodeAt(at);
        const nextKind = kinds[next] || learn(next);
        if (nextKind === kind) {
          if (at < hashEnd) hash = Math.imul(hash ^ (folds[next] as number), hashPrime);
        } else if (nextKind === between || (nextKind !== unusual && !isUnusual)) break;
        else isUnusual = true;
      }
      let isWord = kind === spaced || isUnusual;
      let length = at - start;
      if (isUnusual || (kind === spaced && unit >= firstArabic)) {
        const word = text.slice(start, at);
        const terms = tokenize(word, false, this.language);
        for (const term of terms) this.addTerm(term);
        isWord = terms.length === 1;
        length = isUnusual ? fold(word).length : length;
      } else if (kind === paired) this.addPairs(text, start, at);
      else this.put(hash, text, start, Math.min(at, hashEnd));
      const isLinked =
        isWord &&
        wordEnd >= 0 &&
        wordEnd === start - 1 &&
        isLink(
          folds[text.charCodeAt(wordEnd)] as number,
          folds[text.charCodeAt(wordEnd - 1)] as number,
          folds[unit] as number,
          wordLength,
          length,
        );
      if (isLinked) {
        this.addJoined(text, wordStart, at);
        if (linkedStart >= 0) this.addJoined(text, linkedStart, at);
        linkedStart = wordStart;
      } else linkedStart = -1;
      [wordStart, wordEnd, wordLength] = isWord ? [start, at, length] : [0, -1, 0];
    }
  }

  /** Overlapping pairs of characters, and the last one alone. */
  private addPairs(text: string, start: number, end: number): void {
    let from = start;
    let next = endOfCharacter(text, from, end);
    while (from < end) {
      const to = next < end ? endOfCharacter(text, next, end) : end;
      let hash = firstHash;
      for (let at = from; at < to; at += 1)
        hash = Math.imul(hash ^ (folds[text.charCodeAt(at)] as number), hashPrime);
      this.put(hash, text, from, to);
      [from, next] = [next, to];
    }
  }

  /** Adds two or three words without the signs between them. */
  private addJoined(text: string, start: number, end: number): void {
    const word = fold(text.slice(start, end)).replace(/[^\p{L}\p{N}\p{M}]/gu, '');
    this.addTerm(tokenize(word, false, this.language)[0] ?? word);
  }

  private addTerm(term: string): void {
    let hash = firstHash;
    for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), hashPrime);
    this.put(hash, term, 0, term.length, true);
  }

  private put(rawHash: number, text: string, start: number, end: number, isTerm = false): void {
    const length = end - start;
    const hash = (rawHash ^ (rawHash >>> 15)) >>> 0;
    const { slots, words } = this;
    const mask = slots.length - 2;
    let slot = (2 * hash) & mask;
    for (let known = slots[slot + 1] as number; known !== 0; known = slots[slot + 1] as number) {
      if (slots[slot] === hash && this.units[known - 1] === length) {
        this.countWord(known - 1);
        return;
      }
      slot = (slot + 2) & mask;
    }
    slots[slot] = hash;
    slots[slot + 1] = words.length + 1;
    // A slice would keep the whole text in memory.
    const word = text.slice(start, end);
    words.push(Buffer.from(isTerm ? word : fold(word), 'utf16le').toString('utf16le'));
    if (words.length > this.times.length) {
      this.times = widened(this.times);
      this.units = widened(this.units);
    }
    this.units[words.length - 1] = length;
    if (4 * words.length > slots.length) this.slots = doubleSlots(this.slots);
    this.countWord(words.length - 1);
  }

  private countWord(word: number): void {
    if (this.times[word] === 0) this.seen.push(word);
    (this.times[word] as number) += 1;
  }
}

/** Whether every character of a range is folded alone. Looks up units, because the expression takes six times as long. */
function isFoldable(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    if (kinds[unit] === 0) learn(unit);
    if (isTogether[unit] === 1) return false;
  }
  return true;
}

/** How the tokenizer sees a unit. */
function learn(unit: number): number {
  const character = String.fromCharCode(unit);
  const isSurrogate = (unit & 0xf800) === 0xd800;
  const folded = isSurrogate || unfoldable.test(character) ? character : fold(character);
  const isTerm = /[\p{L}\p{N}\p{M}\u00ad]/u.test(folded);
  const isUnit = folded.length === 1 && !isSurrogate;
  const kind = !isTerm && !isSurrogate ? between : !isUnit ? unusual : isPair(folded) ? paired : spaced;
  kinds[unit] = kind;
  isTogether[unit] = unfoldable.test(character) ? 1 : 0;
  folds[unit] = isUnit ? folded.charCodeAt(0) : unit;
  isSign[unit] = charactersOf(`a${character}`).length === 1 ? 1 : 0;
  return kind;
}

function endOfCharacter(text: string, start: number, limit: number): number {
  let end = start + 1;
  while (end < limit && isSign[text.charCodeAt(end)] === 1) end += 1;
  return end;
}

/** The end of the URL of a link, or the start if it has none. @param start of its round bracket */
function endOfUrl(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === closingRound) return at + 1;
    if (unit <= space || unit === openingRound) return start;
  }
  return start;
}

/** Markdown without the URLs of its links. */
export function withoutUrls(markdown: string): string {
  return markdown.replace(/\]\((?:<[^>\n]*>|[^()\s]*)\)/g, '] ');
}

function widened(values: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(2 * values.length);
  wider.set(values);
  return wider;
}
