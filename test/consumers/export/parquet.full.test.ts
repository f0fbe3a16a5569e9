import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import { beforeAll, expect, it } from 'vitest';
import { buildSample } from '../../feed/support/build-sample.ts';
import { recordsIn } from '../../support/feed-records.ts';
import { openExports } from './support/export-sample.ts';
import { buildSampleFeed } from './support/questions.ts';

let exports: ReturnType<typeof openExports>;
beforeAll(() => {
  exports = openExports();
});

async function readTable(path: string) {
  const bytes = await readFile(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const metadata = await parquetMetadataAsync(file);
  return { rows: await parquetReadObjects({ file }), schema: parquetSchema(metadata), metadata };
}

it('a table per language has the rows of JSON Lines, with dates and lists', async () => {
  const { output } = await buildSampleFeed();
  const out = join(exports.folder, 'tables');
  const { report } = await exports.run('parquet', output, { out });
  const { files } = await exports.run('jsonl', output);
  const expected = recordsIn<{ language: string; updated_at?: string }>(files.get('chunks.jsonl') ?? '');
  const languages = [...new Set(expected.map(({ language }) => language))];
  expect(report.files).toEqual(languages.map((language) => `${language}.parquet`));
  expect(languages.length).toBeGreaterThan(1);
  for (const language of languages) {
    const { rows, schema } = await readTable(join(out, `${language}.parquet`));
    const ofLanguage = expected.filter((row) => row.language === language);
    expect(rows).toEqual(
      ofLanguage.map((row) => ({
        ...{ category_path: [], heading_path: [], tags: [], flags: [] },
        ...row,
        updated_at: row.updated_at === undefined ? undefined : new Date(row.updated_at),
      })),
    );
    const types = schema.children.map(({ element: { name, type, converted_type } }) => [
      name,
      converted_type ?? type,
    ]);
    expect(Object.fromEntries(types)).toMatchObject({
      id: 'UTF8',
      tags: 'LIST',
      updated_at: 'TIMESTAMP_MILLIS',
      position: 'INT32',
    });
  }
});

it('a table is written in several row groups, is the same every time, and may have no rows with a date', async () => {
  const articles = Array.from({ length: 5200 }, (_, at) => ({
    id: `a${String(at).padStart(9, '0')}`,
    pages: { en: { title: `Title ${at}`, markdown: `Text ${at}.\n` } },
  }));
  const published = await buildSample({ languages: ['en'], articles });
  const read = async (name: string) => {
    const out = join(exports.folder, name);
    await exports.run('parquet', published, { out });
    return { ...(await readTable(join(out, 'en.parquet'))), bytes: await readFile(join(out, 'en.parquet')) };
  };
  const first = await read('first');
  expect(first.metadata.row_groups.length).toBe(2);
  expect(first.rows).toHaveLength(5200);
  expect(new Set(first.rows.map(({ text }) => text as string)).size).toBe(5200);
  expect((await read('second')).bytes.equals(first.bytes)).toBe(true);
});
