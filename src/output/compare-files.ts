import { join } from 'node:path';
import { hashFile } from '../core/file-system.ts';
import { isInRepository } from './foreign-files.ts';
import type { WrittenFile } from './output.ts';
import { scanFolder } from './previous-output.ts';

/** Differences between an output and the one it replaces: paths relative to the output folder, `/`-separated, sorted. */
interface ChangedFiles {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Compares the files of a new output with the folder it will replace, by content.
 * @param folder absolute path of the current output; it need not exist
 * @param files sorted by path
 */
export async function compareFiles(folder: string, files: Iterable<WrittenFile>): Promise<ChangedFiles> {
  const added: string[] = [];
  const changed: string[] = [];
  const removed = new Set(
    [...scanFolder(folder, isInRepository)].flatMap(([path, { bytes }]) => (bytes < 0 ? [] : path)),
  );
  for (const { path, sha256 } of files) {
    if (!removed.delete(path)) added.push(path);
    else if (hashFile(join(folder, path)) !== sha256) changed.push(path);
  }
  return { added, changed, removed: [...removed].sort() };
}
