import { messageOf } from '../../core/errors.ts';
import { describeIssue, valueAt, type z } from '../../core/schema.ts';
import type { Manifest } from '../read/manifest.ts';
import type { ChunkRecord, DocumentRecord } from '../records/record-schemas.ts';

/** Codes of the errors that a published feed can have. */
export type FindingCode = 'FILE_WRONG' | 'RECORD_WRONG' | 'SEQUENCE_WRONG';

/** One error in a published feed. */
export interface Finding {
  readonly code: FindingCode;
  /** File it was found in. */
  readonly path: string;
  /** The error, with the wrong value. */
  readonly message: string;
}

export type ReportFinding = (code: FindingCode, path: string, message: string) => void;

/** A document of the feed, with its chunks so far. */
export interface KnownDocument {
  readonly record: DocumentRecord;
  readonly chunks: ChunkRecord[];
}

/** What the parts of a verification share. */
export interface Verification {
  readonly manifest: Manifest;
  /** Reads a listed file and compares its hash; empty if it is missing, which is reported. */
  readonly read: (path: string) => Promise<string>;
  /** Documents by id, in the order of the records. */
  readonly documents: Map<string, KnownDocument>;
  readonly chunkIds: Set<string>;
  readonly report: ReportFinding;
}

/**
 * Parses a text that is exactly what `format` writes of its value: a field that the schema does not know or a key that occurs twice would be
 * read differently by different readers. Throws an error that says what is wrong.
 */
export function parsePublished<T>(
  text: string,
  schema: z.ZodType<T>,
  format: (value: T) => string = JSON.stringify,
): T {
  const value: unknown = JSON.parse(text);
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0] as z.core.$ZodIssue;
    throw new Error(`${issue.path.join('.')} ${describeIssue(issue, valueAt(value, issue.path))}`);
  }
  if (format(parsed.data) === text) return parsed.data;
  throw new Error(
    JSON.stringify(parsed.data) === JSON.stringify(value)
      ? 'it is not written as Lectern writes it: its spaces differ, or a key occurs twice'
      : 'it has a field that its schema does not have, or fields in another order',
  );
}

/** Parses the lines of a file. Reports and skips what is not a record. */
export function* parseRecords<T>(
  text: string,
  schema: z.ZodType<T>,
  path: string,
  report: ReportFinding,
): Generator<T> {
  const lines = text.split('\n');
  if (lines.pop() !== '') report('RECORD_WRONG', path, 'its last line does not end');
  for (const [at, line] of lines.entries()) {
    try {
      yield parsePublished(line, schema);
    } catch (error) {
      report('RECORD_WRONG', path, `record ${at + 1}: ${messageOf(error)}`);
    }
  }
}

/** The text of a file, whose byte order mark is text, too. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
