import type { Block } from '../../content/document.ts';
import { stripSoftHyphens } from '../../core/invisible.ts';
import { shorten } from '../../core/shorten.ts';
import type { DocumentRecord } from '../records/record-schemas.ts';

/** A range of a document's Markdown: `markdown.slice(start, end)`, in UTF-16 code units. */
export type MarkdownRange = readonly [start: number, end: number];

/** Where the text of a chunk is from. */
interface ChunkSource {
  /** Title of the document. */
  readonly title: string;
  readonly headingPath: readonly string[];
  /** Earlier ranges that the chunk repeats. */
  readonly repeats: readonly MarkdownRange[];
  readonly start: number;
  readonly end: number;
}

/** Makes the `text` of a chunk: `Title › H2 › H3`, an empty line, and the ranges of its document one after the other. Pure. */
export function chunkText(
  markdown: string,
  { title, headingPath, repeats, start, end }: ChunkSource,
): string {
  const pieces = [...repeats, [start, end] as const].map(([from, to]) => markdown.slice(from, to));
  return `${[title, ...headingPath].join(' › ')}\n\n${pieces.join('')}`;
}

/** The headings of a document with their positions. */
type Headings = DocumentRecord['headings'];

/** Longer headings are cut. */
const maxHeadingChars = 200;

/** The headings among the top-level blocks of a document. */
export function headingsOf(blocks: readonly Block[]): Headings {
  return blocks.flatMap(({ heading, start }) => {
    if (heading === null) return [];
    const { level, id, text } = heading;
    return [{ level, id, text: shorten(stripSoftHyphens(text), maxHeadingChars), start }];
  });
}

/** The headings at an offset, outermost first, with one that starts there. */
function headingsAt(headings: Headings, offset: number): Headings {
  const path: Headings = [];
  for (const heading of headings) {
    if (heading.start > offset) break;
    while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop();
    path.push(heading);
  }
  return path;
}

/** Bold lines, which belong to the section of a heading that follows them. */
const labels = /^(?:\*\*[^\n]*\*\*\s+)+$/;

/** Where a passage is in the headings of its document. */
interface ChunkPlace {
  /** Texts of the headings above it, outermost first. */
  readonly path: readonly string[];
  /** The same with the heading that it starts with. */
  readonly names: readonly string[];
  /** Id of the last one of those that have an id: headings of a page that exists already may have none. */
  readonly anchor: string | null;
}

/** Finds the place of the passage `markdown.slice(start, end)`. */
export function placeOf(markdown: string, headings: Headings, start: number, end: number): ChunkPlace {
  const next = headings.find((heading) => heading.start > start)?.start ?? end;
  const own = headingsAt(headings, start);
  const below = next < end && labels.test(markdown.slice(start, next)) ? headingsAt(headings, next) : null;
  // A heading with nothing but the label below it would otherwise be in no passage.
  const isLabel = below !== null && own.every((heading) => below.includes(heading));
  const [at, all] = isLabel ? [next, below] : [start, own];
  return {
    path: all.filter((heading) => heading.start < at).map(({ text }) => text),
    names: all.map(({ text }) => text),
    anchor: all.findLast(({ id }) => id !== '')?.id ?? null,
  };
}
