import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFile } from '../folder/write-record.ts';
import { z } from '../foundation/schema.ts';
import { hashComparable } from './comparable.ts';
import type { SyncEntry } from './plan-sync.ts';

const fingerprints = z.record(z.string(), z.string());

const stateSchema = z.object({
  version: z.literal(1),
  /** Base URL and account of the last sync. */
  baseUrl: z.string(),
  accountId: z.string(),
  articles: fingerprints,
  categories: fingerprints,
  /** What the files of an article said, where the service has other HTML for its Markdown. */
  written: fingerprints.default({}),
});

/** State of the last sync: hashes of comparables by record id. */
export type SyncState = z.infer<typeof stateSchema>;

const fileName = '.lectern-sync.json';

/**
 * Reads the state a pull or push left in the folder; an empty one when there is none, or when it belongs to another
 * knowledge base: then every record that differs is a conflict, and nothing is lost.
 * @param accountId of the service, `''` when it is not known
 */
export function readState(root: string, baseUrl: string, accountId: string): SyncState {
  const empty: SyncState = { version: 1, baseUrl, accountId, articles: {}, categories: {}, written: {} };
  const state = stateSchema.safeParse(readJson(join(root, fileName))).data;
  if (state === undefined) return empty;
  const isKnown = accountId !== '' && state.accountId !== '';
  const isSame = isKnown ? accountId === state.accountId : baseUrl === state.baseUrl;
  return isSame ? { ...state, baseUrl, accountId: accountId || state.accountId } : empty;
}

/** The state with every record that is equal on both sides added. */
export function agreedState(state: SyncState, entries: readonly SyncEntry[]): SyncState {
  const agreed = {
    ...state,
    articles: { ...state.articles },
    categories: { ...state.categories },
    written: { ...state.written },
  };
  for (const { kind, id, outcome, remote, written } of entries) {
    if (outcome !== 'same' || id === null) continue;
    const fingerprints = kind === 'article' ? agreed.articles : agreed.categories;
    if (remote === null) delete fingerprints[id];
    else fingerprints[id] = hashComparable(remote);
    if (kind === 'article') noteWritten(agreed, id, written);
  }
  return agreed;
}

/** Notes what the files of an agreed article say; `null` when there are none. */
export function noteWritten(state: SyncState, id: string, written: string | null): void {
  if (written === null || written === state.articles[id]) delete state.written[id];
  else state.written[id] = written;
}

/** Writes the state to the folder, ids sorted. */
export function writeState(root: string, state: SyncState): void {
  const sorted = {
    ...state,
    articles: sortKeys(state.articles),
    categories: sortKeys(state.categories),
    written: sortKeys(state.written),
  };
  writeFile(join(root, fileName), `${JSON.stringify(sorted, null, 2)}\n`);
}

function sortKeys(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
