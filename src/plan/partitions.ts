import { hash } from 'node:crypto';
import type { LanguageTag } from '../foundation/model.ts';
import type { Plan } from './plan.ts';

/** Average sizes of partitions and feed files. Tests use smaller numbers. */
export interface PartitionSizes {
  /** Article pages of one partition. */
  readonly pages: number;
  /** Unit for the sizes of feed files: number of documents. */
  readonly documents: number;
}

export const defaultPartitionSizes: PartitionSizes = { pages: 128, documents: 16 };

/** A language with more than this many times `documents` has several files of records. */
const mostInOneFile = 4;
/**
 * The same limit for the source page of a language, and of all languages. It is higher, because people upload source pages by hand and
 * prefer a single file.
 */
const mostInOneSource = 16;
/** Files of records are small: a change of the original marks its translations as outdated, so one file per language is rewritten. */
const smallestFile = 1 / 8;
/** A source-page file contains the articles of `2 ** sourceStep` record files, because its readers prefer few files. */
const sourceStep = 3;

/**
 * How the articles of a site are divided. A partition contains the articles whose `sha256(id)` starts with the same bits. It is the unit of
 * rendering and of reuse; published files with many articles consist of parts of partitions.
 */
export interface Partitions {
  /** Number of leading hash bits that identify a partition; there are `2 ** bits` partitions. Depends only on the number of pages. */
  readonly bits: number;
  /** Ids of each partition's articles, sorted by slice, then by id. */
  readonly articleIds: readonly (readonly string[])[];
  /**
   * Number of leading bits that identify a slice of a partition, at least `bits`. A feed file contains whole slices, because it may have
   * fewer articles than a partition.
   */
  readonly sliceBits: number;
  /** Number of leading bits that identify a file of documents or chunks, per language; at most `sliceBits`. */
  readonly fileBits: ReadonlyMap<LanguageTag, number>;
  /** The same for files of the source page. */
  readonly sourceBits: ReadonlyMap<LanguageTag, number>;
  /** Whether one source page contains all languages. */
  readonly isSourceWhole: boolean;
}

/** Divides the articles of a plan. Pure: the same plan always gives the same partitions. */
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

/** Distributes ids to partitions. @param ids sorted */
function divide(ids: readonly string[], bits: number, sliceBits: number): readonly (readonly string[])[] {
  const partitions: (readonly [slice: number, id: string])[][] = Array.from({ length: 2 ** bits }, () => []);
  for (const id of ids) {
    const slice = partitionOf(id, sliceBits);
    partitions[slice >>> (sliceBits - bits)]?.push([slice, id]);
  }
  return partitions.map((partition) => partition.sort(([a], [b]) => a - b).map(([, id]) => id));
}

/**
 * Number of leading bits that identify the file of a document or its chunks. Large languages have larger files; otherwise the manifest,
 * which lists all files, would be larger than a file.
 */
export function fileBits(documents: number, sizes = defaultPartitionSizes): number {
  const count = documents / sizes.documents;
  return count <= mostInOneFile ? 0 : bitsFor(count, Math.max(smallestFile, Math.sqrt(count) / 20));
}

/** Number of leading bits that identify the file of a document in the source page. */
export function sourceBits(documents: number, sizes = defaultPartitionSizes): number {
  return isSourceWhole(documents, sizes) ? 0 : Math.max(0, fileBits(documents, sizes) - sourceStep);
}

/** Whether one source page can contain this many documents, of a language or of all together. */
export function isSourceWhole(documents: number, sizes = defaultPartitionSizes): boolean {
  return documents <= mostInOneSource * sizes.documents;
}

/** Number of leading bits that identify the partition of an article, for a number of pages. */
export function partitionBits(pages: number, sizes: PartitionSizes = defaultPartitionSizes): number {
  return bitsFor(pages, sizes.pages);
}

/** The partition of an article among `2 ** bits`, from 0: the leading bits of the SHA-256 of its id. */
export function partitionOf(articleId: string, bits: number): number {
  return bits === 0 ? 0 : Number.parseInt(hash('sha256', articleId).slice(0, 8), 16) >>> (32 - bits);
}

/** The name of a partition (or feed file): its bits in hex, e.g. `3f`; empty if there is only one. */
export function partitionName(partition: number, bits: number): string {
  return bits === 0 ? '' : partition.toString(16).padStart(Math.ceil(bits / 4), '0');
}

/** Number of bits for which the parts are closest to `size`. */
function bitsFor(count: number, size: number): number {
  return Math.max(0, Math.round(Math.log2(Math.max(1, count) / size)));
}
