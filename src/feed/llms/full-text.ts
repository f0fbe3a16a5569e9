import type { DocumentRecord } from '../records/record-schemas.ts';

export interface FullTextOptions {
  /** First lines of every part. */
  readonly head: (part: number) => string;
  readonly path: (part: number) => string;
  /** URL of a part. */
  readonly url: (part: number) => string;
  /** Maximum characters of a part. */
  readonly chars: number;
}

/** Room for the part number in the first lines and for the link to the next part. */
const reservedChars = 220;

/** Maximum characters of an article: a part without its first and last lines. */
export function fullTextRoom({ chars, head }: Pick<FullTextOptions, 'chars' | 'head'>): number {
  return chars - reservedChars - head(1).length;
}

/** The header above the Markdown of an article. */
export function fullTextHead({
  title,
  url,
  updated_at,
}: Pick<DocumentRecord, 'title' | 'url' | 'updated_at'>): string {
  return [
    '\n---\n',
    `# ${title}\n`,
    `URL: ${url}`,
    ...(updated_at === undefined ? [] : [`Updated: ${updated_at}`]),
    '\n',
  ].join('\n');
}

/**
 * The text of one article, at most `room` characters. A longer one ends after a complete line, followed by the URL of the rest.
 * @param head the header above the Markdown
 * @param markdownUrl URL of the whole Markdown
 */
export function fitFullText(head: string, markdown: string, room: number, markdownUrl: string): string {
  if (head.length + markdown.length <= room) return head + markdown;
  const tail = cutNote(markdownUrl);
  const fitting = markdown.slice(0, Math.max(0, room - head.length - tail.length));
  return head + fitting.slice(0, fitting.lastIndexOf('\n') + 1).trimEnd() + tail;
}

/** The note at the end of an article that was cut. */
export function cutNote(markdownUrl: string): string {
  return `\n\nThe rest of this article: ${markdownUrl}\n`;
}

/** A part of `llms-full.txt`. */
export interface FullTextPart<Page> {
  readonly path: string;
  readonly head: string;
  /** Where the text is continued; empty in the last part. */
  readonly tail: string;
  readonly pages: readonly Page[];
}

/**
 * Divides the pages of one language into parts of limited size; an article is never split. Pure.
 * @param pages in order
 * @param groupOf the group of a page. A new group starts a new part if the part is half full, so that an edit moves few of the later pages
 */
export function planFullText<Page extends { readonly fullTextChars: number }>(
  options: FullTextOptions,
  pages: readonly Page[],
  groupOf: (page: Page) => number,
): readonly FullTextPart<Page>[] {
  const room = fullTextRoom(options);
  const parts: Page[][] = [[]];
  let used = 0;
  let lastGroup = 0;
  for (const page of pages) {
    const group = groupOf(page);
    const isFull = group !== lastGroup && used > room / 2;
    lastGroup = group;
    if (used > 0 && (isFull || used + page.fullTextChars > room)) {
      parts.push([]);
      used = 0;
    }
    parts.at(-1)?.push(page);
    used += page.fullTextChars;
  }
  return parts.map((ofPart, at) => ({
    path: options.path(at + 1),
    head: options.head(at + 1),
    tail: at + 1 < parts.length ? `\n---\n\nContinued in ${options.url(at + 2)}\n` : '',
    pages: ofPart,
  }));
}

/** Whether a part of `llms-full.txt` has nothing but the end of a part and the start of the next one. */
export function isPartEnd(text: string): boolean {
  return /^\n*(?:---\n\nContinued in \S+\n+)?(?:# [^\n]*\n\n> Every help article of [^\n]*\n\nOther languages: \S+\n)?$/.test(
    text,
  );
}
