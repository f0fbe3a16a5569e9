import type { Block } from '../../content/document.ts';
import { printWords } from '../../foundation/callout-prints.ts';
import { blockIndexAt } from './build-atoms.ts';
import { makeReadable } from './readable-text.ts';
import type { Atom } from './split-sections.ts';

/**
 * What a chatbot does better without: a table of contents of the page itself, and a call-out that many articles have. It
 * gets chunks of its own, so that a consumer can skip them and nothing else.
 */
export type ApartKind = 'toc' | 'boilerplate';

/** What tells on a page what is set apart. */
export interface PageFacts {
  /** Its address: a table of contents may give it in full. */
  readonly url: string;
  /** Fingerprints of the call-outs that many articles have. */
  readonly shared: ReadonlySet<string>;
}

/** One atom that is set apart, or consecutive ones of what the article is about (`null`). */
export interface Segment {
  readonly kind: ApartKind | null;
  readonly atoms: readonly Atom[];
}

/** Cuts the atoms of a document where what is set apart starts and ends. */
export function cutSegments(
  markdown: string,
  blocks: readonly Block[],
  atoms: readonly Atom[],
  page: PageFacts,
): readonly Segment[] {
  const segments: { readonly kind: ApartKind | null; readonly atoms: Atom[] }[] = [];
  for (const atom of atoms) {
    const first = blockIndexAt(blocks, atom.start);
    const inside = blocks.slice(first, blockIndexAt(blocks, atom.end - 1) + 1);
    const own = inside.filter(({ start }) => start < atom.end);
    const kind = kindOf(markdown, own, page);
    const last = segments.at(-1);
    if (last !== undefined && last.kind === null && kind === null) last.atoms.push(atom);
    else segments.push({ kind, atoms: [atom] });
  }
  return segments;
}

/** Headings, labels and the line that introduces a table of contents count as part of what follows. */
function kindOf(markdown: string, blocks: readonly Block[], { url, shared }: PageFacts): ApartKind | null {
  const content = blocks.filter(
    ({ type, heading }) => heading === null && type !== 'label' && type !== 'rule',
  );
  const main = content.filter(({ type }) => type !== 'paragraph');
  if (main.length === 0) return null;
  const textOf = ({ start, end }: Block): string => markdown.slice(start, end);
  const isList = main.every(({ type }) => type === 'list' || type === 'steps');
  if (isList && main.every((block) => isTableOfContents(textOf(block), url))) return 'toc';
  const areShared =
    shared.size > 0 &&
    main.length === content.length &&
    main.every(({ type }) => type === 'callout') &&
    main.every((block) => shared.has(calloutPrint(textOf(block)) ?? ''));
  return areShared ? 'boilerplate' : null;
}

const anchorItem = /^\s*(?:[-*]|\d{1,9}[.)]) +[*~]*\[(?:\\.|[^\][\\])*\]\(#[^()\s]*\)[*~]*$/;

/**
 * Whether a passage can be of a type, as far as it shows: what is set apart holds nothing else behind the heading or line that
 * introduces it.
 */
export function canBe(type: string, markdown: string, url: string): boolean {
  if (type !== 'toc' && type !== 'boilerplate') return true;
  const lines = withAnchors(markdown, url)
    .split('\n')
    .filter((line) => line.trim() !== '' && line !== '___');
  const isOwn = (line: string): boolean => (type === 'toc' ? anchorItem.test(line) : line.startsWith('>'));
  const first = lines.findIndex(isOwn);
  return first >= 0 && lines.slice(first).every(isOwn);
}

/** Whether a list is nothing but links to anchors of its page, two at least. */
function isTableOfContents(list: string, url: string): boolean {
  if (!list.includes('#')) return false;
  const lines = withAnchors(list, url)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every((line) => anchorItem.test(line));
}

/** Links to anchors of the page are so, however they are written. */
function withAnchors(markdown: string, url: string): string {
  return url === '' ? markdown : markdown.replaceAll(`](${url}#`, '](#');
}

/** Fingerprint of the words of a call-out, as `findCalloutPrints` makes it of the HTML. */
function calloutPrint(markdown: string): string | null {
  const lines = markdown
    .replace(/^> \[![A-Z]+\]\n?/, '')
    .split('\n')
    .map((line) => line.replace(/^(?:[ >]|[-*] |\d{1,9}[.)] )+/, ''));
  return printWords(makeReadable(lines.join('\n'), '').words);
}
