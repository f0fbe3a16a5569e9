import { replaceSpans, type TextSpan } from '../../core/replace-spans.ts';

/** A backslash with its sign, and what is read as it is: code, the destination of a link, a URL. */
const pieces =
  /(`+)(?!`)[\s\S]*?[^`]\1(?!`)|\]\([^()\s]*\)|\[\d+(?::\d+)?\](?=\()|<?(?:https?|ftp):\/\/[^\s<>[\]`|*\\]+|(?:\\\*)+|(?:\\_)+|(?:\\~)+|\*+|_+|~+|\\[\s\S]|\[/g;

/** A text with more pieces keeps its backslashes: each mark is compared with all others. */
const maxPieces = 400;

/** A run of signs that may be marks of emphasis. */
interface MarkRun {
  readonly index: number;
  readonly sign: string;
  readonly opens: boolean;
  readonly closes: boolean;
}

/** Emphasis from the mark that begins it to the one that ends it. */
interface EmphasisRange extends MarkRun {
  end: number;
}

/**
 * Removes the backslashes that a paragraph, heading or cell does not need: GFM reads the same without them. A model reads the text as it is
 * written, where `Benutzer\*innen` is no word. A literal mark needs one within emphasis of the same mark, and if another literal one could
 * make a pair with it.
 * @param text of which every sign that may mean something has a backslash
 * @param formulas of the text, in order; their backslashes are TeX
 */
export function dropNeedlessEscapes(text: string, formulas: readonly string[] = []): string {
  if (!/\\[*_~[\]&\\]/.test(text)) return text;
  const all = [...text.matchAll(pieces)];
  if (all.length > maxPieces) return text;
  let endOfFormula = 0;
  const kept = formulas.map((formula): TextSpan => {
    const start = text.indexOf(formula, endOfFormula);
    endOfFormula = start + formula.length;
    return { start, end: endOfFormula };
  });
  // Marks in a formula make pairs where formulas are not known.
  const found = all.filter(
    ({ index, 0: piece }) =>
      !piece.startsWith('\\') || !kept.some(({ start, end }) => start <= index && index < end),
  );
  const links = findLinks(found);
  const marks: MarkRun[] = [];
  const literals: MarkRun[] = [];
  /** Marks that are text without a backslash. */
  const read: MarkRun[] = [];
  const dropped = new Map<number, string>();
  let endOfUrl = 0;
  for (const { index, 0: piece } of found) {
    const end = index + piece.length;
    if (/^<?\w+:\/\//.test(piece)) {
      endOfUrl = end;
      // Only a parser that knows URLs reads the marks in them as text.
      for (const { 0: sign, index: at } of piece.matchAll(/[*_]+|~+/g))
        read.push(runOf(text, index + at, sign, index + at + sign.length));
    } else if (piece.startsWith('\\') && index === endOfUrl && index > 0) continue;
    else if (/^\\?[*_~]/.test(piece)) {
      const sign = piece.replaceAll('\\', '');
      const isBeside = /[*_~]/.test(text.charAt(index - 1)) || /^\\?[*_~]/.test(text.slice(end, end + 2));
      if (sign === piece) marks.push(runOf(text, index, sign, end));
      else if (!isBeside && !startsBlock(text, index, sign, end))
        literals.push(runOf(text, index, sign, end));
    } else if (
      !links.some((link) => link.start < index && index < link.end) &&
      isNeedless(text, index, piece)
    )
      dropped.set(index, piece.slice(1));
  }
  const emphasised = findEmphasis(marks, read);
  for (const run of literals) {
    const { index, opens, closes } = run;
    const isSame = ({ sign }: MarkRun) => sign.charAt(0) === run.sign.charAt(0);
    if (emphasised.some((range) => isSame(range) && range.index < index && index < range.end)) continue;
    const makesPair = (other: MarkRun) =>
      isSame(other) && (other.index < index ? other.opens && closes : opens && other.closes);
    if (read.some(makesPair)) continue;
    if (opens || closes) read.push(run);
    dropped.set(index, run.sign);
  }
  const spans = found
    .filter(({ index }) => dropped.has(index))
    .map(({ index, 0: piece }) => ({ start: index, end: index + piece.length }));
  return replaceSpans(text, spans, ({ start }) => dropped.get(start) ?? '');
}

/** The links of a text. Brackets in the text of a link have backslashes, so that the last open one begins it. */
function findLinks(found: readonly RegExpExecArray[]): readonly TextSpan[] {
  const open: number[] = [];
  return found.flatMap(({ index, 0: piece }) => {
    if (piece === '[') open.push(index);
    const start = piece.startsWith('](') ? open.pop() : undefined;
    return start === undefined ? [] : [{ start, end: index }];
  });
}

/** The ranges of emphasis; of a mark that has no end, the whole rest. Adds to `unpaired` marks that would also end emphasis before them. */
function findEmphasis(marks: readonly MarkRun[], unpaired: MarkRun[]): readonly EmphasisRange[] {
  const ranges: EmphasisRange[] = [];
  const open: { readonly range: EmphasisRange; length: number }[] = [];
  for (const mark of marks) {
    let { length } = mark.sign;
    while (mark.closes && length > 0) {
      const last = open.findLast(({ range }) => isPair(range, mark));
      if (last === undefined) break;
      const used = Math.min(length, last.length);
      length -= used;
      last.length -= used;
      last.range.end = mark.index;
      if (last.length === 0) open.splice(open.indexOf(last), 1);
      else last.range.end = Number.POSITIVE_INFINITY;
    }
    if (length > 0 && mark.closes) unpaired.push({ ...mark, opens: false });
    if (length === 0 || !mark.opens) continue;
    const range = { ...mark, end: Number.POSITIVE_INFINITY };
    ranges.push(range);
    open.push({ range, length });
  }
  return ranges;
}

/** CommonMark 0.31, 6.2, rules 9 and 10: `**a*b*c**` has `*b*` in it, so a mark that could also begin one does not end what `**` began. */
function isPair(one: MarkRun, other: MarkRun): boolean {
  if (one.sign.charAt(0) !== other.sign.charAt(0)) return false;
  const isEither = (one.opens && one.closes) || (other.opens && other.closes);
  const lengths = [one.sign.length, other.sign.length, one.sign.length + other.sign.length] as const;
  return !isEither || lengths[2] % 3 !== 0 || (lengths[0] % 3 === 0 && lengths[1] % 3 === 0);
}

/** Matches a paragraph up to the end of the name of a definition, which may have several lines. A bracket at the start of a line keeps its backslash. */
const definitionStart = /^\s*\\?\[(?:\\[^[]|\n[ \t]*\\\[|[^\\\]])*$/;

/** Whether a bracket or an ampersand means nothing without its backslash. There are no definitions of links, so `[text]` alone is text. */
function isNeedless(text: string, index: number, piece: string): boolean {
  const after = text.slice(index + piece.length, index + piece.length + 40);
  if (piece === '\\&') return !/^(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i.test(after);
  if (piece === '\\\\') return after !== '' && !/^[!-/:-@[-`{-~\n]/.test(after);
  const line = text.slice(text.lastIndexOf('\n', index) + 1, index);
  // An alert of GitHub, a task and a definition begin a line.
  if (piece === '\\[') return line.trim() !== '' || !/^(?:![a-z]+\\?\]\s*(?:\n|$)|[ x]\]|\^)/i.test(after);
  if (piece !== '\\]') return false;
  return !after.startsWith('(') && !(after.startsWith(':') && definitionStart.test(text.slice(0, index)));
}

