/** A pair of marks such as `**`; written as tags if Markdown would not read it as a pair. */
interface Pair {
  mark: string;
  /** `removed`: the text between the marks has no letter or digit that they could emphasise. */
  form: 'marks' | 'tags' | 'removed';
}

interface Mark {
  readonly pair: Pair;
  readonly isOpen: boolean;
  /** Punctuation that moved out of the marked text: it is written before the opening mark or after the closing one. */
  moved: string;
}

/** Indivisible syntax: part of a link, an image, a line break, or code, whose span is written at the end. */
interface Whole {
  readonly kind: 'syntax' | 'code';
  readonly text: string;
}

type Piece = string | Mark | Whole;

const tagOf: Readonly<Record<string, string>> = { '**': 'strong', '*': 'em', _: 'em', '~~': 'del' };

const punctuation = /[\p{P}\p{S}]/u;
/** Punctuation at the start of a text, and at its end, by the step into the text. */
const edges = { 1: /^[\p{P}\p{S}\s]+/u, [-1]: /[\p{P}\p{S}\s]+$/u };

/** A different mark or a tag next to a mark counts as punctuation. */
const anyPunctuation = '~';

/** Each round decides again because a pair became tags, which changes what is next to other pairs. One round is the rule. */
const maxRounds = 8;

/**
 * Collects running text with emphasis. Writes marks only if CommonMark would read them as emphasis, which depends on the characters next to
 * them. Neighbours with the same mark are one passage. Punctuation at the edge moves out of the marks if that helps; otherwise the passage
 * gets tags.
 */
export class EmphasisWriter {
  private readonly pieces: Piece[] = [];
  private readonly writeCode: (code: string) => string;
  private readonly usesTags: boolean;
  private readonly openMarks: string[] = [];
  /** Pairs in the order they close: inner pairs before outer ones. */
  private readonly pairs: { readonly pair: Pair; readonly open: number; readonly close: number }[] = [];

  /**
   * `writeCode` returns the code span of a piece of code. With `usesTags`, marks that Markdown would not read become tags, and punctuation
   * does not move.
   */
  constructor(writeCode: (code: string) => string, usesTags: boolean) {
    this.writeCode = writeCode;
    this.usesTags = usesTags;
  }

  /** Adds escaped text. */
  text(markdown: string): void {
    if (markdown !== '') this.pieces.push(markdown);
  }

  /** Adds syntax that must not be split. */
  syntax(markdown: string): void {
    this.pieces.push({ kind: 'syntax', text: markdown });
  }

  /** Adds code. Adjacent pieces of code become one span, because two adjacent spans would share a run of backticks. */
  code(code: string): void {
    this.pieces.push({ kind: 'code', text: code });
  }

  /** Adds what `write` adds, between marks. */
  marked(wanted: string, write: () => void): void {
    if (this.openMarks.includes(wanted)) {
      write();
      return;
    }
    const open = this.reopen(wanted) ?? this.open(wanted);
    this.openMarks.push(wanted);
    write();
    this.openMarks.pop();
    const { pair } = this.pieces[open] as Mark;
    const close = this.pieces.push({ pair, isOpen: false, moved: '' }) - 1;
    // Struck punctuation means something, bold punctuation does not.
    if (!this.hasContent(open, close, wanted === '~~' || this.usesTags ? /\S/u : /[\p{L}\p{N}]/u))
      pair.form = 'removed';
    this.pairs.push({ pair, open, close });
  }

  private open(mark: string): number {
    return this.pieces.push({ pair: { mark, form: 'marks' }, isOpen: true, moved: '' }) - 1;
  }

  /** Takes back the end of a passage with the same mark that nothing or a space follows. Returns where it was opened. */
  private reopen(wanted: string): number | null {
    // A struck space is visible.
    const isSpaced = this.pieces.at(-1) === ' ' && wanted !== '~~' && !this.usesTags;
    const at = this.pieces.length - (isSpaced ? 2 : 1);
    const last = this.pieces[at];
    const pair = this.pairs.at(-1);
    if (!isMark(last) || last.isOpen || last.pair !== pair?.pair) return null;
    if (pair.pair.form !== 'marks' || pair.pair.mark !== wanted) return null;
    this.pieces.splice(at, 1);
    this.pairs.pop();
    return pair.open;
  }

