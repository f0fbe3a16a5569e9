import { hash } from 'node:crypto';
import type { LanguageTag } from '../foundation/model.ts';
import type { Plan } from './plan.ts';

/** How large partitions and the files of the feed are, on average. Tests use smaller numbers. */
export interface PartitionSizes {
  /** Article pages of one partition. */
  readonly pages: number;
  /** The number of documents that sizes of feed files are multiples of. */
  readonly documents: number;
}

export const defaultPartitionSizes: PartitionSizes = { pages: 128, documents: 16 };

/** A language with more than this many times `documents` has several files of records. */
const mostInOneFile = 4;
/** The same of its files of the source page, and of the one of all languages: whoever uploads it by hand wants a single file. */
const mostInOneSource = 16;
/** Files of records are small, since a change of the original marks its translations as outdated and rewrites a file in every language. */
const smallestFile = 1 / 8;
/** A file of the source page holds the articles of `2 ** sourceStep` files of records: who reads it wants few of them. */
const sourceStep = 3;

/**
 * How the articles of a site are divided: a partition holds the articles whose `sha256(id)` starts with the same bits. It is
 * the unit of rendering, of reuse and of everything published that holds many articles.
 */
export interface Partitions {
  /** Leading bits of the hash that name a partition; there are `2 ** bits` of them. A function of the number of pages. */
  readonly bits: number;
  /** Ids of each partition's articles, sorted by slice, then by id. */
  readonly articleIds: readonly (readonly string[])[];
  /**
   * Leading bits that name a slice of a partition, never fewer than `bits`: a file of the feed holds whole slices, since it may hold
   * fewer articles than a partition.
   */
  readonly sliceBits: number;
  /** Leading bits that name a file of documents or of chunks, per language: never more than `sliceBits`. */
  readonly fileBits: ReadonlyMap<LanguageTag, number>;
  /** The same for a file of the source page. */
  readonly sourceBits: ReadonlyMap<LanguageTag, number>;
  /** Whether one source page holds all languages. */
  readonly isSourceWhole: boolean;
}

/** Divides the articles of a plan. Pure: the same plan gives the same partitions, whatever was built before. */
export function planPartitions(plan: Plan, sizes: PartitionSizes = defaultPartitionSizes): Partitions {
  const pages = plan.languages.reduce((sum, { articleIds }) => sum + articleIds.length, 0);
  const bits = partitionBits(pages, sizes);
  const perLanguage = (bitsOf: typeof fileBits) =>
    new Map(plan.languages.map(({ tag, articleIds }) => [tag, bitsOf(articleIds.length, sizes)]));
  const ofRecords = perLanguage(fileBits);
  const sliceBits = Math.max(bits, ...ofRecords.values());
  return {
    bits,
    articleIds: divide([...plan.articles.keys()], bits, sliceBits),
    sliceBits,
    fileBits: ofRecords,
    sourceBits: perLanguage(sourceBits),
    isSourceWhole: isSourceWhole(pages, sizes),
  };
}

/** Puts ids into partitions. @param ids sorted */
function divide(ids: readonly string[], bits: number, sliceBits: number): readonly (readonly string[])[] {
  const partitions: (readonly [slice: number, id: string])[][] = Array.from({ length: 2 ** bits }, () => []);
  for (const id of ids) {
    const slice = partitionOf(id, sliceBits);
    partitions[slice >>> (sliceBits - bits)]?.push([slice, id]);
  }
  return partitions.map((partition) => partition.sort(([a], [b]) => a - b).map(([, id]) => id));
}

/**
 * Leading bits that name the file of a document or of its chunks. Large languages have larger files, or the manifest, which
 * lists all of them, would be larger than a file.
 */
export function fileBits(documents: number, sizes = defaultPartitionSizes): number {
  const count = documents / sizes.documents;
  return count <= mostInOneFile ? 0 : bitsFor(count, Math.max(smallestFile, Math.sqrt(count) / 20));
}

/** Leading bits that name the file of a document in the source page. */
export function sourceBits(documents: number, sizes = defaultPartitionSizes): number {
  return isSourceWhole(documents, sizes) ? 0 : Math.max(0, fileBits(documents, sizes) - sourceStep);
}

/** Whether one source page holds so many documents, of a language or of all together. */
export function isSourceWhole(documents: number, sizes = defaultPartitionSizes): boolean {
  return documents <= mostInOneSource * sizes.documents;
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

/** Bits whose number of parts comes nearest to parts of `size`. */
function bitsFor(count: number, size: number): number {
  return Math.max(0, Math.round(Math.log2(Math.max(1, count) / size)));
}
