import { baseLanguage, type ExportPassage, passageMetadata, stemmedLanguages } from '../fields.ts';
import type { Target } from '../target.ts';

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
  position: 'integer NOT NULL',
  flags: 'jsonb NOT NULL',
  text: 'text NOT NULL',
  search_config: 'regconfig NOT NULL',
};

const names = Object.keys(columns);

/** PostgreSQL with pgvector: SQL that loads passages and preserves the embeddings of unchanged text. */
export const pgvector: Target = {
  product: 'PostgreSQL with pgvector',
  item: (passage) => ({ entry: rowOf(passage) }),
  // One statement, so that a file is loaded as a whole or not at all.
  format: (collection) => ({
    extension: 'sql',
    head: `INSERT INTO ${collection} (${names.join(', ')}) SELECT ${names.join(', ')} FROM jsonb_to_recordset('[\n`,
    separator: ',\n',
    tail: [
      `\n]') AS rows (${Object.entries(columns)
        .map(([name, type]) => `${name} ${type.split(' ')[0]}`)
        .join(', ')})`,
      `ON CONFLICT (id) DO UPDATE SET ${names
        .slice(1)
        .map((name) => `${name} = excluded.${name}`)
        .join(', ')},`,
      `embedding = CASE WHEN ${collection}.text = excluded.text THEN ${collection}.embedding END;\n`,
    ].join('\n'),
    maxEntries: 1000,
    maxBytes: 8_000_000,
  }),
  definitions: (collection) => [['schema.sql', createTable(collection)]],
};

/** Statements that create the table if it is missing. */
export function createTable(table: string): string {
  const definitions = [
    ...Object.entries(columns).map(([name, type]) => `${name} ${type}`),
    'search tsvector GENERATED ALWAYS AS (to_tsvector(search_config, text)) STORED',
    // Without dimensions, because the model decides them. An index has to specify them in an expression.
    'embedding vector',
  ];
  return [
    // A user who may not create extensions can use one that exists.
    "DO $$ BEGIN IF to_regtype('vector') IS NULL THEN CREATE EXTENSION vector; END IF; END $$;",
    `CREATE TABLE IF NOT EXISTS ${table} (\n  ${definitions.join(',\n  ')}\n);`,
    `CREATE INDEX IF NOT EXISTS ${table}_search ON ${table} USING gin (search);`,
    `CREATE INDEX IF NOT EXISTS ${table}_document ON ${table} (document_id);\n`,
  ].join('\n');
}

/** A row as JSON in a quoted text of SQL, where only the quote has a meaning (`standard_conforming_strings`). */
function rowOf(passage: ExportPassage): string {
  const language = baseLanguage(passage.language);
  const row = {
    id: passage.id,
    ...passageMetadata(passage),
    text: passage.text,
    search_config: Object.hasOwn(configurations, language) ? configurations[language] : 'simple',
  };
  return JSON.stringify(row, withoutNul).replaceAll("'", "''");
}

/** PostgreSQL text cannot contain NUL. Its escape in JSON is part of the escape of a text that names it. */
function withoutNul(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '') : value;
}
