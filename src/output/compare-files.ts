import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { WrittenFile } from './written-files.ts';

/** How an output differs from the one it replaces: paths relative to the output folder, `/`-separated, sorted. */
export interface ChangedFiles {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Compares the files of a new output with the folder it will replace, by content.
 * @param folder absolute path of the present output; it need not exist
 * @param isKept whether a path is one of the user's, which the new output takes over
 */
export async function compareFiles(
  folder: string,
  files: Iterable<WrittenFile>,
  isKept: (path: string) => boolean = () => false,
): Promise<ChangedFiles> {
  const previous = new Set((await listFiles(folder)).filter((path) => !isKept(path)));
  const added: string[] = [];
  const changed: string[] = [];
  for (const { path, sha256 } of files) {
    if (!previous.delete(path)) added.push(path);
    else if ((await hashFile(join(folder, path))) !== sha256) changed.push(path);
  }
  return { added: added.sort(), changed: changed.sort(), removed: [...previous].sort() };
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function hashFile(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return digest.digest('hex');
}
