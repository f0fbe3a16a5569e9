import type { RecordedFile } from './last-output.ts';
import { type WrittenFile, WrittenFiles } from './written-files.ts';

const hashBytes = 32;
const claimed = -1;

/**
 * The files of a tree by path. A site has several files a page: hashes are bytes in one block, and a file's
 * record is made when it is asked for.
 */
export class FileTable {
  private readonly indexes = new Map<string, number>();
  private hashes = Buffer.alloc(hashBytes << 6);
  /** Bytes by index; {@link claimed} until the file is written. */
  private sizes = new Float64Array(1 << 6);
  /** Times of change and inodes by index; `NaN`: not known. */
  private times = new Float64Array(1 << 6);
  private inodes = new Float64Array(1 << 6);
  private used = 0;
  /** What {@link files} lists, until that changes. */
  private sorted: readonly string[] | null = null;

  has(path: string): boolean {
    return this.indexes.has(path);
  }

  /** Notes that a path is taken; its file is not among {@link files} yet. */
  claim(path: string): void {
    if (this.used === this.sizes.length) this.widen();
    this.sizes[this.used] = claimed;
    this.indexes.set(path, this.used);
    this.used += 1;
  }

  /** Notes what was written to a path that is claimed. @param kept the file of the previous output, where it is that one */
  set({ path, sha256, bytes }: WrittenFile, kept: RecordedFile | null = null): void {
    const index = this.indexes.get(path);
    if (index === undefined) throw new Error(`${path} was written and never claimed`);
    if (this.sizes[index] === claimed) this.sorted = null;
    this.hashes.write(sha256, hashBytes * index, 'hex');
    this.sizes[index] = bytes;
    this.times[index] = kept?.mtimeMs ?? Number.NaN;
    this.inodes[index] = kept?.inode ?? Number.NaN;
  }

  /** Every file written so far, sorted; time and inode are `NaN` where they are not known. */
  *recordedFiles(): Generator<readonly [path: string, file: RecordedFile]> {
    for (const path of this.sortedPaths()) {
      const index = this.indexes.get(path) as number;
      const [bytes = 0, mtimeMs = 0, inode = 0] = [this.sizes[index], this.times[index], this.inodes[index]];
      yield [path, { sha256: this.hashOf(index), bytes, mtimeMs, inode }];
    }
  }

  /** Gives a claimed path back. */
  release(path: string): void {
    if (this.isWritten(path)) this.sorted = null;
    this.indexes.delete(path);
  }

  /** Whether the file of a path is among {@link files}. */
  isWritten(path: string): boolean {
    const index = this.indexes.get(path);
    return index !== undefined && this.sizes[index] !== claimed;
  }

  /** Of every file written so far. */
  *paths(): Generator<string> {
    for (const [path, index] of this.indexes) if (this.sizes[index] !== claimed) yield path;
  }

  /** Every file written so far. */
  files(): WrittenFiles {
    return new WrittenFiles(this.sortedPaths(), (path) => this.describe(path));
  }

  private sortedPaths(): readonly string[] {
    this.sorted ??= [...this.paths()].sort();
    return this.sorted;
  }

  private describe(path: string): WrittenFile {
    const index = this.indexes.get(path) as number;
    return { path, sha256: this.hashOf(index), bytes: this.sizes[index] as number };
  }

  private hashOf(index: number): string {
    return this.hashes.toString('hex', hashBytes * index, hashBytes * (index + 1));
  }

  private widen(): void {
    this.hashes = Buffer.concat([this.hashes, Buffer.alloc(this.hashes.length)]);
    this.sizes = doubled(this.sizes);
    this.times = doubled(this.times);
    this.inodes = doubled(this.inodes);
  }
}

function doubled(numbers: Float64Array): Float64Array<ArrayBuffer> {
  const wide = new Float64Array(2 * numbers.length);
  wide.set(numbers);
  return wide;
}
