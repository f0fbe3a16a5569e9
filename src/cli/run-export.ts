import { resolve, sep } from 'node:path';
import { openPublishedSite } from '../build/open-feed.ts';
import { readVersion } from '../build/read-version.ts';
import { loadConfig } from '../config/load-config.ts';
import { type ExportReport, exportFeed } from '../export/export-feed.ts';
import type { TargetName } from '../export/target-names.ts';
import { targets } from '../export/targets.ts';
import { countOf, countProblems } from '../foundation/count-of.ts';
import { countSeverities } from '../foundation/problems.ts';
import { formatProblems } from './format-problems.ts';
import { interruptible } from './interrupt.ts';
import { usageError } from './parser/command.ts';
import { textWidth, writeOutput, writePainted } from './terminal.ts';

/** What the command line says about an export. */
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
  if (target === undefined) throw usageError('--to is missing', 'choose a platform, e.g. --to openai');
  if (out === undefined)
    throw usageError('--out is missing', 'choose a folder for the export, e.g. --out export');
  const folder = process.cwd();
  const prefix = readPrefix(target, flags.prefix);
  if (!/^[a-z][a-z0-9_]{0,47}$/.test(collection)) {
    throw usageError(
      `--collection ${collection} is not a valid name on every platform`,
      'use at most 48 lower-case letters, digits and underscores, and begin with a letter',
    );
  }
  const cursor = flags.cursor === undefined ? null : resolve(folder, flags.cursor);
  if (cursor !== null && `${cursor}${sep}`.startsWith(`${resolve(folder, out)}${sep}`)) {
    throw usageError(
      'the cursor is inside the folder of --out, which the export replaces',
      'choose a path outside --out',
    );
  }
  const readConfig = () => loadConfig({ file: flags.config, environment: process.env, flags: {}, folder });
  const location = flags.site ?? (await readConfig()).out;
  const site = await openPublishedSite(location, readConfig, folder);
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
  const changes = [
    countOf(upserts, 'upsert'),
    ...(updates > 0 ? [countOf(updates, 'update')] : []),
    countOf(deletes, 'delete'),
  ];
  const found = countProblems(countSeverities(problems));
  return [
    `${targets[target].product}, ${full ? 'all items' : 'changes'} up to run ${seq}: ${changes.join(', ')}`,
    ...(found === '' ? [] : [found]),
  ].join('\n');
}

function readPrefix(target: TargetName, given = ''): string {
  const { prefix: use, prefixPattern } = targets[target];
  const prefix = given.replace(/\/+$/, '');
  if (use === 'none' && prefix !== '') {
    throw usageError(`--to ${target} takes no --prefix`, 'remove --prefix');
  }
  const [pattern, example] = prefixPattern ?? [/^(?!\/)[^\s]*$/, 'help/articles'];
  if ((use === 'required' && prefix === '') || !pattern.test(prefix)) {
    throw usageError(
      `--to ${target} needs --prefix: the location of the uploaded files`,
      `pass the folder that you upload to, e.g. --prefix ${example}`,
    );
  }
  return prefix;
}
