import { lowerBound } from '../foundation/lower-bound.ts';
import { createSpillFile, type SpillFile } from '../foundation/spill-file.ts';
import { HashedSet } from '../foundation/stored-map.ts';
import type { RecordedFile } from './last-output.ts';
import type { FileStamp, WrittenFile } from './output.ts';

/** Number of files in memory: about a megabyte. */
const mostRecent = 4096;

/**
 * The files of a tree by path. A site has several files per page, so only the most recent ones are in memory: the others are in sorted runs
 * in a spill file, and take about 20 bytes of memory each.
 */
export class FileTable {
  private readonly claimed = new Set<string>();
  private readonly recent = new Map<string, RecordedFile>();
  private readonly runs: SortedRuns;
  private readonly runFiles: number;
  /** Number of recent files that become a run. */
  private limit: number;

  /**
   * @param spill of the runs; absent: memory
   * @param runFiles number of files of a run
   */
  constructor(spill?: SpillFile, runFiles = mostRecent) {
    this.runs = new SortedRuns(spill);
    this.runFiles = runFiles;
    this.limit = runFiles;
  }

  /** Number of written files. */
  get size(): number {
    return this.runs.size + this.recent.size;
  }

  /** Whether a path is reserved or written. */
  has(path: string): boolean {
    return this.claimed.has(path) || this.isWritten(path);
  }

  /** Whether {@link files} contains a path. */
  isWritten(path: string): boolean {
    return this.recent.has(path) || this.runs.has(path);
  }

  /** Reserves a path; its file is not in {@link files} yet. */
  claim(path: string): void {
    this.claimed.add(path);
  }

  /** Records the file written to a reserved path. @param stamp of a reused file, or of a new file if there is no previous output */
  set({ path, sha256, bytes }: WrittenFile, stamp: FileStamp | null = null): void {
    if (!this.claimed.delete(path)) throw new Error(`${path} was written and never claimed`);
    const { mtimeMs = Number.NaN, inode = Number.NaN } = stamp ?? {};
    this.recent.set(path, { sha256, bytes, mtimeMs, inode });
    if (this.recent.size < this.limit) return;
    const stored = this.sortRecent().filter(([path]) => !this.runs.released.has(path));
    this.runs.add(stored);
    for (const [path] of stored) this.recent.delete(path);
    this.limit = this.recent.size + this.runFiles;
  }

  /** Releases a reserved or written path. */
  release(path: string): void {
    this.claimed.delete(path);
    if (!this.recent.delete(path)) this.runs.release(path);
  }

  /** Every file written so far, sorted by path in code-unit order; time and inode are `NaN` if unknown. */
  *recordedFiles(): Generator<readonly [path: string, file: RecordedFile]> {
    for (const cursor of this.runs.merge(this.sortRecent())) yield [cursor.path, cursor.file()];
  }

  /** Paths of the files written so far, sorted. */
  *paths(): Generator<string> {
    for (const { path } of this.runs.merge(this.sortRecent())) yield path;
  }

  /** Every file written so far, sorted; read again by every iteration. */
  files(): Iterable<WrittenFile> {
    const read = () => this.recordedFiles();
    return {
      *[Symbol.iterator]() {
        for (const [path, { sha256, bytes }] of read()) yield { path, sha256, bytes };
      },
    };
  }

  private sortRecent(): readonly Entry[] {
    // Sorting without a function is several times as fast.
    const paths = [...this.recent.keys()].sort();
    return paths.map((path) => [path, this.recent.get(path) as RecordedFile]);
  }
}

type Entry = readonly [path: string, file: RecordedFile];

/** Record of a file: twice the bytes of its path, plus one if it is in UTF-16; SHA-256, size, modification time, inode; the path. */
const fields = { sha256: 4, size: 36, mtimeMs: 44, inode: 52 };
const headBytes = 60;

/** V8 stores a text without such characters in Latin-1, another one in UTF-16; no other encoding is read as fast. */
const beyondLatin1 = /[^\0-\xff]/;

/** Bytes of a run that are read at once. */
const blockBytes = 16 * 1024;

interface Block {
  /** Position in the spill file. */
  readonly position: number;
  readonly length: number;
}

/** Sorted lists of files in a spill file. A path is in at most one of them. */
class SortedRuns {
  private spill: SpillFile | null;
  private readonly runs: (readonly Block[])[] = [];
  /** Paths in the runs; `null`: none. Not made before, because a thread makes a table for every task. */
  private known: HashedSet | null = null;
  /** Paths that are in a run, and no longer written. */
  readonly released = new Set<string>();
  private added = 0;
  /** Memory for blocks of runs. Allocated for each iteration, it would be freed late. */
  private spare: Buffer[] = [];

  constructor(spill: SpillFile | undefined) {
    this.spill = spill ?? null;
  }

  get size(): number {
    return this.added - this.released.size;
  }

  has(path: string): boolean {
    return this.known?.has(path) === true && !this.released.has(path);
  }

