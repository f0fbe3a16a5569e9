import type { Document, Section } from '../../content/document.ts';
import { firstHash, hashPrime } from '../../core/hash-slots.ts';
import type { LanguageTag } from '../../core/model.ts';
import type { Tokens } from '../../core/search/language-words.ts';
import { countOnce, encodePosting } from './posting.ts';
import { TermTable } from './term-table.ts';

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
  /** Distinct terms, one per line, in order of first occurrence. */
  readonly terms: string;
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
  const terms: string[] = [];
  /** Position of the last posting of each term. */
  const lastPosting: number[] = [];
  const parts: string[] = [];
  let length = 0;
  let lengths = '';
  scanner.startArticle();

  const addField = (text: string, section: number, field: number): number => {
    const start = length;
    const once = encodePosting(section, field, 1);
    const count = scanner.scan(text, terms, language);
    const { ids } = scanner;
    const postings = roomFor(length + 2 * count);
    for (let at = 0; at < count; at += 1) {
      const id = ids[at] as number;
      const last = lastPosting[id];
      if (last !== undefined && last >= start) {
        postings[last + 1] = countOnce(postings[last + 1] as number);
        continue;
      }
      lastPosting[id] = length;
      postings[length++] = id;
      postings[length++] = once;
    }
    return count;
  };

  const sections = capSections(document);
  const maxChars = textRoom(sections.length);
  for (const [position, { heading, start, end }] of sections.entries()) {
    if (heading === null) {
      lengths += lengthLetter(addField(metadata.title, position, fields.title)).toUpperCase();
      addField(metadata.tags.join(' '), position, fields.tags);
    } else {
      addField(heading.text, position, fields.heading);
      parts.push(heading.id, heading.text);
    }
    const text = document.text.slice(start, end);
    parts.push(cutText(text, maxChars));
    lengths += lengthLetter(addField(text, position, fields.text));
  }
  return {
    topCategory: metadata.topCategory ?? '',
    article: JSON.stringify([metadata.href, metadata.title, metadata.category, ...parts]),
    lengths,
    terms: terms.join('\n'),
    postings: workspace.slice(0, length),
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

/** Buffer for the postings of the current article; reused for all articles. */
let workspace = new Uint32Array(1 << 14);

function roomFor(length: number): Uint32Array {
  if (length > workspace.length) {
    const larger = new Uint32Array(2 * length);
    larger.set(workspace);
    workspace = larger;
  }
  return workspace;
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

/** Scripts with smaller code points have no article to remove. */
const firstArabic = 0x600;
const maxTermChars = 32;

/**
 * Numbers the terms of one article after another, from 0 in order of first occurrence. The terms are the same as the tokenizer's. For the
 * most common scripts they are found without creating strings, in a third of the tokenizer's time.
 */
export class TermScanner {
  /** The number of every term of the last scanned text. */
  ids = new Uint32Array(1 << 12);
  private readonly tokens: Tokens;
  private readonly kinds = new Uint8Array(0x10000);
  /** 1 for signs that belong to the character before them. Known if the kind is. */
  private readonly isSign = new Uint8Array(0x10000);
  private table = new TermTable();
  /** Ranges of words of the current text that are one term, too. */
  private readonly joined: number[][] = [];
  /** Term of each number in the table, the last article that contains it, and its number there. */
  private strings: string[] = [];
  private articleOf: number[] = [];
  private numberOf: number[] = [];
  private article = 0;

  constructor(tokens: Tokens) {
    this.tokens = tokens;
  }

  startArticle(): void {
    this.article += 1;
    if (this.table.size <= maxTerms) return;
    this.table = new TermTable();
    [this.strings, this.articleOf, this.numberOf] = [[], [], []];
  }

  /**
   * Numbers the terms of a text in `ids`.
   * @param known the article's terms by number; new terms are appended
   * @returns number of terms in the text
   */
  scan(text: string, known: string[], language: LanguageTag): number {
    const folded = this.tokens.fold(text);
    const maxIds = termsPerCharacter * Math.max(folded.length, text.length);
    if (maxIds >= this.ids.length) this.ids = new Uint32Array(2 * maxIds);
    let count = this.tokens.hasSyllables(language)
      ? -1
      : this.findTerms(this.table.load(folded), folded.length);
    if (count < 0) count = this.askTokenizer(text, language);
    const { ids } = this;
    for (let at = 0; at < count; at += 1) ids[at] = this.numberInArticle(ids[at] as number, known);
    return count;
  }

  /** Writes the terms' numbers in the table into `ids`. Returns their count, or -1 if the tokenizer has to split the text. */
  private findTerms(units: Uint16Array, length: number): number {
    let count = 0;
    let start = 0;
    let runKind = between;
    // The last word, and the one before it if they are linked.
    let [wordStart, wordEnd, linkedStart, linkedEnd] = [0, -1, -1, -1];
    this.joined.length = 0;
    for (let at = 0; at <= length; at += 1) {
      const kind =
        at === length ? between : this.kinds[units[at] as number] || this.learn(units[at] as number);
      if (kind === runKind) continue;
      if (kind === unusual) return -1;
      if (runKind === spaced) {
        if ((units[start] as number) >= firstArabic) return -1;
        this.ids[count++] = this.find(units, start, Math.min(at, start + maxTermChars));
        if (wordEnd !== start - 1 || !this.areLinked(units, wordStart, wordEnd, start, at)) linkedStart = -1;
        else {
          this.joined.push([wordStart, wordEnd, start, at]);
          if (linkedStart >= 0) this.joined.push([linkedStart, linkedEnd, wordStart, wordEnd, start, at]);
          [linkedStart, linkedEnd] = [wordStart, wordEnd];
        }
        [wordStart, wordEnd] = [start, at];
      } else if (runKind === paired) {
        // Overlapping pairs of characters; a single character alone.
        for (let next = this.endOf(units, start, at); start < at; ) {
          const end = this.endOf(units, next, at);
          this.ids[count++] = this.find(units, start, end);
          [start, next] = [next, end];
        }
      }
      start = at;
      runKind = kind;
    }
    for (const ranges of this.joined) this.ids[count++] = this.findJoined(units, length, ranges);
    return count;
  }

  /** See `isLink`. */
  private areLinked(units: Uint16Array, wordStart: number, wordEnd: number, start: number, end: number) {
    const sign = units[wordEnd] as number;
    const last = units[wordEnd - 1] as number;
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
    return this.table.add(start, end, hash);
  }

  private askTokenizer(text: string, language: LanguageTag): number {
    const terms = this.tokens.tokenize(text, false, language);
    // Terms contain no line feed.
    return terms.length === 0 ? 0 : this.table.addLines(terms.join('\n'), this.ids);
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

  private numberInArticle(id: number, known: string[]): number {
    if (this.articleOf[id] !== this.article) {
      this.strings[id] ??= this.table.term(id);
      this.articleOf[id] = this.article;
      this.numberOf[id] = known.push(this.strings[id]) - 1;
    }
    return this.numberOf[id] as number;
  }
}
