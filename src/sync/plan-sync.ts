import { type Comparable, hashComparable, takeOverSlugs } from './comparable.ts';

/** A record as the folder has it. */
export interface LocalRecord {
  /** `null` until the service has given it one. */
  readonly id: string | null;
  readonly folder: string;
  readonly comparable: Comparable;
}

/** What changed on both sides since the last sync. */
export type Outcome =
  | 'same'
  /** Only the folder has changed: a push carries it over. */
  | 'local-new'
  | 'local-changed'
  | 'local-deleted'
  /** Only the service has changed: a pull carries it over. */
  | 'remote-new'
  | 'remote-changed'
  | 'remote-deleted'
  /** Both changed, to different values. */
  | 'conflict';

export interface SyncEntry {
  readonly kind: 'article' | 'category';
  readonly outcome: Outcome;
  readonly id: string | null;
  /** Sub-folder of the record; `null` when the folder does not have it. */
  readonly folder: string | null;
  readonly local: Comparable | null;
  readonly remote: Comparable | null;
}

/** Both sides of one kind of record, and the hashes of the last sync. */
export interface SyncInput {
  readonly kind: 'article' | 'category';
  readonly base: ReadonlyMap<string, string>;
  readonly local: readonly LocalRecord[];
  readonly remote: ReadonlyMap<string, Comparable>;
}

/** Three-way comparison of folder, service and last sync; pure. Sorted by sub-folder, then by id. */
export function planSync({ kind, base, local, remote }: SyncInput): readonly SyncEntry[] {
  const localIds = new Set(local.map((record) => record.id));
  const here = local.map((record): SyncEntry => {
    const other = (record.id === null ? undefined : remote.get(record.id)) ?? null;
    const own = other === null ? record.comparable : takeOverSlugs(record.comparable, other);
    const before = (record.id === null ? undefined : base.get(record.id)) ?? null;
    return {
      kind,
      outcome: classify(own, other, before),
      id: record.id,
      folder: record.folder,
      local: own,
      remote: other,
    };
  });
  const there = Array.from(remote, ([id, other]): SyncEntry[] => {
    if (localIds.has(id)) return [];
    return [
      {
        kind,
        outcome: classify(null, other, base.get(id) ?? null),
        id,
        folder: null,
        local: null,
        remote: other,
      },
    ];
  }).flat();
  return [...here.sort(byFolder), ...there.sort(byId)];
}

function classify(local: Comparable | null, remote: Comparable | null, base: string | null): Outcome {
  const ours = local && hashComparable(local);
  const theirs = remote && hashComparable(remote);
  if (ours === theirs) return 'same';
  if (theirs === base) return base === null ? 'local-new' : ours === null ? 'local-deleted' : 'local-changed';
  if (ours === base)
    return base === null ? 'remote-new' : theirs === null ? 'remote-deleted' : 'remote-changed';
  return 'conflict';
}

function byFolder(a: SyncEntry, b: SyncEntry): number {
  return (a.folder ?? '') < (b.folder ?? '') ? -1 : 1;
}

function byId(a: SyncEntry, b: SyncEntry): number {
  return (a.id ?? '') < (b.id ?? '') ? -1 : 1;
}

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
