import type { Document, Section } from '../../content/document.ts';
import { firstHash, hashPrime } from '../../core/hash-slots.ts';
import type { LanguageTag } from '../../core/model.ts';
import type { Tokens } from '../../core/search/language-words.ts';
import { countOnce, encodePosting } from './posting.ts';
import { TermTable, TextUnits, widened } from './term-table.ts';

/** Article metadata shown in search results. */
export interface SearchMetadata {
  readonly href: string;
  readonly title: string;
  /** Titles of its categories, from the top, joined by ` › `; empty without a category. */
  readonly category: string;
  /** Title of the top category. */
  readonly topCategory?: string;
  readonly tags: readonly string[];
}

/** One article split into terms. Plain and compact data, so that a worker can make it and a cache can store it. */
export interface SearchEntry {
  /** JSON of URL, title, category, the text before the first heading, then id, heading and text of every section. */
  readonly article: string;
  /** Title of its top category; empty without a category. */
  readonly topCategory: string;
  /** The length of the title as an upper-case letter, then the length of each section as a lower-case letter. */
  readonly lengths: string;
  /** UTF-16 units of the distinct terms, in order of first occurrence, each followed by a line feed. */
  readonly terms: Uint16Array;
  /** Pairs of a term's number and an encoded posting whose section is counted within the article. */
  readonly postings: Uint32Array;
}

/** Field numbers in the files. The search worker uses the same order for weights. */
const fields = { title: 0, heading: 1, tags: 2, text: 3 } as const;

/** Splits one article into terms, section by section. Pure. */
export type MakeSearchEntry = (
  metadata: SearchMetadata,
  document: Document,
  language: LanguageTag,
) => SearchEntry;

/** @param tokens the tokenizer of the build and the browser */
export function createSearchEntryMaker(tokens: Tokens): MakeSearchEntry {
  const scanner = new TermScanner(tokens);
  return (...page) => makeSearchEntry(scanner, ...page);
}

function makeSearchEntry(
  scanner: TermScanner,
  metadata: SearchMetadata,
  document: Document,
  language: LanguageTag,
): SearchEntry {
  const parts: string[] = [];
  let lengths = '';
  scanner.startArticle(language);
  const sections = capSections(document);
  const maxChars = textRoom(sections.length);
  for (const [position, { heading, start, end }] of sections.entries()) {
    if (heading === null) {
      lengths += lengthLetter(scanner.addField(metadata.title, position, fields.title)).toUpperCase();
      scanner.addField(metadata.tags.join(' '), position, fields.tags);
    } else {
      scanner.addField(heading.text, position, fields.heading);
      parts.push(heading.id, heading.text);
    }
    const text = document.text.slice(start, end);
    parts.push(cutText(text, maxChars));
    lengths += lengthLetter(scanner.addField(text, position, fields.text));
  }
  return {
    topCategory: metadata.topCategory ?? '',
    article: JSON.stringify([metadata.href, metadata.title, metadata.category, ...parts]),
    lengths,
    ...scanner.endArticle(),
  };
}

/** Text after this many headings counts as part of the last section, because section numbers must fit a posting. */
const maxSections = 4096;

function capSections({ text, sections }: Document): readonly Section[] {
  const last = sections[maxSections - 1];
  if (last === undefined) return sections;
  return [...sections.slice(0, maxSections - 1), { ...last, end: text.length }];
}

/** Characters per section for excerpts. They are loaded with every result, so there is a limit per section and per article. */
function textRoom(sections: number): number {
  return Math.max(200, Math.min(4000, Math.floor(24_000 / sections)));
}

/** The beginning of a text, cut at the end of a word or sentence if there is one near the limit. */
function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const room = text.slice(0, maxChars);
  const end = room.search(/\s\S{0,40}$/);
  return end > 0 ? room.slice(0, end) : room.replace(/[\ud800-\udbff]$/, '');
}

/** A number of words as one letter, on a logarithmic scale. */
function lengthLetter(words: number): string {
  return String.fromCharCode(97 + Math.min(25, Math.round(2 * Math.log2(words + 1))));
}

/** At most one word starts at each character, and a word has at most four terms: with marks, without, and with the one or two before. */
const termsPerCharacter = 4;

/** If the table has more terms, it is cleared before the next article. */
const maxTerms = 1 << 16;

/** The kind of each UTF-16 unit for the tokenizer; 0: unknown yet. */
const between = 1;
const spaced = 2;
const paired = 3;
/** Handled by the tokenizer itself. */
const unusual = 4;

/**
 * Units that fold to the same result whatever is beside them: ASCII, kana, Han, and Latin, Greek and Cyrillic letters, punctuation and symbols
 * except soft hyphens, combining marks, and the signs of C++ and C#.
 */
const foldsAlone =
  /[\0-\xac\xae-\u02ff\u0370-\u0482\u2010-\u2027\u2030-\u205e\u2190-\u2bff\u3001-\u3029\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fff\uff01-\uff5e]/;
const contextual = 0x10001;
const firstLong = 0x10002;
/** Units that one of them folds to, at most. */
const maxFolding = 4;
const space = 0x20;
const lastDigit = 0x39;

