import { jsonLine } from '../../../feed/records/json-lines.ts';
import { openTables } from '../parquet.ts';
import type { Target } from '../target.ts';

// Formats that belong to no vendor: a row per passage, for whatever loads tables or lines.

const oneFile = (path: string) => () => ({ path, maxEntries: Infinity, maxBytes: Infinity });

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
  upserts: oneFile('chunks.jsonl'),
  definitions: () => [],
};

/** Parquet: one table per language. */
export const parquet: Target = {
  product: 'Parquet',
  item: (passage) => ({ entry: JSON.stringify(passage) }),
  upserts: oneFile(''),
  openUpserts: openTables,
  definitions: () => [],
};
