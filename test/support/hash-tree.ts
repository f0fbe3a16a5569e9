import { hash } from 'node:crypto';
import { readTree } from './read-tree.ts';

/** SHA-256 of every file below a folder by its relative path, which makes comparing large trees fast. */
export async function hashTree(folder: string): Promise<Readonly<Record<string, string>>> {
  const files = [...(await readTree(folder))];
  return Object.fromEntries(files.map(([path, bytes]) => [path, hash('sha256', bytes)]));
}
