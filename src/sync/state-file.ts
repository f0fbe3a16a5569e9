import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFile } from '../folder/write-record.ts';
import { z } from '../foundation/schema.ts';
import type { Comparable } from './comparable.ts';
import { agreeOn } from './merge-fields.ts';
import type { SyncEntry } from './plan-sync.ts';

const fingerprints = z.record(z.string(), z.record(z.string(), z.string()));
/** What both sides agreed on, in files. */
export const agreedRecord = z.object({ service: fingerprints, files: fingerprints.optional() });
const agreedRecords = z.record(z.string(), agreedRecord);

const stateSchema = z.object({
  version: z.literal(2),
  /** Base URL and account of the last sync. */
  baseUrl: z.string(),
  accountId: z.string(),
  articles: agreedRecords,
  categories: agreedRecords,
});

/** State of the last sync: what both sides agreed on, by record id. */
export type SyncState = z.infer<typeof stateSchema>;

const fileName = '.lectern-sync.json';

/**
 * Reads the state a pull or push left in the folder; an empty one when there is none, or when it belongs to another
 * knowledge base: then every record that differs is a conflict, and nothing is lost.
 * @param accountId of the service, `''` when it is not known
 */
export function readState(root: string, baseUrl: string, accountId: string): SyncState {
  const empty: SyncState = { version: 2, baseUrl, accountId, articles: {}, categories: {} };
  const state = stateSchema.safeParse(readJson(join(root, fileName))).data;
  if (state === undefined) return empty;
  const isKnown = accountId !== '' && state.accountId !== '';
  const isSame = isKnown ? accountId === state.accountId : baseUrl === state.baseUrl;
  return isSame ? { ...state, baseUrl, accountId: accountId || state.accountId } : empty;
}

/** The state with every record that is equal on both sides added. */
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
 * Notes what a push (`folder`) or a pull (`service`) has carried over.
 * @param now both sides afterwards, `written` as the files say it
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
export function recordsOf(state: SyncState, kind: SyncEntry['kind']): SyncState['articles'] {
  return kind === 'article' ? state.articles : state.categories;
}

/** Writes the state to the folder, one line a record, ids sorted, so that a repository shows which records moved. */
export function writeState(root: string, { articles, categories, ...rest }: SyncState): void {
  const head = Object.entries(rest).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  const body = [
    head.join(',\n'),
    formatRecords('articles', articles),
    formatRecords('categories', categories),
  ];
  writeFile(join(root, fileName), `{\n${body.join(',\n')}\n}\n`);
}

function formatRecords(name: string, records: SyncState['articles']): string {
  const lines = Object.entries(records)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, record]) => `    ${JSON.stringify(id)}: ${JSON.stringify(record)}`);
  return lines.length === 0 ? `  "${name}": {}` : `  "${name}": {\n${lines.join(',\n')}\n  }`;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
