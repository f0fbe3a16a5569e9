import type { SyncEntry } from './plan-sync.ts';

/** What a push may do beyond creating and updating. */
export interface PushOptions {
  /** Delete at the service what was deleted in the folder. */
  readonly deletes: boolean;
  /** Ends the push after the record it is at; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** The entries a push acts on, in the order it does: a category before what is filed under it. */
export function listPushes(entries: readonly SyncEntry[], { deletes }: PushOptions): readonly SyncEntry[] {
  const acting = entries.filter(
    ({ kind, outcome }) =>
      outcome === 'local-new' ||
      outcome === 'local-changed' ||
      // The API cannot delete categories.
      (outcome === 'local-deleted' && deletes && kind === 'article'),
  );
  return [
    ...sortParentsFirst(acting.filter(({ kind }) => kind === 'category')),
    ...acting.filter(({ kind }) => kind === 'article'),
  ];
}

function sortParentsFirst(entries: readonly SyncEntry[]): readonly SyncEntry[] {
  const left = new Map(entries.map((entry) => [entry.id ?? entry.folder, entry]));
  const sorted: SyncEntry[] = [];
  const visit = (key: unknown) => {
    const entry = left.get(key as string);
    if (!entry) return;
    left.delete(key as string);
    visit(entry.local?.fields.parent_category_id);
    sorted.push(entry);
  };
  for (const entry of entries) visit(entry.id ?? entry.folder);
  return sorted;
}
