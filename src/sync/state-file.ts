import { join } from 'node:path';
import { z } from '../core/schema.ts';
import { formatStable } from '../core/stable-json.ts';
import { readStateFile, syncStateFile } from '../source/folder/list-folder.ts';
import type { RecordKind } from '../source/folder/record-ids.ts';
import { writeFile } from '../source/folder/write-record.ts';
import type { Comparable } from './comparable.ts';
import { agreeOn } from './merge-fields.ts';
import type { SyncEntry } from './plan-sync.ts';

const fingerprints = z.record(z.string(), z.record(z.string(), z.string()));
const agreedRecord = z.object({ service: fingerprints, files: fingerprints.optional() });
const agreedRecords = z.record(z.string(), agreedRecord);

const stateSchema = z.object({
  version: z.literal(2),
  /** Base URL and account of the last sync. */
  baseUrl: z.string(),
  accountId: z.string(),
  articles: agreedRecords,
  categories: agreedRecords,
  /** Sub-folders without a page, such as those with what a pull left of deleted records: no later sync takes them for lost records. */
  withoutPages: z.array(z.string()).readonly().optional(),
});

/** State of the last sync: hashes of the values that both sides agreed on, by record id. */
export type SyncState = z.infer<typeof stateSchema>;

/**
 * Reads the state that a pull or push wrote to the folder. Empty if there is none, or if it belongs to another knowledge base: then every
 * differing record is a conflict, and nothing is lost.
 * @param accountId of the service, `''` if unknown
 * @throws what `readStateFile` throws
 */
export function readState(root: string, baseUrl: string, accountId: string): SyncState {
  const empty: SyncState = { version: 2, baseUrl, accountId, articles: {}, categories: {} };
  const state = stateSchema.safeParse(readStateFile(join(root, syncStateFile))).data;
  if (state === undefined) return empty;
  const isKnown = accountId !== '' && state.accountId !== '';
  const isSame = isKnown ? accountId === state.accountId : baseUrl === state.baseUrl;
  if (!isSame) return empty;
  return { ...state, baseUrl, accountId: accountId || state.accountId };
}

/** The state, with all records added that are equal on both sides. */
export function agreedState(state: SyncState, entries: readonly SyncEntry[]): SyncState {
  const agreed = { ...state, articles: { ...state.articles }, categories: { ...state.categories } };
  for (const entry of entries) {
    const { outcome, local, remote } = entry;
    if (outcome !== 'same' || local === null || remote === null) continue;
    noteAgreed(agreed, entry, 'folder', { written: local, remote });
  }
  return agreed;
}

/**
 * Records what a push (`folder`) or a pull (`service`) transferred.
 * @param now both sides afterwards; `written` is the state of the files
 */
export function noteAgreed(
  state: SyncState,
  { kind, id, fields }: Pick<SyncEntry, 'kind' | 'id' | 'fields'>,
  carried: 'folder' | 'service',
  now: { readonly written: Comparable; readonly remote: Comparable },
): void {
  const records = recordsOf(state, kind);
  if (id !== null) records[id] = agreeOn(records[id] ?? null, fields, carried, now);
}

/** The agreed records of a kind. */
export function recordsOf(state: SyncState, kind: RecordKind): SyncState['articles'] {
  return kind === 'article' ? state.articles : state.categories;
}

/** Writes the state to the folder. */
export function writeState(root: string, state: SyncState): void {
  const { articles, categories, withoutPages = [], ...scalars } = state;
  const folders = withoutPages.length === 0 ? {} : { withoutPages };
  writeFile(join(root, syncStateFile), formatStable({ ...scalars, ...folders, articles, categories }));
}
