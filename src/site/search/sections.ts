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
  const sections: { id: string; heading: string; lines: string[] }[] = [{ id: '', heading: '', lines: [] }];
  let next = 0;
  for (const line of text.split('\n')) {
    const heading = headings[next];
    if (heading !== undefined && line.replace(listMarker, '') === heading.text.trim()) {
      sections.push({ id: heading.id, heading: heading.text, lines: [] });
      next += 1;
    } else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ id, heading, lines }) => ({ id, heading, text: lines.join('\n') }));
}
