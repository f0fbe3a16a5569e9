import type { Output, OutputFile } from '../output/output.ts';

/** `llms-full.txt` of one language, in parts that keep to a budget. */
export interface FullText {
  /** Adds the text of one article, whole where it fits into a part of its own. */
  add(article: FullTextArticle): Promise<void>;
  close(): Promise<void>;
}

interface FullTextArticle {
  readonly title: string;
  readonly url: string;
  readonly updatedAt: string | null;
  readonly markdown: string;
  readonly markdownUrl: string;
}

export interface FullTextOptions {
  /** First lines of every part. */
  readonly head: (part: number) => string;
  /** Where a part lies; a part may lie in two places. */
  readonly paths: (part: number) => readonly string[];
  /** Address of a part. */
  readonly url: (part: number) => string;
  /** Most characters of a part. */
  readonly chars: number;
}

/** Room for the line that tells where the text goes on. */
const tailChars = 200;

/** Opens the first part. */
export async function openFullText(output: Output, options: FullTextOptions): Promise<FullText> {
  let part = 1;
  let files = await openPart(output, options, part);
  let used = options.head(part).length;
  const write = async (text: string) => {
    for (const file of files) await file.write(text);
    used += text.length;
  };
  const nextPart = async () => {
    part += 1;
    await write(`\n---\n\nContinued in ${options.url(part)}\n`);
    for (const file of files) await file.close();
    files = await openPart(output, options, part);
    used = options.head(part).length;
  };
  return {
    async add(article) {
      const room = options.chars - tailChars - options.head(part).length;
      const text = articleText(article, room);
      if (used + text.length > options.chars - tailChars && used > options.head(part).length)
        await nextPart();
      await write(text);
    },
    async close() {
      for (const file of files) await file.close();
    },
  };
}

async function openPart(
  output: Output,
  options: FullTextOptions,
  part: number,
): Promise<readonly OutputFile[]> {
  const files: OutputFile[] = [];
  for (const path of options.paths(part)) {
    const file = await output.open(path);
    await file.write(options.head(part));
    files.push(file);
  }
  return files;
}

/** An article that is over the budget by itself ends at a line, with the address of the rest. */
function articleText(article: FullTextArticle, room: number): string {
  const head = [
    '\n---\n',
    `# ${article.title}\n`,
    `URL: ${article.url}`,
    ...(article.updatedAt === null ? [] : [`Updated: ${article.updatedAt}`]),
    '\n',
  ].join('\n');
  if (head.length + article.markdown.length <= room) return head + article.markdown;
  const tail = `\n\nThe rest of this article: ${article.markdownUrl}\n`;
  const fitting = article.markdown.slice(0, Math.max(0, room - head.length - tail.length));
  return head + fitting.slice(0, fitting.lastIndexOf('\n') + 1).trimEnd() + tail;
}
