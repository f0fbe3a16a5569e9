import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../core/group-by.ts';
import type { FolderContent } from '../source/folder/read-folder.ts';
import { copyMissingSlugs } from './comparable.ts';
import { createFileIds, type RecordOnDisk } from './file-ids.ts';
import type { SyncEntry } from './plan-sync.ts';

/**
 * Gives new records of the folder the ids of equal ones that only the service has: the last push created these, and did not see the response, or was killed
 * before it wrote their ids into the files.
 * @returns whether files changed, so that the folder has to be read again
 */
export function adoptCreated(root: string, folder: FolderContent, entries: readonly SyncEntry[]): boolean {
  const keyOf = ({ kind, local, remote }: SyncEntry): string => `${kind} ${(local ?? remote)?.fields.title}`;
  const created = groupBy(
    entries.filter(({ outcome }) => outcome === 'remote-new'),
    keyOf,
  );
  if (created.size === 0) return false;
  const records: readonly RecordOnDisk[] = [...folder.categories, ...folder.articles];
  const onDisk = new Map(records.map((record) => [record.folder, record]));
  const ids = createFileIds(root, records);
  let hasChanged = false;
  for (const entry of entries) {
    const { kind, outcome, local } = entry;
    const own = onDisk.get(entry.folder ?? '');
    if (outcome !== 'local-new' || local === null || own === undefined) continue;
    const others = created.get(keyOf(entry)) ?? [];
    const at = others.findIndex(
      ({ remote }) => remote !== null && isDeepStrictEqual(copyMissingSlugs(local, remote), remote),
    );
    const [other] = at === -1 ? [] : others.splice(at, 1);
    if (other === undefined) continue;
    ids.replace(kind, own, entry.id, other.id ?? '');
    hasChanged = true;
  }
  return hasChanged;
}
