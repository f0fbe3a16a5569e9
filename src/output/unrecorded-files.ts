import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { statsOf } from './file-operations.ts';
import type { LastOutput } from './last-output.ts';

/**
 * Whether an output is as it was recorded: every file has its size and time, and there is no other file.
 * @param root absolute path
 * @param isIgnored paths that do not count
 */
export function isAsRecorded(
  root: string,
  recorded: LastOutput,
  isIgnored: (path: string) => boolean,
): boolean {
  try {
    for (const [path, { bytes, mtimeMs }] of recorded.files()) {
      const stats = statSync(`${root}/${path}`);
      if (stats.size !== bytes || stats.mtimeMs !== mtimeMs) return false;
    }
    return findUnrecordedFiles(root, recorded, isIgnored).length === 0;
  } catch {
    return false;
  }
}

/**
 * Paths of the files below a folder that its record does not name. The time of a folder changes when something is added to it, so
 * only folders that have another time than the recorded one are listed.
 */
export function findUnrecordedFiles(
  root: string,
  recorded: LastOutput,
  isIgnored: (path: string) => boolean,
): readonly string[] {
  const changed = new Map<string, Set<string>>();
  for (const [folder, mtimeMs] of recorded.folders()) {
    const stats = statsOf(join(root, folder));
    if (stats?.isDirectory() && stats.mtimeMs !== mtimeMs) changed.set(folder, new Set());
  }
  if (changed.size === 0) return [];
  const note = (path: string): void => {
    const slash = path.lastIndexOf('/');
    changed.get(path.slice(0, Math.max(0, slash)))?.add(path.slice(slash + 1));
  };
  for (const path of recorded.paths()) note(path);
  for (const [folder] of recorded.folders()) note(folder);
  return listUnknown(root, changed, isIgnored);
}

/**
 * Paths of the files in some folders that are not known there, and of all files in folders that are not known; sorted.
 * @param known names by folder, of the folders that are listed
 */
export function listUnknown(
  root: string,
  known: ReadonlyMap<string, ReadonlySet<string>>,
  isIgnored: (path: string) => boolean,
): readonly string[] {
  const unknown: string[] = [];
  const visit = (folder: string, names: ReadonlySet<string> | null): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (names?.has(entry.name) || isIgnored(path)) continue;
      if (entry.isDirectory()) visit(path, null);
      else unknown.push(path);
    }
  };
  for (const [folder, names] of known) visit(folder, names);
  return unknown.sort();
}
