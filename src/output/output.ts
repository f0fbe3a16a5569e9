import { lowerBound } from '../foundation/lower-bound.ts';

/** Bytes of a file of an output. */
export interface ByteRange {
  /** Relative to the output folder. */
  readonly path: string;
  readonly offset: number;
  readonly length: number;
}

/** Bytes of a file that belongs to no output. */
export interface StoredRange {
  /** Absolute path. */
  readonly file: string;
  readonly offset: number;
  readonly length: number;
  /** Of these bytes, hex, where whoever reads them is to check them. */
  readonly sha256?: string;
}

/** A file of the output being staged that is written piece by piece (large feed files). */
export interface OutputFile {
  /** Appends text (as UTF-8) or bytes; what was given may be changed or reused once this resolves (back-pressure). */
  write(piece: string | Uint8Array | StoredRange): Promise<void>;
  /**
   * Appends a byte range of the previous output; one with the same offset in the same file is not even read.
   * @throws OUTPUT_CHANGED when it is not there, or somebody writes to it meanwhile
   */
  copy(range: ByteRange): Promise<void>;
  /** Where the next piece begins, in bytes. */
  position(): number;
  close(): Promise<WrittenFile>;
}

/**
 * The output folder as the stages see it: everything is staged, nothing is visible before `build` swaps it in.
 * Paths are relative, `/`-separated and unique: a second write to one path throws `OUTPUT_CONFLICT`.
 */
export interface Output {
  /** @param sha256 of the content, hex, where the caller has it already */
  write(path: string, content: string | Uint8Array, sha256?: string): Promise<WrittenFile>;
  open(path: string): Promise<OutputFile>;
  /**
   * Publishes a file the caller knows the content of, without its bytes: the previous output's file, when that is known
   * to hold exactly this. `null` when it is not; then the caller writes it.
   */
  reuse(path: string, file: Omit<WrittenFile, 'path'>): WrittenFile | null;
  /**
   * Publishes a file that follows from another alone (a compressed copy), without its bytes: the previous output's,
   * when the other one had this content there. `null` when that is not known; then the caller writes it.
   */
  reuseDerived(path: string, from: WrittenFile): WrittenFile | null;
  /** Whether a file was written and closed under this path. */
  has(path: string): boolean;
  /** Their paths, in no order. */
  paths(): Iterable<string>;
  /**
   * Publishes these files of the previous output again, without their bytes; `null`, and none, where one is not as it
   * was.
   */
  reuseAll(paths: readonly string[]): Promise<readonly WrittenFile[] | null>;
  /**
   * Takes files over that another thread has written to the staging folder; `reused` of them are the previous output's.
   * @param stamps of the files; absent: unknown
   * @returns them without compressed copies of others
   */
  adopt(files: readonly WrittenFile[], reused: number, stamps?: FileStamps): readonly WrittenFile[];
  /** Reads back what was staged (written and closed), in blocks. */
  readStaged(path: string): AsyncIterable<Uint8Array>;
  /** Every file written and closed so far, sorted by path. */
  files(): WrittenFiles;
  /** Whether the file of the previous output with this path is the one the last run wrote. */
  hasPrevious(path: string): boolean;
  /** A file of the output this run replaces; `null` when there is none. */
  readPrevious(path: string): Promise<Uint8Array | null>;
  /** The same in blocks, for a file that may be large. */
  openPrevious(path: string): Promise<AsyncIterable<Uint8Array> | null>;
}

/**
 * Times of change (ms) and inodes of new files, in turn; `NaN`: unknown. One block of memory, which a thread can
 * transfer.
 */
export type FileStamps = Float64Array<ArrayBuffer>;

/** Facts about a written file. */
export interface WrittenFile {
  /** Relative to the output folder, `/`-separated. */
  readonly path: string;
  /** SHA-256, hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Written files sorted by path. A large site has hundreds of thousands: each is made when it is asked for. */
export class WrittenFiles implements Iterable<WrittenFile> {
  private readonly paths: readonly string[];
  private readonly describe: (path: string) => WrittenFile;

  /** @param paths sorted in code-unit order */
  constructor(paths: readonly string[], describe: (path: string) => WrittenFile) {
    this.paths = paths;
    this.describe = describe;
  }

  /** The same of files in any order. */
  static of(files: Iterable<WrittenFile>): WrittenFiles {
    const byPath = new Map(Array.from(files, (file) => [file.path, file]));
    return new WrittenFiles([...byPath.keys()].sort(), (path) => byPath.get(path) as WrittenFile);
  }

  get length(): number {
    return this.paths.length;
  }

  at(index: number): WrittenFile | undefined {
    const path = this.paths[index];
    return path === undefined ? undefined : this.describe(path);
  }

  /** Index of a path among these files; -1: there is none. */
  indexOf(path: string): number {
    const index = lowerBound(this.paths.length, (at) => (this.paths[at] as string) < path);
    return this.paths[index] === path ? index : -1;
  }

  filter(wanted: (path: string) => boolean): WrittenFiles {
    return new WrittenFiles(this.paths.filter(wanted), this.describe);
  }

  *[Symbol.iterator](): Generator<WrittenFile> {
    for (const path of this.paths) yield this.describe(path);
  }
}
