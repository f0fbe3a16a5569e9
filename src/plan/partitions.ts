import { hash } from 'node:crypto';
import type { LanguageTag } from '../foundation/model.ts';
import type { Plan } from './plan.ts';

/** How large partitions and the files of the feed are, on average. Tests use smaller numbers. */
export interface PartitionSizes {
  /** Article pages of one partition. */
  readonly pages: number;
  /** Documents of one feed file of a language that has more than twice as many. */
  readonly documents: number;
}

export const defaultPartitionSizes: PartitionSizes = { pages: 128, documents: 128 };

/**
 * How the articles of a site are divided: a partition holds the articles whose `sha256(id)` starts with the same bits. It is
 * the unit of rendering, of reuse and of everything published that holds many articles.
 */
export interface Partitions {
  /** Leading bits of the hash that name a partition; there are `2 ** bits` of them. A function of the number of pages. */
  readonly bits: number;
  /** Ids of each partition's articles, sorted. */
  readonly articleIds: readonly (readonly string[])[];
  /** Leading bits that name a file of the feed, per language: never more than `bits`. */
  readonly fileBits: ReadonlyMap<LanguageTag, number>;
}

/** Divides the articles of a plan. Pure: the same plan gives the same partitions, whatever was built before. */
export function planPartitions(plan: Plan, sizes: PartitionSizes = defaultPartitionSizes): Partitions {
  const pages = plan.languages.reduce((sum, { articleIds }) => sum + articleIds.length, 0);
  const bits = partitionBits(pages, sizes);
  const articleIds: string[][] = Array.from({ length: 2 ** bits }, () => []);
  for (const id of plan.articles.keys()) articleIds[partitionOf(id, bits)]?.push(id);
  const fileBits = new Map(
    plan.languages.map(({ tag, articleIds: ids }) => [tag, Math.min(bits, fileBitsFor(ids.length, sizes))]),
  );
  return { bits, articleIds, fileBits };
}

/** Leading bits that name the partition of an article, in a site of so many pages. */
export function partitionBits(pages: number, sizes: PartitionSizes = defaultPartitionSizes): number {
  return bitsFor(pages, sizes.pages);
}

/** The partition of an article among `2 ** bits`, from 0: the leading bits of the SHA-256 of its id. */
export function partitionOf(articleId: string, bits: number): number {
  return bits === 0 ? 0 : Number.parseInt(hash('sha256', articleId).slice(0, 8), 16) >>> (32 - bits);
}

/** The partition (or feed file) as the same bits in hex, e.g. `3f`; empty where there is only one. */
export function partitionName(partition: number, bits: number): string {
  return bits === 0 ? '' : partition.toString(16).padStart(Math.ceil(bits / 4), '0');
}

function fileBitsFor(documents: number, sizes: PartitionSizes): number {
  return documents <= 2 * sizes.documents ? 0 : bitsFor(documents, sizes.documents);
}

/** Bits whose number of parts comes nearest to parts of `size`. */
function bitsFor(count: number, size: number): number {
  return Math.max(0, Math.round(Math.log2(Math.max(1, count) / size)));
}
