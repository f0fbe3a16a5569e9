import type { RenderedFile } from '../assets.ts';
import { type LastIndex, pieceName } from './last-index.ts';
import { entryOf, mergeTerms, type TermEntry } from './merge-terms.ts';
import { PostingLog } from './posting-log.ts';
import type { Scratch } from './scratch.ts';
import type { SearchEntry } from './search-entry.ts';
import { SectionMap } from './section-map.ts';

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
  /** Adds an article as it is in the last index. @param position of it there, above that of the one repeated before */
  repeat(position: number): void;
  /**
   * The files: pieces with hashed names, then `path`, which names them. Nothing can be added any more.
   * @param texts interface texts the search shows
   */
  files(path: string, basePath: string, texts: unknown): Generator<RenderedFile>;
}

/**
 * Indexes sections by term. The terms, sorted, are cut into files of even size: a query loads only the files its words
 * fall into, and the descriptions of the articles it shows.
 * @param openLast opens the index articles are repeated from; called with the first of them
 */
export function createSearchIndex(
  folder: string,
  memory: SearchMemory = { scratch: null, bytes: 0 },
  limits = defaultLimits,
  openLast: () => LastIndex = noLastIndex,
): SearchIndex {
  const log = new PostingLog(memory.scratch);
  const articles = createPieceStore(memory.scratch);
  let waiting: string[] = [];
  const lengths: string[] = [];
  let sectionCount = 0;
  let repeated: { readonly last: LastIndex; readonly sections: SectionMap } | null = null;

  const endArticleFile = (): void => {
    if (waiting.length > 0) articles.add(Buffer.from(`[${waiting.join(',\n')}]\n`));
    waiting = [];
  };
  const describe = (article: string, ofArticle: string): void => {
    waiting.push(article);
    lengths.push(ofArticle);
    sectionCount += ofArticle.length;
    if (waiting.length < limits.articlesPerFile) return;
    endArticleFile();
    if (log.bytes + articles.bytes() < memory.bytes) return;
    log.spill();
    articles.spill();
  };

  return {
    add({ terms, postings, article, lengths: ofEntry }) {
      log.add(terms, postings, sectionCount);
      describe(article, ofEntry);
    },

    repeat(position) {
      repeated ??= startRepeating(openLast());
      const { last, sections } = repeated;
      const ofArticle = last.lengthsOf(position);
      const first = last.firstSection(position);
      for (let at = 0; at < ofArticle.length; at += 1) sections.set(first + at, sectionCount + at);
      describe(last.article(position), ofArticle);
    },

    *files(path, basePath, texts) {
      const piece = (content: string | Uint8Array): RenderedFile => ({
        path: `${folder}/${pieceName(content)}`,
        content,
      });
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
      const terms =
        repeated === null ? listed(log) : mergeTerms(repeated.last, repeated.sections, log.terms());
      for (const { first, content } of cutTerms(terms, limits.termBytes)) {
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

function startRepeating(last: LastIndex): { readonly last: LastIndex; readonly sections: SectionMap } {
  return { last, sections: new SectionMap(last.sections) };
}

function noLastIndex(): never {
  throw new Error('there is no last index to repeat an article from');
}

function* listed(log: PostingLog): Generator<TermEntry> {
  for (const postings of log.terms()) yield entryOf(postings);
}

function* cutTerms(
  terms: Iterable<TermEntry>,
  termBytes: number,
): Generator<{ readonly first: string; readonly content: string }> {
  let first = '';
  let lines: string[] = [];
  let size = 0;
  for (const { term, line } of terms) {
    if (lines.length === 0) first = term;
    lines.push(line);
    size += Buffer.byteLength(line) + 2;
    if (size < termBytes) continue;
    yield { first, content: `[${lines.join(',\n')}]\n` };
    [lines, size] = [[], 0];
  }
  if (lines.length > 0) yield { first, content: `[${lines.join(',\n')}]\n` };
}
