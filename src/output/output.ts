/** Bytes of a file of an output. */
export interface ByteRange {
  /** Relative to the output folder. */
  readonly path: string;
  readonly offset: number;
  readonly length: number;
}

/** Bytes of a file outside the output. */
export interface StoredRange {
  /** Absolute path. */
  readonly file: string;
  readonly offset: number;
  readonly length: number;
  /** SHA-256 of these bytes, hex, if the reader has to check it. */
  readonly sha256?: string;
  /** Of the file as it was written; absent: unknown. */
  readonly stamp?: FileStamp;
}

/** Modification time and inode of a file. A file that still has both, and its size, counts as unchanged. */
export interface FileStamp {
  readonly mtimeMs: number;
  readonly inode: number;
}

/** A file of the staged output that is written in pieces (large feed files). */
export interface OutputFile {
  /** Appends text (as UTF-8) or bytes. The caller may change or reuse the bytes after the promise resolves (back-pressure). */
  write(piece: string | Uint8Array | StoredRange): Promise<void>;
  /**
   * Appends a byte range of the previous output. A range with the same offset in the same file is not read.
   * @throws OUTPUT_CHANGED if it does not exist or is being changed
   */
  copy(range: ByteRange): Promise<void>;
  /** Offset of the next piece, in bytes. */
  position(): number;
  close(): Promise<WrittenFile>;
}

/**
 * The output folder as the stages use it. Everything is staged, and nothing is visible before `build` swaps it in. Paths are relative,
 * `/`-separated and unique: a second write to a path throws `OUTPUT_CONFLICT`.
 */
export interface Output {
  /** @param sha256 of the content, hex, if the caller knows it */
  write(path: string, content: string | Uint8Array, sha256?: string): Promise<WrittenFile>;
  open(path: string): Promise<OutputFile>;
  /**
   * Publishes a file by its hash, without its bytes: reuses the previous output's file if that is known to have exactly this content.
   * Otherwise returns `null`, and the caller writes the file.
   */
  reuse(path: string, file: Omit<WrittenFile, 'path'>): WrittenFile | null;
  /**
   * Publishes a file that is derived from another one (a compressed copy), without its bytes: reuses the previous output's file if the
   * original had the same content there. Otherwise returns `null`, and the caller writes the file.
   */
  reuseDerived(path: string, from: WrittenFile): WrittenFile | null;
  /** Whether a file was written and closed at this path. */
  has(path: string): boolean;
  /** Reuses all these files of the previous output, without their bytes. Returns `null` and reuses none if one of them changed. */
  reuseAll(paths: readonly string[]): Promise<readonly WrittenFile[] | null>;
  /**
   * Adds files that another thread has written to the staging folder; `reused` of them are from the previous output.
   * @param stamps of the files; absent: unknown
   * @returns the files without compressed copies
   */
  adopt(files: readonly WrittenFile[], reused: number, stamps?: FileStamps): readonly WrittenFile[];
  /** Reads a staged file (written and closed), in blocks. */
  readStaged(path: string): AsyncIterable<Uint8Array>;
  /** Every file written and closed so far, sorted by path in code-unit order. A large site has millions; each iteration reads them again. */
  files(): Iterable<WrittenFile>;
  /** Whether the previous output's file at this path is unchanged since the last run wrote it. */
  hasPrevious(path: string): boolean;
  /** A file of the output that this run replaces; `null` if there is none. */
  readPrevious(path: string): Promise<Uint8Array | null>;
  /** Like {@link readPrevious}, in blocks, for a file that may be large. */
  openPrevious(path: string): Promise<AsyncIterable<Uint8Array> | null>;
}

/** Modification times (ms) and inodes of new files, alternating; `NaN`: unknown. One block of memory, which a thread can transfer. */
export type FileStamps = Float64Array<ArrayBuffer>;

/** Facts about a written file. */
export interface WrittenFile {
  /** Relative to the output folder, `/`-separated. */
  readonly path: string;
  /** SHA-256, hex. */
  readonly sha256: string;
  readonly bytes: number;
}