  /** Returns the Markdown; add nothing afterwards. */
  finish(): string {
    this.resolveAll();
    let text = '';
    let code = '';
    // A separate variable: reading the end of `text` would copy all of it for every link.
    let last = '';
    const append = (markdown: string): void => {
      text += last;
      last = markdown;
    };
    const add = (markdown: string): void => {
      if (markdown === '') return;
      if (code !== '') append(this.writeCode(code));
      code = '';
      // An exclamation mark right before a link would make it an image.
      if (markdown === '[' && last.endsWith('!')) last = `${last.slice(0, -1)}\\!`;
      append(markdown);
    };
    for (const piece of this.pieces) {
      if (typeof piece === 'string') add(piece);
      else if (!isMark(piece)) {
        if (piece.kind === 'code') code += piece.text;
        else add(piece.text);
      } else {
        const mark = writtenMark(piece);
        add(piece.isOpen ? piece.moved + mark : mark + piece.moved);
      }
    }
    return text + last + (code === '' ? '' : this.writeCode(code));
  }

  private resolveAll(): void {
    for (let round = 1; ; round++) {
      let hasChanged = false;
      for (const { pair, open, close } of this.pairs) this.choose(pair, open, close);
      for (const { pair, open, close } of this.pairs) {
        if (pair.form !== 'marks' || (round <= maxRounds && this.isRead(pair, open, close))) continue;
        pair.form = 'tags';
        hasChanged = true;
      }
      if (!hasChanged) return;
    }
  }

  /** Chooses between `*` and `_` for emphasis: `**a**_b_` is easier to read than `**a***b*`. */
  private choose(pair: Pair, open: number, close: number): void {
    if (pair.form !== 'marks' || (pair.mark !== '*' && pair.mark !== '_') || this.usesTags) return;
    const isBeside = this.neighbour(open, -1, '*') !== null || this.neighbour(close, 1, '*') !== null;
    pair.mark = isBeside && this.fits({ ...pair, mark: '_' }, open, close) ? '_' : '*';
  }

  /** Whether CommonMark reads a pair as emphasis, if necessary with punctuation moved out of it. */
  private isRead(pair: Pair, open: number, close: number): boolean {
    const { mark } = pair;
    if (this.merges(open, -1, mark) || this.merges(close, 1, mark)) return false;
    if (this.fits(pair, open, close)) return true;
    const opens = this.opens(mark, open) || this.moveOut(open, 1);
    return opens && (this.closes(mark, close) || this.moveOut(close, -1)) && this.fits(pair, open, close);
  }

  private fits({ mark }: Pair, open: number, close: number): boolean {
    return this.opens(mark, open) && this.closes(mark, close);
  }

  private opens(mark: string, at: number): boolean {
    return isFlanking(this.next(at, 1, mark), this.next(at, -1, mark), mark);
  }

  private closes(mark: string, at: number): boolean {
    return isFlanking(this.next(at, -1, mark), this.next(at, 1, mark), mark);
  }

