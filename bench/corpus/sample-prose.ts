import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFrontMatter } from '../../src/source/folder/front-matter.ts';
import { renderMarkdown } from '../../src/source/folder/render-markdown.ts';

/** Prose of one language, split into pieces that can be recombined; all of it is HTML as an editor would store it. */
export interface Prose {
  readonly language: string;
  readonly titles: readonly string[];
  readonly descriptions: readonly string[];
  /** Inline HTML. */
  readonly headings: readonly string[];
  /** Inline HTML, one whole sentence each. */
  readonly sentences: readonly string[];
  /** Lists, tables, code blocks, callouts, images. */
  readonly blocks: readonly string[];
  /** Plain words for variation; empty in scripts written without spaces. */
  readonly words: readonly string[];
  /** Between two sentences: a space, or nothing. */
  readonly joint: string;
}

/** Reads the articles of the sample knowledge base in one language. */
export function readSampleProse(folder: string, language: string): Prose {
  const titles: string[] = [];
  const descriptions: string[] = [];
  const headings: string[] = [];
  const sentences: string[] = [];
  const blocks: string[] = [];
  for (const name of readdirSync(join(folder, 'articles')).sort()) {
    const file = join(folder, 'articles', name, `${language}.md`);
    if (!existsSync(file)) continue;
    const { data, body } = parseFrontMatter(readFileSync(file, 'utf8'));
    titles.push(String(data.title));
    descriptions.push(String(data.description));
    for (const block of splitBlocks(body)) {
      if (/^#+ /.test(block)) headings.push(renderInline(block.replace(/^#+ /, '')));
      else if (/^(?:[-*>|!]|\d+\. |```|~~~)/.test(block)) blocks.push(renderBlock(block));
      else if (!block.startsWith('<')) sentences.push(...splitSentences(block).map(renderInline));
    }
  }
  // A language that is missing in the sample is written in English.
  if (titles.length === 0 && language !== 'en') return { ...readSampleProse(folder, 'en'), language };
  const joint = sentences.join('').includes('。') ? '' : ' ';
  const words = joint === '' ? [] : plainWords(sentences);
  return { language, titles, descriptions, headings, sentences, blocks, words, joint };
}

/** Splits Markdown at empty lines outside code blocks; indented lines belong to the block before. */
function splitBlocks(markdown: string): readonly string[] {
  const blocks: string[] = [];
  let isCode = false;
  let isNew = true;
  for (const line of markdown.split('\n')) {
    if (line === '' && !isCode) {
      isNew = true;
      continue;
    }
    if (isNew && !/^\s/.test(line)) blocks.push(line);
    else blocks.push(`${blocks.pop() ?? ''}${isNew ? '\n\n' : '\n'}${line}`);
    isNew = false;
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
  }
  return blocks;
}

/** Whole sentences; skips pieces that start or end inside a link or emphasis. */
function splitSentences(paragraph: string): readonly string[] {
  return paragraph
    .split(/(?<=[.!?؟])\s+|(?<=[。！？])/u)
    .filter((sentence) => sentence.length > 20)
    .filter((sentence) => (sentence.match(/[[\]()*`_]/g) ?? []).length % 2 === 0);
}

function renderBlock(markdown: string): string {
  return renderMarkdown(markdown).trim().replaceAll('../../images/', 'https://images.pebblepost.example/');
}

function renderInline(markdown: string): string {
  return renderBlock(markdown).replace(/^<p>|<\/p>$/g, '');
}

function plainWords(sentences: readonly string[]): readonly string[] {
  const words = sentences.join(' ').match(/(?<=\s)\p{L}{5,}(?=\s)/gu) ?? [];
  return [...new Set(words)].sort();
}
