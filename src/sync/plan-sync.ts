import { isDeepStrictEqual } from 'node:util';
import { type Comparable, type Fingerprint, hashFieldsOf, takeOverSlugs } from './comparable.ts';
import {
  type AgreedRecord,
  agreedFiles,
  type MergeBody,
  type MergedField,
  mergeFields,
  takeFields,
} from './merge-fields.ts';

/** A record as the folder has it. */
export interface LocalRecord {
  /** `null` until the service has given it one. */
  readonly id: string | null;
  readonly folder: string;
  /** As its files say; a body that is Markdown is the HTML rendered of it. */
  readonly written: Comparable;
  /** The same with the service's body wherever the Markdown is what a pull makes of that. */
  readonly takeOver: (remote: Comparable) => Comparable;
  readonly mergeBody?: MergeBody | undefined;
}

/** Changes on both sides since the last sync. */
export type Outcome =
  | 'same'
  /** Only the folder has changed: a push sends it. */
  | 'local-new'
  | 'local-changed'
  | 'local-deleted'
  /** Only the service has changed: a pull writes it. */
  | 'remote-new'
  | 'remote-changed'
  | 'remote-deleted'
  /**
   * Both changed, in different fields, languages or pieces of a body: a push sends those of the folder, a pull writes
   * those of the service.
   */
  | 'merged'
  /** Both changed the same field to different values, or one side deleted what the other changed. */
  | 'conflict';

export interface SyncEntry {
  readonly kind: 'article' | 'category';
  readonly outcome: Outcome;
  readonly id: string | null;
  /** Sub-folder of the record; `null` when the folder does not have it. */
  readonly folder: string | null;
  readonly local: Comparable | null;
  readonly remote: Comparable | null;
  /** Field by field, where both sides have the record. */
  readonly fields: readonly MergedField[];
}

/** Both sides of one kind of record, and what they last agreed on, by id. */
export interface SyncInput {
  readonly kind: 'article' | 'category';
  readonly agreed: Readonly<Record<string, AgreedRecord>>;
  readonly local: readonly LocalRecord[];
  readonly remote: ReadonlyMap<string, Comparable>;
  /** Values of the time when both agreed, by hash. Absent: none is known, and no value is merged with another. */
  readonly texts?: ReadonlyMap<string, string> | undefined;
}

/**
 * Three-way comparison of folder, service and last sync; pure. In the order of the folder, then in that of the service.
 */
export function planSync({ kind, agreed, local, remote, texts }: SyncInput): readonly SyncEntry[] {
  const localIds = new Set(local.map((record) => record.id));
  const here = local.map((record): SyncEntry => {
    const { id, folder } = record;
    const other = remote.get(id ?? '') ?? null;
    const before = agreed[id ?? ''] ?? null;
    if (other === null) {
      const outcome = whereMissing('local', record.written, before);
      return { kind, outcome, id, folder, local: record.written, remote: null, fields: [] };
    }
    const written = takeOverSlugs(record.written, other);
    const takeOver = () => takeOverSlugs(record.takeOver(other), other);
    const { mergeBody } = record;
    const fields = mergeFields({ written, takeOver, remote: other, agreed: before, texts, mergeBody });
    return { kind, outcome: outcomeOf(fields), id, folder, local: written, remote: other, fields };
  });
  const there = Array.from(remote)
    .filter(([id]) => !localIds.has(id))
    .map(([id, other]): SyncEntry => {
      const outcome = whereMissing('remote', other, agreed[id] ?? null);
      return { kind, outcome, id, folder: null, local: null, remote: other, fields: [] };
    });
  return [...here, ...there];
}

/** The outcome of a record that only one side has. */
function whereMissing(side: 'local' | 'remote', record: Comparable, agreed: AgreedRecord | null): Outcome {
  if (agreed === null) return `${side}-new`;
  const before = side === 'remote' ? agreed.service : agreedFiles(agreed);
  const isUnchanged = isDeepStrictEqual(withSlugsOf(before, hashFieldsOf(record)), before);
  if (!isUnchanged) return 'conflict';
  return side === 'remote' ? 'local-deleted' : 'remote-deleted';
}

/** A slug that the files leave to the service is the one it made. */
function withSlugsOf(before: Fingerprint, now: Fingerprint): Fingerprint {
  return Object.fromEntries(
    Object.entries(now).map(([language, { slug = before[language]?.slug, ...fields }]) => [
      language,
      slug === undefined ? fields : { ...fields, slug },
    ]),
  );
}

function outcomeOf(fields: readonly MergedField[]): Outcome {
  const by = new Set(fields.map(({ changedBy }) => changedBy));
  if (by.has('both')) return 'conflict';
  if (by.has('merged')) return 'merged';
  if (by.has('folder')) return by.has('service') ? 'merged' : 'local-changed';
  return by.has('service') ? 'remote-changed' : 'same';
}

/** The record that a push makes of the service's: what the folder has changed, and nothing else. */
export function forService({ local, remote, fields }: SyncEntry): Comparable | null {
  return local === null || remote === null ? local : takeFields(remote, local, fields, 'folder');
}

/** The record that a pull makes of the folder's: what the service has changed, and nothing else. */
export function forFolder({ local, remote, fields }: SyncEntry): Comparable | null {
  return local === null || remote === null ? remote : takeFields(local, remote, fields, 'service');
}

/**
 * Lets one side win where both have changed: `ours` is the folder, `theirs` the service. What does not overlap is
 * merged still.
 */
export function decideConflicts(
  entries: readonly SyncEntry[],
  winner: 'ours' | 'theirs',
): readonly SyncEntry[] {
  return entries.map((entry): SyncEntry => {
    if (entry.outcome !== 'conflict') return entry;
    if (entry.local === null || entry.remote === null) {
      const won = winner === 'ours' ? entry.local : entry.remote;
      return {
        ...entry,
        outcome: `${winner === 'ours' ? 'local' : 'remote'}-${won === null ? 'deleted' : 'new'}`,
      };
    }
    const fields = entry.fields.map(
      (field): MergedField =>
        field.changedBy === 'both'
          ? { ...field, changedBy: winner === 'ours' ? 'folder' : 'service' }
          : field,
    );
    return { ...entry, fields, outcome: outcomeOf(fields) };
  });
}

/** Options of a push. */
export interface PushOptions {
  /** Delete at the service what was deleted in the folder. */
  readonly deletes: boolean;
  /** A field that changed on both sides becomes what the folder has. */
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
      outcome === 'merged' ||
      // The API cannot delete categories.
      (outcome === 'local-deleted' && deletes && kind === 'article'),
  );
  return [
    ...sortParentsFirst(acting.filter(({ kind }) => kind === 'category')),
    ...acting.filter(({ kind }) => kind === 'article'),
  ];
}

/**
 * A category is created after its parent; the others are in the order of the folder, which is that of a service's list.
 */
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
  // The remaining entries are a circle of parents, which the service refuses.
  return [...sorted, ...entries.filter((entry) => !sorted.has(entry))];
}
