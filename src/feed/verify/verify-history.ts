import type { ReadFeedFile } from '../feed-reader.ts';
import { changesPath } from '../history/write-history.ts';
import type { Manifest } from '../manifest.ts';
import { type ChangeRecord, changeRecord, tombstoneRecord } from '../records/change-record.ts';
import type { ReportFinding } from './findings.ts';
import { parseRecords } from './findings.ts';
import type { KnownDocuments } from './verify-chunks.ts';

/** Operations that say that the content is what it was. */
const keepsContent: ReadonlySet<ChangeRecord['op']> = new Set(['move', 'rechunk', 'touch']);

/** What a touch says about a document, as one string. */
export function touchOf(updatedAt: string | undefined, isOutdated: boolean | undefined): string {
  return JSON.stringify([updatedAt ?? null, isOutdated]);
}

/** Verifies that changes and tombstones lead to the documents there are. */
export async function verifyHistory(
  manifest: Manifest,
  read: ReadFeedFile,
  { hashes: documents, touches }: Pick<KnownDocuments, 'hashes' | 'touches'>,
  report: ReportFinding,
): Promise<void> {
  const { first, last } = manifest.changes;
  const { seq } = manifest.run;
  if (last !== seq || first > last) {
    report('SEQUENCE_WRONG', 'feed/manifest.json', `changes go from ${first} to ${last} in run ${seq}`);
  }
  for (const { path } of manifest.files) {
    const [, run] = /^feed\/changes\/(\d+)\.jsonl$/.exec(path) ?? [];
    if (run !== undefined && (Number(run) < first || Number(run) > last)) {
      report('SEQUENCE_WRONG', path, `it is not one of the runs ${first} to ${last}`);
    }
  }
  const latest = new Map<string, ChangeRecord>();
  for (let run = first; run <= last; run += 1) {
    const path = changesPath(run);
    const bytes = await read(path);
    for (const change of bytes === null ? [] : parseRecords(bytes, changeRecord, path, manifest, report)) {
      const before = latest.get(change.id);
      const isSame =
        before === undefined || (before.op === 'delete' ? undefined : before.hash) === change.previous_hash;
      if (!isSame || (before === undefined && first === 1 && change.previous_hash !== undefined)) {
        report('SEQUENCE_WRONG', path, `previous_hash of ${change.id} is not the hash before`);
      }
      if (keepsContent.has(change.op) && change.hash !== change.previous_hash) {
        report('SEQUENCE_WRONG', path, `its ${change.op} of ${change.id} changes the content`);
      }
      const hasFilters = change.updated_at !== undefined || change.translation_outdated !== undefined;
      if (hasFilters && change.op !== 'touch') {
        report('SEQUENCE_WRONG', path, `its ${change.op} of ${change.id} has fields of a touch`);
      }
      if (change.seq !== run) report('SEQUENCE_WRONG', path, `${change.id} says it is of run ${change.seq}`);
      latest.set(change.id, change);
    }
  }
  for (const [id, change] of latest) {
    if (change.op === 'delete' ? documents.has(id) : documents.get(id) !== change.hash) {
      report(
        'SEQUENCE_WRONG',
        changesPath(change.seq),
        `its ${change.op} of ${id} does not lead to the document there is`,
      );
    }
  }
  for (const [id, { op, seq: run, updated_at, translation_outdated }] of latest) {
    // Feeds of earlier versions do not say it.
    if (op !== 'touch' || translation_outdated === undefined) continue;
    if (touches.get(id) !== touchOf(updated_at, translation_outdated)) {
      report('SEQUENCE_WRONG', changesPath(run), `its touch of ${id} does not lead to the document there is`);
    }
  }
  if (first === 1) {
    for (const id of documents.keys()) {
      if (!latest.has(id)) report('SEQUENCE_WRONG', changesPath(1), `no run added ${id}`);
    }
  }
  await verifyTombstones(manifest, read, documents, latest, report);
}

async function verifyTombstones(
  manifest: Manifest,
  read: ReadFeedFile,
  documents: ReadonlyMap<string, string>,
  latest: ReadonlyMap<string, ChangeRecord>,
  report: ReportFinding,
): Promise<void> {
  const path = 'feed/tombstones.jsonl';
  const bytes = await read(path);
  const buried = new Set<string>();
  let last = '';
  for (const { id, deleted_seq, reason, last_hash } of bytes === null
    ? []
    : parseRecords(bytes, tombstoneRecord, path, manifest, report)) {
    if (buried.has(id)) report('ID_WRONG', path, `${id} occurs twice`);
    buried.add(id);
    if (id < last) report('ORDER_WRONG', path, `${id} is out of order`);
    last = id;
    const change = latest.get(id);
    if (
      change?.op === 'delete' &&
      (change.seq !== deleted_seq || change.reason !== reason || change.previous_hash !== last_hash)
    ) {
      report('TOMBSTONE_WRONG', path, `${id} differs from the changes of run ${change.seq}`);
    }
    if (change === undefined && deleted_seq >= manifest.changes.first) {
      report('TOMBSTONE_WRONG', path, `no run deleted ${id}`);
    }
    if (documents.has(id)) report('TOMBSTONE_WRONG', path, `${id} is in the feed`);
    if (deleted_seq > manifest.run.seq) report('SEQUENCE_WRONG', path, `${id} is deleted in a future run`);
  }
  for (const [id, { op }] of latest) {
    if (op === 'delete' && !buried.has(id))
      report('TOMBSTONE_WRONG', path, `${id} was deleted and has no tombstone`);
  }
}
