import type { LanguageWords } from '../../core/search/language-words.ts';
import { busyFeed, invalidFeed } from '../../feed/read/read-feed.ts';
import type { DocumentRecord } from '../../feed/records/record-schemas.ts';
import { makeChunkIndex } from './chunk-index.ts';
import { isText, parseLine, type RecordFile } from './record-file.ts';
import { createPostings, inHeading, inHints } from './term-postings.ts';

/** What lists show of a document. */
interface ListedRecord extends Pick<DocumentRecord, 'id' | 'article_id' | 'url'> {
  readonly category: DocumentRecord['category'];
}

/** The published documents of one language. Records are not in memory: they are read from the files when they are needed. */
export interface LanguageIndex {
  readonly tag: string;
  readonly words: LanguageWords;
  /** All documents in the order of the file, which numbers them. */
  readonly listed: readonly ListedRecord[];
  document(number: number): DocumentRecord;
  /** For each term, the number of documents that have it in any form in their title, description or tags. */
  count(terms: readonly string[]): readonly number[];
  /** The index of their chunks, which is made when it is asked for first. */
  chunks(): ReturnType<typeof makeChunkIndex>;
}

/**
 * Makes the index of a language.
 * @param documents its `documents.jsonl`
 * @param chunks its `chunks.jsonl`
 * @param onTurn called now and then while the index of chunks is made; may throw to stop
 * @throws FEED_INVALID, FEED_BUSY
 */
export async function makeLanguageIndex(
  tag: string,
  words: LanguageWords,
  documents: RecordFile,
  chunks: RecordFile,
  onTurn: () => Promise<void> = async () => {},
): Promise<LanguageIndex> {
  const { lineOf, listed, table } = await listDocuments(tag, words, documents, onTurn);
  const document = (number: number): DocumentRecord => {
    const record = toDocument(lineOf(number));
    if (record.id !== listed[number]?.id) throw busyFeed();
    return record;
  };
  let made: ReturnType<typeof makeChunkIndex> | null = null;
  return {
    ...{ tag, words, listed, document },
    count: (terms) => terms.map((term) => table.having(words.stem(term)).length),
    chunks() {
      const ids = listed.map(({ id }) => id);
      const owners = {
        tag,
        words,
        ids,
        hints: table,
        hintsOf: (number: number) => hintsOf(document(number)),
      };
      made ??= makeChunkIndex(owners, chunks, onTurn).catch((error: unknown) => {
        made = null;
        throw error;
      });
      return made;
    },
  };
}

/** Reads what a file says of each document before its Markdown. */
async function listDocuments(
  tag: string,
  words: LanguageWords,
  file: RecordFile,
  onTurn: () => Promise<void>,
) {
  const listed: ListedRecord[] = [];
  const postings = createPostings(tag, words);
  const lineOf = await file.eachLine((block, start) => {
    const { id, article_id, url, category, tags, description } = headOf(block, start);
    listed.push({ id, article_id, url, category });
    /** Adds the next string after a position. */
    const add = (at: number, place: typeof inHeading | typeof inHints): number =>
      postings.add(block, place, block.indexOf('"', at) + 1) + 1;
    let end = add(endOf(block, titleKey, start), inHeading);
    if (tags.length > 0) end = endOf(block, tagsKey, end);
    for (const _ of tags) end = add(end, inHints);
    if (description !== undefined) add(endOf(block, descriptionKey, end), inHints);
    postings.next();
  }, onTurn);
  return { lineOf, listed, table: postings.finish() };
}

// Text has no such bytes, because JSON escapes its quotes.
const titleKey = Buffer.from(',"title":');
const tagsKey = Buffer.from(',"tags":[');
const descriptionKey = Buffer.from(',"description":');

function endOf(lines: Buffer, key: Buffer, from: number): number {
  return lines.indexOf(key, from) + key.length;
}

function hintsOf({ description = '', tags }: DocumentRecord): string {
  return [description, ...tags].join('\n');
}

const beforeMarkdown = Buffer.from(',"markdown":"');

/** The fields of a document before its Markdown, which is most of the line. */
function headOf(lines: Buffer, start: number): DocumentRecord {
  const end = lines.indexOf(beforeMarkdown, start);
  return toDocument(`${lines.toString('utf8', start, Math.max(start, end))},"markdown":""}`);
}

/** Checks only what the index reads. */
function toDocument(line: string): DocumentRecord {
  const record = parseLine(line) as DocumentRecord;
  const { id, article_id, title, url, tags, markdown } = record;
  if (![id, article_id, title, url, markdown].every(isText) || !Array.isArray(tags))
    throw invalidFeed('documents.jsonl contains a line that is not a document');
  return record;
}
