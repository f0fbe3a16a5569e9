import type { ByteRange, OutputFile, WrittenFile } from '../../output/output.ts';
import type { DocumentRecord } from '../records/record-schemas.ts';
import {
  appendSection,
  type Closed,
  closeSectionFile,
  type FullTextSize,
  type Section,
  type SectionOutput,
  sliceSection,
} from '../sections.ts';

/** `llms-full.txt` of one language, in parts of limited size; an article is never divided. */
export interface FullText {
  /** Adds the texts of a partition; gives where they are. */
  add(section: Section, sizes: readonly FullTextSize[]): Promise<readonly ByteRange[]>;
  /** The next article begins a new part: so an edit moves nothing behind it. */
  breakPart(): void;
  close(): Promise<Closed<unknown>>;
}

export interface FullTextOptions {
  /** First lines of every part. */
  readonly head: (part: number) => string;
  readonly path: (part: number) => string;
  /** Address of a part. */
  readonly url: (part: number) => string;
  /** Most characters of a part. */
  readonly chars: number;
}

/** Room for the first lines' part number and for the line that links to the next part. */
const reservedChars = 220;

/** Characters an article may take: a part has that much room besides its first and last lines. */
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
 * The text of one article, at most `room` characters: one that is longer ends at a line, with the address of the rest.
 * @param head the header above the Markdown
 * @param markdownUrl where the whole Markdown is
 */
export function fitFullText(head: string, markdown: string, room: number, markdownUrl: string): string {
  if (head.length + markdown.length <= room) return head + markdown;
  const tail = cutNote(markdownUrl);
  const fitting = markdown.slice(0, Math.max(0, room - head.length - tail.length));
  return head + fitting.slice(0, fitting.lastIndexOf('\n') + 1).trimEnd() + tail;
}

/** The end of an article that was cut. */
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
  const closed: Promise<WrittenFile>[] = [];
  const nextPart = async () => {
    part += 1;
    await file.write(`\n---\n\nContinued in ${options.url(part)}\n`);
    closed.push((await closeSectionFile(output, file)).written);
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
      isFull = used > 0;
    },
    async close() {
      closed.push((await closeSectionFile(output, file)).written);
      const written = Promise.all(closed);
      written.catch(() => {});
      return { written };
    },
  };
}

/** Ranges that follow one another become one. */
function addRange(ranges: ByteRange[], range: ByteRange): void {
  const last = ranges.at(-1);
  if (last?.path === range.path && last.offset + last.length === range.offset) {
    ranges[ranges.length - 1] = { ...last, length: last.length + range.length };
  } else ranges.push(range);
}

async function openPart(output: SectionOutput, options: FullTextOptions, part: number): Promise<OutputFile> {
  const file = await output.open(options.path(part));
  await file.write(options.head(part));
  return file;
}