  /** Moves punctuation at the edge of marked text to the other side of the mark. Returns `false` if that is not possible. */
  private moveOut(at: number, step: 1 | -1): boolean {
    if (this.usesTags) return false;
    const mark = this.pieces[at] as Mark;
    for (let to = at + step; ; to += step) {
      const inner = this.pieces[to];
      if (isMark(inner)) {
        // An inner mark at the same edge has moved the punctuation already.
        if (inner.isOpen !== mark.isOpen) return false;
        if (inner.moved === '') continue;
        mark.moved = step === 1 ? mark.moved + inner.moved : inner.moved + mark.moved;
        inner.moved = '';
        return true;
      }
      if (typeof inner !== 'string') return false;
      const moved = edges[step].exec(inner)?.[0] ?? '';
      // Code spans and line breaks stay whole, and no sign comes beside the mark that it would change.
      if (to !== at + step || moved === '' || moved.length === inner.length || /[`\n]/.test(moved))
        return false;
      if (step === 1 ? /[\\~]$/.test(moved) : moved.startsWith('~')) return false;
      mark.moved = step === 1 ? mark.moved + moved : moved + mark.moved;
      this.pieces[to] = step === 1 ? inner.slice(moved.length) : inner.slice(0, -moved.length);
      return true;
    }
  }

  /** Whether there is something between two positions that marks can emphasise. */
  private hasContent(from: number, to: number, visible: RegExp): boolean {
    for (let at = from + 1; at < to; at++) {
      const piece = this.pieces[at] as Piece;
      if (!isMark(piece) && visible.test(typeof piece === 'string' ? piece : piece.text)) return true;
    }
    return false;
  }

  /** Whether a mark and one of another passage become a run that CommonMark would divide differently. */
  private merges(from: number, step: 1 | -1, mark: string): boolean {
    const at = this.neighbour(from, step, mark.charAt(0));
    if (at === null) return false;
    // A single mark beside a double one is divided as it is meant: `**a***b*` (CommonMark 0.31, 6.2, rules 9 and 10).
    const isLonger = isMark(this.pieces[from - step]) || isMark(this.pieces[at + step]);
    return at !== from + step || isLonger || (this.pieces[at] as Mark).pair.mark.length === mark.length;
  }

  /** Position of the mark of another passage that is in the same run of a character; `null` if there is none. */
  private neighbour(from: number, step: 1 | -1, character: string): number | null {
    for (let at = from + step; ; at += step) {
      const piece = this.pieces[at];
      if (piece === '') continue;
      if (!isMark(piece) || piece.moved !== '' || piece.pair.form === 'tags') return null;
      if (piece.pair.form === 'removed') continue;
      if (piece.pair.mark.charAt(0) !== character) return null;
      // An outer mark at the same edge makes a longer run: `***a***`.
      if (piece.isOpen === (step === 1)) return at;
    }
  }

  /** The character next to a run of marks such as `***`, or `''` at the end of the text. */
  private next(from: number, step: 1 | -1, mark: string): string {
    const own = this.pieces[from] as Mark;
    // Punctuation that moved out is on the outer side of a mark.
    if (own.moved !== '' && own.isOpen === (step === -1)) return nearest(own.moved, step);
    for (let at = from + step; at >= 0 && at < this.pieces.length; at += step) {
      const piece = this.pieces[at] as Piece;
      if (piece === '') continue;
      if (typeof piece === 'string') return nearest(piece, step);
      if (!isMark(piece)) return piece.kind === 'code' ? '`' : nearest(piece.text, step);
      const { pair, moved, isOpen } = piece;
      if (moved !== '' && isOpen === (step === 1)) return nearest(moved, step);
      if (pair.form === 'tags' || (pair.form === 'marks' && pair.mark.charAt(0) !== mark.charAt(0)))
        return anyPunctuation;
      if (moved !== '') return nearest(moved, step);
    }
    return '';
  }
}

function isMark(piece: Piece | undefined): piece is Mark {
  return typeof piece === 'object' && 'pair' in piece;
}

function writtenMark({ pair, isOpen }: Mark): string {
  if (pair.form === 'marks') return pair.mark;
  return pair.form === 'tags' ? `<${isOpen ? '' : '/'}${tagOf[pair.mark]}>` : '';
}

/**
 * Whether a mark between two characters opens (or, seen from the other side, closes) emphasis. `_` does so only beside a boundary
 * (CommonMark 0.31, 6.2).
 */
function isFlanking(inner: string, outer: string, mark: string): boolean {
  if (inner === '' || isSpace(inner)) return false;
  if (mark === '_') return isBoundary(outer);
  return isPlain(inner) || isBoundary(outer);
}

/**
 * Whether a character is neither space nor punctuation. Characters beyond the basic plane (emoji) are neither plain nor a boundary: parsers
 * that work on UTF-16 units read them as letters, others as symbols.
 */
function isPlain(character: string): boolean {
  return character.length === 1 && !isSpace(character) && !punctuation.test(character);
}

/** Space, punctuation or the end of the text. */
function isBoundary(character: string): boolean {
  return character === '' || (character.length === 1 && (isSpace(character) || punctuation.test(character)));
}

function isSpace(character: string): boolean {
  return character !== '' && character.trim() === '';
}

/** The first character of a text; with `step` -1 the last one. */
function nearest(text: string, step: 1 | -1): string {
  if (step === 1) return String.fromCodePoint(text.codePointAt(0) as number);
  const low = text.charCodeAt(text.length - 1);
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(-2) : text.slice(-1);
}
