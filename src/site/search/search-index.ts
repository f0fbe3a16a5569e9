import { createHash } from 'node:crypto';
import type { RenderedFile } from '../assets.ts';
import { PostingLog } from './posting-log.ts';
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

/** The search index of one language, filled article by article. */
export interface SearchIndex {
  /** Articles must come in the same order in every run. */
  add(entry: SearchEntry): void;
  /**
   * The files: pieces with hashed names, then `path`, which names them.
   * @param texts interface texts the search shows
   */
  files(path: string, basePath: string, texts: unknown): Generator<RenderedFile>;
}

/**
 * Indexes sections by term. The terms, sorted, are cut into files of even size: a query loads only the files its words
 * fall into, and the descriptions of the articles it shows.
 */
export function createSearchIndex(folder: string, limits = defaultLimits): SearchIndex {
  const log = new PostingLog();
  const articles: string[] = [];
  let lengths = '';
  let sectionCount = 0;

  return {
    add(entry) {
      const ids = entry.terms.split('\n').map((term) => log.termId(term));
      const { postings } = entry;
      for (let at = 0; at < postings.length; at += 2) {
        log.add(ids[postings[at] ?? 0] ?? 0, (postings[at + 1] ?? 0) + sectionCount * log.sectionStep);
      }
      articles.push(entry.article);
      lengths += entry.lengths;
      sectionCount += entry.lengths.length;
    },

    *files(path, basePath, texts) {
      const piece = (content: string): RenderedFile => {
        const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
        return { path: `${folder}/${hash}.json`, content };
      };
      const articleFiles: string[] = [];
      const written = new Set<string>();
      for (let at = 0; at < articles.length; at += limits.articlesPerFile) {
        const file = piece(`[${articles.slice(at, at + limits.articlesPerFile).join(',\n')}]\n`);
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
      const manifest = { articlesPerFile: limits.articlesPerFile, lengths, articleFiles, termFiles, texts };
      yield { path, content: `${JSON.stringify(manifest)}\n` };
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
    const line = JSON.stringify([term, ...packPostings(postings)]);
    lines.push(line);
    size += Buffer.byteLength(line) + 2;
    if (size < termBytes) continue;
    yield { first, content: `[${lines.join(',\n')}]\n` };
    [lines, size] = [[], 0];
  }
  if (lines.length > 0) yield { first, content: `[${lines.join(',\n')}]\n` };
}

/** One list per field: distances between section numbers (the first from -1), a count above one as a negative number. */
function packPostings(
  postings: readonly { readonly section: number; readonly field: number; readonly count: number }[],
): readonly (readonly number[])[] {
  const lists: number[][] = [];
  const last = [-1, -1, -1, -1];
  for (const { section, field, count } of postings) {
    while (lists.length <= field) lists.push([]);
    const list = lists[field];
    list?.push(section - (last[field] ?? -1));
    if (count > 1) list?.push(-count);
    last[field] = section;
  }
  return lists;
}
