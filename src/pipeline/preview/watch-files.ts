import { existsSync, type FSWatcher, readdirSync, type Stats, statSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { orNull } from '../../core/errors.ts';
import { groupBy } from '../../core/group-by.ts';

/** Absolute paths to watch. */
interface Watched {
  /** Folders with all their content; a missing folder is watched from its creation. */
  readonly folders: readonly string[];
  /** Folders whose owner can tell whether anything changed since it read them, which is faster than comparing all files. */
  readonly sources?: { readonly folders: readonly string[]; readonly hasChanged: () => boolean };
  readonly files: readonly string[];
  /** Called once per burst of changes, with the folders and files that changed. */
  readonly onChange: (paths: ReadonlySet<string>) => void;
}

/** An editor that saves a file touches it several times within this time. */
const burstMs = 15;

/** Delay of the check for lost events after a reported change; repeated as long as it finds changes. */
const recheckMs = 250;

/** Interval of the look at all paths where the system watches no more of them. */
const pollMs = 1000;

/**
 * Watches until the returned function is called. A file that is replaced by another (as editors save) is still watched. Operating systems
 * lose events, e.g. of a file written to a new folder, so every change is followed by a check of all paths. Where the system watches no more
 * files, as many editors and other servers use up its limit, and after a folder was removed, all paths are checked every second.
 * @param watchPath reports changes of one path
 */
export function watchFiles(
  { folders, sources, files, onChange }: Watched,
  watchPath: typeof watch = watch,
): () => void {
  const trees = [...folders, ...(sources?.folders ?? [])];
  const watchers = new Map<string, FSWatcher>();
  /** Paths that were removed, made or replaced: a folder with the path of the watched one may be another one. */
  const renamed = new Set<string>();
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let recheck: NodeJS.Timeout | null = null;
  let polling: NodeJS.Timeout | null = null;
  const noteChanges = (seen: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
    const now = describePaths(folders, files);
    for (const [path, description] of now) if (seen.get(path) !== description) note(path);
    if (sources?.hasChanged() === true) sources.folders.forEach(note);
    return now;
  };
  const poll = (): void => {
    if (polling !== null) return;
    let seen = describePaths(folders, files);
    polling = setInterval(() => {
      seen = noteChanges(seen);
    }, pollMs);
  };
  /** `null`, and all paths are polled, if the system watches no more. */
  const watchIfPossible = (watchIt: () => FSWatcher): FSWatcher | null => {
    try {
      return watchIt();
    } catch (error) {
      if (!isLimit(error)) throw error;
      poll();
      return null;
    }
  };
  const recheckSoon = (seen: ReadonlyMap<string, string>): void => {
    if (recheck !== null) clearTimeout(recheck);
    recheck = setTimeout(() => {
      recheck = null;
      noteChanges(seen);
    }, recheckMs);
  };
  const note = (path: string): void => {
    changed.add(path);
    timer ??= setTimeout(() => {
      const paths = changed;
      changed = new Set();
      timer = null;
      watchFolders();
      // Before the call: a file saved while it is read counts as changed.
      const seen = describePaths(folders, files);
      onChange(paths);
      recheckSoon(seen);
    }, burstMs);
  };

  const watchFolders = (): void => {
    for (const folder of trees) {
      const isThere = existsSync(folder);
      // Removed with its parent, or behind a link: nothing that is watched tells when it is back.
      if (!isThere && watchers.has(folder)) {
        forget(folder);
        poll();
      }
      if (renamed.delete(folder)) forget(folder);
      if (watchers.has(folder) || !isThere) continue;
      const watcher = watchIfPossible(() => watchPath(folder, { recursive: true }, () => note(folder)));
      if (watcher === null) continue;
      watcher.on('error', (error) => {
        if (isLimit(error)) poll();
        forget(folder);
      });
      watchers.set(folder, watcher);
    }
  };
  const forget = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };

  // Files, and folders that may be created or removed, are watched through their parent folder.
  const byParent = groupBy([...trees, ...files], (path) => dirname(resolve(path)));
  const parents = [...byParent].flatMap(([parent, paths]) => {
    if (!existsSync(parent)) return [];
    const watcher = watchIfPossible(() =>
      watchPath(parent, (event, name) => {
        const path = name === null ? undefined : paths.find((candidate) => basename(candidate) === name);
        if (path === undefined) return;
        if (event === 'rename') renamed.add(path);
        note(path);
      }),
    );
    return watcher ?? [];
  });
  watchFolders();
  return () => {
    for (const waiting of [timer, recheck, polling]) if (waiting !== null) clearTimeout(waiting);
    for (const watcher of [...watchers.values(), ...parents]) watcher.close();
  };
}

/** Whether the system watches no more files, or opens none for it. */
function isLimit(error: unknown): boolean {
  return ['ENOSPC', 'EMFILE'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Fingerprint of each folder with its content, and of each file, by path.
 * @param files may include folders, whose content is ignored
 */
function describePaths(folders: readonly string[], files: readonly string[]): ReadonlyMap<string, string> {
  return new Map([
    ...folders.map((path) => [path, describeTree(path)] as const),
    ...files.map((path) => [path, quietly(() => describeStats(statSync(path)))] as const),
  ]);
}

function describeTree(path: string): string {
  return quietly(() => {
    const stats = statSync(path);
    if (!stats.isDirectory()) return describeStats(stats);
    // Packages and caches may contain a hundred thousand files.
    const names = readdirSync(path)
      .filter((name) => !/^(?:node_modules|\.git|\.lectern)$/.test(name))
      .sort();
    return names.map((name) => `${name}: ${describeTree(join(path, name))}`).join('\n');
  });
}

function describeStats({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}

/** Empty for a path that does not exist or is removed while it is read. */
function quietly(describe: () => string): string {
  return orNull(describe) ?? '';
}
