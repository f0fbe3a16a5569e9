/** A part of a text, in UTF-16 units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces parts of a text.
 * @param spans sorted by their start; one that begins inside of another one is skipped
 */
export function replaceSpans<Span extends TextSpan>(
  text: string,
  spans: Iterable<Span>,
  replacement: (span: Span) => string,
): string {
  let result = '';
  let at = 0;
  for (const span of spans) {
    if (span.start < at) continue;
    result += text.slice(at, span.start) + replacement(span);
    at = span.end;
  }
  return result + text.slice(at);
}
