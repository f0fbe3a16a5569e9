import { messageOf } from '../../core/errors.ts';
import { describeWrongField, type z } from '../../core/schema.ts';
import type { Manifest } from '../read/manifest.ts';
import { jsonLine } from '../records/json-lines.ts';
import type { ChunkRecord, DocumentRecord } from '../records/record-schemas.ts';

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
  /** Reports what is wrong in a file. */
  readonly report: (path: string, message: string) => void;
}

/**
 * Parses a text that is exactly what `format` writes of its value: a field that the schema does not know or a key that occurs twice would be
 * read differently by different readers. Throws an error that says what is wrong.
 */
export function parsePublished<T>(text: string, schema: z.ZodType<T>, format: (value: T) => string): T {
  const value: unknown = JSON.parse(text);
  const { data, error } = schema.safeParse(value);
  const [issue] = error?.issues ?? [];
  if (issue !== undefined) throw new Error(describeWrongField(issue, value));
  if (format(data as T) === text) return data as T;
  throw new Error(
    'it is not written as Lectern writes it: its spaces or the order of its fields differ, or it has another field or one twice',
  );
}

/** Parses the lines of a file. Reports and skips what is not a record, and an id that occurs twice. */
export async function* parseRecords<T>(
  { read, report }: Verification,
  path: string,
  schema: z.ZodType<T>,
  idOf: (record: T) => string | null,
): AsyncGenerator<T> {
  const lines = (await read(path)).split('\n');
  if (lines.pop() !== '') report(path, 'its last line does not end');
  const ids = new Set<string>();
  for (const [at, line] of lines.entries()) {
    try {
      const record = parsePublished(`${line}\n`, schema, jsonLine);
      const id = idOf(record);
      if (id !== null && ids.size === ids.add(id).size) throw new Error(`${id} occurs twice`);
      yield record;
    } catch (error) {
      report(path, `record ${at + 1}: ${messageOf(error)}`);
    }
  }
}
