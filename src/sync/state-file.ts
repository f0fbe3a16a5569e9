import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readJsonOrNull, syncStateFile } from '../folder/read-folder.ts';
import { writeFile } from '../folder/write-record.ts';
import { z } from '../foundation/schema.ts';
import { type Comparable, type Fingerprint, hashValue, type TextHashes } from './comparable.ts';
import { agreeOn } from './merge-fields.ts';
import type { SyncEntry } from './plan-sync.ts';

const fingerprints = z.record(z.string(), z.record(z.string(), z.string()));
/** The agreed state of a record in the state file. */
export const agreedRecord = z.object({ service: fingerprints, files: fingerprints.optional() });
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

/** State of the last sync: the values that both sides agreed on, by record id. */
export type SyncState = z.infer<typeof stateSchema> & {
  /** The agreed values that are known, and others. */
  readonly texts: TextHashes;
};

/** Only improves merging. Without this file, or with one of another state, more conflicts are shown, and only whole fields are merged. */
const textsName = '.lectern-base.gz';
/** Maximum characters of all texts together, and of one; longer ones are not stored. */
const mostCharacters = { inAll: 64_000_000, inOne: 1_000_000 };

/**
 * Reads the state that a pull or push wrote to the folder. Empty if there is none, or if it belongs to another knowledge base: then every
 * differing record is a conflict, and nothing is lost.
 * @param accountId of the service, `''` if unknown
 */
export function readState(root: string, baseUrl: string, accountId: string): SyncState {
  const empty: SyncState = { version: 2, baseUrl, accountId, articles: {}, categories: {}, texts: new Map() };
  const state = stateSchema.safeParse(readJsonOrNull(join(root, syncStateFile))).data;
  if (state === undefined) return empty;
  const isKnown = accountId !== '' && state.accountId !== '';
  const isSame = isKnown ? accountId === state.accountId : baseUrl === state.baseUrl;
  if (!isSame) return empty;
  return { ...state, baseUrl, accountId: accountId || state.accountId, texts: readTexts(root) };
}

/** Maximum size of the decompressed file: a character needs at most four bytes. */
const mostTextBytes = 4 * mostCharacters.inAll;

const textList = z.array(z.tuple([z.string(), z.string()]));

function readTexts(root: string): TextHashes {
  try {
    const json = gunzipSync(readFileSync(join(root, textsName)), { maxOutputLength: mostTextBytes });
    const texts = textList.parse(JSON.parse(json.toString()));
    return new Map(texts.filter(([hash, text]) => hashValue(text) === hash));
  } catch {
    return new Map();
  }
}

/** Writes the texts that a state refers to, shortest first, until the limit is reached. */
function writeTexts(root: string, { articles, categories, texts }: SyncState): void {
  const hashes = new Set<string>();
  const add = (fingerprint: Fingerprint = {}): void => {
    for (const fields of Object.values(fingerprint))
      for (const hash of Object.values(fields)) hashes.add(hash);
  };
  for (const { service, files } of [...Object.values(articles), ...Object.values(categories)]) {
    add(service);
    add(files);
  }
  let left = mostCharacters.inAll;
  const kept = [...texts]
    .filter(([hash, { length }]) => hashes.has(hash) && length <= mostCharacters.inOne)
    .sort(([one, a], [two, b]) => a.length - b.length || (one < two ? -1 : 1))
    .filter(([, { length }]) => {
      left -= length;
      return left >= 0;
    });
  writeFile(join(root, textsName), gzipSync(JSON.stringify(kept)));
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
  if (id !== null) records[id] = agreeOn(records[id] ?? null, fields, carried, now, state.texts);
}

/** The agreed records of a kind. */
export function recordsOf(state: SyncState, kind: SyncEntry['kind']): SyncState['articles'] {
  return kind === 'article' ? state.articles : state.categories;
}

/** Writes the state to the folder, one line per record, sorted by id, so that Git diffs show which records changed. */
export function writeState(root: string, state: SyncState): void {
  const { articles, categories, withoutPages = [], texts: _, ...scalars } = state;
  const rest = withoutPages.length === 0 ? scalars : { ...scalars, withoutPages };
  writeTexts(root, state);
  const head = Object.entries(rest).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  const body = [
    head.join(',\n'),
    formatRecords('articles', articles),
    formatRecords('categories', categories),
  ];
  writeFile(join(root, syncStateFile), `{\n${body.join(',\n')}\n}\n`);
}

function formatRecords(name: string, records: SyncState['articles']): string {
  const lines = Object.entries(records)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, record]) => `    ${JSON.stringify(id)}: ${JSON.stringify(record)}`);
  return lines.length === 0 ? `  "${name}": {}` : `  "${name}": {\n${lines.join(',\n')}\n  }`;
}
