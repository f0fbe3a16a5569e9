import type { Document } from '../content/document.ts';
import { isTopOfPage } from '../content/policy/ids.ts';
import { splitFragment } from '../content/policy/url-policy.ts';
import { decodePercent } from '../foundation/addresses.ts';
import { lowerBound } from '../foundation/lower-bound.ts';
import { type Problem, problem } from '../foundation/problems.ts';
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

interface AnchoredLink {
  readonly articleId: string;
  readonly language: string;
  readonly href: string;
}

export function createAnchorCheck(): AnchorCheck {
  const anchors = new AnchorSet();
  const links: AnchoredLink[] = [];
  return {
    add({ href, articleId, language }, facts) {
      anchors.add(href, facts.anchors.slice(1, -1).split('\n'));
      for (const link of facts.links) links.push({ articleId, language, href: link });
    },
    problems() {
      return links
        .filter(({ href }) => {
          const [target = '', fragment = ''] = href.split('#');
          return !anchors.has(target, decodePercent(splitFragment(fragment).fragment));
        })
        .map(({ articleId, language, href }) =>
          problem('ANCHOR_MISSING', `the link ${href} names an anchor that the page does not have`, {
            articleId,
            language,
          }),
        );
    },
  };
}

const blockHashes = 4096;

/**
 * The anchors of all pages, as hashes of 53 bits in eight bytes each. A missing anchor is overlooked if its hash equals that of an existing
 * one; with a million anchors, the probability is one in nine thousand million.
 */
export class AnchorSet {
  /** The last one is not full. */
  private readonly blocks = [new Float64Array(blockHashes)];
  private used = 0;
  private sorted: Float64Array | null = null;

  add(href: string, anchors: readonly string[]): void {
    const page = hashPage(href);
    for (const anchor of anchors) {
      (this.blocks.at(-1) as Float64Array)[this.used % blockHashes] = hashOf(page, anchor);
      this.used += 1;
      if (this.used % blockHashes === 0) this.blocks.push(new Float64Array(blockHashes));
    }
    this.sorted = null;
  }

  has(href: string, anchor: string): boolean {
    this.sorted ??= this.sort();
    const { sorted } = this;
    const wanted = hashOf(hashPage(href), anchor);
    return sorted[lowerBound(sorted.length, (at) => (sorted[at] as number) < wanted)] === wanted;
  }

  private sort(): Float64Array {
    const hashes = new Float64Array(blockHashes * this.blocks.length);
    for (const [at, block] of this.blocks.entries()) hashes.set(block, blockHashes * at);
    return hashes.subarray(0, this.used).sort();
  }
}

/** Two multiplicative 32-bit hashes with different factors, of the page URL only. */
interface PageHash {
  readonly first: number;
  readonly second: number;
}

const firstFactor = 2654435761;
const secondFactor = 1597334677;

/** Hash of the prefix that all anchors of a page share, which is longer than the anchors. */
function hashPage(href: string): PageHash {
  const start = `${href}#`;
  return { first: fold(0xdeadbeef, firstFactor, start), second: fold(0x41c6ce57, secondFactor, start) };
}

/** The upper 53 bits of both hashes, mixed. */
function hashOf(page: PageHash, anchor: string): number {
  const first = fold(page.first, firstFactor, anchor);
  const second = fold(page.second, secondFactor, anchor);
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
