import { hash } from 'node:crypto';
import { readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { once, oncePerKey } from '../core/concurrency.ts';
import { readWholeFile } from '../core/file-system.ts';
import { foldersOf, parentOf, statsOf } from './file-operations.ts';
import type { PublishedFile, WrittenFile } from './output.ts';

/** The file that marks a folder as written by Lectern. It contains the hashes of the feed and the build time. */
export const outputMarker = 'feed/manifest.json';

/** The files of an output as the run that wrote it left them, by path. */
export type PublishedFiles = ReadonlyMap<string, PublishedFile>;

/** An output as the run that wrote it left it. */
export interface PublishedOutput {
  readonly files: PublishedFiles;
  /**
   * The run changed no file or folder at this time or later (`ctime`, milliseconds since 1970). Programs cannot set a change time, so a
   * file with a later one was edited or restored, even if its size and modification time are the same. A folder with an earlier one has
   * the same entries.
   */
  readonly finishedMs: number;
}

/** Differences between an output and the one it replaces: paths relative to the output folder, `/`-separated, sorted. */
interface ChangedFiles {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** An output that was written by an earlier run. */
export interface PreviousOutput {
  /** Absolute path. */
  readonly folder: string;
  /** Its files as that run left them; `null` if unknown. */
  readonly published: PublishedFiles | null;
  /** A file that is still as that run left it; otherwise `null`. If its files are unknown, the file on disk, which is read for its hash. */
  find(path: string): PublishedFile | null;
  /** Whether all its files are as that run left them, and there are no others. */
  isUnchanged(): boolean;
  /**
   * The latest change time in it if something touched it since the run that wrote it, e.g. restored all from a cache: then files are read and
   * folders are listed. Otherwise `null`.
   */
  touchedMs(): number | null;
  /** Compares it with all files of a new output, by content. */
  compare(files: Iterable<WrittenFile>): ChangedFiles;
  /** Paths of files that the run did not write, sorted; empty if its files are unknown. */
  foreign(): readonly string[];
}

/**
 * Compares an output on disk with its record.
 * @param root absolute path
 * @param isIgnored paths to ignore: files of the user
 */
export function openPreviousOutput(
  root: string,
  last: PublishedOutput | null,
  isIgnored: (path: string) => boolean,
): PreviousOutput {
  const published = last?.files ?? null;
  const finishedMs = last?.finishedMs ?? 0;
  let latestMs = 0;
  let hasOtherFolders = false;
  const look = (path: string): Stats | null => {
    const stats = statsOf(`${root}/${path}`);
    latestMs = Math.max(latestMs, stats?.ctimeMs ?? 0);
    return stats;
  };
  const hashOf = oncePerKey((path: string) => hash('sha256', readWholeFile(join(root, path))));
  /** Files that were found unchanged in this run. A link to one changes its change time, and then it would have to be read. */
  const unchanged = new Map<string, PublishedFile>();
  const check = (path: string): PublishedFile | null => {
    const file = published?.get(path);
    if (published !== null && file === undefined) return null;
    const stats = look(path);
    if (!stats?.isFile()) return null;
    const { size, mtimeMs, ctimeMs } = stats;
    if (file === undefined) return { path, sha256: hashOf(path), bytes: size, mtimeMs };
    if (size !== file.bytes) return null;
    const isSameTime = mtimeMs === file.mtimeMs;
    // CI systems do not always preserve times between jobs: then the content decides.
    if (!(isSameTime && ctimeMs < finishedMs) && hashOf(path) !== file.sha256) return null;
    return isSameTime ? file : { path, sha256: file.sha256, bytes: size, mtimeMs };
  };
  const find = (path: string): PublishedFile | null => {
    const file = check(path);
    if (file !== null) unchanged.set(path, file);
    return file;
  };
  const foreign = once(() => {
    if (published === null) return [];
    const found: string[] = [];
    const folders = foldersOf(published.keys());
    const own = folders.size;
    const changed = new Set<string>();
    for (const folder of folders) {
      const stats = look(folder);
      if (stats === null) continue;
      // Some disks of Windows have no change time, and programs can set the other one.
      const changedMs = Math.max(stats.ctimeMs, stats.mtimeMs);
      if (!stats.isDirectory()) found.push(folder);
      // A folder that was moved here has a new change time, but those in it do not.
      else if (changedMs >= finishedMs || changed.has(parentOf(folder))) {
        changed.add(folder);
        const { files, folders: inner } = listFolder(root, folder, isIgnored);
        for (const path of inner) folders.add(path);
        for (const path of files) if (!published.has(path) && !folders.has(path)) found.push(path);
      }
    }
    hasOtherFolders = folders.size > own;
    return found.sort();
  });
  const isUnchanged = once(() => {
    if (published === null) return false;
    for (const file of published.values()) if (find(file.path) !== file) return false;
    return foreign().length === 0;
  });
  return {
    folder: root,
    published,
    find,
    isUnchanged,
    touchedMs() {
      isUnchanged();
      // The time of a folder that the run did not make is not looked at, so its parent must be listed again.
      return latestMs < finishedMs || hasOtherFolders ? null : latestMs;
    },
    compare(files) {
      const added: string[] = [];
      const changed: string[] = [];
      const isFile = (path: string): boolean => statsOf(`${root}/${path}`)?.isFile() ?? false;
      const others = new Set(
        published === null ? scanFolder(root, isIgnored) : [...published.keys(), ...foreign()],
      );
      for (const { path, sha256 } of files) {
        const known = unchanged.get(path);
        if (!others.delete(path) || (known === undefined && !isFile(path))) added.push(path);
        else if (((known ?? find(path))?.sha256 ?? hashOf(path)) !== sha256) changed.push(path);
      }
      return { added, changed, removed: [...others].filter(isFile).sort() };
    },
    foreign,
  };
}

/** Paths of all files below a folder, sorted. Links are not followed and count as files. */
export function scanFolder(root: string, isIgnored: (path: string) => boolean): readonly string[] {
  const found: string[] = [];
  const open = [''];
  for (const folder of open) {
    const { files, folders } = listFolder(root, folder, isIgnored);
    found.push(...files);
    open.push(...folders);
  }
  return found.sort();
}

function listFolder(root: string, folder: string, isIgnored: (path: string) => boolean) {
  const files: string[] = [];
  const folders: string[] = [];
  for (const entry of readdirSync(`${root}/${folder}`, { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!isIgnored(path)) (entry.isDirectory() ? folders : files).push(path);
  }
  return { files, folders };
}
