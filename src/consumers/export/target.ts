import type { ProblemCode } from '../../core/problems.ts';
import type { Output } from '../../output/output.ts';
import type { ExportPassage } from './fields.ts';

/** What a platform stores of a passage, under its id. */
export interface TargetItem {
  /** Its part of a file or request. */
  readonly entry: string;
  /** Its part of a request that updates a passage with unchanged text; absent: the whole item is sent again. */
  readonly update?: string;
  /** Separate files, relative to the folder of the export. */
  readonly files?: readonly (readonly [path: string, content: string])[];
  /** Exceeded platform limits. */
  readonly problems?: readonly ItemProblem[];
}

/** A platform limit that an item exceeds: which rule, and what was done. */
export interface ItemProblem {
  readonly code: ProblemCode;
  /** One sentence without the article; the caller adds it. */
  readonly message: string;
}

/** A file or request with many entries. */
export interface BatchFormat {
  /** Of the name of a file. */
  readonly extension: string;
  readonly head?: string;
  /** Written between two entries. */
  readonly separator?: string;
  readonly tail?: string;
  /** Limits of a file or request: entries and UTF-8 bytes, including head and tail. */
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/** Writes entries into files. */
export interface EntryWriter {
  add(entry: string): Promise<void>;
  /** Completes the last file. @returns paths of the files, in order */
  close(): Promise<readonly string[]>;
}

/** One row of the table of targets: everything specific to a platform but how items are sent to it. */
export interface Target {
  /** Name of the platform in messages and docs. */
  readonly product: string;
  /**
   * How items are joined in a file or request.
   * @param collection name of index, collection, class, namespace or table: a lower-case letter, then lower-case letters, digits and `_`
   */
  readonly format: (collection: string) => BatchFormat;
  /** Writes items into files without limits; absent: into numbered files in that format. */
  readonly open?: (output: Pick<Output, 'open'>) => EntryWriter;
  /** Makes the item of a passage, or says why the platform cannot accept it at all. */
  readonly item: (passage: ExportPassage) => TargetItem | ItemProblem;
  /** Files that are the same in every export, e.g. the definition of an index or table; absent: none. */
  readonly definitions?: (collection: string) => readonly (readonly [path: string, content: string])[];
}

/** The problem for a field that was shortened. */
export function shortened(message: string): ItemProblem {
  return { code: 'EXPORT_FIELD_SHORTENED', message };
}

/** The problem for an item that does not fit. @param rule e.g. `a file is at most 50000000 bytes` */
export function tooLarge(id: string, bytes: number, rule: string): ItemProblem {
  return { code: 'EXPORT_TOO_LARGE', message: `${id} has ${bytes} bytes; ${rule}` };
}

/** Names of the targets for `--to`. */
export const targetNames = [
  'openai',
  'elasticsearch',
  'pinecone',
  'qdrant',
  'pgvector',
  'parquet',
  'jsonl',
] as const;

export type TargetName = (typeof targetNames)[number];
