import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { openFeed } from '../build/open-feed.ts';
import { readVersion } from '../build/read-version.ts';
import { loadConfig } from '../config/load-config.ts';
import { type ExportReport, exportFeed } from '../export/export-feed.ts';
import type { TargetName } from '../export/target-names.ts';
import { targets } from '../export/targets.ts';
import { isUrl } from '../feed/feed-reader.ts';
import { countProblems } from '../foundation/count-of.ts';
import { LecternError } from '../foundation/errors.ts';
import { countSeverities } from '../foundation/problems.ts';
import { putBack } from '../output/swap.ts';
import { formatProblems } from './format-problems.ts';
import { interruptible } from './interrupt.ts';
import { usageError } from './parser/usage-error.ts';
import { textWidth, writeOutput, writePainted } from './terminal.ts';

/** What the command line says of an export. */
export interface ExportFlags {
  readonly site: string | undefined;
  readonly to: TargetName | undefined;
  readonly out: string | undefined;
  readonly cursor: string | undefined;
  readonly collection: string;
  readonly prefix: string | undefined;
  readonly languages: string | undefined;
  readonly strict: boolean;
  readonly config: string | undefined;
  readonly json: boolean;
}

/** Runs `lectern export`: prints what the export holds and every limit that was met. */
export async function runExport(flags: ExportFlags): Promise<void> {
  const { to: target, out, collection, strict } = flags;
  if (target === undefined) throw usageError('--to is missing', 'name a platform, e.g. --to openai');
  if (out === undefined)
    throw usageError('--out is missing', 'name a folder for the export, e.g. --out export');
  const folder = process.cwd();
  const prefix = readPrefix(target, flags.prefix);
  if (!/^[a-z][a-z0-9_]{0,47}$/.test(collection)) {
    throw usageError(
      `--collection ${collection} is not a name that every platform takes`,
      'use at most 48 lower-case letters, digits and underscores, a letter first',
    );
  }
  const cursor = flags.cursor === undefined ? null : resolve(folder, flags.cursor);
  if (cursor !== null && `${cursor}${sep}`.startsWith(`${resolve(folder, out)}${sep}`)) {
    throw usageError('the cursor would lie in the folder that is replaced', 'keep it beside --out');
  }
  const readConfig = () => loadConfig({ file: flags.config, environment: process.env, flags: {}, folder });
  const place = flags.site ?? (await readConfig()).out;
  await refuseMissing(place, folder);
  const site = await openFeed(isUrl(place) ? place : resolve(folder, place), readConfig, folder);
  try {
    const report = await interruptible(async (signal) =>
      exportFeed(site, {
        target,
        out: resolve(folder, out),
        cursor,
        collection,
        prefix,
        languages: (flags.languages ?? '').split(',').filter(Boolean).sort(),
        generator: `lectern ${await readVersion()}`,
        strict,
        signal,
      }),
    );
    if (flags.json) writeOutput(`${JSON.stringify(report)}\n`);
    else
      writePainted('stdout', (paint) =>
        [summaryOf(report), ...formatProblems(report.problems, textWidth(), paint), ''].join('\n'),
      );
  } finally {
    await site.close();
  }
}

function summaryOf({ target, seq, full, upserts, updates, deletes, problems }: ExportReport): string {
  const changes = [`upsert ${upserts}`, ...(updates > 0 ? [`update ${updates}`] : []), `delete ${deletes}`];
  const found = countProblems(countSeverities(problems));
  return [
    `${targets[target].product}, ${full ? 'everything' : 'changes'} up to run ${seq}: ${changes.join(', ')}`,
    ...(found === '' ? [] : [found]),
  ].join('\n');
}

function readPrefix(target: TargetName, given = ''): string {
  const { prefix: use, prefixPattern } = targets[target];
  const prefix = given.replace(/\/+$/, '');
  if (use === 'none' && prefix !== '') {
    throw usageError(`--prefix has no meaning for --to ${target}`, 'leave it out');
  }
  const [pattern, example] = prefixPattern ?? [/^(?!\/)[^\s]*$/, 'help/articles'];
  if ((use === 'required' && prefix === '') || !pattern.test(prefix)) {
    throw usageError(
      `--to ${target} needs to know where its files will lie`,
      `give the folder you will copy them to, e.g. --prefix ${example}`,
    );
  }
  return prefix;
}

async function refuseMissing(place: string, folder: string): Promise<void> {
  if (isUrl(place)) return;
  await putBack(resolve(folder, place));
  if (existsSync(resolve(folder, place))) return;
  throw new LecternError('FOLDER_MISSING', `there is no folder ${place}`, {
    hint: 'give the folder of a published site, e.g. dist, or its https address',
    exitCode: 2,
  });
}
