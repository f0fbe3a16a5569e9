import { hash } from 'node:crypto';

/** Reads a file of the previous output. @throws when it is not there */
export type ReadPrevious = (path: string) => Uint8Array;

/** The search index of a language as the previous run published it. Articles are named by their position in it. */
export interface LastIndex {
  readonly articles: number;
  /** Of all articles. */
  readonly sections: number;
  /** The letters of an article's sections, as they stand in the manifest. */
  lengthsOf(position: number): string;
  /** Section its first one has. */
  firstSection(position: number): number;
  /** What the search shows of an article, as JSON; asked for in ascending order. */
  article(position: number): string;
  /** Its terms in code-unit order, with the line each stands in. */
  terms(): Generator<TermLine>;
}

/** A line of a file of terms: `[term, postings by field…]`, as JSON. */
export interface TermLine {
  readonly term: string;
  readonly line: string;
  /** Where the postings begin in the line. */
  readonly start: number;
}

interface Manifest {
  readonly articlesPerFile: number;
  readonly lengths: string;
  readonly articleFiles: readonly string[];
  readonly termFiles: readonly (readonly [first: string, href: string])[];
}

/** Opens an index. @param path of its manifest @param basePath what its addresses begin with */
export function openLastIndex(path: string, basePath: string, read: ReadPrevious): LastIndex {
  const { articlesPerFile, lengths, articleFiles, termFiles } = JSON.parse(textOf(read(path))) as Manifest;
  const starts = startsOf(lengths);
  const lines = (href: string): readonly string[] =>
    linesOf(readPiece(href.slice(basePath.length + 1), read));
  let open = { file: -1, lines: [] as readonly string[] };
  return {
    articles: starts.length,
    sections: lengths.length,
    lengthsOf: (position) => lengths.slice(starts[position], starts[position + 1] ?? lengths.length),
    firstSection: (position) => starts[position] as number,
    article(position) {
      const file = Math.floor(position / articlesPerFile);
      if (open.file !== file) open = { file, lines: lines(articleFiles[file] ?? '') };
      const line = open.lines[position % articlesPerFile];
      if (line === undefined) throw new Error(`the last search index has no article ${position}`);
      return line;
    },
    *terms() {
      for (const [, href] of termFiles) {
        for (const line of lines(href)) {
          const start = endOfTerm(line);
          yield { term: JSON.parse(line.slice(1, start)) as string, line, start };
        }
      }
    },
  };
}

/** Where the string ends that a line begins with. */
function endOfTerm(line: string): number {
  let at = 2;
  while (line.charCodeAt(at) !== quote) at += line.charCodeAt(at) === backslash ? 2 : 1;
  return at + 1;
}

const quote = 34;
const backslash = 92;

/** Where the sections of each article begin; an upper-case letter begins an article. */
function startsOf(lengths: string): readonly number[] {
  const starts: number[] = [];
  for (let at = 0; at < lengths.length; at += 1) if (lengths.charCodeAt(at) < lowerCaseA) starts.push(at);
  return starts;
}

const lowerCaseA = 97;

/** A piece bears the beginning of its hash as its name. */
function readPiece(path: string, read: ReadPrevious): string {
  const bytes = read(path);
  if (!path.endsWith(`/${pieceName(bytes)}`)) throw new Error(`${path} is not what its name says`);
  return textOf(bytes);
}

/** The name of a piece with this content. */
export function pieceName(content: string | Uint8Array): string {
  return `${hash('sha256', content).slice(0, 10)}.json`;
}

/** The lines of a piece: a list with an element a line. */
export function linesOf(piece: string): readonly string[] {
  return piece.slice(1, -2).split(',\n');
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}
