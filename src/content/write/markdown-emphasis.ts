/** A pair of marks such as `**`; dropped if Markdown would not read it as a pair. */
interface Pair {
  readonly mark: string;
  isDropped: boolean;
}

interface Mark {
  readonly pair: Pair;
  readonly isOpen: boolean;
  /** Punctuation that moved out of the marked text: it is written before the opening mark or after the closing one. */
  moved: string;
}

/** Indivisible syntax: part of a link, an image, a line break, or code, whose span is written at the end. */
class Whole {
  readonly kind: 'syntax' | 'code';
  readonly parts: string[];

  constructor(kind: 'syntax' | 'code', part: string) {
    this.kind = kind;
    this.parts = [part];
  }
}

type Piece = string | Mark | Whole;

const tagOf: Readonly<Record<string, string>> = { '**': 'strong', '*': 'em', _: 'em', '~~': 'del' };

const linkStart = '[';

/** Placeholder for the character before an opening mark that directly follows a closing mark: the two marks would merge. */
const closingMark = 'closing mark';

const punctuation = /[\p{P}\p{S}]/u;
const trailingPunctuation = /[\p{P}\p{S}\s]+$/u;
const leadingPunctuation = /^[\p{P}\p{S}\s]+/u;

/**
 * Collects running text with emphasis. Writes marks only if CommonMark would read them as emphasis, which depends on the characters next to
 * them. Punctuation at the edge moves out of the marks if that helps; otherwise the marks are dropped and the text stays.
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
    this.pieces.push(new Whole('syntax', markdown));
  }

  /** Adds code. Adjacent pieces of code become one span, because two adjacent spans would share a run of backticks. */
  code(code: string): void {
    const last = this.pieces.at(-1);
    if (last instanceof Whole && last.kind === 'code') last.parts.push(code);
    else this.pieces.push(new Whole('code', code));
  }

  /** Adds the start of a link. */
  openLink(): void {
    this.syntax(linkStart);
  }

  /** Adds what `write` adds, between marks. */
  marked(wanted: string, write: () => void): void {
    if (this.openMarks.includes(wanted)) {
      write();
      return;
    }
    const last = this.pieces.at(-1);
    const followsStrong =
      typeof last === 'object' && 'pair' in last && last.isOpen && last.pair.mark === '**';
    // `***text***` would be strong text within emphasis.
    const mark = this.usesTags && wanted === '*' && followsStrong ? '_' : wanted;
    const pair: Pair = { mark, isDropped: false };
    const open = this.pieces.push({ pair, isOpen: true, moved: '' }) - 1;
    this.openMarks.push(mark);
    write();
    this.openMarks.pop();
    const close = this.pieces.push({ pair, isOpen: false, moved: '' }) - 1;
    this.pairs.push({ pair, open, close });
  }

  /** Returns the Markdown; add nothing afterwards. */
  finish(): string {
    for (const { pair, open, close } of this.pairs) this.resolve(pair, open, close);
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
      if (markdown === linkStart && last.endsWith('!')) last = `${last.slice(0, -1)}\\!`;
      append(markdown);
    };
    for (const piece of this.pieces) {
      if (typeof piece === 'string') add(piece);
      // Marks between two pieces of code may have been dropped: join the pieces into one span.
      else if (piece instanceof Whole && piece.kind === 'code') code += piece.parts.join('');
      else if (piece instanceof Whole) add(piece.parts.join(''));
      else {
        const mark = piece.pair.isDropped ? this.tagFor(piece) : piece.pair.mark;
        add(piece.isOpen ? piece.moved + mark : mark + piece.moved);
      }
    }
    return text + last + (code === '' ? '' : this.writeCode(code));
  }

  private tagFor({ pair, isOpen }: Mark): string {
    return this.usesTags ? `<${isOpen ? '' : '/'}${tagOf[pair.mark]}>` : '';
  }

  private resolve(pair: Pair, open: number, close: number): void {
    const before = this.characterBefore(open);
    const after = this.characterAfter(close);
    if (before === closingMark || this.isOpenAt(open + 1, close)) {
      pair.isDropped = true;
      return;
    }
    const first = this.edge(open, close, 1, pair.mark);
    const last = this.edge(close, open, -1, pair.mark);
    if (first === '' || last === '') {
      pair.isDropped = true;
      return;
    }
    const opens = isPlain(first) || (!isSpace(first) && isBoundary(before));
    const closes = isPlain(last) || (!isSpace(last) && isBoundary(after));
    const canOpen = opens || this.moveOut(open, 1, leadingPunctuation);
    if (!canOpen || !(closes || this.moveOut(close, -1, trailingPunctuation))) pair.isDropped = true;
  }

  /** Moves punctuation at the edge of marked text to the other side of the mark. Returns `false` if that is not possible. */
  private moveOut(at: number, step: 1 | -1, edge: RegExp): boolean {
    const inner = this.pieces[at + step];
    if (this.usesTags || typeof inner !== 'string') return false;
    const moved = edge.exec(inner)?.[0] ?? '';
    // Code spans and line breaks stay whole.
    if (moved === '' || moved.length === inner.length || moved.includes('`') || moved.includes('\n'))
      return false;
    (this.pieces[at] as Mark).moved = moved;
    this.pieces[at + step] = step === 1 ? inner.slice(moved.length) : inner.slice(0, -moved.length);
    return true;
  }

  /** Whether there is no content between two positions. */
  private isOpenAt(from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (isContent(this.pieces[at] as Piece)) return false;
    return true;
  }

  /** The character next to a mark on its inner side; a different mark there counts as punctuation. */
  private edge(from: number, to: number, step: 1 | -1, mark: string): string {
    for (let at = from + step; at !== to; at += step) {
      const piece = this.pieces[at] as Piece;
      if (piece instanceof Whole) return step === 1 ? firstOf(piece) : lastOf(piece);
      if (typeof piece === 'string') return step === 1 ? firstCharacter(piece) : lastCharacter(piece);
      if (piece.moved !== '') return step === 1 ? firstCharacter(piece.moved) : lastCharacter(piece.moved);
      if (!piece.pair.isDropped && piece.pair.mark.charAt(0) !== mark.charAt(0)) return '~';
    }
    return '';
  }

  /** The character before an opening mark, {@link closingMark}, or `''` at the start. */
  private characterBefore(at: number): string {
    for (let before = at - 1; before >= 0; before--) {
      const piece = this.pieces[before] as Piece;
      if (piece instanceof Whole) return lastOf(piece);
      if (typeof piece === 'string') return lastCharacter(piece);
      if (piece.moved !== '') return lastCharacter(piece.moved);
      if (!piece.isOpen && !piece.pair.isDropped) return closingMark;
    }
    return '';
  }

  private characterAfter(at: number): string {
    for (let after = at + 1; after < this.pieces.length; after++) {
      const piece = this.pieces[after] as Piece;
      if (piece instanceof Whole) return firstOf(piece);
      if (typeof piece === 'string') return firstCharacter(piece);
      if (piece.moved !== '') return firstCharacter(piece.moved);
    }
    return '';
  }
}

function isContent(piece: Piece): boolean {
  return typeof piece === 'string' || piece instanceof Whole;
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

function firstOf({ kind, parts }: Whole): string {
  return kind === 'code' ? '`' : firstCharacter(parts[0] as string);
}

function lastOf({ kind, parts }: Whole): string {
  return kind === 'code' ? '`' : lastCharacter(parts[0] as string);
}

function firstCharacter(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) as number);
}

function lastCharacter(text: string): string {
  const low = text.charCodeAt(text.length - 1);
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(-2) : text.slice(-1);
}
