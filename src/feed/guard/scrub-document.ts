import type { Block, Document, Heading } from '../../content/document.ts';
import { applyEdits, findUrlEdits, isPrivateUrl, scrubUrl } from './scrub-urls.ts';

/** What of a document goes into the feed. */
export interface FeedDocument {
  readonly markdown: string;
  readonly blocks: readonly Block[];
  readonly text: string;
  readonly headings: readonly Heading[];
  /** Articles of this knowledge base that are linked to, once each, in order. */
  readonly linkedArticleIds: readonly string[];
  /** Other http(s) addresses that are linked to, once each, in order. */
  readonly externalLinks: readonly string[];
  readonly images: readonly { readonly src: string; readonly alt: string | null }[];
}

/** Takes credentials, signatures and private addresses out of the link and image targets of a document. Prose and code stay. Pure. */
export function scrubDocument(document: Document): FeedDocument {
  const external = document.links.flatMap((link) =>
    link.kind === 'external' && /^https?:/i.test(link.href) ? [scrubUrl(link.href)] : [],
  );
  const linked = document.links.flatMap((link) =>
    link.kind === 'internal' && link.articleId !== null ? [link.articleId] : [],
  );
  return {
    ...scrubBlocks(document),
    text: document.text,
    headings: document.headings,
    linkedArticleIds: [...new Set(linked)],
    externalLinks: [...new Set(external)].filter((url) => !isPrivateUrl(url)),
    images: document.images
      .filter(({ url }) => !url.startsWith('data:') && !isPrivateUrl(url))
      .map(({ url, alt }) => ({ src: scrubUrl(url), alt })),
  };
}

/** Scrubs the Markdown and moves the offsets of its blocks along. */
function scrubBlocks({ markdown, blocks }: Document): Pick<FeedDocument, 'markdown' | 'blocks'> {
  const edits = findUrlEdits(markdown);
  if (edits.length === 0) return { markdown, blocks };
  // No link target reaches over the start or end of a block.
  const offsets = blocks.flatMap(({ start, end, bodyStart, items }) => [start, end, bodyStart, ...items]);
  const moved = new Map<number, number>();
  let next = 0;
  let shift = 0;
  for (const offset of offsets.sort((a, b) => a - b)) {
    for (let edit = edits[next]; edit !== undefined && edit.end <= offset; edit = edits[next]) {
      shift += edit.text.length - (edit.end - edit.start);
      next += 1;
    }
    moved.set(offset, offset + shift);
  }
  const move = (offset: number): number => moved.get(offset) ?? offset;
  return {
    markdown: applyEdits(markdown, edits),
    blocks: blocks.map((block) => ({
      ...block,
      start: move(block.start),
      end: move(block.end),
      bodyStart: move(block.bodyStart),
      items: block.items.map(move),
    })),
  };
}
