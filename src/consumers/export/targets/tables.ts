import { jsonLine } from '../../../feed/records/json-lines.ts';
import type { Output, OutputFile } from '../../../output/output.ts';
import { openTables } from '../parquet.ts';
import type { EntryWriter, Target } from '../target.ts';

// Formats that belong to no vendor: a row per passage, for whatever loads tables or lines.

const unlimited = { maxEntries: Infinity, maxBytes: Infinity };

/** Tools infer the type of a field from its values, which they cannot from null and empty lists. */
const filled = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );

/** One JSON object per line, without fields that are empty. */
export const jsonl: Target = {
  product: 'JSON Lines',
  item: (passage) => ({ entry: jsonLine(filled(passage)) }),
  format: () => ({ extension: 'jsonl', ...unlimited }),
  open: (output) => openLines(output, 'chunks.jsonl'),
};

/** Parquet: one table per language. */
export const parquet: Target = {
  product: 'Parquet',
  item: (passage) => ({ entry: JSON.stringify(passage) }),
  format: () => ({ extension: 'parquet', ...unlimited }),
  open: openTables,
};

/** Writes lines into one file, which is created with the first line. */
function openLines(output: Pick<Output, 'open'>, path: string): EntryWriter {
  let file: OutputFile | null = null;
  return {
    async add(line) {
      file ??= await output.open(path);
      await file.write(line);
    },
    async close() {
      await file?.close();
      return file === null ? [] : [path];
    },
  };
}
