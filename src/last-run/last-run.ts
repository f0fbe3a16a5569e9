import { hash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeFolder } from '../output/describe-folder.ts';
import { isAsStamped } from '../output/folder-stamp.ts';
import type { SettledTree } from '../output/settle-tree.ts';
import type { OutputMemory } from '../output/staging.ts';
import { type BuildReport, reportSchema } from '../report.ts';
import { z } from '../schema.ts';
import { checkSnapshot } from '../source/snapshot/check-snapshot.ts';
import { describeEngine, stampEngine } from './engine.ts';

/** What is remembered of a run, so that the next one sees when there is nothing to do. */
const lastRunSchema = z.strictObject({
  format: z.literal('lectern-last-run'),
  version: z.literal(2),
  /** Of everything the output was made of. */
  fingerprint: z.string(),
  /** Of everything but the knowledge base. */
  inputs: z.string(),
  /** Checksum of the snapshot the knowledge base came from, where it tells the whole knowledge base. */
  snapshot: z.string().nullable(),
  /** What `describeEngine` and `stampEngine` said. */
  engine: z.strictObject({ description: z.string(), stamp: z.string() }),
  /** Of the index of copied images and files, after the run. */
  copies: z.string().nullable(),
  /** Something was copied, or could not be: only another try shows whether that is still so. */
  hasCopies: z.boolean(),
  /** Of the output as it was left: what `describeFolder` says, and what is seen sooner. */
  output: z.string(),
  outputStamp: z.strictObject({ names: z.string(), sha256: z.string() }).nullable(),
  report: reportSchema,
});

/** Where a run remembers, absolute. */
export interface RunPlace {
  readonly cache: string;
  readonly out: string;
}

/** What a run was made of. */
export interface RunOrigin {
  readonly fingerprint: string;
  readonly inputs: string;
  readonly snapshot: string | null;
  readonly engine: { readonly description: string; readonly stamp: string };
}

type LastRun = z.output<typeof lastRunSchema>;

const file = 'last-run.json';

/** Where runs remember the files of an output, for `openStaging`. */
export function outputMemory(cache: string): OutputMemory {
  return { record: join(cache, 'last-output'), spare: join(cache, 'spare-output') };
}

/**
 * The report of the last run when it was made of the same and its output stands as it was left; else `null`. A record
 * that is damaged, of another version or of another output is no record.
 * @param offline copied files are as the cache has them, and need not be asked for again
 */
export function recallRun(place: RunPlace, fingerprint: string, offline: boolean): BuildReport | null {
  const record = readRecord(place);
  if (record?.fingerprint !== fingerprint) return null;
  if (record.hasCopies && !offline) return null;
  return isOutputAsLeft(place, record) ? { ...record.report, out: place.out } : null;
}

/**
 * The same for an offline run, without opening its source: the snapshot is the one of the last run to the byte.
 * @param fingerprintInputs fingerprints what the run is made of besides the knowledge base, for an engine
 */
export function recallOfflineRun(
  place: RunPlace,
  fingerprintInputs: (engine: string) => string,
): BuildReport | null {
  const record = readRecord(place);
  if (record === null || record.snapshot === null) return null;
  const engine = record.engine.stamp === stampEngine() ? record.engine.description : describeEngine();
  if (record.inputs !== fingerprintInputs(engine)) return null;
  if (record.snapshot !== checkSnapshot(place.cache)) return null;
  return isOutputAsLeft(place, record) ? { ...record.report, out: place.out } : null;
}

/** What a run reports whose output stands already. */
export function nothingToDo(last: BuildReport, compareFiles: boolean): BuildReport {
  return { ...last, changes: 0, changedFiles: compareFiles ? { added: [], changed: [], removed: [] } : null };
}

/** Remembers a run whose output was just swapped in. A cache that cannot be written only costs the next run its time. */
export function rememberRun(
  { cache }: Pick<RunPlace, 'cache'>,
  { fingerprint, inputs, snapshot, engine }: RunOrigin,
  { report, hasCopies, output: { description: output, stamp: outputStamp } }: RememberedRun,
): void {
  const record = {
    format: 'lectern-last-run',
    version: 2,
    fingerprint,
    inputs,
    snapshot,
    engine,
    copies: describeCopies(cache),
    hasCopies,
    output,
    outputStamp,
    report,
  };
  const partial = join(cache, `${file}.${process.pid}.partial`);
  try {
    writeFileSync(partial, `${JSON.stringify(record)}\n`);
    renameSync(partial, join(cache, file));
  } catch {
    return;
  }
}

/** What a run made. */
export interface RememberedRun {
  readonly report: BuildReport;
  readonly hasCopies: boolean;
  /** As it was swapped in. */
  readonly output: Pick<SettledTree, 'description' | 'stamp'>;
}

function readRecord({ cache }: RunPlace): LastRun | null {
  const record = lastRunSchema.safeParse(readJson(join(cache, file)));
  return record.success ? record.data : null;
}

/** Times of folders do not survive every copy of an output, and only make this quicker. */
function isOutputAsLeft({ cache, out }: RunPlace, { copies, output, outputStamp }: LastRun): boolean {
  if (copies !== describeCopies(cache)) return false;
  if (outputStamp !== null && isAsStamped(out, outputStamp)) return true;
  return output === describeFolder(out, 'size and time');
}

function describeCopies(cache: string): string | null {
  try {
    return hash('sha256', readFileSync(join(cache, 'media/index.json')));
  } catch {
    return null;
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
