import type { Document } from '../../content/document.ts';

/** What one search hit can lead to: the beginning of an article or one of its headings. */
export interface Section {
  /** Id of the heading; empty for what stands before the first one. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

/** Markers the plain text puts before a list item's first line. */
const listMarker = /^(?:- |\d+\. )/;

/** Cuts a document's plain text at its headings, which stand in it as lines of their own, in order. */
export function splitSections({ text, headings }: Document): readonly Section[] {
  const sections: Section[] = [];
  let current = { id: '', heading: '' };
  let start = 0;
  let lineStart = 0;
  for (const { id, text: heading } of headings) {
    const line = findLine(text, heading.trim(), lineStart);
    if (line === null) break;
    sections.push({ ...current, text: text.slice(start, Math.max(start, line.start - 1)) });
    current = { id, heading };
    start = Math.min(line.end + 1, text.length);
    lineStart = line.end + 1;
  }
  sections.push({ ...current, text: text.slice(start) });
  return sections;
}

/** The first line from `from` on that holds nothing but `wanted`, behind a list marker or not. */
function findLine(
  text: string,
  wanted: string,
  from: number,
): { readonly start: number; readonly end: number } | null {
  for (let start = from; start <= text.length; ) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    if (text.endsWith(wanted, end) && text.slice(start, end).replace(listMarker, '') === wanted) {
      return { start, end };
    }
    start = end + 1;
  }
  return null;
}
