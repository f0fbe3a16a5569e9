import { rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { statsOf } from './file-operations.ts';
import { findUnrecordedFiles } from './foreign-files.ts';
import { formatFileTable, type LastOutput, type RecordedFile } from './last-output.ts';
import { type FileStamp, type WrittenFile, WrittenFiles } from './output.ts';

/**
 * Removes all other files from a staged tree, and describes it. Reused files are not read.
 * @param folder absolute path
 * @param earlier the output that was staged in this folder before; `null`: none
 * @param isKept whether a path is a file of the user in `output.keep`
 * @param onNewFile called with the path of every file that was not in this folder before, and its inode
 * @returns what `parseFileTable` reads, in blocks
 * @throws OUTPUT_CONFLICT if the path of a file is also the path of a folder
 */
export function finalizeTree(
  folder: string,
  files: FileTable,
  earlier: LastOutput | null,
  isKept: (path: string) => boolean,
  onNewFile: (path: string, inode: number) => void,
): readonly Uint8Array[] {
  if (earlier !== null) {
    for (const path of earlier.paths()) if (!files.isWritten(path)) removeFile(folder, path);
    // Files that someone added there are not published.
    for (const path of findUnrecordedFiles(folder, earlier, isKept)) {
      if (!files.isWritten(path)) removeFile(folder, path);
    }
  }
  const folders = foldersOf(files.paths());
  if (earlier !== null) removeEmpty(folder, earlier, folders);
  for (const path of folders) if (files.has(path)) throw conflict(path);
  return formatFileTable(describeFiles(folder, files, onNewFile), describeFolders(folder, folders));
}

/** Skips files that changed since they were written, so that the next build does not reuse them. */
function* describeFiles(
  root: string,
  files: FileTable,
  onNewFile: (path: string, inode: number) => void,
): Generator<readonly [path: string, file: RecordedFile]> {
  for (const [path, file] of files.recordedFiles()) {
    if (!Number.isNaN(file.mtimeMs)) {
      yield [path, file];
      continue;
    }
    const stats = statsOf(`${root}/${path}`);
    if (stats === null) continue;
    onNewFile(path, stats.ino);
    if (stats.size === file.bytes) yield [path, { ...file, mtimeMs: stats.mtimeMs, inode: stats.ino }];
  }
}

function* describeFolders(
  root: string,
  folders: Iterable<string>,
): Generator<readonly [path: string, mtimeMs: number]> {
  for (const path of folders) yield [path, statSync(join(root, path)).mtimeMs];
}

/** All folders of these files, parents first. */
function foldersOf(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set(['']);
  const add = (path: string): void => {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (folders.has(folder)) return;
    add(folder);
    folders.add(folder);
  };
  for (const path of paths) add(path);
  return folders;
}

function conflict(path: string): LecternError {
  return new LecternError('OUTPUT_CONFLICT', `${path} would be both a file and a folder`, {
    hint: 'choose URL patterns that differ per page, or rename the page or the file of public/',
  });
}

/**
 * Removes folders that contained only pages of the earlier output: for an empty folder, a web server would answer 403 instead of
 * redirecting.
 */
function removeEmpty(root: string, earlier: LastOutput, needed: ReadonlySet<string>): void {
  for (const [path] of [...earlier.folders()].reverse()) {
    if (needed.has(path)) continue;
    try {
      rmdirSync(join(root, path));
    } catch {
      // The folder is not empty or already removed.
    }
  }
}

/** Removes a file, and the folders that become empty. */
function removeFile(root: string, path: string): void {
  const stats = statsOf(join(root, path));
  if (stats === null || stats.isDirectory()) return;
  rmSync(join(root, path));
  try {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) rmdirSync(join(root, folder));
  } catch {
    // The folder is not empty or already removed.
  }
}

/** Record of a file: SHA-256, then at these offsets its size, modification time and inode. */
const fields = { size: 32, mtimeMs: 40, inode: 48 };
const recordBytes = 56;

/** Few, because a thread makes a table for every task. */
const recordsPerBlock = 128;

/** Size of a file that is not written yet. */
const claimed = -1;

/**
 * The files of a tree by path. A site has several files per page. To save memory, records are in blocks of bytes, and objects are created
 * on demand.
 */
export class FileTable {
  private readonly indexes = new Map<string, number>();
  private readonly blocks: Buffer[] = [];
  private used = 0;
  /** Cached list of {@link files}. */
  private sorted: readonly string[] | null = null;

  has(path: string): boolean {
    return this.indexes.has(path);
  }

  /** Reserves a path; its file is not in {@link files} yet. */
  claim(path: string): void {
    if (this.used % recordsPerBlock === 0) {
      this.blocks.push(Buffer.allocUnsafeSlow(recordsPerBlock * recordBytes));
    }
    const { block, offset } = this.locate(this.used);
    block.writeDoubleLE(claimed, offset + fields.size);
    this.indexes.set(path, this.used);
    this.used += 1;
  }

  /** Records the file written to a reserved path. @param stamp of a reused file, or of a new file if there is no previous output */
  set({ path, sha256, bytes }: WrittenFile, stamp: FileStamp | null = null): void {
    const index = this.indexes.get(path);
    if (index === undefined) throw new Error(`${path} was written and never claimed`);
    if (this.sizeOf(index) === claimed) this.sorted = null;
    const { block, offset } = this.locate(index);
    block.write(sha256, offset, 'hex');
    block.writeDoubleLE(bytes, offset + fields.size);
    block.writeDoubleLE(stamp?.mtimeMs ?? Number.NaN, offset + fields.mtimeMs);
    block.writeDoubleLE(stamp?.inode ?? Number.NaN, offset + fields.inode);
  }

  /** Every file written so far, sorted; time and inode are `NaN` if unknown. */
  *recordedFiles(): Generator<readonly [path: string, file: RecordedFile]> {
    for (const path of this.sortedPaths()) {
      const { sha256, bytes } = this.describe(path);
      const { block, offset } = this.locate(this.indexes.get(path) as number);
      const mtimeMs = block.readDoubleLE(offset + fields.mtimeMs);
      yield [path, { sha256, bytes, mtimeMs, inode: block.readDoubleLE(offset + fields.inode) }];
    }
  }

  /** Releases a reserved path. */
  release(path: string): void {
    if (this.isWritten(path)) this.sorted = null;
    this.indexes.delete(path);
  }

  /** Whether {@link files} contains a path. */
  isWritten(path: string): boolean {
    const index = this.indexes.get(path);
    return index !== undefined && this.sizeOf(index) !== claimed;
  }

  /** Paths of the files written so far. */
  *paths(): Generator<string> {
    for (const [path, index] of this.indexes) if (this.sizeOf(index) !== claimed) yield path;
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
    const { block, offset } = this.locate(index);
    return { path, sha256: block.toString('hex', offset, offset + fields.size), bytes: this.sizeOf(index) };
  }

  private sizeOf(index: number): number {
    const { block, offset } = this.locate(index);
    return block.readDoubleLE(offset + fields.size);
  }

  private locate(index: number): { readonly block: Buffer; readonly offset: number } {
    const block = this.blocks[Math.floor(index / recordsPerBlock)] as Buffer;
    return { block, offset: (index % recordsPerBlock) * recordBytes };
  }
}
