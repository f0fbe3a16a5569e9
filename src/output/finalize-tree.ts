import { rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { statsOf } from './file-operations.ts';
import type { FileTable } from './file-table.ts';
import { findUnrecordedFiles } from './foreign-files.ts';
import { formatFileTable, type LastOutput, type RecordedFile } from './last-output.ts';

/**
 * Removes all other files from a staged tree, and describes it. Reused files are not read.
 * @param folder absolute path
 * @param earlier the output that was staged in this folder before; `null`: none
 * @param isKept whether a path is a file of the user in `output.keep`
 * @param onNewFile called with the path of every file that was not in this folder before, and its inode
 * @returns what `parseFileTable` reads, in blocks; each is valid only until the next one is requested
 * @throws OUTPUT_CONFLICT if the path of a file is also the path of a folder
 */
export function* finalizeTree(
  folder: string,
  files: FileTable,
  earlier: LastOutput | null,
  isKept: (path: string) => boolean,
  onNewFile: (path: string, inode: number) => void,
): Generator<Uint8Array> {
  if (earlier !== null) {
    for (const path of earlier.paths()) {
      if (!files.isWritten(path) && !isKept(path)) removeFile(folder, path);
    }
    // Files that someone added there are not published.
    for (const path of findUnrecordedFiles(folder, earlier, isKept)) {
      if (!files.isWritten(path)) removeFile(folder, path);
    }
  }
  yield* formatFileTable(describeFiles(folder, files, onNewFile), describeFolders(folder, files));
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
  files: FileTable,
): Generator<readonly [path: string, mtimeMs: number]> {
  for (const path of foldersOf(files.paths())) {
    if (files.has(path)) throw conflict(path);
    yield [path, statSync(join(root, path)).mtimeMs];
  }
}

/** All folders of these files, parents first. @param paths sorted, so that the files of a folder, with those below it, follow one another */
function* foldersOf(paths: Iterable<string>): Generator<string> {
  yield '';
  /** Folders of the last path, each with its parents and a slash. */
  const open: string[] = [];
  for (const path of paths) {
    while (!path.startsWith(open.at(-1) ?? '')) open.pop();
    for (
      let slash = path.indexOf('/', open.at(-1)?.length);
      slash >= 0;
      slash = path.indexOf('/', slash + 1)
    ) {
      open.push(path.slice(0, slash + 1));
      yield path.slice(0, slash);
    }
  }
}

function conflict(path: string): LecternError {
  return new LecternError('OUTPUT_CONFLICT', `${path} would be both a file and a folder`, {
    hint: 'choose URL patterns that differ per page, or rename the page or the file of public/',
  });
}

/**
 * Removes a file, if it is there, and the folders that become empty: for an empty folder, a web server would answer 403 instead of
 * redirecting.
 */
function removeFile(root: string, path: string): void {
  const stats = statsOf(join(root, path));
  if (stats?.isDirectory()) return;
  if (stats !== null) rmSync(join(root, path));
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    try {
      rmdirSync(join(root, folder));
    } catch (error) {
      // The folder is not empty, or a file; one that was removed may have left an empty parent.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return;
    }
  }
}
