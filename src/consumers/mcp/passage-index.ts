import { crc32 } from 'node:zlib';
import { LecternError } from '../../core/errors.ts';
import { createWordLoader, type LanguageWords } from '../../core/search/language-words.ts';
import {
  type Alternatives,
  type IndexedTerms,
  indexTerms,
  rankPassages,
  type TermField,
  type TermIndex,
} from '../../core/search/rank-passages.ts';
import { deleteCacheFile, openCacheFile } from '../../core/sqlite/cache-file.ts';
import type { Sqlite } from '../../core/sqlite/sqlite.ts';
import { type CountedLanguage, countWords, rankLanguages } from './rank-languages.ts';

/** An article in one language. */
export interface IndexedDocument {
  readonly id: string;
  readonly articleId: string;
  readonly language: string;
  readonly title: string;
  readonly url: string;
  /** Titles of its categories, outermost first. */
  readonly categoryPath: readonly string[];
  /** ISO 8601; `''` if unknown. */
  readonly updatedAt: string;
  /** Rules of the injection flags that matched. */
  readonly flags: readonly string[];
  /** Markdown below the title. */
  readonly markdown: string;
}

/** A part of a document. */
export interface IndexedPassage {
  readonly id: string;
  readonly documentId: string;
  readonly url: string;
  readonly headingPath: readonly string[];
  /** Range of the document's Markdown, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Markdown before a cut that it continues: the sentence that introduces a list, or the header of a table; `''` if there is none. */
  readonly lead: string;
  readonly flags: readonly string[];
}

/** What a document is found by besides its passages: its description and tags. */
interface DocumentInput extends IndexedDocument {
  readonly hints: string;
}

/** What a passage is found by. */
interface PassageInput extends IndexedPassage {
  readonly language: string;
  /** Title of its document and its headings: their words get additional weight. */
  readonly heading: string;
  /** The searched text, including the heading. */
  readonly text: string;
}

/** A category with the number of its own articles, without those of its subcategories. */
interface CategoryCount {
  readonly language: string;
  /** Titles, outermost first. */
  readonly path: readonly string[];
  readonly articles: number;
}

/**
 * Changes of an index. Nobody else sees them before they are committed. The values are stored with them: what the caller needs to know of the
 * state that the index has.
 */
export interface IndexChanges {
  readValue(key: string): string | null;
  /** Keys with this start. */
  listKeys(start: string): readonly string[];
  /** @param value `null` removes it */
  writeValue(key: string, value: string | null): void;
  /** Adds a document, or replaces the one with this id; its passages stay. */
  putDocument(document: DocumentInput): Promise<void>;
  /** Adds a passage, or replaces the one with this id. */
  putPassage(passage: PassageInput): Promise<void>;
  /** Removes a document with its passages. */
  removeDocument(id: string): void;
  removePassage(id: string): void;
  /** Replaces the groups of synonyms, which are used beside those of the language. */
  setSynonyms(groups: readonly (readonly string[])[]): void;
  commit(): void;
  /** Undoes everything; safe after a commit. */
  rollback(): void;
}

/**
 * An index of documents in a file, which other processes may use at the same time. Terms are stems of the language, counted by the full-text
 * search of SQLite; {@link rankPassages} ranks what it finds.
 */
export interface PassageIndex {
  /** Starts changing the index. @returns `null` if another process is changing it */
  change(): IndexChanges | null;
  /** A value that was stored with the changes; `null` if there is none. */
  readValue(key: string): string | null;
  /** Ids of the passages that share a term with the query, best first. */
  rank(
    query: string,
    language: string,
  ): Promise<readonly { readonly id: string; readonly document: string }[]>;
  /** All languages in the order in which to search them: that of the query, the default language, the others. */
  rankLanguages(query: string, defaultLanguage: string | null): Promise<readonly string[]>;
  /** The passages of a document, in order. */
  passagesOf(documentId: string): readonly IndexedPassage[];
  document(id: string): IndexedDocument | null;
  /** Documents of an article, or with this URL; by language. */
  documentsLike(articleIdOrUrl: string): readonly IndexedDocument[];
  /** Documents by id, without their Markdown. @param after id of the last document before them; `''` for the first ones */
  listDocuments(after: string, limit: number): readonly Omit<IndexedDocument, 'markdown'>[];
  categories(language: string | null): readonly CategoryCount[];
  /** Tags of all languages with documents, sorted, and the number of these. */
  languages(): readonly { readonly tag: string; readonly documents: number }[];
  close(): void;
}

/** The tables' version. */
const version = 4;

/** Full-text tables of a language are called `passage_terms_1` and `document_terms_1`, after the id of the language. */
const tables = `
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
const createTerms = (id: number) => `
  CREATE VIRTUAL TABLE IF NOT EXISTS passage_terms_${id} USING fts5 (text, heading, tokenize = 'ascii');
  CREATE VIRTUAL TABLE IF NOT EXISTS document_terms_${id} USING fts5 (hints, tokenize = 'ascii');
