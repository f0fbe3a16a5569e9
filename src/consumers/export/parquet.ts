// hyparquet-writer writes Parquet in plain JavaScript; other writers need native code.
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { UnknownRecord } from '../../core/unknown-record.ts';
import type { Output, OutputFile } from '../../output/output.ts';
import type { EntryWriter } from './target.ts';

type ColumnKind = 'text' | 'date' | 'number' | 'list';

/** Columns in the order of the table; a list holds texts, and only dates can be missing. */
const columns: Readonly<Record<string, ColumnKind>> = {
  id: 'text',
  document_id: 'text',
  article_id: 'text',
  language: 'text',
  title: 'text',
  url: 'text',
  category_path: 'list',
  heading_path: 'list',
  tags: 'list',
  updated_at: 'date',
  position: 'number',
  flags: 'list',
  tokens: 'number',
  text: 'text',
};

/** Rows that are kept in memory and written together. */
const groupRows = 5000;

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' } as const;

/** The elements of a column in the schema, without the name of the first. */
const elements: Readonly<Record<ColumnKind, Omit<SchemaElement, 'name'>>> = {
  text: text,
  number: { type: 'INT32', repetition_type: 'REQUIRED' },
  date: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'OPTIONAL' },
  list: { converted_type: 'LIST', num_children: 1, repetition_type: 'REQUIRED' },
};
const listElements: readonly SchemaElement[] = [
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', ...text },
];

const schema: SchemaElement[] = [
  { name: 'root', num_children: Object.keys(columns).length },
  ...Object.entries(columns).flatMap(([name, kind]) => [
    { name, ...elements[kind] },
    ...(kind === 'list' ? listElements : []),
  ]),
];

/** Writes rows, given as JSON, into one Parquet file per language: `en.parquet`. */
export function openTables(output: Pick<Output, 'open'>): EntryWriter {
  const tables = new Map<string, ParquetTable>();
  return {
    async add(entry) {
      const row = JSON.parse(entry) as UnknownRecord;
      // A part of a file name.
      const language = String(row.language).replaceAll(/[^A-Za-z0-9-]/g, '-');
      let table = tables.get(language);
      if (table === undefined) {
        table = openTable(await output.open(`${language}.parquet`));
        tables.set(language, table);
      }
      await table.add(row);
    },
    async close() {
      for (const table of tables.values()) await table.close();
      return [...tables.keys()].map((language) => `${language}.parquet`);
    },
  };
}

interface ParquetTable {
  add(row: UnknownRecord): Promise<void>;
  close(): Promise<void>;
}

function openTable(file: OutputFile): ParquetTable {
  const writer = new ByteWriter();
  const table = new ParquetWriter({ writer, schema, createdBy: 'lectern' });
  let rows: UnknownRecord[] = [];

  /** The writer counts bytes in `offset`; its buffer starts again at `index`. */
  async function flush(): Promise<void> {
    await file.write(writer.getBytes().slice());
    writer.index = 0;
  }

  async function writeGroup(): Promise<void> {
    const columnData = Object.entries(columns).map(([name, kind]) => ({
      name,
      data: rows.map((row): unknown =>
        kind === 'date' && row[name] !== null ? new Date(String(row[name])) : row[name],
      ),
    }));
    rows = [];
    await table.write({ columnData, rowGroupSize: groupRows });
    await flush();
  }

  return {
    async add(row) {
      rows.push(row);
      if (rows.length === groupRows) await writeGroup();
    },
    async close() {
      if (rows.length > 0) await writeGroup();
      await table.finish();
      await flush();
      await file.close();
    },
  };
}
