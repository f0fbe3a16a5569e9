import { hasCompounds } from '../../core/search/compounds.ts';
import type { Alternatives, IndexedTerms, TermField, TermIndex } from '../../core/search/rank-passages.ts';
import type { Sqlite } from '../../core/sqlite/sqlite.ts';

/** Version of the tables: an index of another one is made again. */
export const tableVersion = 6;

/** SQL of the tables. Full-text tables of a language are called `passage_terms_1` and `document_terms_1`, after the id of the language. */
export const tables = `
  CREATE TABLE value (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE language (
    id INTEGER PRIMARY KEY, tag TEXT NOT NULL UNIQUE, documents INTEGER NOT NULL DEFAULT 0,
    texts INTEGER NOT NULL DEFAULT 0, text_terms INTEGER NOT NULL DEFAULT 0, heading_terms INTEGER NOT NULL DEFAULT 0,
    hinted INTEGER NOT NULL DEFAULT 0, hint_terms INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE document (
    id INTEGER PRIMARY KEY, document_id TEXT NOT NULL UNIQUE, article_id TEXT NOT NULL, language TEXT NOT NULL,
    title TEXT NOT NULL, url TEXT NOT NULL, category TEXT NOT NULL, updated_at TEXT NOT NULL, flags TEXT NOT NULL,
    hint_terms INTEGER NOT NULL, markdown TEXT NOT NULL
  );
  CREATE INDEX document_of_article ON document (article_id);
  CREATE INDEX document_of_url ON document (url);
  CREATE INDEX document_of_category ON document (language, category, hint_terms);
  CREATE TABLE passage (
    id INTEGER PRIMARY KEY, passage_id TEXT NOT NULL UNIQUE, document_id TEXT NOT NULL, language TEXT NOT NULL, url TEXT NOT NULL,
    headings TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, lead TEXT NOT NULL, flags TEXT NOT NULL,
    crc INTEGER NOT NULL, text_terms INTEGER NOT NULL, heading_terms INTEGER NOT NULL
  );
  CREATE INDEX passage_of_document ON passage (document_id, first);
  CREATE INDEX passage_of_language ON passage (language, text_terms, heading_terms);
  CREATE TABLE word (language INTEGER NOT NULL, term TEXT NOT NULL, PRIMARY KEY (language, term)) WITHOUT ROWID;
`;

/** Terms are separated by spaces. The tokenizer takes every character that is not ASCII as one of a term. */
export const createTerms = (id: number) => `
  CREATE VIRTUAL TABLE IF NOT EXISTS passage_terms_${id} USING fts5 (text, heading, tokenize = 'ascii');
  CREATE VIRTUAL TABLE IF NOT EXISTS document_terms_${id} USING fts5 (hints, tokenize = 'ascii');
`;

const documentColumns =
  'document_id AS id, article_id AS articleId, language, title, url, category, updated_at AS updatedAt, flags';
const passageColumns =
  'passage_id AS id, document_id AS documentId, url, headings, first AS start, last AS "end", lead, flags';

export const sql = {
  readValue: 'SELECT value FROM value WHERE key = ?',
  listKeys: 'SELECT key FROM value WHERE key >= ? AND key < ? ORDER BY key',
  writeValue: 'INSERT OR REPLACE INTO value VALUES (?, ?)',
  removeValue: 'DELETE FROM value WHERE key = ?',
  language: 'SELECT * FROM language WHERE tag = ?',
  addLanguage: 'INSERT INTO language (tag) VALUES (?)',
  languages: 'SELECT tag, documents FROM language WHERE documents > 0 ORDER BY tag',
  countAll: `
    UPDATE language SET
      documents = (SELECT count(*) FROM document WHERE language = tag),
      hinted = (SELECT count(*) FROM document WHERE language = tag AND hint_terms > 0),
      hint_terms = (SELECT coalesce(sum(hint_terms), 0) FROM document WHERE language = tag),
      texts = (SELECT count(*) FROM passage WHERE language = tag),
      text_terms = (SELECT coalesce(sum(text_terms), 0) FROM passage WHERE language = tag),
      heading_terms = (SELECT coalesce(sum(heading_terms), 0) FROM passage WHERE language = tag)`,
  findDocument: 'SELECT id, language, hint_terms AS hintTerms FROM document WHERE document_id = ?',
  writeDocument: 'INSERT OR REPLACE INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  removeDocument: 'DELETE FROM document WHERE id = ?',
  findPassage:
    'SELECT id, language, crc, text_terms AS textTerms, heading_terms AS headingTerms FROM passage WHERE passage_id = ?',
  writePassage: 'INSERT OR REPLACE INTO passage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  removePassage: 'DELETE FROM passage WHERE id = ?',
  passageIds: 'SELECT passage_id AS id FROM passage WHERE document_id = ?',
  addWord: 'INSERT OR IGNORE INTO word VALUES (?, ?)',
  words:
    'SELECT term FROM word WHERE language = ? AND term >= ? AND term < ? AND length(term) BETWEEN ? AND ?',
  wordsEnding: 'SELECT term FROM word WHERE language = ? AND term LIKE ?',
  passagesOf: `SELECT ${passageColumns} FROM passage WHERE document_id = ? ORDER BY first, passage_id`,
  document: `SELECT ${documentColumns}, markdown FROM document WHERE document_id = ?`,
  documentsLike: `SELECT ${documentColumns}, markdown FROM document WHERE article_id = ?1 OR url = ?1 ORDER BY language, document_id LIMIT 100`,
  listDocuments: `SELECT ${documentColumns} FROM document WHERE document_id > ? ORDER BY document_id LIMIT ?`,
  categories:
    'SELECT language, category, count(*) AS articles FROM document WHERE length(?1) = 0 OR language = ?1 GROUP BY language, category ORDER BY language, category',
} as const;

