import { hash } from 'node:crypto';
import type { Plan } from './plan.ts';

/** Average sizes of the files that divide a site. Tests use smaller numbers. */
export interface PartSizes {
  /** Article pages of one part of the search index. */
  readonly pages: number;
}

export const defaultPartSizes: PartSizes = { pages: 128 };

/** How files with many articles are divided. */
export interface Parts {
  /** Ids of all articles, sorted: the order of files with many articles. */
  readonly order: readonly string[];
  /**
   * Number of leading bits of `sha256(id)` that identify a part of the search index. An edit changes few parts, and a new article moves no
   * other one.
   */
  readonly searchBits: number;
}

/** Divides the articles of a plan. Pure. */
export function planParts(plan: Plan, sizes: PartSizes = defaultPartSizes): Parts {
  const pages = plan.languages.reduce((sum, { articleIds }) => sum + articleIds.length, 0);
  return { order: [...plan.articles.keys()].sort(), searchBits: searchBits(pages, sizes) };
}

/** Number of leading bits that identify a part of the search index, for a number of pages. */
export function searchBits(pages: number, sizes: PartSizes = defaultPartSizes): number {
  return Math.max(0, Math.round(Math.log2(Math.max(1, pages) / sizes.pages)));
}

/** The part of an article among `2 ** bits`, from 0: the leading bits of the SHA-256 of its id. */
export function partOf(articleId: string, bits: number): number {
  return bits === 0 ? 0 : Number.parseInt(hash('sha256', articleId).slice(0, 8), 16) >>> (32 - bits);
}
