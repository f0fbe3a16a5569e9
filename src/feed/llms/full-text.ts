import type { ByteRange } from '../../output/output.ts';
import type { DocumentRecord } from '../records/record-schemas.ts';
import {
  appendSection,
  type FullTextSize,
  type Section,
  type SectionOutput,
  type SectionOutputFile,
  sliceSection,
} from '../sections.ts';

/** `llms-full.txt` of one language, in parts of limited size; an article is never split. */
export interface FullText {
  /** Adds the texts of a partition; returns their byte ranges. */
  add(section: Section, sizes: readonly FullTextSize[]): Promise<readonly ByteRange[]>;
  /** Starts a new part with the next article if this part is half full, so that an edit moves few of the later articles. */
  breakPart(): void;
  close(): Promise<void>;
}

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

/** Opens the first part. */
export async function openFullText(output: SectionOutput, options: FullTextOptions): Promise<FullText> {
  const room = fullTextRoom(options);
  let part = 1;
  let file = await openPart(output, options, part);
  let used = 0;
  let isFull = false;
  const nextPart = async () => {
    part += 1;
    await file.write(`\n---\n\nContinued in ${options.url(part)}\n`);
    await file.close();
    file = await openPart(output, options, part);
    used = 0;
    isFull = false;
  };
  return {
    async add(section, sizes) {
      const ranges: ByteRange[] = [];
      let at = 0;
      for (const [chars, bytes] of sizes) {
        if (used > 0 && (isFull || used + chars > room)) await nextPart();
        const range = await appendSection(file, options.path(part), sliceSection(section, at, bytes));
        addRange(ranges, range);
        used += chars;
        at += bytes;
      }
      return ranges;
    },
    breakPart() {
      isFull = used > room / 2;
    },
    async close() {
      await file.close();
    },
  };
}

/** Appends a range; adjacent ranges become one. */
function addRange(ranges: ByteRange[], range: ByteRange): void {
  const last = ranges.at(-1);
  if (last?.path === range.path && last.offset + last.length === range.offset) {
    ranges[ranges.length - 1] = { ...last, length: last.length + range.length };
  } else ranges.push(range);
}

async function openPart(
  output: SectionOutput,
  options: FullTextOptions,
  part: number,
): Promise<SectionOutputFile> {
  const file = await output.open(options.path(part));
  await file.write(options.head(part));
  return file;
}

/** Whether a part of `llms-full.txt` has nothing but the end of a part and the start of the next one. */
export function isPartEnd(text: string): boolean {
  return /^\n*(?:---\n\nContinued in \S+\n+)?(?:# [^\n]*\n\n> Every help article of [^\n]*\n\nOther languages: \S+\n)?$/.test(
    text,
  );
}
