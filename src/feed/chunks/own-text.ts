import type { Block } from '../../content/document.ts';
import { fingerprintWords } from '../../core/block-fingerprints.ts';
import type { CountRange } from '../tokens/count-ranges.ts';
import { blockIndexAt } from './build-atoms.ts';
import type { Atom } from './split-sections.ts';

/** Facts about a page that decide which of its text is in no chunk. */
export interface PageFacts {
  /** URL of the page as links in Markdown have it: a table of contents may contain it in full. */
  readonly url: string;
  /** Fingerprints of the call-outs that most articles have. */
  readonly boilerplate: ReadonlySet<string>;
}

/** A longer line before a list is more than a label such as "Related articles:". */
const introChars = 40;

/**
 * Finds what a document itself says: runs of consecutive atoms. Between them is what would only mislead a search, because it has the words of
 * other passages but no answer: a table of contents of the page, a list of links to other pages of the site, and a call-out that most
 * articles have. With it goes what introduces only this: a heading or a bold line without other text, and a line of a few words. Pages that
 * have nothing else keep it.
 */
export function findOwnText(
  markdown: string,
  blocks: readonly Block[],
  atoms: readonly Atom[],
  page: PageFacts,
  count: CountRange,
): readonly (readonly Atom[])[] {
  const runs: Atom[][] = [];
  let isNext = false;
  for (const atom of atoms) {
    const end = ownEnd(markdown, blocksOf(blocks, atom), atom, page);
    const own = end === atom.end ? atom : { ...atom, end, tokens: count(atom.start, end) };
    if (end > atom.start) {
      if (isNext) runs.at(-1)?.push(own);
      else runs.push([own]);
    }
    isNext = end === atom.end;
  }
  return runs.length === 0 && atoms.length > 0 ? [atoms] : runs;
}

function blocksOf(blocks: readonly Block[], { start, end }: Atom): readonly Block[] {
  const first = blockIndexAt(blocks, start);
  return blocks.slice(first, blockIndexAt(blocks, end - 1) + 1).filter((block) => block.start < end);
}

/** Where an atom's own text ends: at its start if it has none, before the list that a whole sentence introduces, or at its end. */
function ownEnd(
  markdown: string,
  blocks: readonly Block[],
  atom: Atom,
  { url, boilerplate }: PageFacts,
): number {
  const content = blocks.filter(
    ({ type, heading }) => heading === null && type !== 'label' && type !== 'rule',
  );
  const main = content.filter(({ type }) => type !== 'paragraph');
  const [first] = main;
  if (first === undefined) return atom.end;
  const textOf = ({ start, end }: Block): string => markdown.slice(start, end);
  if (main.every(({ type }) => type === 'list' || type === 'steps')) {
    const isLost = (list: string) => isTableOfContents(list, url) || isLinkList(list, url);
    if (!main.every((block) => isLost(textOf(block)))) return atom.end;
    const intros = blocks.filter(({ type }) => type === 'paragraph' || type === 'label');
    if (intros.every((block) => textOf(block).trim().length <= introChars)) return atom.start;
    return intros.every(({ start }) => start < first.start) ? first.start : atom.end;
  }
  const isBoilerplate =
    boilerplate.size > 0 &&
    main.length === content.length &&
    main.every((block) => block.type === 'callout' && boilerplate.has(calloutPrint(textOf(block)) ?? ''));
  return isBoilerplate ? atom.start : atom.end;
}

const anchorItem = /^\s*(?:[-*]|\d{1,9}[.)]) +[*~]*\[(?:\\.|[^\][\\])*\]\(#[^()\s]*\)[*~]*[.,;]?$/;

/** An item of a table of contents that names the group below it. */
const groupItem = /^\s*(?:[-*]|\d{1,9}[.)]) +\*\*[^[\]]{1,120}\*\*:?$/;

/** An item that contains only a link; the regular expression captures the URL. */
const pageItem = /^\s*(?:[-*]|\d{1,9}[.)]) +[*~]*(?:\[(?:\\.|[^\][\\])*\]\(|<)([^()\s<>]*)[)>][*~]*$/;

/** Whether a list contains only links to anchors of its page, at least two, and names of the groups of links below them. */
function isTableOfContents(list: string, url: string): boolean {
  if (!list.includes('#')) return false;
  // Links to the page's own anchors, however they are written.
  const own = url === '' ? list : list.replaceAll(`](${url}#`, '](#');
  // A hard line break does not end a line.
  const lines = own.replaceAll(/ {2}\n\s*/g, ' ').split('\n');
  const items = lines.filter((line) => line.trim() !== '');
  const depthOf = (line: string): number => line.search(/\S/);
  const isGroup = (line: string, at: number) =>
    groupItem.test(line) && depthOf(items[at + 1] ?? '') > depthOf(line);
  return items.length > 1 && items.every((line, at) => anchorItem.test(line) || isGroup(line, at));
}

/** Whether a list contains only links to pages of the site. */
function isLinkList(list: string, url: string): boolean {
  return list.split('\n').every((line) => line.trim() === '' || isPageItem(line, url));
}

function isPageItem(line: string, url: string): boolean {
  const target = pageItem.exec(line)?.[1];
  if (target === undefined || target.startsWith(`${url}#`)) return false;
  const origin = /^[a-z]+:\/\/[^/]+/.exec(url)?.[0] ?? '';
  return /^\/(?!\/)/.test(target) || (origin !== '' && target.startsWith(`${origin}/`));
}

/** Fingerprint of the words of a call-out; equal to the one that `fingerprintBlocks` computes from HTML. */
function calloutPrint(markdown: string): string | null {
  const lines = markdown
    .replace(/^> \[![A-Z]+\]\n?/, '')
    .split('\n')
    .map((line) => line.replace(/^(?:[ >]|[-*] |\d{1,9}[.)] )+/, ''));
  return fingerprintWords(lines.join('\n').replaceAll(/\]\([^()\s]*\)/g, ''));
}
