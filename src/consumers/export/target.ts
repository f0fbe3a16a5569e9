import type { ProblemCode } from '../../core/problems.ts';
import type { ExportPassage } from './fields.ts';

/** Options for the destination of an export. */
export interface TargetOptions {
  /**
   * Name of index, collection, class, namespace or table: a lower-case letter, then lower-case letters, digits and `_`.
   */
  readonly collection: string;
}

/** What a platform stores of a passage, under its id. */
export interface TargetItem {
  /** Its part of an upsert file. */
  readonly entry: string;
  /** Its part of an update file, for a passage with unchanged text; absent: the whole item is upserted. */
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

/** Where the files of items go: an output folder, or memory. */
export interface ItemFiles {
  write(path: string, content: string): Promise<unknown>;
  open(path: string): Promise<ItemFile>;
}

/** A file that is being written. */
export interface ItemFile {
  write(piece: string | Uint8Array): Promise<void>;
  close(): Promise<unknown>;
}

/** Files with many entries each, which are sent one after the other. */
export interface BatchFormat {
  /** `upserts/{n}.json`: `{n}` is 00001 and so on. A path without `{n}` is one file without limits. */
  readonly path: string;
  readonly head?: string;
  /** Written between two entries. */
  readonly separator?: string;
  readonly tail?: string;
  /** Limits of a request or file: entries and UTF-8 bytes, including head and tail. */
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/** Writes entries into files, each within the limits of its format. */
export interface BatchWriter {
  add(entry: string): Promise<void>;
  /** Completes the last file. @returns paths of the files, in order */
  close(): Promise<readonly string[]>;
}

/** One row of the table of targets: everything specific to a platform. */
export interface Target {
  /** Name of the platform in messages and docs. */
  readonly product: string;
  readonly upserts: (options: TargetOptions) => BatchFormat;
  /** Writes upserts that are no text; absent: they are written as `upserts` says. */
  readonly openUpserts?: (output: Pick<ItemFiles, 'open'>) => Promise<BatchWriter>;
  /** Absent: items have no separate updates. */
  readonly updates?: (options: TargetOptions) => BatchFormat;
  /** Absent: it has files only, which are replaced as a whole. */
  readonly deletes?: {
    readonly format: (options: TargetOptions) => BatchFormat;
    readonly entry: (id: string) => string;
  };
  /** Makes the item of a passage, or says why the platform cannot accept it at all. */
  readonly item: (passage: ExportPassage, options: TargetOptions) => TargetItem | ItemProblem;
  /** Files that are the same in every export, e.g. the definition of an index or table. */
  readonly definitions: (options: TargetOptions) => readonly (readonly [path: string, content: string])[];
}

/** Entries as a list in a field of a JSON object, one entry per line. */
export function jsonList(field: string): Pick<BatchFormat, 'head' | 'separator' | 'tail'> {
  return { head: `{"${field}":[\n`, separator: ',\n', tail: '\n]}\n' };
}

/** Bytes of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text);
}

/**
 * Drops fields in the given order until the JSON of the others has at most a number of bytes.
 * @param wrap creates the JSON value whose size counts
 * @returns the remaining fields, with a problem for each dropped one; `null` if the required fields alone are too large
 */
export function dropUntilFits(
  fields: object,
  droppable: readonly string[],
  maxBytes: number,
  wrap: (fields: object) => string,
): { readonly text: string; readonly problems: readonly ItemProblem[] } | null {
  const problems: ItemProblem[] = [];
  const rest: Record<string, unknown> = { ...fields };
  let text = wrap(rest);
  for (const name of droppable) {
    if (utf8Bytes(text) <= maxBytes) break;
    if (!(name in rest)) continue;
    delete rest[name];
    text = wrap(rest);
    problems.push(shortened(`${name} was dropped: the metadata would exceed ${maxBytes} bytes`));
  }
  return utf8Bytes(text) <= maxBytes ? { text, problems } : null;
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
