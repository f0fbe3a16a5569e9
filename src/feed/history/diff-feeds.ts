import { LecternError } from '../../core/errors.ts';
import type { ReadFeedFile } from '../read/feed-reader.ts';
import { type Manifest, recordPath } from '../read/manifest.ts';
import { chunkRecord, documentRecord } from '../records/record-schemas.ts';
import { readManifest, readRecords } from './read-previous-feed.ts';

/** The compared fields; the records may be from another version of Lectern. */
const knownDocument = documentRecord.pick({ id: true });
const knownChunk = chunkRecord.pick({ id: true, hash: true });

/** Steps that bring a consumer from one state of a feed to another. Ids are sorted. */
export interface FeedDiff {
  readonly from: number;
  readonly to: number;
  /** Where the consumer learns this from: the changes, or the whole feed if the changes do not go back far enough. */
  readonly by: 'nothing' | 'changes' | 'snapshot';
  readonly documents: { readonly upsert: readonly string[]; readonly delete: readonly string[] };
  readonly chunks: {
    /** New, or with different text: the consumer has to embed them. */
    readonly embed: readonly string[];
    readonly delete: readonly string[];
    readonly kept: number;
  };
}

/** Tells what a consumer of `readOld` has to do after `readNew` is published. Throws `FEED_PREVIOUS_INVALID` if a feed is damaged. */
export async function diffFeeds(readOld: ReadFeedFile, readNew: ReadFeedFile): Promise<FeedDiff> {
  const [before, after] = [await openManifest(readOld, 'older'), await openManifest(readNew, 'newer')];
  const [from, to] = [before.run.seq, after.run.seq];
  const first = after.changes?.first ?? to + 1;
  const canFollow = before.run.feed_id === after.run.feed_id && from <= to && from >= first - 1;
  const documents = compare(await readDocuments(readOld, before), await readDocuments(readNew, after));
  const chunks = compare(await chunkHashes(readOld, before), await chunkHashes(readNew, after));
  return {
    ...{ from, to, by: canFollow ? (from === to ? 'nothing' : 'changes') : 'snapshot' },
    documents: { upsert: documents.changed, delete: documents.gone },
    chunks: { embed: chunks.changed, delete: chunks.gone, kept: chunks.kept },
  };
}

async function openManifest(read: ReadFeedFile, which: 'older' | 'newer'): Promise<Manifest> {
  const manifest = await readManifest(read);
  if (manifest !== null) return manifest;
  throw new LecternError('FEED_INVALID', `there is no feed/manifest.json in the ${which} site`, {
    hint: 'pass the folder or the URL of a published site',
  });
}

async function readDocuments(read: ReadFeedFile, manifest: Manifest): Promise<ReadonlyMap<string, string>> {
  const lines = new Map<string, string>();
  for (const { language } of manifest.languages) {
    const path = recordPath(language, 'documents');
    for await (const [{ id }, line] of readRecords(read, manifest, path, knownDocument)) lines.set(id, line);
  }
  return lines;
}

async function chunkHashes(read: ReadFeedFile, manifest: Manifest): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const { language } of manifest.languages) {
    const path = recordPath(language, 'chunks');
    for await (const [{ id, hash }] of readRecords(read, manifest, path, knownChunk)) hashes.set(id, hash);
  }
  return hashes;
}

function compare(old: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>) {
  const changed = [...now].filter(([id, value]) => old.get(id) !== value).map(([id]) => id);
  return {
    changed: changed.sort(),
    gone: [...old.keys()].filter((id) => !now.has(id)).sort(),
    kept: now.size - changed.length,
  };
}
