import { baseLanguage, type ExportPassage, passageMetadata, stemmedLanguages } from '../fields.ts';
import { itemPerPassage, type PassageTarget } from '../target.ts';

/** Text search configurations of PostgreSQL since version 14, by language. */
const configurations: Readonly<Record<string, string>> = {
  ...stemmedLanguages,
  ca: 'catalan',
  eu: 'basque',
  ga: 'irish',
  hi: 'hindi',
  hy: 'armenian',
  id: 'indonesian',
  lt: 'lithuanian',
  ne: 'nepali',
  sr: 'serbian',
  ta: 'tamil',
  yi: 'yiddish',
};

/** Columns of the table with their types, the key first. */
const columns = {
  id: 'text PRIMARY KEY',
  document_id: 'text NOT NULL',
  article_id: 'text NOT NULL',
  language: 'text NOT NULL',
  title: 'text NOT NULL',
  url: 'text NOT NULL',
  category_path: 'jsonb NOT NULL',
  heading_path: 'jsonb NOT NULL',
  tags: 'jsonb NOT NULL',
  updated_at: 'timestamptz',
  translation_outdated: 'boolean NOT NULL',
  type: 'text NOT NULL',
  seq: 'integer NOT NULL',
  flags: 'jsonb NOT NULL',
  text: 'text NOT NULL',
  embed_text: 'text NOT NULL',
  search_config: 'regconfig NOT NULL',
};

const names = Object.keys(columns);

/** PostgreSQL with pgvector: SQL files for psql that load passages with COPY and preserve the embeddings of unchanged text. */
export const pgvector: PassageTarget = {
  product: 'PostgreSQL with pgvector',
  source: 'pgvector README (“Storing”, “Hybrid Search”) and PostgreSQL documentation, “COPY” (text format)',
  reads: 'chunks',
  prefix: 'none',
  items: itemPerPassage((passage) => ({ entry: copyRow(passage) })),
  upserts: ({ collection }) => ({
    path: 'upserts/{n}.sql',
    head: [
      'BEGIN;',
      `CREATE TEMPORARY TABLE new_rows ON COMMIT DROP AS SELECT ${names.join(', ')} FROM ${collection} WITH NO DATA;`,
      `COPY new_rows (${names.join(', ')}) FROM stdin;\n`,
    ].join('\n'),
    tail: [
      '\\.',
      `INSERT INTO ${collection} (${names.join(', ')}) SELECT ${names.join(', ')} FROM new_rows`,
      `ON CONFLICT (id) DO UPDATE SET ${names
        .slice(1)
        .map((name) => `${name} = excluded.${name}`)
        .join(', ')},`,
      `embedding = CASE WHEN ${collection}.embed_text = excluded.embed_text THEN ${collection}.embedding END;`,
      'COMMIT;\n',
    ].join('\n'),
    maxEntries: 10_000,
    maxBytes: 50_000_000,
  }),
  deletes: ({ collection }) => ({
    path: 'deletes/{n}.sql',
    head: `DELETE FROM ${collection} WHERE id IN (\n`,
    separator: ',\n',
    tail: '\n);\n',
    maxEntries: 1000,
    maxBytes: 1_000_000,
  }),
  // Record ids contain no characters with a meaning in SQL (idSchema).
  deleteEntry: (id) => `'${id}'`,
  definitions: ({ collection }) => [['schema.sql', schemaOf(collection)]],
};

function schemaOf(table: string): string {
  const definitions = [
    ...Object.entries(columns).map(([name, type]) => `${name} ${type}`),
    'search tsvector GENERATED ALWAYS AS (to_tsvector(search_config, embed_text)) STORED',
    // Without dimensions, because the model decides them. An index has to specify them in an expression.
    'embedding vector',
  ];
  return [
    'CREATE EXTENSION IF NOT EXISTS vector;',
    `CREATE TABLE IF NOT EXISTS ${table} (\n  ${definitions.join(',\n  ')}\n);`,
    `CREATE INDEX IF NOT EXISTS ${table}_search ON ${table} USING gin (search);`,
    `CREATE INDEX IF NOT EXISTS ${table}_document ON ${table} (document_id);\n`,
  ].join('\n');
}

/** A line of COPY in text format. */
function copyRow(passage: ExportPassage): string {
  const language = baseLanguage(passage.language);
  const metadata = passageMetadata(passage);
  const values: Record<string, string | number | boolean | null> = {
    id: passage.id,
    ...metadata,
    category_path: JSON.stringify(metadata.category_path),
    heading_path: JSON.stringify(metadata.heading_path),
    tags: JSON.stringify(metadata.tags),
    updated_at: metadata.updated_at === '' ? null : metadata.updated_at,
    flags: JSON.stringify(metadata.flags),
    text: passage.text,
    embed_text: passage.embedText,
    search_config: Object.hasOwn(configurations, language) ? (configurations[language] ?? '') : 'simple',
  };
  return `${names.map((name) => copyValue(values[name] ?? null)).join('\t')}\n`;
}

const copyEscapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  // PostgreSQL text cannot contain NUL.
  '\0': '',
};

/** A value of COPY; null is `\N`, which an escaped text never equals. */
function copyValue(value: string | number | boolean | null): string {
  if (value === null) return '\\N';
  return String(value).replaceAll(/[\\\t\n\r\0]/g, (character) => copyEscapes[character] ?? '');
}
