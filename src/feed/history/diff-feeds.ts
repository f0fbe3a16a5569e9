import { LecternError } from '../../foundation/errors.ts';
import type { ReadFeedFile } from '../feed-reader.ts';
import { type Manifest, recordFiles } from '../manifest.ts';
import { parseJsonLines } from '../records/json-lines.ts';
import { type ChangeRecord, changeRecord, chunkRecord, documentRecord } from '../records/record-schemas.ts';
import { readListed, readManifest } from './read-previous-feed.ts';
import { changesPath } from './write-history.ts';

/** The compared fields; the records may be from another version of Lectern. */
const knownDocument = documentRecord.pick({ id: true, hash: true, meta_hash: true });
const knownChunk = chunkRecord.pick({ id: true, hash: true });

/** Steps that bring a consumer from one state of a feed to another. Ids are sorted. */
export interface FeedDiff {
  readonly from: number;
  readonly to: number;
  /** Where the consumer learns this from: the changes, or the whole feed if the changes do not go back far enough. */
  readonly by: 'nothing' | 'changes' | 'snapshot';
  readonly documents: Readonly<Record<ChangeRecord['op'], readonly string[]>>;
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
  const canFollow = before.run.feed_id === after.run.feed_id && from <= to && from >= after.changes.first - 1;
  const by = canFollow ? (from === to ? 'nothing' : 'changes') : 'snapshot';
  const ops = canFollow
    ? await latestOps(readNew, after, from)
    : await compareSnapshots(readOld, before, readNew, after);
  return {
    from,
    to,
    by,
    documents: {
      upsert: idsOf(ops, 'upsert'),
      move: idsOf(ops, 'move'),
      rechunk: idsOf(ops, 'rechunk'),
      touch: idsOf(ops, 'touch'),
      delete: idsOf(ops, 'delete'),
    },
    chunks: compareChunks(await chunkHashes(readOld, before), await chunkHashes(readNew, after)),
  };
}

async function openManifest(read: ReadFeedFile, which: 'older' | 'newer'): Promise<Manifest> {
  const manifest = await readManifest(read);
  if (manifest !== null) return manifest;
  throw new LecternError('FEED_MISSING', `there is no feed/manifest.json in the ${which} site`, {
    hint: 'pass the folder or the URL of a published site',
  });
}

/** Combines several runs: the last operation counts, but an upsert followed by a move is an upsert, and a touch adds nothing. */
async function latestOps(
  read: ReadFeedFile,
  manifest: Manifest,
  from: number,
): Promise<ReadonlyMap<string, ChangeRecord['op']>> {
  const ops = new Map<string, ChangeRecord['op']>();
  for (let seq = from + 1; seq <= manifest.run.seq; seq += 1) {
    for (const line of parseJsonLines(await readListed(read, manifest, changesPath(seq)))) {
      const { id, op } = changeRecord.parse(line);
      ops.set(id, combine(ops.get(id), op));
    }
  }
  return ops;
}

function combine(before: ChangeRecord['op'] | undefined, op: ChangeRecord['op']): ChangeRecord['op'] {
  if (before === undefined || before === op || op === 'delete' || before === 'touch') return op;
  return op === 'touch' && before !== 'delete' ? before : 'upsert';
}

async function compareSnapshots(
  readOld: ReadFeedFile,
  before: Manifest,
  readNew: ReadFeedFile,
  after: Manifest,
): Promise<ReadonlyMap<string, ChangeRecord['op']>> {
  const old = await documentHashes(readOld, before);
  const now = await documentHashes(readNew, after);
  const ops = new Map<string, ChangeRecord['op']>();
  for (const id of old.keys()) if (!now.has(id)) ops.set(id, 'delete');
  for (const [id, hashes] of now) if (old.get(id) !== hashes) ops.set(id, 'upsert');
  return ops;
}

async function documentHashes(read: ReadFeedFile, manifest: Manifest): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const { language } of manifest.languages) {
    for (const { path } of recordFiles(manifest, language, 'documents')) {
      for (const line of parseJsonLines(await readListed(read, manifest, path))) {
        const { id, hash, meta_hash } = knownDocument.parse(line);
        hashes.set(id, `${hash} ${meta_hash}`);
      }
    }
  }
  return hashes;
}

async function chunkHashes(read: ReadFeedFile, manifest: Manifest): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const { language } of manifest.languages) {
    for (const { path } of recordFiles(manifest, language, 'chunks')) {
      for (const line of parseJsonLines(await readListed(read, manifest, path))) {
        const { id, hash } = knownChunk.parse(line);
        hashes.set(id, hash);
      }
    }
  }
  return hashes;
}

function compareChunks(
  old: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): FeedDiff['chunks'] {
  const embed = [...now].filter(([id, hash]) => old.get(id) !== hash).map(([id]) => id);
  return {
    embed: embed.sort(),
    delete: [...old.keys()].filter((id) => !now.has(id)).sort(),
    kept: now.size - embed.length,
  };
}

function idsOf(ops: ReadonlyMap<string, ChangeRecord['op']>, wanted: ChangeRecord['op']): readonly string[] {
  return [...ops]
    .filter(([, op]) => op === wanted)
    .map(([id]) => id)
    .sort();
}
