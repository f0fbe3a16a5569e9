import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

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
