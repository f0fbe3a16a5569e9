import { createHash } from 'node:crypto';
import type { RenderedFile } from '../assets.ts';
import { countOf, fieldOf, sectionOf } from './posting.ts';
import { PostingLog } from './posting-log.ts';
import type { Scratch } from './scratch.ts';
import type { SearchEntry } from './search-entry.ts';

/** Sizes of the pieces, before compression. */
export interface SearchLimits {
  /** Bytes of one file of terms. */
  readonly termBytes: number;
  /** Articles described in one file. */
  readonly articlesPerFile: number;
}

/** With these, the first result of a language of 1,000 articles needs less than 150 KB (compressed). */
const defaultLimits: SearchLimits = { termBytes: 96 * 1024, articlesPerFile: 50 };

/** Where an index keeps what it is told until it is written. */
export interface SearchMemory {
  /** Takes what is more than `bytes`; `null`: nothing does. */
  readonly scratch: Scratch | null;
  readonly bytes: number;
}

/** The search index of one language, filled article by article. */
export interface SearchIndex {
  /** Articles must come in the same order in every run. */
  add(entry: SearchEntry): void;
  /**
   * The files: pieces with hashed names, then `path`, which names them. Nothing can be added any more.
   * @param texts interface texts the search shows
   */
  files(path: string, basePath: string, texts: unknown): Generator<RenderedFile>;
}

/**
 * Indexes sections by term. The terms, sorted, are cut into files of even size: a query loads only the files its words
 * fall into, and the descriptions of the articles it shows.
 */
export function createSearchIndex(
  folder: string,
  memory: SearchMemory = { scratch: null, bytes: 0 },
  limits = defaultLimits,
): SearchIndex {
  const log = new PostingLog(memory.scratch);
  const articles = createPieceStore(memory.scratch);
  let waiting: string[] = [];
  const lengths: string[] = [];
  let sectionCount = 0;

  const endArticleFile = (): void => {
    if (waiting.length > 0) articles.add(Buffer.from(`[${waiting.join(',\n')}]\n`));
    waiting = [];
  };

  return {
    add({ terms, postings, article, lengths: ofEntry }) {
      log.add(terms, postings, sectionCount);
      waiting.push(article);
      lengths.push(ofEntry);
      sectionCount += ofEntry.length;
      if (waiting.length < limits.articlesPerFile) return;
      endArticleFile();
      if (log.bytes + articles.bytes() < memory.bytes) return;
      log.spill();
      articles.spill();
    },

    *files(path, basePath, texts) {
      const piece = (content: string | Uint8Array): RenderedFile => {
        const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
        return { path: `${folder}/${hash}.json`, content };
      };
      endArticleFile();
      const articleFiles: string[] = [];
      const written = new Set<string>();
      for (const content of articles.take()) {
        const file = piece(content);
        articleFiles.push(`${basePath}/${file.path}`);
        if (!written.has(file.path)) yield file;
        written.add(file.path);
      }
      const termFiles: (readonly [first: string, href: string])[] = [];
      for (const { first, content } of cutTerms(log, limits.termBytes)) {
        const file = piece(content);
        termFiles.push([first, `${basePath}/${file.path}`]);
        yield file;
      }
      const { articlesPerFile } = limits;
      const manifest = { articlesPerFile, lengths: lengths.join(''), articleFiles, termFiles, texts };
      yield { path, content: `${JSON.stringify(manifest)}\n` };
    },
  };
}

/** Finished pieces in order, in memory or in the scratch. */
function createPieceStore(scratch: Scratch | null) {
  const places: (readonly [position: number, length: number])[] = [];
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  return {
    bytes: (): number => bytes,
    add(piece: Uint8Array): void {
      pieces.push(piece);
      bytes += piece.length;
    },
    spill(): void {
      if (scratch === null) return;
      for (const piece of pieces) places.push([scratch.append(piece), piece.length]);
      [pieces, bytes] = [[], 0];
    },
    *take(): Generator<Uint8Array> {
      for (const [position, length] of places) if (scratch !== null) yield scratch.read(position, length);
      yield* pieces;
    },
  };
}

function* cutTerms(
  log: PostingLog,
  termBytes: number,
): Generator<{ readonly first: string; readonly content: string }> {
  let first = '';
  let lines: string[] = [];
  let size = 0;
  for (const { term, postings } of log.terms()) {
    if (lines.length === 0) first = term;
    const line = JSON.stringify([term, ...listPostings(postings)]);
    lines.push(line);
    size += Buffer.byteLength(line) + 2;
    if (size < termBytes) continue;
    yield { first, content: `[${lines.join(',\n')}]\n` };
    [lines, size] = [[], 0];
  }
  if (lines.length > 0) yield { first, content: `[${lines.join(',\n')}]\n` };
}

/** One list per field: distances between section numbers (the first from -1), a count above one as a negative number. */
function listPostings(postings: Uint32Array): readonly (readonly number[])[] {
  const lists: number[][] = [];
  const last = [-1, -1, -1, -1];
  for (const packed of postings) {
    const field = fieldOf(packed);
    const section = sectionOf(packed);
    while (lists.length <= field) lists.push([]);
    const list = lists[field];
    list?.push(section - (last[field] ?? -1));
    if (countOf(packed) > 1) list?.push(-countOf(packed));
    last[field] = section;
  }
  return lists;
}
