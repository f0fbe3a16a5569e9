import type { DocumentRecord } from '../records/record-schemas.ts';

/** A heading and those above it, outermost first, by the offset of its line. */
export type SectionStarts = ReadonlyMap<number, DocumentRecord['headings']>;

/** Finds the headings that start sections. */
export function sectionStarts({ content, headings }: DocumentRecord): SectionStarts {
  const starts = headingLines(content.markdown).filter(({ isNested }) => !isNested);
  const sections = new Map<number, DocumentRecord['headings']>();
  let path: DocumentRecord['headings'] = [];
  for (const [at, heading] of headings.filter(({ nested }) => nested === undefined).entries()) {
    path = [...path.filter(({ level }) => level < heading.level), heading];
    sections.set(starts[at]?.start ?? -1, path);
  }
  return sections;
}

/** Whether a document lists the headings of its Markdown, and says correctly which of them are nested. */
export function hasItsHeadings({ content, headings }: DocumentRecord): boolean {
  const lines = headingLines(content.markdown);
  const ofLines = lines.filter(({ isNested }) => !isNested).map(({ level }) => level);
  const stated = headings.filter(({ nested }) => nested === undefined).map(({ level }) => level);
  const inside = lines.filter(({ isNested }) => isNested);
  const nested = headings.filter((heading) => heading.nested === true);
  let found = 0;
  for (const { level } of nested) if (level === inside[found]?.level) found += 1;
  // A heading in a table cell has no line of its own.
  const mayHaveMore = /^[ >]*\|/m.test(content.markdown);
  return (
    ofLines.join() === stated.join() && found === inside.length && (nested.length === found || mayHaveMore)
  );
}

/** A line of Markdown that is a heading. */
interface HeadingLine {
  readonly level: number;
  /** Offset in the Markdown. */
  readonly start: number;
  /** Whether it is in a list, quotation or callout. */
  readonly isNested: boolean;
}

/** Marks of the containers that a line of Markdown is in. */
const containerMarks = /^(?:[ >]|[-*] |\d{1,9}[.)] )*/;

/** Finds the headings in Markdown that the content stage wrote: code is fenced, and its fence is longer than backticks in it. */
function headingLines(markdown: string): readonly HeadingLine[] {
  const found: HeadingLine[] = [];
  let fence = '';
  let start = 0;
  for (const line of markdown.split('\n')) {
    const outside = containerMarks.exec(line)?.[0].length ?? 0;
    const text = line.slice(outside);
    // A code span at the start of a line also has backticks after its first ones.
    const [ticks = ''] = /^`{3,}(?=[^`]*$)/.exec(text) ?? [];
    if (fence !== '') fence = ticks.length >= fence.length ? '' : fence;
    else if (ticks !== '') fence = ticks;
    else {
      const level = /^#{1,6}(?= )/.exec(text)?.[0].length;
      if (level !== undefined) found.push({ level, start, isNested: outside > 0 });
    }
    start += line.length + 1;
  }
  return found;
}
