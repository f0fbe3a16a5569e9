import type { CountTokens } from './count-tokens.ts';

/** Counts the tokens of `text.slice(start, end)` of one text. */
export type CountRange = (start: number, end: number) => number;

/**
 * Counts each line of a text once: the tokens of a range are a difference of sums, and only lines that it cuts are counted again. This is exact, because
 * a token crosses a line feed only before white space and `/`. Pure.
 */
export function countRanges(text: string, countTokens: CountTokens): CountRange {
  const starts = [0];
  const sums = [0];
  const add = (end: number): void => {
    sums.push((sums.at(-1) as number) + countTokens(text.slice(starts.at(-1), end)));
    starts.push(end);
  };
  for (let end = text.indexOf('\n') + 1; end > 0; end = text.indexOf('\n', end) + 1)
    if (beginsToken(text, end)) add(end);
  add(text.length);

  /** Index of the last line that starts at or before an offset. */
  const lineAt = (offset: number): number => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return low;
  };
  /** Tokens between the start of a line and an offset in it. */
  const before = (line: number, offset: number): number => {
    const start = starts[line] as number;
    if (start === offset) return 0;
    const end = starts[line + 1] as number;
    // A space before a word begins a token. So of a line without its line feed, only the last word is counted again.
    const word = text.lastIndexOf(' ', offset - 2);
    if (word - start < end - word || !/\S/.test(text.charAt(word + 1)))
      return countTokens(text.slice(start, offset));
    const whole = (sums[line + 1] as number) - (sums[line] as number);
    return whole - countTokens(text.slice(word, end)) + countTokens(text.slice(word, offset));
  };

  return (start, end) => {
    const last = lineAt(end);
    let first = lineAt(start);
    if (starts[first] === start) return (sums[last] as number) - (sums[first] as number) + before(last, end);
    first += 1;
    if (first > last) return countTokens(text.slice(start, end));
    const between = (sums[last] as number) - (sums[first] as number);
    return countTokens(text.slice(start, starts[first])) + between + before(last, end);
  };
}

/** Whether the line at an offset begins a new token, whatever is before it. */
export function beginsToken(text: string, at: number): boolean {
  return /[^\s/]/.test(text.charAt(at));
}
