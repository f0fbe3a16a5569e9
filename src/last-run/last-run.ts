import { hash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeFolder } from '../output/describe-folder.ts';
import type { WrittenFile } from '../output/output.ts';
import { rememberOutput } from '../output/remember-output.ts';
import { type BuildReport, reportSchema } from '../report.ts';
import { z } from '../schema.ts';

/** What is remembered of a run, so that the next one sees when there is nothing to do. */
const lastRunSchema = z.strictObject({
  format: z.literal('lectern-last-run'),
  version: z.literal(1),
  /** Of everything the output was made of. */
  fingerprint: z.string(),
  /** Of the index of copied images and files, after the run. */
  copies: z.string().nullable(),
  /** Something was copied, or could not be: only another try shows whether that is still so. */
  hasCopies: z.boolean(),
  /** Of the output as it was left. */
  output: z.string(),
  report: reportSchema,
});

/** Where a run remembers and what it stands for; folders are absolute. */
export interface RunPlace {
  readonly cache: string;
  readonly out: string;
  readonly fingerprint: string;
}

const file = 'last-run.json';

/** Where a run remembers the files of its output, for `openStaging`. */
export function lastOutputFile(cache: string): string {
  return join(cache, 'last-output');
}

/**
 * The report of the last run when it was made of the same and its output stands as it was left; else `null`. A record
 * that is damaged, of another version or of another output is no record.
 * @param offline copied files are as the cache has them, and need not be asked for again
 */
export function recallRun({ cache, out, fingerprint }: RunPlace, offline: boolean): BuildReport | null {
  const record = lastRunSchema.safeParse(readJson(join(cache, file)));
  if (!record.success || record.data.fingerprint !== fingerprint) return null;
  const { copies, hasCopies, output, report } = record.data;
  if (hasCopies && !offline) return null;
  if (copies !== describeCopies(cache) || output !== describeFolder(out, 'size and time')) return null;
  return { ...report, out };
}

/** Remembers a run whose output was just swapped in. A cache that cannot be written only costs the next run its time. */
export function rememberRun(
  { cache, out, fingerprint }: RunPlace,
  report: BuildReport,
  hasCopies: boolean,
  files: readonly WrittenFile[],
): void {
  const output = rememberOutput(out, lastOutputFile(cache), files);
  const copies = describeCopies(cache);
  const record = { format: 'lectern-last-run', version: 1, fingerprint, copies, hasCopies, output, report };
  const partial = join(cache, `${file}.${process.pid}.partial`);
  try {
    writeFileSync(partial, `${JSON.stringify(record)}\n`);
    renameSync(partial, join(cache, file));
  } catch {
    return;
  }
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
