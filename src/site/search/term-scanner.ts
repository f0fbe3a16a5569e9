import type { Tokens } from '../../foundation/search-tokens.ts';
import { firstHash, hashPrime, TermTable } from './term-table.ts';

/** With more terms than this the table is cleared for the next article. */
const mostTerms = 1 << 16;

/** The kind of each UTF-16 unit for the tokenizer; 0: not known yet. */
const between = 1;
const spaced = 2;
const paired = 3;
/** Left to the tokenizer itself. */
const unusual = 4;

/** Below this, letters are in scripts without an article to take off. */
const firstArabic = 0x600;
const longestTerm = 32;

/**
 * Numbers the terms of one article after another, each time from 0 by first occurrence. The terms are the tokenizer's; in
 * the scripts most texts are written in they are found without making a string of each, in a third of its time.
 */
export class TermScanner {
  /** The number of every term of the text that was scanned last, from the start. */
  ids = new Uint32Array(1 << 12);
  private readonly tokens: Tokens;
  private readonly kinds = new Uint8Array(0x10000);
  private table = new TermTable();
  /** By number in the table: the term, the last article that has it, and its number there. */
  private strings: string[] = [];
  private articleOf: number[] = [];
  private numberOf: number[] = [];
  private article = 0;

  constructor(tokens: Tokens) {
    this.tokens = tokens;
  }

  startArticle(): void {
    this.article += 1;
    if (this.table.size <= mostTerms) return;
    this.table = new TermTable();
    [this.strings, this.articleOf, this.numberOf] = [[], [], []];
  }

  /**
   * Numbers the terms of a text in `ids`.
   * @param known the article's terms by number; takes the new ones
   * @returns how many terms the text has
   */
  scan(text: string, known: string[]): number {
    const folded = this.tokens.fold(text);
    // A character begins one term at most.
    if (folded.length >= this.ids.length) this.ids = new Uint32Array(2 * folded.length);
    let count = this.findTerms(this.table.load(folded), folded.length);
    if (count < 0) count = this.askTokenizer(text);
    const { ids } = this;
    for (let at = 0; at < count; at += 1) ids[at] = this.numberInArticle(ids[at] as number, known);
    return count;
  }

  /** Puts the terms' numbers in the table into `ids`; gives their number, or -1 where the tokenizer must be asked. */
  private findTerms(units: Uint16Array, length: number): number {
    let count = 0;
    let start = 0;
    let runKind = between;
    for (let at = 0; at <= length; at += 1) {
      const kind =
        at === length ? between : this.kinds[units[at] as number] || this.learn(units[at] as number);
      if (kind === runKind) continue;
      if (kind === unusual) return -1;
      if (runKind === spaced) {
        if ((units[start] as number) >= firstArabic) return -1;
        this.ids[count++] = this.find(units, start, Math.min(at, start + longestTerm));
      } else if (runKind === paired) {
        // Every character with the one after it; the last one alone.
        for (; start < at; start += 1) this.ids[count++] = this.find(units, start, Math.min(at, start + 2));
      }
      start = at;
      runKind = kind;
    }
    return count;
  }

  private find(units: Uint16Array, start: number, end: number): number {
    let hash = firstHash;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (units[at] as number), hashPrime);
    return this.table.add(start, end, hash);
  }

  private askTokenizer(text: string): number {
    const terms = this.tokens.tokenize(text);
    // No term holds a line feed.
    return terms.length === 0 ? 0 : this.table.addLines(terms.join('\n'), this.ids);
  }

  /** Finds out how the tokenizer classifies a character. */
  private learn(unit: number): number {
    const character = String.fromCharCode(unit);
    const isSurrogate = (unit & 0xf800) === 0xd800;
    const isTerm = this.tokens.tokenize(character).length > 0;
    const kind = isSurrogate ? unusual : !isTerm ? between : this.tokens.isPair(character) ? paired : spaced;
    this.kinds[unit] = kind;
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
