import { hash } from 'node:crypto';
import type { LanguageTag } from '../foundation/model.ts';
import type { Plan } from './plan.ts';

/** Average sizes of the files that divide a site. Tests use smaller numbers. */
export interface PartSizes {
  /** Article pages of one part of the search index. */
  readonly pages: number;
  /** Unit for the sizes of feed files: number of documents. */
  readonly documents: number;
}

export const defaultPartSizes: PartSizes = { pages: 128, documents: 16 };

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
 * How files with many articles are divided: a part contains the articles whose `sha256(id)` starts with the same bits, so that an edit
 * changes few files and a new article moves no other one.
 */
export interface Parts {
  /** Ids of all articles in the order of files with many articles: by leading bits of the hash, then by id. */
  readonly order: readonly string[];
  /** Number of leading bits that identify a part of the search index. */
  readonly searchBits: number;
  /** Number of leading bits that identify a file of documents or chunks, per language. */
  readonly fileBits: ReadonlyMap<LanguageTag, number>;
  /** The same for files of the source page. */
  readonly sourceBits: ReadonlyMap<LanguageTag, number>;
  /** Whether one source page contains all languages. */
  readonly isSourceWhole: boolean;
}

/** Divides the articles of a plan. Pure. */
export function planParts(plan: Plan, sizes: PartSizes = defaultPartSizes): Parts {
  const pages = plan.languages.reduce((sum, { articleIds }) => sum + articleIds.length, 0);
  const perLanguage = (bitsOf: typeof fileBits) =>
    new Map(plan.languages.map(({ tag, articleIds }) => [tag, bitsOf(articleIds.length, sizes)]));
  const ofRecords = perLanguage(fileBits);
  const bits = searchBits(pages, sizes);
  return {
    order: sortByPart([...plan.articles.keys()], Math.max(bits, ...ofRecords.values())),
    searchBits: bits,
    fileBits: ofRecords,
    sourceBits: perLanguage(sourceBits),
    isSourceWhole: isSourceWhole(pages, sizes),
  };
}

/** @param ids sorted */
function sortByPart(ids: readonly string[], bits: number): readonly string[] {
  const parts = ids.map((id) => [partOf(id, bits), id] as const);
  return parts.sort(([a], [b]) => a - b).map(([, id]) => id);
}

/**
 * Number of leading bits that identify the file of a document or its chunks. Large languages have larger files; otherwise the manifest,
 * which lists all files, would be larger than a file.
 */
export function fileBits(documents: number, sizes = defaultPartSizes): number {
  const count = documents / sizes.documents;
  return count <= mostInOneFile ? 0 : bitsFor(count, Math.max(smallestFile, Math.sqrt(count) / 20));
}

/** Number of leading bits that identify the file of a document in the source page. */
export function sourceBits(documents: number, sizes = defaultPartSizes): number {
  return isSourceWhole(documents, sizes) ? 0 : Math.max(0, fileBits(documents, sizes) - sourceStep);
}

/** Whether one source page can contain this many documents, of a language or of all together. */
export function isSourceWhole(documents: number, sizes = defaultPartSizes): boolean {
  return documents <= mostInOneSource * sizes.documents;
}

/** Number of leading bits that identify a part of the search index, for a number of pages. */
export function searchBits(pages: number, sizes: PartSizes = defaultPartSizes): number {
  return bitsFor(pages, sizes.pages);
}

/** The part of an article among `2 ** bits`, from 0: the leading bits of the SHA-256 of its id. */
export function partOf(articleId: string, bits: number): number {
  return bits === 0 ? 0 : Number.parseInt(hash('sha256', articleId).slice(0, 8), 16) >>> (32 - bits);
}

/** The name of a part: its bits in hex, e.g. `3f`; empty if there is only one. */
export function partName(part: number, bits: number): string {
  return bits === 0 ? '' : part.toString(16).padStart(Math.ceil(bits / 4), '0');
}

/** Number of bits for which the parts are closest to `size`. */
function bitsFor(count: number, size: number): number {
  return Math.max(0, Math.round(Math.log2(Math.max(1, count) / size)));
}
