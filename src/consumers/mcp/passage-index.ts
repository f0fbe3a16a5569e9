import { crc32 } from 'node:zlib';
import { LecternError } from '../../core/errors.ts';
import { helpSynonyms } from '../../core/search/help-synonyms.ts';
import { createWordLoader, type LanguageWords } from '../../core/search/language-words.ts';
import { indexTerms, rankPassages } from '../../core/search/rank-passages.ts';
import { deleteCacheFile, openCacheFile } from '../../core/sqlite/cache-file.ts';
import type { Sqlite } from '../../core/sqlite/sqlite.ts';
import { createTerms, findTermIndex, sql, tables, tableVersion } from './passage-queries.ts';
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

/**
 * Opens an index in a file, which is made if it is missing, damaged or of another version.
 * @param file absolute path
 * @throws CACHE_UNUSABLE, CACHE_LOCKED, CACHE_DAMAGED, DRIVER_MISSING; its functions too
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
      const index = findTermIndex(reader, language);
      return index === null
        ? []
        : rankPassages(query, index, words, [...synonyms(), ...helpSynonyms(language)]);
    },
    async rankLanguages(query, defaultLanguage) {
      const counted = new Map<string, CountedLanguage>();
      for (const { tag } of reader.rows<{ tag: string }>(sql.languages)) {
        const index = findTermIndex(reader, tag);
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
    version: tableVersion,
    // A killed process leaves the last commit. Only a power failure can damage the file, and then it is made again.
    setup: 'PRAGMA busy_timeout = 1000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF',
    waitMs: 5_000,
  });
}

/** Deletes the file of an index. */
export const deletePassageIndex = deleteCacheFile;

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
    const find = () => writer.row<{ id: number }>(sql.language, language)?.id;
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
      const inText = isSame ? null : indexTerms(withoutMarkup(text), words);
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

/** The words of Markdown: no addresses of links, and no backslashes that would take words apart. */
function withoutMarkup(markdown: string): string {
  return markdown.replace(/\]\((?:<[^>\n]*>|[^()\s]*)\)/g, '] ').replace(/\\([!-/:-@[-`{-~])/g, '$1');
}
