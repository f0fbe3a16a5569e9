import { hash } from 'node:crypto';
import type { Plan } from './plan.ts';

/** Article pages of one part of the search index, on average. */
const defaultPagesPerPart = 128;

/**
 * Number of leading bits of `sha256(id)` that identify a part of the search index. An edit changes few parts, and a new article moves no
 * other one.
 */
export function searchBits(
  { languages }: Pick<Plan, 'languages'>,
  pagesPerPart = defaultPagesPerPart,
): number {
  const pages = languages.reduce((sum, { articleIds }) => sum + articleIds.length, 0);
  return Math.max(0, Math.round(Math.log2(Math.max(1, pages) / pagesPerPart)));
}

/** The part of an article among `2 ** bits`, from 0: the leading bits of the SHA-256 of its id. */
export function partOf(articleId: string, bits: number): number {
  return bits === 0 ? 0 : Number.parseInt(hash('sha256', articleId).slice(0, 8), 16) >>> (32 - bits);
}
