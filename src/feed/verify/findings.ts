import { describeIssue, valueAt, type z } from '../../foundation/schema.ts';
import { splitLines } from '../../output/blocks.ts';
import type { Manifest } from '../manifest.ts';
import { createLineParser } from '../records/json-lines.ts';
import type { ChunkRecord, DocumentRecord } from '../records/record-schemas.ts';

/** Codes of the errors that a published feed can have. */
export type FindingCode =
  | 'MANIFEST_INVALID'
  | 'FILE_MISSING'
  | 'FILE_CHANGED'
  | 'FILE_UNLISTED'
  | 'SIGNATURE_EXPIRED'
  | 'SIGNATURE_FOREIGN'
  | 'SIGNATURE_INVALID'
  | 'SIGNATURE_MISSING'
  | 'RECORD_INVALID'
  | 'COUNT_WRONG'
  | 'ID_WRONG'
  | 'HASH_WRONG'
  | 'URL_WRONG'
  | 'LINK_BROKEN'
  | 'SECRET_FOUND'
  | 'SEQUENCE_WRONG'
  | 'TOMBSTONE_WRONG'
  | 'TEXT_WRONG'
  | 'TWIN_WRONG'
  | 'PAGE_MISSING'
  | 'PAGE_WRONG'
  | 'ASSET_MISSING';

/** One error in a published feed. */
export interface Finding {
  readonly code: FindingCode;
  /** File it was found in. */
  readonly path: string;
  /** The error, with the wrong value. */
  readonly message: string;
}

export type ReportFinding = (code: FindingCode, path: string, message: string) => void;

/** Links of documents to the host of the site that are no links to articles, by URL. */
export type OwnLinks = Map<string, { readonly path: string; readonly id: string }>;

/** A document of the feed, with the file that has it and its chunks so far. */
export interface KnownDocument {
  readonly record: DocumentRecord;
  readonly path: string;
  readonly chunks: ChunkRecord[];
}

/** What the parts of a verification share. */
export interface Verification {
  readonly manifest: Manifest;
  /** Reads a listed file and compares its hash; empty if it is missing, which is reported. */
  readonly read: (path: string) => Promise<Uint8Array>;
  /** By document id, in the order of the records. */
  readonly documents: Map<string, KnownDocument>;
  readonly chunkIds: Set<string>;
  readonly ownLinks: OwnLinks;
  readonly report: ReportFinding;
}

/**
 * Parses the lines of a file. Reports and skips what is not a record, and lines in another form than the one that is published: a field that
 * the schema does not know or a key that occurs twice would be read differently by different readers.
 */
export function* parseRecords<T>(
  bytes: Uint8Array,
  schema: z.ZodType<T>,
  path: string,
  report: ReportFinding,
): Generator<T> {
  const parse = createLineParser();
  let number = 0;
  try {
    for (const bytesOfLine of splitLines([bytes])) {
      number += 1;
      const value = parse(bytesOfLine);
      const parsed = schema.safeParse(value);
      const fail = (what: string) => report('RECORD_INVALID', path, `record ${number}: ${what}`);
      if (!parsed.success) {
        const issue = parsed.error.issues[0] as z.core.$ZodIssue;
        fail(`${issue.path.join('.')} ${describeIssue(issue, valueAt(value, issue.path))}`);
      } else if (JSON.stringify(parsed.data) !== decodeText(bytesOfLine)) {
        fail('it has fields or a form that its schema does not have');
      } else yield parsed.data;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    report('RECORD_INVALID', path, error.message);
  }
}

/** The text of a file, whose byte order mark is text, too. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
