import { isDeepStrictEqual } from 'node:util';
import { getOrMake } from '../core/group-by.ts';
import type { RecordKind } from '../source/folder/record-ids.ts';
import { type Comparable, copyMissingSlugs, type Fingerprint, hashFieldsOf } from './comparable.ts';
import { type AgreedRecord, agreedFiles, type MergedField, mergeFields, takeFields } from './merge-fields.ts';

/** A record of the folder. */
interface LocalRecord {
  /** `null` until the service has assigned an id. */
  readonly id: string | null;
  readonly folder: string;
  /** The record as in its files; a Markdown body is rendered to HTML. */
  readonly written: Comparable;
  /** Like `written`, but with the service's body if the Markdown equals what a pull makes of it. */
  readonly withServiceBodies: (remote: Comparable) => Comparable;
}

/** Which side changed a record since the last sync. */
type Outcome =
  | 'same'
  /** Only the folder changed: a push sends it. */
  | 'local-new'
  | 'local-changed'
  | 'local-deleted'
  /** Only the service changed: a pull writes it. */
  | 'remote-new'
  | 'remote-changed'
  | 'remote-deleted'
  /** Both changed different fields or languages: a push sends the folder's changes, a pull writes the service's. */
  | 'merged'
  /** Both changed the same field to different values, or one side deleted what the other changed. */
  | 'conflict';

export interface SyncEntry {
  readonly kind: RecordKind;
  readonly outcome: Outcome;
  readonly id: string | null;
  /** Subfolder of the record; `null` if the folder does not have it. */
  readonly folder: string | null;
  readonly local: Comparable | null;
  readonly remote: Comparable | null;
  /** Comparison of the fields, if both sides have the record. */
  readonly fields: readonly MergedField[];
}

/** Both sides of one kind of record, and their last agreed state, by id. */
interface SyncInput {
  readonly kind: RecordKind;
  readonly agreed: Readonly<Record<string, AgreedRecord>>;
  readonly local: readonly LocalRecord[];
  readonly remote: ReadonlyMap<string, Comparable>;
}

/** Three-way comparison of folder, service and last sync; pure. The result is in the order of the folder, then of the service. */
export function planSync({ kind, agreed, local, remote }: SyncInput): readonly SyncEntry[] {
  const localIds = new Set(local.map((record) => record.id));
  const here = local.map((record): SyncEntry => {
    const { id, folder } = record;
    const other = remote.get(id ?? '') ?? null;
    const before = agreed[id ?? ''] ?? null;
    if (other === null) {
      const outcome = whereMissing('local', record.written, before);
      return { kind, outcome, id, folder, local: record.written, remote: null, fields: [] };
    }
    const written = copyMissingSlugs(record.written, other);
    const withServiceBodies = () => copyMissingSlugs(record.withServiceBodies(other), other);
    const fields = mergeFields({ written, withServiceBodies, remote: other, agreed: before });
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

/** A slug that is missing in the files is the one that the service generated. */
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
  if (by.has('folder')) return by.has('service') ? 'merged' : 'local-changed';
  return by.has('service') ? 'remote-changed' : 'same';
}

/** The service's record after a push: with the folder's changes, and nothing else. */
export function forService({ local, remote, fields }: SyncEntry): Comparable | null {
  return local === null || remote === null ? local : takeFields(remote, local, fields, 'folder');
}

/** The folder's record after a pull: with the service's changes, and nothing else. */
export function forFolder({ local, remote, fields }: SyncEntry): Comparable | null {
  return local === null || remote === null ? remote : takeFields(local, remote, fields, 'service');
}

/**
 * Lets one side win conflicts: `ours` is the folder, `theirs` the service. The winner's value replaces the whole field, e.g. the body of a
 * language with all its paragraphs. The other fields and languages are still merged.
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
  /** Delete articles on the service that were deleted in the folder. */
  readonly deletes: boolean;
  /** Resolves conflicts in favour of the folder, whose values replace whole fields. */
  readonly ours?: boolean;
  /** Stops the push after the current record; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** The entries that a push changes, in its order: a category comes before its content. */
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

/** A category is created after its parent; the others are in the order of the folder, which is that of a service's list. */
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
    if (keys.has(parent)) getOrMake(waiting, parent, () => []).push(entry);
    else add(entry);
  }
  // The remaining entries have circular parents, which the service refuses.
  return [...sorted, ...entries.filter((entry) => !sorted.has(entry))];
}
