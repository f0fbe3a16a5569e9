import { hash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../core/concurrency.ts';
import { readWholeFile } from '../core/file-system.ts';
import type { PublishedFile, WrittenFile } from './output.ts';

/** The file that marks a folder as written by Lectern. It contains the hashes of the feed and the build time. */
export const outputMarker = 'feed/manifest.json';

/** The files of an output as the run that wrote it left them, by path. */
export type PublishedFiles = ReadonlyMap<string, PublishedFile>;

/** An output as the run that wrote it left it. */
export interface PublishedOutput {
  readonly files: PublishedFiles;
  /**
   * The run changed no file at this time or later (`ctime`, milliseconds since 1970). Programs cannot set a change time, so a file with a
   * later one was edited or restored, even if its size and modification time are the same.
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
  /** Its files as they are now on disk. */
  readonly found: () => ReadonlyMap<string, FoundFile>;
  /** A file that is still as that run left it; otherwise `null`. If its files are unknown, the file on disk, which is read for its hash. */
  find(path: string): PublishedFile | null;
  /** Whether all its files are as that run left them, and there are no others. */
  isUnchanged(): boolean;
  /**
   * The latest change time of its files if something touched one since the run that wrote them, e.g. restored all from a cache: the content
   * decides whether such a file is unchanged. Otherwise `null`.
   */
  touchedMs(): number | null;
  /** Compares it with all files of a new output, by content. */
  compare(files: Iterable<WrittenFile>): ChangedFiles;
  /** Paths of files that the run did not write, sorted; empty if its files are unknown. */
  foreign(): readonly string[];
}

/**
 * Compares an output on disk with its record. The folder is read once, when it is asked for the first time.
 * @param folder absolute path
 * @param isIgnored paths to ignore: files of the user
 */
export function openPreviousOutput(
  folder: string,
  last: PublishedOutput | null,
  isIgnored: (path: string) => boolean,
): PreviousOutput {
  const published = last?.files ?? null;
  const finishedMs = last?.finishedMs ?? 0;
  const found = once(() => scanFolder(folder, isIgnored));
  const hashes = new Map<string, string>();
  const hashOf = (path: string): string => {
    const known = hashes.get(path) ?? hash('sha256', readWholeFile(join(folder, path)));
    hashes.set(path, known);
    return known;
  };
  const isSame = ({ path, bytes, mtimeMs, sha256 }: PublishedFile): boolean => {
    const file = found().get(path);
    if (file === undefined || file.bytes !== bytes) return false;
    // CI systems do not always preserve times between jobs: then the content decides.
    return (file.mtimeMs === mtimeMs && file.changedMs < finishedMs) || hashOf(path) === sha256;
  };
  const foreign = (): readonly string[] =>
    published === null ? [] : [...found().keys()].filter((path) => !published.has(path)).sort();
  const find = (path: string): PublishedFile | null => {
    if (published !== null) {
      const file = published.get(path);
      if (file === undefined || !isSame(file)) return null;
      const mtimeMs = found().get(path)?.mtimeMs ?? 0;
      return mtimeMs === file.mtimeMs ? file : { ...file, mtimeMs };
    }
    const file = found().get(path);
    if (file === undefined || file.bytes < 0) return null;
    return { path, sha256: hashOf(path), bytes: file.bytes, mtimeMs: file.mtimeMs };
  };
  return {
    folder,
    published,
    found,
    find,
    compare(files) {
      const added: string[] = [];
      const changed: string[] = [];
      const removed = new Set([...found()].flatMap(([path, { bytes }]) => (bytes < 0 ? [] : path)));
      for (const { path, sha256 } of files) {
        if (!removed.delete(path)) added.push(path);
        else if ((find(path)?.sha256 ?? hashOf(path)) !== sha256) changed.push(path);
      }
      return { added, changed, removed: [...removed].sort() };
    },
    isUnchanged() {
      if (published === null) return false;
      for (const file of published.values()) {
        if (found().get(file.path)?.mtimeMs !== file.mtimeMs || !isSame(file)) return false;
      }
      return foreign().length === 0;
    },
    touchedMs() {
      let latest = 0;
      for (const path of published?.keys() ?? [])
        latest = Math.max(latest, found().get(path)?.changedMs ?? 0);
      return latest < finishedMs ? null : latest;
    },
    foreign,
  };
}

/** A file as it is now on disk; `bytes` is -1 if it is not a file, but a link or a device. */
interface FoundFile extends Pick<PublishedFile, 'bytes' | 'mtimeMs'> {
  /** When its content, name or permissions changed last (`ctime`). */
  readonly changedMs: number;
}

/** All files below a folder, by path; empty if it does not exist. Links are not followed and count as files. */
export function scanFolder(
  root: string,
  isIgnored: (path: string) => boolean,
): ReadonlyMap<string, FoundFile> {
  const files = new Map<string, FoundFile>();
  const scan = (folder: string): void => {
    for (const entry of entriesOf(`${root}/${folder}`)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isIgnored(path)) continue;
      if (entry.isDirectory()) scan(path);
      else {
        const { size, mtimeMs, ctimeMs } = lstatSync(`${root}/${path}`);
        files.set(path, { bytes: entry.isFile() ? size : -1, mtimeMs, changedMs: ctimeMs });
      }
    }
  };
  scan('');
  return files;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
