/** A file of the staged output that is written in pieces, because it may be large. */
export interface OutputFile {
  /** Appends text (as UTF-8) or bytes. The caller may reuse the bytes after the promise resolves (back-pressure). */
  write(piece: string | Uint8Array): Promise<void>;
  /** Appends bytes of another file. */
  copy(range: FileRange): Promise<void>;
  close(): Promise<WrittenFile>;
}

/** Bytes of a file: of the previous output, or of those that a run keeps aside. */
export interface FileRange {
  /** Absolute path; it is there until the output is put in place. */
  readonly file: string;
  readonly start: number;
  readonly bytes: number;
}

/**
 * The output folder as the stages use it. Everything is staged, and nothing is visible before `build` swaps it in. Paths are relative,
 * `/`-separated and unique: a second write to a path throws `OUTPUT_CONFLICT`.
 */
export interface Output {
  /**
   * Publishes a file; one with the same content in the previous output is linked.
   * @param sha256 of the content, hex, if the caller knows it
   */
  write(path: string, content: string | Uint8Array, sha256?: string): Promise<WrittenFile>;
  open(path: string): Promise<OutputFile>;
  /** Whether a file was written and closed at this path. */
  has(path: string): boolean;
  /** Reuses all these files of the previous output, without their bytes. Returns `null` and reuses none if one of them changed. */
  reuseAll(paths: readonly string[]): Promise<readonly WrittenFile[] | null>;
  /** Adds files that another thread has written to the staging folder. */
  adopt(files: readonly WrittenFile[]): void;
  /** Every file written and closed so far, sorted by path in code-unit order. */
  files(): Iterable<WrittenFile>;
  /** A file of the output that this run replaces; `null` if there is none. */
  readPrevious(path: string): Promise<Uint8Array | null>;
  readRange(range: FileRange): Buffer;
  /** Absolute path of a file of the previous output, to copy from it; `null` if the file is not as it was published. */
  findPrevious(path: string): string | null;
}

/** Facts about a written file. */
export interface WrittenFile {
  /** Relative to the output folder, `/`-separated. */
  readonly path: string;
  /** SHA-256, hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** A published file, as the run that wrote it left it. */
export interface PublishedFile extends WrittenFile {
  /** Modification time. */
  readonly mtimeMs: number;
}