`;

const documentColumns =
  'document_id AS id, article_id AS articleId, language, title, url, category, updated_at AS updatedAt, flags';
const passageColumns =
  'passage_id AS id, document_id AS documentId, url, headings, first AS start, last AS "end", lead, flags';

const sql = {
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
  passagesOf: `SELECT ${passageColumns} FROM passage WHERE document_id = ? ORDER BY first, passage_id`,
  document: `SELECT ${documentColumns}, markdown FROM document WHERE document_id = ?`,
  documentsLike: `SELECT ${documentColumns}, markdown FROM document WHERE article_id = ?1 OR url = ?1 ORDER BY language, document_id LIMIT 100`,
  listDocuments: `SELECT ${documentColumns} FROM document WHERE document_id > ? ORDER BY document_id LIMIT ?`,
  categories:
    'SELECT language, category, count(*) AS articles FROM document WHERE length(?1) = 0 OR language = ?1 GROUP BY language, category ORDER BY language, category',
} as const;

/**
 * Opens an index in a file, which is made if it is missing, damaged or of another version.
 * @param file absolute path
 * @throws CACHE_UNWRITABLE, CACHE_LOCKED, CACHE_DAMAGED, DRIVER_MISSING; its functions too
 */
export async function openPassageIndex(file: string): Promise<PassageIndex> {
  // Sees its own changes.
  const writer = await openConnection(file);
  // Sees what was committed.
  const reader = await openConnection(file).catch((error) => {
    writer.close();
    throw error;
  });
  writer.exec('PRAGMA cache_size = -32000; PRAGMA busy_timeout = 0');
  reader.exec('PRAGMA query_only = ON; PRAGMA cache_size = -16000');
  const loadWords = createWordLoader();
  const termIndex = (tag: string): TermIndex | null => {
    const row = reader.row<LanguageRow>(sql.language, tag);
    return row === null ? null : createTermIndex(reader, row);
  };
  const synonyms = () =>
    JSON.parse(reader.row<{ value: string }>(sql.readValue, 'synonyms')?.value ?? '[]') as string[][];
  return {
    change() {
      try {
        writer.begin();
      } catch (error) {
        if (error instanceof LecternError && error.code === 'CACHE_LOCKED') return null;
        throw error;
      }
      return createChanges(writer, loadWords);
    },
    readValue: (key) => readValue(reader, key),
    async rank(query, language) {
      const words = await loadWords(language);
      const index = termIndex(language);
      return index === null ? [] : rankPassages(query, index, words, synonyms());
    },
    async rankLanguages(query, defaultLanguage) {
      const counted = new Map<string, CountedLanguage>();
      for (const { tag } of reader.rows<{ tag: string }>(sql.languages)) {
        const index = termIndex(tag);
        if (index !== null) counted.set(tag, await countWords(query, index, await loadWords(tag)));
      }
      return rankLanguages(counted, defaultLanguage);
    },
    passagesOf: (documentId) => reader.rows<PassageRow>(sql.passagesOf, documentId).map(toPassage),
    document(id) {
      const row = reader.row<DocumentRow>(sql.document, id);
      return row && toDocument(row);
    },
    documentsLike: (key) => reader.rows<DocumentRow>(sql.documentsLike, key).map(toDocument),
    listDocuments: (after, limit) =>
      reader.rows<Omit<DocumentRow, 'markdown'>>(sql.listDocuments, after, limit).map(toDocument),
    categories: (language) =>
      reader
        .rows<{ language: string; category: string; articles: number }>(sql.categories, language ?? '')
        .map(({ category, ...row }) => ({ ...row, path: JSON.parse(category) as string[] })),
    languages: () => reader.rows<{ tag: string; documents: number }>(sql.languages),
    close() {
      reader.close();
      writer.close();
    },
  };
}

/** A connection for several processes at once: one of them writes, and the others read the state before its transaction. */
function openConnection(file: string): Promise<Sqlite> {
  return openCacheFile(file, {
    tables,
    version,
    // A killed process leaves the last commit. Only a power failure can damage the file, and then it is made again.
    setup: 'PRAGMA busy_timeout = 1000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF',
    waitMs: 5_000,
  });
}

/** Deletes the file of an index. */
export const deletePassageIndex = deleteCacheFile;

interface LanguageRow {
  readonly id: number;
  readonly texts: number;
  readonly text_terms: number;
  readonly heading_terms: number;
  readonly hinted: number;
  readonly hint_terms: number;
}

interface DocumentRow extends Omit<IndexedDocument, 'categoryPath' | 'flags'> {
  readonly category: string;
  readonly flags: string;
}

interface PassageRow extends Omit<IndexedPassage, 'headingPath' | 'flags'> {
  readonly headings: string;
  readonly flags: string;
}

function readValue(connection: Sqlite, key: string): string | null {
  return connection.row<{ value: string }>(sql.readValue, key)?.value ?? null;
}

function toPassage({ headings, flags, ...row }: PassageRow): IndexedPassage {
  return {
    ...row,
    headingPath: JSON.parse(headings) as string[],
    flags: JSON.parse(flags) as string[],
  };
}

function toDocument<T extends Omit<DocumentRow, 'markdown'>>({ category, flags, ...row }: T) {
  return {
    ...row,
    categoryPath: JSON.parse(category) as string[],
    flags: JSON.parse(flags) as string[],
  };
}

/** Words that were added lately are not asked for again. */
const maxWords = 200_000;

function createChanges(
  writer: Sqlite,
  loadWords: (language: string) => Promise<LanguageWords>,
): IndexChanges {
  const ids = new Map<string, number>();
  const added = new Set<string>();

  const idOf = (language: string): number => {
    const known = ids.get(language);
    if (known !== undefined) return known;
    const find = () => writer.row<LanguageRow>(sql.language, language)?.id;
    let id = find();
    if (id === undefined) {
      writer.run(sql.addLanguage, language);
      id = find() ?? 0;
      for (const statement of createTerms(id).split(';')) if (statement.trim() !== '') writer.run(statement);
    }
    ids.set(language, id);
    return id;
  };
  const addWords = (language: number, terms: string) => {
    if (added.size > maxWords) added.clear();
    for (const term of terms.split(' ')) {
      const key = `${language} ${term}`;
      // Shorter words are never looked up.
      if (term.length < 4 || added.has(key)) continue;
      added.add(key);
      writer.run(sql.addWord, language, term);
    }
  };
  const removePassage = (id: string) => {
    const row = writer.row<{ id: number; language: string }>(sql.findPassage, id);
    if (row === null) return;
    writer.run(`DELETE FROM passage_terms_${idOf(row.language)} WHERE rowid = ?`, row.id);
    writer.run(sql.removePassage, row.id);
  };
  const removeDocument = (id: string) => {
    const row = writer.row<{ id: number; language: string; hintTerms: number }>(sql.findDocument, id);
    if (row === null) return;
    if (row.hintTerms > 0) {
      writer.run(`DELETE FROM document_terms_${idOf(row.language)} WHERE rowid = ?`, row.id);
    }
    writer.run(sql.removeDocument, row.id);
  };

  return {
    readValue: (key) => readValue(writer, key),
    listKeys: (start) =>
      writer.rows<{ key: string }>(sql.listKeys, start, `${start}\u{10ffff}`).map(({ key }) => key),
    writeValue(key, value) {
      if (value === null) writer.run(sql.removeValue, key);
      else writer.run(sql.writeValue, key, value);
    },
    async putDocument(document) {
      const { id, articleId, language, title, url, categoryPath, updatedAt, flags, hints, markdown } =
        document;
      const words = await loadWords(language);
      removeDocument(id);
      const { terms, count } = indexTerms(hints, words);
      const lists = [categoryPath, flags].map((list) => JSON.stringify(list));
      const [category = '', rules = ''] = lists;
      writer.run(
        sql.writeDocument,
        null,
        id,
        articleId,
        language,
        title,
        url,
        category,
        updatedAt,
        rules,
        count,
        markdown,
      );
      const number = idOf(language);
      if (count === 0) return;
      const row = writer.row<{ id: number }>(sql.findDocument, id);
      writer.run(`INSERT INTO document_terms_${number} (rowid, hints) VALUES (?, ?)`, row?.id ?? 0, terms);
      addWords(number, terms);
    },
    async putPassage(passage) {
      const { id, documentId, language, url, headingPath, start, end, lead, flags, heading, text } = passage;
      const words = await loadWords(language);
      const crc = crc32(`${heading}\n${text}`);
      const known = writer.row<{
        id: number;
        language: string;
        crc: number;
        textTerms: number;
        headingTerms: number;
      }>(sql.findPassage, id);
      const isSame = known?.crc === crc && known.language === language;
      if (!isSame) removePassage(id);
      const inText = isSame ? null : indexTerms(text, words);
      const inHeading = isSame ? null : indexTerms(heading, words);
      const counts = [inText?.count ?? known?.textTerms ?? 0, inHeading?.count ?? known?.headingTerms ?? 0];
      const fields = [url, JSON.stringify(headingPath), start, end, lead, JSON.stringify(flags), crc];
      const number = idOf(language);
      writer.run(sql.writePassage, isSame ? known.id : null, id, documentId, language, ...fields, ...counts);
      if (inText === null || inHeading === null) return;
      const row = writer.row<{ id: number }>(sql.findPassage, id);
      writer.run(
        `INSERT INTO passage_terms_${number} (rowid, text, heading) VALUES (?, ?, ?)`,
        row?.id ?? 0,
        inText.terms,
        inHeading.terms,
      );
      addWords(number, inText.terms);
    },
    removeDocument(id) {
      for (const passage of writer.rows<{ id: string }>(sql.passageIds, id)) removePassage(passage.id);
      removeDocument(id);
    },
    removePassage,
    setSynonyms: (groups) => writer.run(sql.writeValue, 'synonyms', JSON.stringify(groups)),
    commit() {
      writer.run(sql.countAll);
      writer.commit();
      // Otherwise the journal keeps the size of the largest transaction. Does nothing while somebody reads.
      writer.row('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    rollback: writer.rollback,
  };
}

const indexedTerms =
  'passage_id AS id, document_id AS document, text, heading, text_terms AS textLength, heading_terms AS headingLength';

function createTermIndex(reader: Sqlite, language: LanguageRow): TermIndex {
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
