import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { recordsIn } from '../../support/feed-records.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeOnline, npmFlags } from '../../support/tools.ts';
import { openExports } from './support/export-sample.ts';
import { buildSampleFeed, embedWords, questions, topThree } from './support/questions.ts';

/**
 * Engines that infer the schema of JSON. They are no development dependencies: their binaries have 260 MB, and one of them needs
 * another version of Arrow.
 */
const engines = { lancedb: '0.39.0', arrow: '18.1.0', duckdb: '1.5.6-r.1' };
const lancedbBinary = `@lancedb/lancedb-${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : process.platform === 'win32' ? '-msvc' : ''}`;

const run = promisify(execFile);

/** A line of the export. */
interface Chunk {
  readonly id: string;
  readonly text: string;
}

interface EngineAnswer {
  /** Type of every field, as the engine calls it. */
  readonly types: Readonly<Record<string, string>>;
  readonly rows: number;
  /** Articles of the best chunks for each question. */
  readonly byWords?: readonly (readonly string[])[];
  readonly byVectors: readonly (readonly string[])[];
  /** Types and rows of the Parquet tables. */
  readonly tables?: { readonly types: Readonly<Record<string, string>>; readonly rows: number };
}

/** No schema is given: only the fields that are searched are named. */
const lancedbProgram = `
import { readFileSync } from 'node:fs';
import * as lancedb from '@lancedb/lancedb';
const { vectors, questions } = JSON.parse(readFileSync('input.json', 'utf8'));
const chunks = readFileSync('chunks.jsonl', 'utf8').split('\\n').filter(Boolean).map((line) => JSON.parse(line));
const database = await lancedb.connect('database');
const table = await database.createTable('help', chunks.map((chunk, at) => ({ ...chunk, vector: vectors[at] })));
await table.createIndex('text', { config: lancedb.Index.fts() });
const types = Object.fromEntries((await table.schema()).fields.map(({ name, type }) => [name, String(type)]));
const byWords = [];
const byVectors = [];
const articles = (rows) => rows.map(({ article_id }) => article_id);
for (const { text, vector } of questions) {
  byWords.push(articles(await table.search(text, 'fts', 'text').where("language = 'en'").limit(30).toArray()));
  byVectors.push(articles(await table.vectorSearch(vector).distanceType('cosine').where("language = 'en'").limit(30).toArray()));
}
console.log(JSON.stringify({ types, rows: await table.countRows(), byWords, byVectors }));
`;

const duckdbProgram = `
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
const { vectors, questions } = JSON.parse(readFileSync('input.json', 'utf8'));
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const query = async (sql) => (await connection.runAndReadAll(sql)).getRowObjects();
await connection.run("CREATE TABLE help AS SELECT * FROM read_json_auto('chunks.jsonl')");
await connection.run("CREATE TABLE vectors AS SELECT * FROM read_json_auto('vectors.jsonl')");
const types = Object.fromEntries((await query('DESCRIBE help')).map(({ column_name, column_type }) => [column_name, column_type]));
const [{ rows }] = await query('SELECT count(*)::INTEGER AS rows FROM help');
const byVectors = [];
for (const { vector } of questions) {
  const found = await query(
    "SELECT article_id FROM help JOIN vectors USING (id) WHERE language = 'en' ORDER BY list_cosine_similarity(vector, [" + vector.join() + "]::DOUBLE[]) DESC, id LIMIT 30",
  );
  byVectors.push(found.map(({ article_id }) => article_id));
}
await connection.run("CREATE TABLE parquets AS SELECT * FROM '../tables/*.parquet'");
const tableTypes = Object.fromEntries((await query('DESCRIBE parquets')).map(({ column_name, column_type }) => [column_name, column_type]));
const [{ count }] = await query("SELECT count(*)::INTEGER AS count FROM parquets JOIN help USING (id) WHERE parquets.text = help.text AND parquets.updated_at IS NOT DISTINCT FROM help.updated_at AND parquets.tags = coalesce(help.tags, [])");
console.log(JSON.stringify({ types, rows, byVectors, tables: { types: tableTypes, rows: count } }));
`;

