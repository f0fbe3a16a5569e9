import { type Comparable, hashComparable, takeOverSlugs } from './comparable.ts';

/** A record as the folder has it. */
export interface LocalRecord {
  /** `null` until the service has given it one. */
  readonly id: string | null;
  readonly folder: string;
  /** As its files say; a body that is Markdown is the HTML rendered of it. */
  readonly written: Comparable;
  /** The same with the service's body wherever the Markdown stands for that. */
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
  /** Hash of what the files of the folder say; `null` when it does not have them. */
  readonly written: string | null;
}

/** Both sides of one kind of record, and the hashes of the last sync. */
export interface SyncInput {
  readonly kind: 'article' | 'category';
  readonly base: ReadonlyMap<string, string>;
  /** Hashes of what the files said then, where that is not the same. */
  readonly written: ReadonlyMap<string, string>;
  readonly local: readonly LocalRecord[];
  readonly remote: ReadonlyMap<string, Comparable>;
}

/** Three-way comparison of folder, service and last sync; pure. In the order of the folder, then in that of the service. */
export function planSync({ kind, base, written, local, remote }: SyncInput): readonly SyncEntry[] {
  const localIds = new Set(local.map((record) => record.id));
  const here = local.map((record): SyncEntry => {
    const other = (record.id === null ? undefined : remote.get(record.id)) ?? null;
    const own = other === null ? record.comparable : takeOverSlugs(record.comparable, other);
    const before = (record.id === null ? undefined : base.get(record.id)) ?? null;
    const files = hashComparable(other === null ? record.written : takeOverSlugs(record.written, other));
    const isUnedited = before !== null && record.id !== null && written.get(record.id) === files;
    const outcome = classify(
      isUnedited ? before : hashComparable(own),
      other && hashComparable(other),
      before,
    );
    return { kind, outcome, id: record.id, folder: record.folder, local: own, remote: other, written: files };
  });
  const there = Array.from(remote, ([id, other]): SyncEntry[] => {
    if (localIds.has(id)) return [];
    return [
      {
        kind,
        outcome: classify(null, hashComparable(other), base.get(id) ?? null),
        id,
        folder: null,
        local: null,
        remote: other,
        written: null,
      },
    ];
  }).flat();
  return [...here, ...there];
}

function classify(ours: string | null, theirs: string | null, base: string | null): Outcome {
  if (ours === theirs) return 'same';
  if (theirs === base) return base === null ? 'local-new' : ours === null ? 'local-deleted' : 'local-changed';
  if (ours === base)
    return base === null ? 'remote-new' : theirs === null ? 'remote-deleted' : 'remote-changed';
  return 'conflict';
}

/** Lets one side win where both have changed: `ours` is the folder, `theirs` the service. */
export function decideConflicts(
  entries: readonly SyncEntry[],
  winner: 'ours' | 'theirs',
): readonly SyncEntry[] {
  return entries.map((entry) => {
    if (entry.outcome !== 'conflict') return entry;
    const [won, lost] = winner === 'ours' ? [entry.local, entry.remote] : [entry.remote, entry.local];
    const change = won === null ? 'deleted' : lost === null ? 'new' : 'changed';
    return { ...entry, outcome: `${winner === 'ours' ? 'local' : 'remote'}-${change}` };
  });
}

/** What a push may do beyond creating and updating. */
export interface PushOptions {
  /** Delete at the service what was deleted in the folder. */
  readonly deletes: boolean;
  /** What changed on both sides becomes what the folder has. */
  readonly ours?: boolean;
  /** Ends the push after the record it is at; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** The entries a push acts on, in the order it does: a category before what is filed under it. */
export function listPushes(
  entries: readonly SyncEntry[],
  { deletes, ours = false }: PushOptions,
): readonly SyncEntry[] {
  const acting = (ours ? decideConflicts(entries, 'ours') : entries).filter(
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

/** A category waits for its parent; the others keep the order of the folder, which is that of a service's list. */
function sortParentsFirst(entries: readonly SyncEntry[]): readonly SyncEntry[] {
  const keys = new Set(entries.map((entry) => entry.id ?? entry.folder));
  const sorted = new Set<SyncEntry>();
  const waiting = new Map<unknown, SyncEntry[]>();
  const add = (entry: SyncEntry): void => {
    const key = entry.id ?? entry.folder;
    keys.delete(key);
    sorted.add(entry);
    for (const child of waiting.get(key) ?? []) add(child);
  };
  for (const entry of entries) {
    const parent = entry.local?.fields.parent_category_id as string;
    if (keys.has(parent)) waiting.set(parent, [...(waiting.get(parent) ?? []), entry]);
    else add(entry);
  }
  // What is left is a circle of parents, which the service refuses.
  return [...sorted, ...entries.filter((entry) => !sorted.has(entry))];
}