/** Scripts with smaller code points have no article to remove. */
const firstArabic = 0x600;
const maxTermChars = 32;

/**
 * Finds the terms of one article after another. They are the same as the tokenizer's. For the most common scripts they are found without creating
 * strings, in a third of the tokenizer's time.
 */
export class TermScanner {
  private readonly tokens: Tokens;
  private readonly kinds = new Uint8Array(0x10000);
  /** 1 for signs that belong to the character before them. Known if the kind is. */
  private readonly isSign = new Uint8Array(0x10000);
  /** By UTF-16 unit: 0 if unknown yet, one more than the unit it folds to, `contextual`, or the position in `longFoldings` after `firstLong`. */
  private readonly foldings = new Uint32Array(0x10000);
  private readonly longFoldings: (readonly number[])[] = [];
  private readonly text = new TextUnits();
  private readonly folded = new TextUnits();
  /** Ranges of words of the current text that are one term, too. */
  private readonly joined: number[][] = [];
  /** The number of every term of the current text. */
  private ids = new Uint32Array(1 << 12);
  private table = new TermTable();
  /** For each number in the table where its last posting ends, counted through all articles, and the term's number in that article. */
  private lastEnd = new Uint32Array(1 << 14);
  private numbers = new Uint32Array(1 << 14);
  /** Where the postings of the article begin, counted through all articles. */
  private articleStart = 0;
  /** Terms of the article, postings and lines, as in `SearchEntry`. */
  private count = 0;
  private postings = new Uint32Array(1 << 14);
  private length = 0;
  private lines = new Uint16Array(1 << 14);
  private linesEnd = 0;
  private language: LanguageTag = '';

  constructor(tokens: Tokens) {
    this.tokens = tokens;
  }

  startArticle(language: LanguageTag): void {
    this.language = language;
    this.articleStart += this.length;
    [this.count, this.length, this.linesEnd] = [0, 0, 0];
    if (this.table.size <= maxTerms) return;
    this.table = new TermTable();
    this.lastEnd.fill(0);
    this.articleStart = 0;
  }

  /** The terms and postings of the fields that were added since the article was started. */
  endArticle(): Pick<SearchEntry, 'terms' | 'postings'> {
    return { terms: this.lines.slice(0, this.linesEnd), postings: this.postings.slice(0, this.length) };
  }

  /** Adds the terms of a text. Returns their number, each as often as it occurs. */
  addField(text: string, section: number, field: number): number {
    const count = this.scan(text);
    this.makeRoom(count);
    const { ids, lastEnd, numbers, postings, articleStart } = this;
    const once = encodePosting(section, field, 1);
    const fieldStart = articleStart + this.length;
    for (let at = 0; at < count; at += 1) {
      const id = ids[at] as number;
      const last = lastEnd[id] as number;
      if (last > fieldStart) {
        const posting = last - articleStart - 1;
        postings[posting] = countOnce(postings[posting] as number);
        continue;
      }
      if (last <= articleStart) {
        numbers[id] = this.count++;
        this.addLine(id);
      }
      postings[this.length++] = numbers[id] as number;
      postings[this.length++] = once;
      lastEnd[id] = articleStart + this.length;
    }
    return count;
  }

  /** Makes room for more terms of a field. */
  private makeRoom(count: number): void {
    if (this.table.size > this.numbers.length) {
      this.lastEnd = widened(this.lastEnd, Uint32Array, 2 * this.table.size);
      this.numbers = widened(this.numbers, Uint32Array, 2 * this.table.size);
    }
    const length = this.length + 2 * count;
    if (length > this.postings.length) this.postings = widened(this.postings, Uint32Array, 2 * length);
  }

  private addLine(id: number): void {
    const end = this.linesEnd + this.table.lineLength(id);
    if (end > this.lines.length) this.lines = widened(this.lines, Uint16Array, 2 * end);
    this.table.copyLine(id, this.lines, this.linesEnd);
    this.linesEnd = end;
  }

  /** Numbers the terms of a text in `ids`. Returns their number. */
  private scan(text: string): number {
    if (this.tokens.hasSyllables(this.language)) return this.askTokenizer(text);
    const all = this.tokens.withParts(text);
    let length = this.foldUnits(this.text.load(all), all.length);
    if (length < 0) {
      const folded = this.tokens.fold(all);
      length = folded.length;
      this.folded.load(folded);
    }
    this.reserveIds(length);
    const count = this.findTerms(this.folded.units, length);
    return count < 0 ? this.askTokenizer(text) : count;
  }

  /** Folds a text unit by unit. Returns the length of the folded text, or -1 if folding depends on the units beside it. */
  private foldUnits(text: Uint16Array, length: number): number {
    const { foldings } = this;
    const folded = this.folded.reserve(maxFolding * length);
    let end = 0;
    for (let at = 0; at < length; at += 1) {
      const folding = foldings[text[at] as number] || this.learnFolding(text[at] as number);
      if (folding <= 0x10000) folded[end++] = folding - 1;
      else if (folding === contextual) return -1;
      else for (const unit of this.longFoldings[folding - firstLong] ?? []) folded[end++] = unit;
    }
    return end;
  }