/** Whether signs at the start of a line are the bullet of a list, a rule or a fence. */
function startsBlock(text: string, index: number, sign: string, end: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', index - 1) + 1, index);
  if (index > 0 && line.trim() !== '') return false;
  return sign.startsWith('~~~') || /^(?:\s|[ \t*_\\]*(?:\n|$))/.test(text.slice(end, end + 100));
}

/** What CommonMark 0.31, 6.2, allows for a run of signs. */
function runOf(text: string, index: number, sign: string, end: number): MarkRun {
  const previous = [...text.slice(Math.max(0, index - 2), index)].at(-1) ?? '';
  const isEscaped = /^\\[!-/:-@[-`{-~]/.test(text.slice(end, end + 2));
  const next = isEscaped ? text.charAt(end + 1) : ([...text.slice(end, end + 2)][0] ?? '');
  // micromark reads a mark beside another one as if there was a space.
  const opens = isFlanking(next, previous) || /[*_~]/.test(next);
  const closes = isFlanking(previous, next) || /[*_~]/.test(previous);
  if (!sign.startsWith('_')) return { index, sign, opens, closes };
  return { index, sign, opens: opens && !isLetter(previous), closes: closes && !isLetter(next) };
}

/** Where parsers differ, the answer is yes. */
function isFlanking(inner: string, outer: string): boolean {
  if (inner === '' || /\s/.test(inner)) return false;
  return !/[\p{P}\p{S}]/u.test(inner) || inner.length > 1 || !isLetter(outer);
}

/** Neither space nor punctuation. Parsers that work on UTF-16 units read an emoji as letters, others as a symbol: it is none. */
function isLetter(character: string): boolean {
  return character.length === 1 && !/[\s\p{P}\p{S}]/u.test(character);
}
