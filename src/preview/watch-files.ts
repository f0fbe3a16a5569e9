import { existsSync, type FSWatcher, readdirSync, type Stats, statSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

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

/** How long after a change is told a second look is taken, and again as long as there is news. */
const secondLookMs = 250;

/**
 * Watches until the returned function is called. A file replaced by another (as editors save) is still watched. Systems
 * lose events: of a file that is written while its folder is new, nobody may be told. So every change is looked after.
 * @param watchPath tells of what happens at a path
 */
export function watchFiles(
  { folders, files, onChange }: Watched,
  watchPath: typeof watch = watch,
): () => void {
  const watchers = new Map<string, FSWatcher>();
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let secondLook: NodeJS.Timeout | null = null;
  const lookAgain = (seen: ReadonlyMap<string, string>): void => {
    if (secondLook !== null) clearTimeout(secondLook);
    secondLook = setTimeout(() => {
      secondLook = null;
      const now = describePlaces(folders, files);
      for (const [place, description] of now) if (seen.get(place) !== description) note(place);
    }, secondLookMs);
  };
  const note = (place: string): void => {
    changed.add(place);
    timer ??= setTimeout(() => {
      const places = changed;
      changed = new Set();
      timer = null;
      watchFolders();
      // Before it is told: what is saved while it is read counts as news.
      const seen = describePlaces(folders, files);
      onChange(places);
      lookAgain(seen);
    }, burstMs);
  };

  const watchFolders = (): void => {
    for (const folder of folders) {
      if (watchers.has(folder) || !existsSync(folder)) continue;
      const watcher = watchPath(folder, { recursive: true }, () => note(folder));
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
    return watchPath(parent, (_event, name) => {
      const path = name === null ? undefined : paths.find((candidate) => basename(candidate) === name);
      if (path === undefined) return;
      if (!existsSync(path)) forget(path);
      note(path);
    });
  });
  watchFolders();
  return () => {
    for (const waiting of [timer, secondLook]) if (waiting !== null) clearTimeout(waiting);
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

/**
 * What tells whether anything below folders, or files, are still the same, by path.
 * @param files may be folders, too: what is in these is not looked at
 */
export function describePlaces(
  folders: readonly string[],
  files: readonly string[],
): ReadonlyMap<string, string> {
  return new Map([
    ...folders.map((path) => [path, describeTree(path)] as const),
    ...files.map((path) => [path, quietly(() => describeStats(statSync(path)))] as const),
  ]);
}

function describeTree(path: string): string {
  return quietly(() => {
    const stats = statSync(path);
    if (!stats.isDirectory()) return describeStats(stats);
    const names = readdirSync(path).sort();
    return names.map((name) => `${name}: ${describeTree(join(path, name))}`).join('\n');
  });
}

function describeStats({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}

/** Empty for what is not there, or goes while it is looked at. */
function quietly(describe: () => string): string {
  try {
    return describe();
  } catch {
    return '';
  }
}