/** Totals of a language, for ranking. */
interface LanguageRow {
  readonly id: number;
  readonly texts: number;
  readonly text_terms: number;
  readonly heading_terms: number;
  readonly hinted: number;
  readonly hint_terms: number;
}

const indexedTerms =
  'passage_id AS id, document_id AS document, text, heading, text_terms AS textLength, heading_terms AS headingLength';

/** The terms of a language, as ranking asks for them; `null` if the index has none. */
export function findTermIndex(reader: Sqlite, tag: string): TermIndex | null {
  const language = reader.row<LanguageRow>(sql.language, tag);
  if (language === null) return null;
  const passages = `passage_terms_${language.id}`;
  const documents = `document_terms_${language.id}`;
  const tableOf = (field: TermField) => (field === 'hints' ? documents : passages);
  const isMissing = reader.row('SELECT 1 FROM sqlite_master WHERE name = ?', passages) === null;
  const rows = <T>(text: string, ...values: readonly (string | number)[]): readonly T[] =>
    isMissing ? [] : reader.rows<T>(text, ...values);
  return {
    size: (field) =>
      ({
        text: { texts: language.texts, terms: language.text_terms },
        heading: { texts: language.texts, terms: language.heading_terms },
        hints: { texts: language.hinted, terms: language.hint_terms },
      })[field],
    count(field, phrases) {
      const table = tableOf(field);
      return phrases.map((phrase) => {
        const query = `{${field}} : "${phrase.join(' ')}"`;
        return (
          rows<{ count: number }>(`SELECT count(*) AS count FROM ${table} WHERE ${table} MATCH ?`, query)[0]
            ?.count ?? 0
        );
      });
    },
    find: (alternatives, limit) =>
      rows<IndexedTerms>(
        `SELECT ${indexedTerms} FROM (
           SELECT rowid AS number, text, heading FROM ${passages}
           WHERE ${passages} MATCH ? AND rank MATCH 'bm25(1.0, 0.6)' ORDER BY rank LIMIT ?
         ) JOIN passage ON passage.id = number`,
        expressionOf(alternatives),
        limit,
      ),
    findHinted: (alternatives, limit) =>
      rows<{ document: string; hints: string; length: number }>(
        `SELECT document_id AS document, hints, hint_terms AS length FROM (
           SELECT rowid AS number, hints FROM ${documents} WHERE ${documents} MATCH ? ORDER BY rank LIMIT ?
         ) JOIN document ON document.id = number`,
        expressionOf(alternatives),
        limit,
      ),
    passagesOf: (ids) =>
      ids.length === 0
        ? []
        : rows<IndexedTerms>(
            `SELECT ${indexedTerms} FROM passage JOIN ${passages} ON ${passages}.rowid = passage.id
             WHERE document_id IN (SELECT value FROM json_each(?))`,
            JSON.stringify(ids),
          ),
    withText: (alternatives, ids) =>
      rows<{ document: string }>(
        `SELECT DISTINCT document_id AS document FROM ${passages} JOIN passage ON passage.id = ${passages}.rowid
         WHERE ${passages} MATCH ? AND document_id IN (SELECT value FROM json_each(?))`,
        `{text} : (${expressionOf(alternatives)})`,
        JSON.stringify(ids),
      ).map(({ document }) => document),
    termsEnding: (end) =>
      hasCompounds(tag)
        ? rows<{ term: string }>(sql.wordsEnding, language.id, `%${end}`).map(({ term }) => term)
        : [],
    termsLike: (start, shortest, longest) =>
      rows<{ term: string }>(sql.words, language.id, start, `${start}\u{10ffff}`, shortest, longest).map(
        ({ term }) => term,
      ),
  };
}

/** Only terms of letters and digits, in quotes, so input is never syntax. */
function expressionOf(alternatives: Alternatives): string {
  return alternatives.map((terms) => `(${terms.map((term) => `"${term}"`).join(' AND ')})`).join(' OR ');
}
