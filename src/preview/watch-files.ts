import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** What to watch: absolute paths. */
export interface Watched {
  /** Folders with everything below; one that does not exist is waited for. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** Told once per burst of changes, with the folders and files they lie in. */
  readonly onChange: (places: ReadonlySet<string>) => void;
}

/** An editor that saves touches a file several times within this. */
const burstMs = 15;

/** Watches until the returned function is called. A file replaced by another (as editors save) is still watched. */
export function watchFiles({ folders, files, onChange }: Watched): () => void {
  const watchers = new Map<string, FSWatcher>();
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  const note = (place: string): void => {
    changed.add(place);
    timer ??= setTimeout(() => {
      const places = changed;
      changed = new Set();
      timer = null;
      watchFolders();
      onChange(places);
    }, burstMs);
  };

  const watchFolders = (): void => {
    for (const folder of folders) {
      if (watchers.has(folder) || !existsSync(folder)) continue;
      const watcher = watch(folder, { recursive: true }, () => note(folder));
      watcher.on('error', () => forget(folder));
      watchers.set(folder, watcher);
    }
  };
  const forget = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };

  // Files, and folders that may come and go, are seen from the folder they lie in.
  const parents = [...groupByParent([...folders, ...files])].flatMap(([parent, paths]) => {
    if (!existsSync(parent)) return [];
    return watch(parent, (_event, name) => {
      const path = name === null ? undefined : paths.find((candidate) => basename(candidate) === name);
      if (path === undefined) return;
      if (!existsSync(path)) forget(path);
      note(path);
    });
  });
  watchFolders();
  return () => {
    if (timer !== null) clearTimeout(timer);
    for (const watcher of [...watchers.values(), ...parents]) watcher.close();
  };
}

function groupByParent(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const parent = dirname(resolve(path));
    groups.set(parent, [...(groups.get(parent) ?? []), path]);
  }
  return groups;
}