describeOnline('an engine that infers the schema of JSON Lines (needs a registry)', () => {
  let folder: string;
  let chunks: readonly Chunk[];

  beforeAll(async () => {
    folder = temporaryFolder();
    const { output } = await buildSampleFeed();
    const exports = openExports();
    const { files } = await exports.run('jsonl', output);
    const lines = files.get('chunks.jsonl') ?? '';
    chunks = recordsIn<Chunk>(lines);
    await exports.run('parquet', output, { out: join(folder, 'tables') });
    const vectors = chunks.map(({ text }) => embedWords(text));
    const asked = questions.map(([text]) => ({ text, vector: embedWords(text) }));
    await writeFile(join(folder, 'chunks.jsonl'), lines);
    await writeFile(
      join(folder, 'vectors.jsonl'),
      chunks.map(({ id }, at) => `${JSON.stringify({ id, vector: vectors[at] })}\n`).join(''),
    );
    await writeFile(join(folder, 'input.json'), JSON.stringify({ vectors, questions: asked }));
  });

  /** Runs a program in a project that has the packages, beside the files of the feed. */
  async function ask(name: string, packages: readonly string[], program: string): Promise<EngineAnswer> {
    const project = join(folder, name);
    await mkdir(project);
    for (const file of ['chunks.jsonl', 'vectors.jsonl', 'input.json']) {
      await run('ln', ['-s', join(folder, file), join(project, file)]);
    }
    await writeFile(join(project, 'package.json'), '{ "private": true }');
    await writeFile(join(project, 'ask.mjs'), program);
    const flags = [...npmFlags, '--legacy-peer-deps', '--ignore-scripts'];
    await run('npm', ['install', ...flags, ...packages], { cwd: project });
    const { stdout } = await run(process.execPath, ['ask.mjs'], { cwd: project, maxBuffer: 64_000_000 });
    return JSON.parse(stdout) as EngineAnswer;
  }

  const missed = (found: readonly (readonly string[])[]) =>
    questions
      .filter(([, articleId], at) => !topThree(found[at] ?? []).includes(articleId))
      .map(([question]) => question);

  const expectFields = ({ types, rows }: EngineAnswer) => {
    expect(rows).toBe(chunks.length);
    const published = new Set(chunks.flatMap((chunk) => Object.keys(chunk)));
    expect(
      Object.keys(types)
        .filter((name) => name !== 'vector')
        .sort(),
    ).toEqual([...published].sort());
  };

  it('LanceDB takes every field and answers the questions by words and by vectors', async () => {
    const packages = [
      `@lancedb/lancedb@${engines.lancedb}`,
      `${lancedbBinary}@${engines.lancedb}`,
      `apache-arrow@${engines.arrow}`,
      '--omit=optional',
    ];
    const answer = await ask('lancedb', packages, lancedbProgram);
    expectFields(answer);
    expect(answer.types).toMatchObject({
      category_path: 'List<Utf8>',
      heading_path: 'List<Utf8>',
      tags: 'List<Utf8>',
      position: 'Float64',
      updated_at: 'Utf8',
    });
    expect(missed(answer.byWords ?? [])).toEqual([]);
    expect(missed(answer.byVectors)).toEqual([]);
  });

  it('DuckDB takes every field and answers the questions by vectors', async () => {
    const answer = await ask('duckdb', [`@duckdb/node-api@${engines.duckdb}`], duckdbProgram);
    expectFields(answer);
    expect(answer.types).toMatchObject({
      category_path: 'VARCHAR[]',
      heading_path: 'VARCHAR[]',
      tags: 'VARCHAR[]',
      position: 'BIGINT',
      updated_at: 'TIMESTAMP',
    });
    expect(answer.tables?.types).toMatchObject({
      tags: 'VARCHAR[]',
      position: 'INTEGER',
      updated_at: expect.stringMatching(/^TIMESTAMP/),
    });
    expect(answer.tables?.rows).toBe(chunks.length);
    expect(missed(answer.byVectors)).toEqual([]);
  });
});