  /** Looks up how a unit folds if that is the same whatever is beside it. */
  private learnFolding(unit: number): number {
    const character = String.fromCharCode(unit);
    const folded = foldsAlone.test(character) ? this.tokens.fold(character) : null;
    const folding =
      folded === null || /[+#]/.test(folded)
        ? contextual
        : folded.length === 1
          ? 1 + folded.charCodeAt(0)
          : firstLong - 1 + this.longFoldings.push(Array.from(folded, (one) => one.charCodeAt(0)));
    this.foldings[unit] = folding;
    return folding;
  }

  private reserveIds(length: number): void {
    if (termsPerCharacter * length >= this.ids.length)
      this.ids = new Uint32Array(2 * termsPerCharacter * length);
  }

  /** Writes the numbers of the terms of a folded text into `ids`. Returns their count, or -1 if the tokenizer has to split the text. */
  private findTerms(units: Uint16Array, length: number): number {
    const { ids, kinds, table } = this;
    let count = 0;
    // The last word, and the one before it if they are linked.
    let [wordStart, wordEnd, linkedStart, linkedEnd] = [0, -1, -1, -1];
    this.joined.length = 0;
    units[length] = space;
    for (let at = 0; at < length; ) {
      let unit = units[at] as number;
      let kind = kinds[unit] || this.learn(unit);
      if (kind === between) {
        at += 1;
        continue;
      }
      if (kind === unusual) return -1;
      let start = at;
      if (kind === spaced) {
        if (unit >= firstArabic) return -1;
        const maxEnd = start + maxTermChars;
        let hash = firstHash;
        do {
          if (at < maxEnd) hash = Math.imul(hash ^ unit, hashPrime);
          at += 1;
          unit = units[at] as number;
          kind = kinds[unit] || this.learn(unit);
        } while (kind === spaced);
        ids[count++] = table.add(units, start, Math.min(at, maxEnd), hash);
        if (wordEnd !== start - 1 || !this.areLinked(units, wordStart, wordEnd, start, at)) linkedStart = -1;
        else {
          this.joined.push([wordStart, wordEnd, start, at]);
          if (linkedStart >= 0) this.joined.push([linkedStart, linkedEnd, wordStart, wordEnd, start, at]);
          [linkedStart, linkedEnd] = [wordStart, wordEnd];
        }
        [wordStart, wordEnd] = [start, at];
      } else {
        do {
          at += 1;
          kind = kinds[units[at] as number] || this.learn(units[at] as number);
        } while (kind === paired);
        // Overlapping pairs of characters; a single character alone.
        for (let next = this.endOf(units, start, at); start < at; ) {
          const end = this.endOf(units, next, at);
          ids[count++] = this.find(units, start, end);
          [start, next] = [next, end];
        }
      }
    }
    for (const ranges of this.joined) ids[count++] = this.findJoined(units, length, ranges);
    return count;
  }

  /** See `isLink`. */
  private areLinked(units: Uint16Array, wordStart: number, wordEnd: number, start: number, end: number) {
    const sign = units[wordEnd] as number;
    const last = units[wordEnd - 1] as number;
    // Most words have a space between them, which links only digits.
    if (sign === space && last > lastDigit) return false;
    return (
      wordEnd > 0 && this.tokens.isLink(sign, last, units[start] as number, wordEnd - wordStart, end - start)
    );
  }

  /** Writes the words of some ranges one after another, behind the text. */
  private findJoined(units: Uint16Array, length: number, ranges: readonly number[]): number {
    let end = length;
    for (let at = 0; at < ranges.length; at += 2) {
      const room = length + maxTermChars - end;
      const [from = 0, to = 0] = ranges.slice(at, at + 2);
      units.copyWithin(end, from, Math.min(to, from + room));
      end += Math.min(to - from, room);
    }
    return this.find(units, length, end);
  }

  /** The end of the character at a position, with its signs. */
  private endOf(units: Uint16Array, start: number, limit: number): number {
    let end = start + 1;
    while (end < limit && this.isSign[units[end] as number] === 1) end += 1;
    return Math.min(end, limit);
  }

  private find(units: Uint16Array, start: number, end: number): number {
    let hash = firstHash;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (units[at] as number), hashPrime);
    return this.table.add(units, start, end, hash);
  }

  private askTokenizer(text: string): number {
    const terms = this.tokens.tokenize(text, false, this.language);
    this.reserveIds(terms.length);
    // Terms contain no line feed.
    const lines = terms.map((term) => `${term}\n`).join('');
    return this.table.addLines(this.text.load(lines).subarray(0, lines.length), this.ids);
  }

  /** Looks up how the tokenizer classifies a character. */
  private learn(unit: number): number {
    const character = String.fromCharCode(unit);
    const isSurrogate = (unit & 0xf800) === 0xd800;
    const isTerm = this.tokens.tokenize(character).length > 0;
    const kind = isSurrogate ? unusual : !isTerm ? between : this.tokens.isPair(character) ? paired : spaced;
    this.kinds[unit] = kind;
    this.isSign[unit] = /\p{M}/u.test(character) ? 1 : 0;
    return kind;
  }
}
