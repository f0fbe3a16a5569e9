import { readFileSync } from 'node:fs';

/** One fenced block of a page. */
export interface Block {
  /** Line of the fence in the page. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

/** Every fenced block of a Markdown file, in order. */
export function readBlocks(file: string): readonly Block[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    language: match[1] ?? '',
    code: match[2] ?? '',
  }));
}
