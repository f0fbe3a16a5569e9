import { type Comparable, fingerprint, takeOverSlugs } from './comparable.ts';

/** A record as the folder has it. */
export interface LocalRecord {
  /** `null` until the service has given it one. */
  readonly id: string | null;
  readonly folder: string;
  readonly comparable: Comparable;
}

/** What both sides have done since they last agreed. */
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
  /** Both have changed, and not to the same. */
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

/** Both sides of one kind of record, and the fingerprints of when they last agreed. */
export interface SyncInput {
  readonly kind: 'article' | 'category';
  readonly base: ReadonlyMap<string, string>;
  readonly local: readonly LocalRecord[];
  readonly remote: ReadonlyMap<string, Comparable>;
}

/** Compares folder, service and what both were when they last agreed; pure. Sorted by sub-folder, then by id. */
export function planSync({ kind, base, local, remote }: SyncInput): readonly SyncEntry[] {
  const localIds = new Set(local.map((record) => record.id));
  const here = local.map((record): SyncEntry => {
    const other = (record.id === null ? undefined : remote.get(record.id)) ?? null;
    const own = other === null ? record.comparable : takeOverSlugs(record.comparable, other);
    const before = (record.id === null ? undefined : base.get(record.id)) ?? null;
    return {
      kind,
      outcome: judge(own, other, before),
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
        outcome: judge(null, other, base.get(id) ?? null),
        id,
        folder: null,
        local: null,
        remote: other,
      },
    ];
  }).flat();
  return [...here.sort(byFolder), ...there.sort(byId)];
}

function judge(local: Comparable | null, remote: Comparable | null, base: string | null): Outcome {
  const ours = local && fingerprint(local);
  const theirs = remote && fingerprint(remote);
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
