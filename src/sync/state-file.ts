import { dirname, join } from 'node:path';
import { LecternError } from '../core/errors.ts';
import { makeFolder, readTextFile, writeFileAtomically } from '../core/file-system.ts';
import { z } from '../core/schema.ts';
import { readJsonOrNull, syncStateFile } from '../source/folder/read-folder.ts';
import { writeFile } from '../source/folder/write-record.ts';
import type { Comparable, RecordKind } from './comparable.ts';
import { agreeOn } from './merge-fields.ts';
import type { SyncEntry } from './plan-sync.ts';

const fingerprints = z.record(z.string(), z.record(z.string(), z.string()));
const agreedRecord = z.object({ service: fingerprints, files: fingerprints.optional() });
const agreedRecords = z.record(z.string(), agreedRecord);

/** What is known of the records of a source, which have no files in which a service's ids could stand. */
const sourceState = z.object({
  /** Identity of the source. */
  from: z.string(),
  /** Id in the source → id in the service. */
  ids: z.object({ article: z.record(z.string(), z.string()), category: z.record(z.string(), z.string()) }),
  /** Records whose creation was announced but not confirmed, by their ids in the source. */
  creating: z.array(z.object({ kind: z.enum(['article', 'category']), source: z.string() })),
  /** Ids that the service had at the announcement: none of them is a record created since. */
  existing: z.object({ article: z.array(z.string()), category: z.array(z.string()) }),
});

const stateSchema = z.object({
  version: z.literal(2),
  /** Base URL and account of the last sync. */
  baseUrl: z.string(),
  accountId: z.string(),
  articles: agreedRecords,
  categories: agreedRecords,
  /** Sub-folders without a page, such as those with what a pull left of deleted records: no later sync takes them for lost records. */
  withoutPages: z.array(z.string()).readonly().optional(),
  /** Absent: the other side is the folder of the state. */
  source: sourceState.optional(),
});

export type SourceState = z.infer<typeof sourceState>;

/** State of the last sync: hashes of the values that both sides agreed on, by record id. */
export type SyncState = z.infer<typeof stateSchema>;

/**
 * Reads the state that a pull or push wrote to the folder. Empty if there is none, or if it belongs to another knowledge base: then every
 * differing record is a conflict, and nothing is lost.
 * @param accountId of the service, `''` if unknown
 */
export function readState(root: string, baseUrl: string, accountId: string): SyncState {
  const empty: SyncState = { version: 2, baseUrl, accountId, articles: {}, categories: {} };
  const state = stateSchema.safeParse(readJsonOrNull(join(root, syncStateFile))).data;
  if (state === undefined) return empty;
  const isKnown = accountId !== '' && state.accountId !== '';
  const isSame = isKnown ? accountId === state.accountId : baseUrl === state.baseUrl;
  if (!isSame) return empty;
  return { ...state, baseUrl, accountId: accountId || state.accountId };
}

/**
 * Reads the state of a push from a source; a new one if there is no file.
 * @param from identity of the source
 * @throws SYNC_STATE_FOREIGN, SYNC_STATE_INVALID (exit 2): without the ids in it, records would be created twice
 */
export function readSourceState(path: string, from: string, baseUrl: string): SyncState {
  const text = readTextOrNull(path);
  if (text === null) {
    const source = {
      from,
      ids: { article: {}, category: {} },
      creating: [],
      existing: { article: [], category: [] },
    };
    return { version: 2, baseUrl, accountId: '', articles: {}, categories: {}, source };
  }
  const state = stateSchema.safeParse(parseJson(text)).data;
  if (state?.source === undefined) throw invalidState(path, 'it is not the state of a push from a source');
  if (state.source.from === from && state.baseUrl === baseUrl) return state;
  throw new LecternError(
    'SYNC_STATE_FOREIGN',
    `${path} belongs to a push from ${state.source.from} to ${state.baseUrl}, not from ${from} to ${baseUrl}`,
    { hint: 'choose another file with --state', exitCode: 2 },
  );
}

/** Writes it atomically. @throws SYNC_STATE_UNWRITABLE */
export function writeSourceState(path: string, state: SyncState): void {
  try {
    makeFolder(dirname(path));
    writeFileAtomically(path, [formatState(state)]);
  } catch (cause) {
    throw new LecternError('SYNC_STATE_UNWRITABLE', `${path} cannot be written`, {
      hint: 'choose another file with --state; without it, the next push could create records twice',
      cause,
    });
  }
}

function readTextOrNull(path: string): string | null {
  try {
    return readTextFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw invalidState(path, 'it cannot be read', error);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function invalidState(path: string, why: string, cause?: unknown): LecternError {
  return new LecternError('SYNC_STATE_INVALID', `${path} cannot be used: ${why}`, {
    hint: 'restore it (without it, articles are created twice), or choose another file with --state',
    exitCode: 2,
    cause,
  });
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
  writeFile(join(root, syncStateFile), formatState(state));
}

/** One line per record, sorted by id, so that Git diffs show which records changed. */
function formatState({ articles, categories, withoutPages = [], ...scalars }: SyncState): string {
  const rest = withoutPages.length === 0 ? scalars : { ...scalars, withoutPages };
  const head = Object.entries(rest).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  const body = [
    head.join(',\n'),
    formatRecords('articles', articles),
    formatRecords('categories', categories),
  ];
  return `{\n${body.join(',\n')}\n}\n`;
}

function formatRecords(name: string, records: SyncState['articles']): string {
  const lines = Object.entries(records)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, record]) => `    ${JSON.stringify(id)}: ${JSON.stringify(record)}`);
  return lines.length === 0 ? `  "${name}": {}` : `  "${name}": {\n${lines.join(',\n')}\n  }`;
}
