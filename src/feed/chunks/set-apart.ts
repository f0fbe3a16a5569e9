import type { Block } from '../../content/document.ts';
import { fingerprintWords } from '../../core/block-fingerprints.ts';
import { blockIndexAt } from './build-atoms.ts';
import { makeReadable } from './chunk-text.ts';
import type { Atom } from './split-sections.ts';

/**
 * Content that chatbots should ignore: a table of contents of the page itself, a list of links to other pages ("Related articles"), and a
 * call-out that many articles share. It gets separate chunks, so that a consumer can skip exactly this content.
 */
export const apartKinds = ['toc', 'links', 'boilerplate'] as const;

export type ApartKind = (typeof apartKinds)[number];

/** Facts about a page that decide which content is set apart. */
export interface PageFacts {
  /** URL of the page: a table of contents may contain it in full. */
  readonly url: string;
  /** Fingerprints of the call-outs that many articles share. */
  readonly shared: ReadonlySet<string>;
}

/** One atom that is set apart, or consecutive atoms of the article's own content (`null`). */
interface Segment {
  readonly kind: ApartKind | null;
  readonly atoms: readonly Atom[];
}

/** A longer line before a list of links is more than a label such as "Related articles:". */
const introChars = 40;

/** Cuts the atoms of a document where set-apart content starts and ends. */
export function cutSegments(
  markdown: string,
  blocks: readonly Block[],
  atoms: readonly Atom[],
  page: PageFacts,
): readonly Segment[] {
  const segments: { readonly kind: ApartKind | null; readonly atoms: Atom[] }[] = [];
  const kinds = atoms.map((atom) => {
    const first = blockIndexAt(blocks, atom.start);
    const inside = blocks.slice(first, blockIndexAt(blocks, atom.end - 1) + 1);
    return kindOf(
      markdown,
      inside.filter(({ start }) => start < atom.end),
      page,
    );
  });
  // If the page has only links, they may be its content.
  const hasText = kinds.includes(null);
  for (const [at, atom] of atoms.entries()) {
    const kind = kinds[at] === 'links' && !hasText ? null : (kinds[at] ?? null);
    const last = segments.at(-1);
    if (last !== undefined && last.kind === null && kind === null) last.atoms.push(atom);
    else segments.push({ kind, atoms: [atom] });
  }
  return segments;
}

/** Headings, labels and the line that introduces a table of contents count as part of the next block. */
function kindOf(markdown: string, blocks: readonly Block[], { url, shared }: PageFacts): ApartKind | null {
  const content = blocks.filter(
    ({ type, heading }) => heading === null && type !== 'label' && type !== 'rule',
  );
  const main = content.filter(({ type }) => type !== 'paragraph');
  if (main.length === 0) return null;
  const textOf = ({ start, end }: Block): string => markdown.slice(start, end);
  const isList = main.every(({ type }) => type === 'list' || type === 'steps');
  if (isList && main.every((block) => isTableOfContents(textOf(block), url))) return 'toc';
  const saysMore = content.some(
    (block) => block.type === 'paragraph' && textOf(block).trim().length > introChars,
  );
  if (isList && !saysMore && main.every((block) => isLinkList(textOf(block), url))) return 'links';
  const areShared =
    shared.size > 0 &&
    main.length === content.length &&
    main.every(({ type }) => type === 'callout') &&
    main.every((block) => shared.has(calloutPrint(textOf(block)) ?? ''));
  return areShared ? 'boilerplate' : null;
}

const anchorItem = /^\s*(?:[-*]|\d{1,9}[.)]) +[*~]*\[(?:\\.|[^\][\\])*\]\(#[^()\s]*\)[*~]*[.,;]?$/;

/** An item of a table of contents that names the group below it. */
const groupItem = /^\s*(?:[-*]|\d{1,9}[.)]) +\*\*[^[\]]{1,120}\*\*:?$/;

/** An item that contains only a link to a page of the same site; the regular expression captures the URL. */
const pageItem = /^\s*(?:[-*]|\d{1,9}[.)]) +[*~]*\[(?:\\.|[^\][\\])*\]\(([^()\s]*)\)[*~]*$/;

/** An item that looks like the title of a page: the text of a link to a page that is not published. */
const titleItem = /^\s*(?:[-*]|\d{1,9}[.)]) +[^.!:;]{1,120}$/;

/** Whether a list contains only links to anchors of its page, at least two. */
function isTableOfContents(list: string, url: string): boolean {
  if (!list.includes('#')) return false;
  const lines = linesOf(list, url);
  return lines.length > 1 && areAnchors(lines);
}

/** Whether every item is a link to an anchor, or names the group of links below it. */
function areAnchors(lines: readonly string[]): boolean {
  const isGroup = (line: string, at: number) =>
    groupItem.test(line) && depthOf(lines[at + 1] ?? '') > depthOf(line);
  return lines.every((line, at) => anchorItem.test(line) || isGroup(line, at));
}

const depthOf = (line: string): number => line.search(/\S/);

/** Whether a list contains only links to pages of the site. Up to half of the pages may be unpublished. */
function isLinkList(list: string, url: string): boolean {
  if (!list.includes('](')) return false;
  const lines = list.split('\n').filter((line) => line.trim() !== '');
  const links = lines.filter((line) => isPageItem(line, url)).length;
  return 2 * links >= lines.length && lines.every((line) => isPageItem(line, url) || titleItem.test(line));
}

function isPageItem(line: string, url: string): boolean {
  const target = pageItem.exec(line)?.[1];
  if (target === undefined || target.startsWith(`${url}#`)) return false;
  const origin = /^[a-z]+:\/\/[^/]+/.exec(url)?.[0] ?? '';
  return /^\/(?!\/)/.test(target) || (origin !== '' && target.startsWith(`${origin}/`));
}

/** Lines that are not blank; a hard line break does not end a line. */
function linesOf(markdown: string, url: string): readonly string[] {
  return withAnchors(markdown, url)
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/** Rewrites links to the page's own anchors as `#anchor`, however they are written. */
function withAnchors(markdown: string, url: string): string {
  return url === '' ? markdown : markdown.replaceAll(`](${url}#`, '](#');
}

/** Fingerprint of the words of a call-out; equal to the one that `fingerprintBlocks` computes from HTML. */
function calloutPrint(markdown: string): string | null {
  const lines = markdown
    .replace(/^> \[![A-Z]+\]\n?/, '')
    .split('\n')
    .map((line) => line.replace(/^(?:[ >]|[-*] |\d{1,9}[.)] )+/, ''));
  return fingerprintWords(makeReadable(lines.join('\n')));
}
