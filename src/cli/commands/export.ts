import { resolve, sep } from 'node:path';
import type { ExportReport } from '../../export/export-feed.ts';
import { type Target, type TargetName, targetNames } from '../../export/target.ts';
import { countOf, countProblems } from '../../foundation/count-of.ts';
import { readVersion } from '../../foundation/file-system.ts';
import { countSeverities } from '../../foundation/problems.ts';
import { checkOf, readTrust, type TrustFlags, trustOptions } from '../feed-trust.ts';
import { formatProblems } from '../format-report.ts';
import { interruptible } from '../interrupt.ts';
import { defineCommand, usageError } from '../parser/command.ts';
import { textWidth, writeOutput, writePainted } from '../terminal.ts';

/** `lectern export`: the feed in the format of a chatbot platform. */
export const exportCommand = defineCommand({
  positionals: {
    feed: { describe: 'Published folder, or URL of the published site (default: the output folder)' },
  },
  options: {
    to: { type: 'string', choices: targetNames, describe: 'Platform' },
    out: { type: 'string', describe: 'Output folder; the export replaces it' },
    cursor: {
      type: 'string',
      describe: 'File with the state of the last export; only changes since then are exported',
    },
    collection: {
      type: 'string',
      default: 'help',
      describe: 'Name of the index, collection, class, namespace or table',
    },
    prefix: {
      type: 'string',
      describe: 'Upload location: gs://bucket/folder (vertex), key prefix (bedrock)',
    },
    'allow-mass-delete': {
      type: 'boolean',
      default: false,
      describe: 'Export a loss of more than 20% of the documents since the last export',
    },
    ...trustOptions,
    languages: { type: 'string', describe: 'Languages, e.g. en,de (default all)' },
    strict: { type: 'boolean', default: false, describe: 'Fail if an item exceeds a limit of the platform' },
    config: {
      type: 'string',
      describe: 'Configuration file (default lectern.config.json)',
    },
    json: { type: 'boolean', default: false, describe: 'Print the result as JSON' },
  },
  examples: [
    ['lectern export dist --to pgvector --out export', 'Everything, for an empty table'],
    [
      'lectern export dist --to openai --out export --cursor cursor.json',
      'Only changes since the last export',
    ],
  ],
  run: runExport,
});

/** Flags of `lectern export`. */
export interface ExportFlags extends TrustFlags {
  readonly feed: string | undefined;
  readonly to: TargetName | undefined;
  readonly out: string | undefined;
  readonly cursor: string | undefined;
  readonly collection: string;
  readonly prefix: string | undefined;
  readonly 'allow-mass-delete': boolean;
  readonly languages: string | undefined;
  readonly strict: boolean;
  readonly config: string | undefined;
  readonly json: boolean;
}

/** Runs `lectern export`: prints the content of the export and every exceeded limit. */
export async function runExport(flags: ExportFlags): Promise<void> {
  const { to: target, out, collection, strict } = flags;
  if (target === undefined) throw usageError('--to is missing', 'choose a platform, e.g. --to openai');
  if (out === undefined)
    throw usageError('--out is missing', 'choose a folder for the export, e.g. --out export');
  const { openPublishedSite } = await import('../../pipeline/open-feed.ts');
  const { loadConfig } = await import('../../config/load-config.ts');
  const { exportFeed } = await import('../../export/export-feed.ts');
  const { targets } = await import('../../export/targets.ts');
  const folder = process.cwd();
  const prefix = readPrefix(target, targets[target], flags.prefix);
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
  const location = flags.feed ?? (await readConfig()).out;
  const trust = await readTrust(flags, location);
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
        generator: `lectern ${readVersion()}`,
        allowMassDelete: flags['allow-mass-delete'],
        check: await checkOf(trust, site.read),
        strict,
        signal,
      }),
    );
    if (flags.json) writeOutput(`${JSON.stringify(report)}\n`);
    else
      writePainted('stdout', (paint) =>
        [summaryOf(report, targets[target]), ...formatProblems(report.problems, textWidth(), paint), ''].join(
          '\n',
        ),
      );
  } finally {
    await site.close();
  }
}

function summaryOf(
  { seq, full, upserts, updates, deletes, problems }: ExportReport,
  { product }: Target,
): string {
  const changes = [
    countOf(upserts, 'upsert'),
    ...(updates > 0 ? [countOf(updates, 'update')] : []),
    countOf(deletes, 'delete'),
  ];
  const found = countProblems(countSeverities(problems));
  return [
    `${product}, ${full ? 'all items' : 'changes'} up to run ${seq}: ${changes.join(', ')}`,
    ...(found === '' ? [] : [found]),
  ].join('\n');
}

function readPrefix(target: TargetName, { prefix: use, prefixPattern }: Target, given = ''): string {
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
