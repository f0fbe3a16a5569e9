import { parse, postprocess, preprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';
import type { BlockType, Document } from '../../src/content/document.ts';

/** Names of the parser for the types of blocks. */
const names: Readonly<Record<BlockType, string>> = {
  heading: 'atxHeading',
  paragraph: 'paragraph',
  label: 'paragraph',
  image: 'paragraph',
  list: 'listUnordered',
  steps: 'listOrdered',
  table: 'table',
  code: 'codeFenced',
  callout: 'blockQuote',
  quote: 'blockQuote',
  rule: 'thematicBreak',
};

/** A top-level block of a Markdown text, by micromark's name for it. */
type NamedBlock = readonly [name: string, start: number, end: number];

/** The blocks a document comes with. */
export function findBlocks({ blocks, markdown }: Document): readonly NamedBlock[] {
  return blocks.map(({ type, start, end }) => {
    // Steps that Markdown cannot number, such as `a.`, are bullets with their number as text.
    const isBullet = type === 'steps' && /[-*]/.test(markdown.charAt(start));
    return [names[isBullet ? 'list' : type], start, end];
  });
}

/** The blocks that a CommonMark parser finds. */
export function parseBlocks(markdown: string): readonly NamedBlock[] {
  const context = parse({ extensions: [gfm()] }).document();
  const known = new Set(Object.values(names));
  const blocks: NamedBlock[] = [];
  let depth = 0;
  for (const [event, { type, start, end }] of postprocess(
    context.write(preprocess()(markdown, undefined, true)),
  )) {
    if (!known.has(type)) continue;
    if (event === 'exit') depth -= 1;
    else if (depth++ === 0) {
      const text = markdown.slice(start.offset, end.offset);
      blocks.push([type, start.offset, start.offset + text.trimEnd().length]);
    }
  }
  return blocks;
}
