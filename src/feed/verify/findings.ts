import { createHash } from 'node:crypto';
import { describeIssue, valueAt, type z } from '../../foundation/schema.ts';
import type { Manifest } from '../manifest.ts';
import { jsonLine, parseJsonLines } from '../records/json-lines.ts';

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
  | 'OFFSET_WRONG'
  | 'ORDER_WRONG'
  | 'LINK_BROKEN'
  | 'SEQUENCE_WRONG'
  | 'TOMBSTONE_WRONG'
  | 'TWIN_WRONG'
  | 'PAGE_MISSING'
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

/** Parses the records of a file one by one. Reports and skips invalid records; reports a wrong count. */
export function* parseRecords<Schema extends z.ZodObject>(
  bytes: Uint8Array,
  schema: Schema,
  path: string,
  manifest: Manifest,
  report: ReportFinding,
): Generator<z.output<Schema>> {
  let count = 0;
  const strict = schema.strict();
  const written = createHash('sha256');
  try {
    for (const line of parseJsonLines(bytes)) {
      count += 1;
      written.update(jsonLine(line));
      const parsed = strict.safeParse(line);
      if (parsed.success) {
        // Hashes are computed over the fields in this order.
        if (withoutFlags(parsed.data) !== withoutFlags(line)) {
          report('RECORD_INVALID', path, `record ${count}: its fields are not in the order of the schema`);
        }
        yield parsed.data as z.output<Schema>;
      } else {
        const issue = parsed.error.issues[0] as z.core.$ZodIssue;
        const what = describeIssue(issue, valueAt(line, issue.path));
        report('RECORD_INVALID', path, `record ${count}: ${issue.path.join('.')} ${what}`);
      }
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    report('RECORD_INVALID', path, error.message);
    return;
  }
  if (written.digest('hex') !== createHash('sha256').update(bytes).digest('hex')) {
    report('RECORD_INVALID', path, 'it is not UTF-8 with one JSON object without spaces per line');
  }
  const listed = manifest.files.find((file) => file.path === path)?.records;
  if (listed !== count) report('COUNT_WRONG', path, `${count} records, and the manifest says ${listed}`);
}

/** JSON of a record without its flags, which no hash covers. */
function withoutFlags(record: unknown): string {
  return JSON.stringify({ ...(record as object), flags: undefined });
}
