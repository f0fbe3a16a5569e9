import type { Document } from '../content/document.ts';
import { isTopOfPage } from '../content/policy/ids.ts';
import { splitFragment } from '../content/policy/url-policy.ts';
import { decodePercent } from '../foundation/addresses.ts';
import { lowerBound } from '../foundation/lower-bound.ts';
import { type Problem, problem } from '../foundation/problems.ts';
import { createSpillFile, type SpillFile } from '../foundation/spill-file.ts';
import type { ArticlePage } from '../plan/plan.ts';

/** Collects anchors and the links to them during the whole run, because a link may be rendered before its target. */
export interface AnchorCheck {
  add(page: ArticlePage, facts: AnchorFacts): void;
  /** One problem per link whose `#anchor` does not exist on its target page. */
  problems(): readonly Problem[];
}

/** The anchors of one page, and its links with a fragment. Plain data. */
export interface AnchorFacts {
  /** One per line, with a line feed before and after each. */
  readonly anchors: string;
  /** URLs within the site. */
  readonly links: readonly string[];
}

export function describeAnchors(document: Document): AnchorFacts {
  const anchors = [...document.headings.map(({ id }) => id), ...document.anchors];
  return {
    anchors: `\n${anchors.join('\n')}\n`,
    links: document.links.flatMap(({ kind, fragment, href }) =>
      // A category page has no anchors from authors, so every anchor on it is missing.
      kind === 'internal' && fragment && !isTopOfPage(fragment) ? [href] : [],
    ),
  };
}

/** A link with a fragment. */
type AnchoredLink = readonly [articleId: string, language: string, href: string];

/** Links in memory before they are written to the spill file, all of them in one text. */
const linksPerText = 256;

/** Links that are checked at a time: their hashes need half a megabyte. All anchors are read once for so many links. */
const linksPerScan = 65_536;

/** @param spill keeps anchors and links: there may be millions */
export function createAnchorCheck(spill = createSpillFile(null)): AnchorCheck {
  const anchors = createAnchorLog(spill);
  const texts: number[] = [];
  let links: AnchoredLink[] = [];
  const spillLinks = () => {
    if (links.length > 0) texts.push(spill.addText(JSON.stringify(links)));
    links = [];
  };
  function* missing(from: number, to: number): Generator<AnchoredLink> {
    const asked = texts.slice(from, to);
    const readLinks = (at: number) => JSON.parse(spill.readText(at)) as readonly AnchoredLink[];
    const hashes = asked.flatMap((at) => readLinks(at).map(([, , href]) => hashTarget(href)));
    const found = anchors.find(Float64Array.from(hashes).sort());
    for (const at of asked) for (const link of readLinks(at)) if (!found(hashTarget(link[2]))) yield link;
  }
  return {
    add({ href, articleId, language }, facts) {
      anchors.add(href, facts.anchors);
      for (const link of facts.links) {
        links.push([articleId, language, link]);
        if (links.length === linksPerText) spillLinks();
      }
    },
    problems() {
      spillLinks();
      const problems: Problem[] = [];
      const textsPerScan = linksPerScan / linksPerText;
      for (let from = 0; from < texts.length; from += textsPerScan) {
        for (const [articleId, language, href] of missing(from, from + textsPerScan)) {
          const message = `the link ${href} names an anchor that the page does not have`;
          problems.push(problem('ANCHOR_MISSING', message, { articleId, language }));
        }
      }
      return problems;
    },
  };
}

function hashTarget(href: string): number {
  const [target = '', fragment = ''] = href.split('#');
  const { first, second } = hashPage(target);
  const anchor = decodePercent(splitFragment(fragment).fragment);
  return hashOf(fold(first, firstFactor, anchor), fold(second, secondFactor, anchor));
}

const blockHashes = 4096;

/**
 * The anchors of all pages, as hashes of 53 bits in eight bytes each. A missing anchor is overlooked if its hash equals that of an existing
 * one; with a million anchors, the probability is one in nine thousand million.
 */
function createAnchorLog(spill: SpillFile) {
  const block = new Float64Array(blockHashes);
  const bytes = new Uint8Array(block.buffer);
  const positions: number[] = [];
  let used = 0;
  const note = (hash: number) => {
    block[used] = hash;
    used += 1;
    if (used < blockHashes) return;
    positions.push(spill.addBytes(bytes));
    used = 0;
  };
  return {
    /** @param anchors see `AnchorFacts` */
    add(href: string, anchors: string): void {
      const page = hashPage(href);
      let { first, second } = page;
      for (let at = 1; at < anchors.length; at += 1) {
        const code = anchors.charCodeAt(at);
        if (code === newline) {
          note(hashOf(first, second));
          ({ first, second } = page);
        } else {
          first = Math.imul(first ^ code, firstFactor);
          second = Math.imul(second ^ code, secondFactor);
        }
      }
    },
    /**
     * Searches all anchors for these hashes.
     * @param wanted ascending
     * @returns whether one of them was found
     */
    find(wanted: Float64Array): (hash: number) => boolean {
      const found = new Uint8Array(wanted.length);
      const indexOf = (hash: number) => lowerBound(wanted.length, (at) => (wanted[at] as number) < hash);
      const compare = (hashes: Float64Array) => {
        for (const hash of hashes) {
          const at = indexOf(hash);
          if (wanted[at] === hash) found[at] = 1;
        }
      };
      compare(block.subarray(0, used));
      const read = new Float64Array(blockHashes);
      for (const position of positions) {
        spill.readBytes(position, new Uint8Array(read.buffer));
        compare(read);
      }
      return (hash) => found[indexOf(hash)] === 1;
    },
  };
}

const newline = 10;

/** Two multiplicative 32-bit hashes with different factors. */
interface TextHash {
  readonly first: number;
  readonly second: number;
}

const firstFactor = 2654435761;
const secondFactor = 1597334677;

/** Hash of the prefix that all anchors of a page share, which is longer than the anchors. */
function hashPage(href: string): TextHash {
  const start = `${href}#`;
  return { first: fold(0xdeadbeef, firstFactor, start), second: fold(0x41c6ce57, secondFactor, start) };
}

/** The upper 53 bits of both hashes, mixed. */
function hashOf(first: number, second: number): number {
  const a = mix(first) ^ mix(second ^ 0x5bd1e995);
  const b = mix(second) ^ (first >>> 7);
  return (a >>> 0) * 2 ** 21 + (b >>> 11);
}

function fold(start: number, factor: number, text: string): number {
  let hash = start;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), factor);
  return hash;
}

/** The final mixing step of MurmurHash3. */
function mix(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const whole = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return whole ^ (whole >>> 16);
}
