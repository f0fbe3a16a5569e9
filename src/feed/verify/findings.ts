import { describeIssue, valueAt, type z } from '../../foundation/schema.ts';
import type { Manifest } from '../manifest.ts';
import { parseJsonLines } from '../records/json-lines.ts';

/** What can be wrong with a published feed. */
export type FindingCode =
  | 'MANIFEST_INVALID'
  | 'FILE_MISSING'
  | 'FILE_CHANGED'
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

/** One thing that is wrong with a published feed. */
export interface Finding {
  readonly code: FindingCode;
  /** File it was found in. */
  readonly path: string;
  /** What is wrong, with the value in it. */
  readonly message: string;
}

/** Takes a finding. */
export type ReportFinding = (code: FindingCode, path: string, message: string) => void;

/** Parses the records of a file one by one; a bad one is reported and left out, and so is a wrong count. */
export function* parseRecords<Schema extends z.ZodType>(
  bytes: Uint8Array,
  schema: Schema,
  path: string,
  manifest: Manifest,
  report: ReportFinding,
): Generator<z.output<Schema>> {
  let count = 0;
  try {
    for (const line of parseJsonLines(bytes)) {
      count += 1;
      const parsed = schema.safeParse(line);
      if (parsed.success) yield parsed.data;
      else {
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
  const listed = manifest.files.find((file) => file.path === path)?.records;
  if (listed !== count) report('COUNT_WRONG', path, `${count} records, and the manifest says ${listed}`);
}
