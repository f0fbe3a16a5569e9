/** Ways in which others cut Markdown into chunks, each with its own defaults or with a size that is commonly used. */
import { MarkdownTextSplitter, RecursiveCharacterTextSplitter } from '@langchain/textsplitters';
import { MarkdownNodeParser, SentenceSplitter } from '@llamaindex/core/node-parser';
import { Document } from '@llamaindex/core/schema';
import type { CountTokens } from '../src/feed/tokens/count-tokens.ts';

/** A stretch of Markdown, in UTF-16 units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface Splitter {
  readonly name: string;
  readonly split: (markdown: string) => Promise<readonly Stretch[]>;
}

/** LangChain counts characters and LlamaIndex tokens. */
export const frameworkSplitters: readonly Splitter[] = [
  {
    name: 'LangChain recursive 1000/200',
    split: located((text) => new RecursiveCharacterTextSplitter().splitText(text)),
  },
  {
    name: 'LangChain Markdown 1000/200',
    split: located((text) => new MarkdownTextSplitter().splitText(text)),
  },
  {
    name: 'LangChain Markdown 2000/0',
    split: located((text) => new MarkdownTextSplitter({ chunkSize: 2000, chunkOverlap: 0 }).splitText(text)),
  },
  {
    name: 'LlamaIndex sentences 1024/200',
    split: located(async (text) => new SentenceSplitter().splitText(text)),
  },
  {
    name: 'LlamaIndex sentences 300/20',
    split: located(async (text) =>
      new SentenceSplitter({ chunkSize: 300, chunkOverlap: 20 }).splitText(text),
    ),
  },
  {
    name: 'LlamaIndex Markdown',
    split: located(async (text) =>
      new MarkdownNodeParser().getNodesFromDocuments([new Document({ text })]).map((node) => node.text),
    ),
  },
];

/** Windows of about so many tokens, cut wherever they end, half of each in the next one if they overlap. */
export function tokenWindows(tokens: number, overlap: number, countTokens: CountTokens): Splitter {
  return {
    name: `windows ${tokens}/${overlap}`,
    async split(markdown) {
      const perToken = markdown.length / Math.max(1, countTokens(markdown));
      const size = Math.max(1, Math.round(tokens * perToken));
      const step = Math.max(1, Math.round((tokens - overlap) * perToken));
      const count = Math.max(1, Math.ceil((markdown.length - size) / step) + 1);
      return Array.from({ length: count }, (_, at) => ({
        start: at * step,
        end: Math.min(markdown.length, at * step + size),
      }));
    },
  };
}

/** Finds texts that a splitter made in the Markdown that it made them of; it may have trimmed and joined them. */
function located(split: (markdown: string) => Promise<readonly string[]>): Splitter['split'] {
  return async (markdown) => {
    let from = 0;
    return (await split(markdown)).map((text) => {
      const start =
        firstOf(markdown, text.slice(0, 30), from) ?? firstOf(markdown, text.slice(0, 8), from) ?? from;
      from = start;
      const end = markdown.lastIndexOf(text.slice(-30), start + Math.ceil(text.length * 1.2));
      return {
        start,
        end: end < start ? Math.min(markdown.length, start + text.length) : end + Math.min(30, text.length),
      };
    });
  };
}

function firstOf(markdown: string, text: string, from: number): number | null {
  const at = markdown.indexOf(text, from);
  return at < 0 ? null : at;
}
