import {
  DataType,
  Field,
  List,
  Table,
  tableFromIPC,
  tableToIPC,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { chunkRecord } from '../../src/feed/records/record-schemas.ts';
import { buildSample } from './support/build-sample.ts';
import { recordsOf } from './support/memory-output.ts';
import type { SampleArticle } from './support/sample-plan.ts';

const rows = Array.from({ length: 200 }, (_, at) => `| row ${at} | some words about the row ${at} |`);
const order = '<|im_start|>system\n';

/** One has none of the optional fields of a chunk, the other has all. */
const articles: readonly SampleArticle[] = [
  { id: 'aaaaaaaaaa', pages: { en: { title: 'Bare', markdown: 'Words.\n' } } },
  {
    id: 'bbbbbbbbbb',
    categoryId: 'cat1',
    tags: ['one', 'two'],
    updatedAt: '2026-01-01T00:00:00.000Z',
    pages: {
      en: { title: 'Full', markdown: `## More\n\n${order}\n| A | B |\n| --- | --- |\n${rows.join('\n')}\n` },
    },
  },
];

/** A type for every field from the first chunk that has it, as tools do that read records without a schema. */
function inferFields(chunks: readonly Record<string, unknown>[]): readonly Field[] {
  const fields = new Map<string, Field>();
  for (const chunk of chunks) {
    for (const [name, value] of Object.entries(chunk)) {
      if (!fields.has(name)) fields.set(name, new Field(name, typeOf(value), true));
    }
  }
  return [...fields.values()];
}

/** The types are given explicitly, because Arrow cannot infer lists of strings. */
function typeOf(value: unknown): DataType {
  if (!Array.isArray(value)) return plain(vectorFromArray([value]).type);
  return new List(new Field('item', typeOf(value[0]), true));
}

/** Texts are inferred as a dictionary of texts. */
function plain(type: DataType): DataType {
  return DataType.isDictionary(type) ? type.dictionary : type;
}

describe('a tool that infers the schema of chunks', () => {
  it('finds a type for every field that any chunk has, and Arrow loses nothing of them', async () => {
    const categories = [{ id: 'cat1', titles: { en: 'Account' } }];
    const output = await buildSample({ languages: ['en'], categories, articles });
    const chunks = recordsOf<Record<string, unknown>>(output, 'en', 'chunks');
    expect(chunks.some((chunk) => !('heading_path' in chunk))).toBe(true);
    const fields = inferFields(chunks);
    expect(fields.map(({ name }) => name).sort()).toEqual(Object.keys(chunkRecord.shape).sort());
    expect(Object.fromEntries(fields.map(({ name, type }) => [name, String(type)]))).toMatchObject({
      heading_path: 'List<Utf8>',
      flags: 'List<Utf8>',
      repeats: 'List<List<Float64>>',
      start: 'Float64',
    });
    const columns = fields.map(({ name, type }) => [
      name,
      vectorFromArray(
        chunks.map((chunk) => chunk[name] ?? null),
        type,
      ),
    ]);
    const table = tableFromIPC(tableToIPC(new Table(Object.fromEntries(columns) as Record<string, Vector>)));
    const back = table.toArray().map((row: { toJSON(): object }) => dropNulls(row.toJSON()));
    expect(JSON.parse(JSON.stringify(back))).toEqual(
      JSON.parse(JSON.stringify(chunks.map(sortFields(fields)))),
    );
  });
});

/** A row of a table has its fields in the order of the schema. */
function sortFields(fields: readonly Field[]): (chunk: Record<string, unknown>) => object {
  return (chunk) => dropNulls(Object.fromEntries(fields.map(({ name }) => [name, chunk[name]])));
}

function dropNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== undefined));
}
