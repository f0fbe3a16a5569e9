/** What is known of a file once it is written. */
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

  /** Where the file of a path stands; -1: there is none. */
  indexOf(path: string): number {
    let from = 0;
    let to = this.paths.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.paths[middle] as string) < path) from = middle + 1;
      else to = middle;
    }
    return this.paths[from] === path ? from : -1;
  }

  filter(wanted: (path: string) => boolean): WrittenFiles {
    return new WrittenFiles(this.paths.filter(wanted), this.describe);
  }

  *[Symbol.iterator](): Generator<WrittenFile> {
    for (const path of this.paths) yield this.describe(path);
  }
}
