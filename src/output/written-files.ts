import { lowerBound } from '../foundation/lower-bound.ts';

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
