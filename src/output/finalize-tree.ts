import { rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { statsOf } from './file-operations.ts';
import type { FileTable } from './file-table.ts';
import { formatFileTable, type LastOutput, type RecordedFile } from './last-output.ts';
import { findUnrecordedFiles } from './unrecorded-files.ts';

/**
 * Removes everything from a staged tree that is not one of its files, and describes it. Reused files are not read.
 * @param folder absolute path
 * @param earlier the output that was staged in this folder before; `null`: none was
 * @param isKept whether a path is one of the user's, which stays
 * @param onNewFile called with the path of every file that was not in this folder before, and its inode
 * @returns what `parseFileTable` reads
 * @throws OUTPUT_CONFLICT when the path of a file is also the path of a folder
 */
export function finalizeTree(
  folder: string,
  files: FileTable,
  earlier: LastOutput | null,
  isKept: (path: string) => boolean,
  onNewFile: (path: string, inode: number) => void,
): Uint8Array {
  if (earlier !== null) {
    for (const path of earlier.paths()) if (!files.isWritten(path)) removeFile(folder, path);
    // Files that somebody put there are not published.
    for (const path of findUnrecordedFiles(folder, earlier, isKept)) {
      if (!files.isWritten(path)) removeFile(folder, path);
    }
  }
  const folders = foldersOf(files.paths());
  for (const path of folders) if (files.has(path)) throw conflict(path);
  return formatFileTable(describeFiles(folder, files, onNewFile), describeFolders(folder, folders));
}

/** A file that changed since it was written is not recorded, so that the next build does not reuse it. */
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

/** All folders of these files, each after those around it. */
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
    hint: 'choose URL patterns that differ per page, or rename one of the pages',
  });
}

/** Removes a file and the folders that are empty without it. */
function removeFile(root: string, path: string): void {
  const stats = statsOf(join(root, path));
  if (stats === null || stats.isDirectory()) return;
  rmSync(join(root, path));
  try {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) rmdirSync(join(root, folder));
  } catch {
    // It holds something, or is gone already.
  }
}