  release(path: string): void {
    if (this.has(path)) this.released.add(path);
  }

  /** @param entries sorted; none of them was released */
  add(entries: readonly Entry[]): void {
    this.spill ??= createSpillFile(null);
    this.known ??= new HashedSet();
    const blocks: Block[] = [];
    let block = this.spare.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
    let used = 0;
    const store = (spill: SpillFile): void => {
      if (used > 0) blocks.push({ position: spill.addBytes(block.subarray(0, used)), length: used });
      used = 0;
    };
    for (const entry of entries) {
      const most = headBytes + 2 * entry[0].length;
      if (used + most > block.length) store(this.spill);
      if (most > block.length) block = Buffer.allocUnsafeSlow(most);
      used += writeEntry(entry, block, used);
      this.known.add(entry[0]);
    }
    store(this.spill);
    this.spare.push(block);
    this.runs.push(blocks);
    this.added += entries.length;
  }

  /**
   * The files of all runs and of another list, in order.
   * @param others sorted; not in a run, except released ones
   */
  *merge(others: readonly Entry[]): Generator<Cursor> {
    const stored = this.runs.map((blocks) => {
      const buffer = this.spare.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
      return new RunCursor(this.spill as SpillFile, blocks, buffer, this.released);
    });
    try {
      yield* mergeCursors([createListCursor(others), ...stored]);
    } finally {
      this.spare = stored.map(({ buffer }) => buffer);
    }
  }
}

/** @returns the number of written bytes */
function writeEntry([path, file]: Entry, into: Buffer, at: number): number {
  const isWide = beyondLatin1.test(path);
  const length = into.write(path, at + headBytes, isWide ? 'utf16le' : 'latin1');
  into.writeUInt32LE(2 * length + Number(isWide), at);
  into.write(file.sha256, at + fields.sha256, 'hex');
  into.writeDoubleLE(file.bytes, at + fields.size);
  into.writeDoubleLE(file.mtimeMs, at + fields.mtimeMs);
  into.writeDoubleLE(file.inode, at + fields.inode);
  return headBytes + length;
}

/** A position in a sorted list of files, at first before the first one. */
interface Cursor {
  path: string;
  file(): RecordedFile;
  /** Moves to the next file; `false` if there is none. */
  advance(): boolean;
}

/** Yields the cursor at each file of all lists, in order. */
function* mergeCursors(cursors: readonly Cursor[]): Generator<Cursor> {
  /** Those that have a file, the first one last. */
  const queue = cursors.filter((cursor) => cursor.advance()).sort((a, b) => (a.path > b.path ? -1 : 1));
  for (let first = queue.pop(); first !== undefined; first = queue.pop()) {
    yield first;
    if (!first.advance()) continue;
    const { path } = first;
    queue.splice(
      lowerBound(queue.length, (at) => (queue[at] as Cursor).path > path),
      0,
      first,
    );
  }
}

function createListCursor(entries: readonly Entry[]): Cursor {
  let at = -1;
  return {
    path: '',
    file: () => (entries[at] as Entry)[1],
    advance() {
      at += 1;
      this.path = entries[at]?.[0] ?? '';
      return at < entries.length;
    },
  };
}

class RunCursor implements Cursor {
  path = '';
  buffer: Buffer;
  private readonly spill: SpillFile;
  private readonly blocks: readonly Block[];
  private readonly skipped: ReadonlySet<string>;
  private block = 0;
  /** Bytes of the current block, offsets of the current file and of the next one. */
  private length = 0;
  private at = 0;
  private next = 0;

  constructor(spill: SpillFile, blocks: readonly Block[], buffer: Buffer, skipped: ReadonlySet<string>) {
    this.spill = spill;
    this.blocks = blocks;
    this.buffer = buffer;
    this.skipped = skipped;
  }

  file(): RecordedFile {
    const { buffer, at } = this;
    return {
      sha256: buffer.toString('hex', at + fields.sha256, at + fields.size),
      bytes: buffer.readDoubleLE(at + fields.size),
      mtimeMs: buffer.readDoubleLE(at + fields.mtimeMs),
      inode: buffer.readDoubleLE(at + fields.inode),
    };
  }

  advance(): boolean {
    do {
      if (this.next === this.length && !this.readBlock()) return false;
      this.at = this.next;
      const head = this.buffer.readUInt32LE(this.at);
      const start = this.at + headBytes;
      this.next = start + (head >>> 1);
      this.path = this.buffer.toString(head % 2 === 0 ? 'latin1' : 'utf16le', start, this.next);
    } while (this.skipped.has(this.path));
    return true;
  }

  private readBlock(): boolean {
    const block = this.blocks[this.block];
    if (block === undefined) return false;
    if (block.length > this.buffer.length) this.buffer = Buffer.allocUnsafeSlow(block.length);
    this.spill.readBytes(block.position, this.buffer.subarray(0, block.length));
    this.block += 1;
    this.length = block.length;
    this.next = 0;
    return true;
  }
}
