import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ExportReport } from '../../consumers/export/export-feed.ts';
import type { PushReport } from '../../consumers/export/push/push-feed.ts';
import type { Connect, PushVendor } from '../../consumers/export/push/vendor.ts';
import { type Target, type TargetName, targetNames } from '../../consumers/export/target.ts';
import type { ResolvedConfig } from '../../core/config/schema.ts';
import { countOf, countProblems } from '../../core/count-of.ts';
import { LecternError } from '../../core/errors.ts';
import { readVersion } from '../../core/file-system.ts';
import { countSeverities } from '../../core/problems.ts';
import { splitList } from '../../core/split-list.ts';
import { defineCommand, type FlagValues, usageError } from '../command.ts';
import { configFlag } from '../flags.ts';
import { interruptible } from '../interrupt.ts';
import { printProblems } from '../print-problems.ts';
import { openSite, readConfig } from '../read-config.ts';
import { writeOutput } from '../terminal.ts';

const options = {
  to: { type: 'string', choices: targetNames, describe: 'Platform' },
  out: { type: 'string', describe: 'Output folder; the export replaces it' },
  cursor: {
    type: 'string',
    describe: 'With --push: file that notes what the platform has',
  },
  push: {
    type: 'boolean',
    default: false,
    describe: 'Send the changes to the platform; keys come from environment variables',
  },
  'dry-run': { type: 'boolean', default: false, describe: 'With --push: only say what would be sent' },
  collection: {
    type: 'string',
    default: 'help',
    describe: 'Name of the index, collection, class, namespace or table',
  },
  'allow-mass-delete': {
    type: 'boolean',
    default: false,
    describe: 'With --push: send a loss of more than 20% of the documents since the last',
  },
  languages: { type: 'string', describe: 'Languages, e.g. en,de (default all)' },
  strict: { type: 'boolean', default: false, describe: 'Fail if an item exceeds a limit of the platform' },
  config: configFlag,
  json: { type: 'boolean', default: false, describe: 'Print the result as JSON' },
} as const;

/** Flags of `lectern export`, and its argument. */
export type ExportFlags = FlagValues<typeof options> & { readonly feed: string | undefined };

/** `lectern export`: the feed in the format of a chatbot platform. */
export const exportCommand = defineCommand({
  positionals: {
    feed: { describe: 'Published folder, or URL of the published site (default: the output folder)' },
  },
  options,
  examples: [
    ['lectern export dist --to pgvector --out export', 'Everything, for an empty table'],
    ['lectern export dist --to qdrant --push --cursor qdrant.jsonl --dry-run', 'What a push would send'],
  ],
  run: runExport,
});

/** Runs `lectern export`: prints the content of the export, or of the push, and every exceeded limit. */
export async function runExport(flags: ExportFlags): Promise<void> {
  const { to: target, collection, strict } = flags;
  if (target === undefined) throw usageError('--to is missing', 'choose a platform, e.g. --to openai');
  const { targets } = await import('../../consumers/export/targets.ts');
  const folder = process.cwd();
  const { pushVendors } = await import('../../consumers/export/push/vendors.ts');
  const destination = readDestination(target, pushVendors, flags, folder);
  if (!/^[a-z][a-z0-9_]{0,47}$/.test(collection)) {
    throw usageError(
      `--collection ${collection} is not a valid name on every platform`,
      'use at most 48 lower-case letters, digits and underscores, and begin with a letter',
    );
  }
  const location = flags.feed ?? (await readConfig(flags.config)).out;
  const report = await interruptible(async (signal) => {
    const site = await openSite(location, flags.config, signal);
    try {
      const settings = {
        target,
        collection,
        languages: splitList(flags.languages ?? '').sort(),
        strict,
        signal,
      };
      if (destination.kind === 'files') {
        const { exportFeed } = await import('../../consumers/export/export-feed.ts');
        return await exportFeed(site, { ...settings, out: destination.out });
      }
      const { pushFeed } = await import('../../consumers/export/push/push-feed.ts');
      return await pushFeed(site, {
        ...settings,
        vendor: destination.vendor,
        cursor: destination.cursor,
        generator: `lectern ${readVersion()}`,
        allowMassDelete: flags['allow-mass-delete'],
        dryRun: flags['dry-run'],
        environment: process.env,
        connect: await openConnect(await readConfig(flags.config), folder, signal),
        sleep: (ms) => setTimeout(ms, undefined, { signal }),
      });
    } finally {
      await site.close();
    }
  });
  if (flags.json) writeOutput(`${JSON.stringify(report)}\n`);
  else {
    const summary =
      'destination' in report ? pushSummaryOf(report, targets[target]) : summaryOf(report, targets[target]);
    writeOutput(`${summary}\n`);
    printProblems('stdout', report.problems, 'lectern export --json prints all of them.');
  }
  const refused = report.problems.filter(({ code }) => code === 'PUSH_ITEM_REFUSED').length;
  if (refused > 0) {
    throw new LecternError('PUSH_REFUSED', `${countOf(refused, 'item')} of the push were refused`, {
      hint: 'correct the causes listed above; the next push sends these items again',
    });
  }
}

/** Where an export goes. */
type Destination =
  | { readonly kind: 'files'; readonly out: string }
  | { readonly kind: 'push'; readonly cursor: string; readonly vendor: PushVendor };

/** @throws USAGE */
function readDestination(
  target: TargetName,
  vendors: Readonly<Partial<Record<TargetName, PushVendor>>>,
  flags: ExportFlags,
  folder: string,
): Destination {
  const { push, out, cursor } = flags;
  if (push) {
    if (out !== undefined) throw usageError('--push writes no files', 'remove --out, or --push');
    const vendor = vendors[target];
    if (vendor === undefined) {
      throw usageError(
        `--push does not know ${target}`,
        `write files with --out, or choose one of ${Object.keys(vendors).join(', ')}`,
      );
    }
    if (cursor !== undefined) return { kind: 'push', cursor: resolve(folder, cursor), vendor };
    throw usageError(
      '--push needs --cursor: a file for its state',
      `choose a file that stays between runs, e.g. --cursor ${target}.jsonl`,
    );
  }
  const pushOnly = ['cursor', 'dry-run', 'allow-mass-delete'] as const;
  const given = pushOnly.find((name) => flags[name]);
  if (given !== undefined)
    throw usageError(`--${given} is only used with --push`, `add --push, or remove --${given}`);
  if (out === undefined) {
    throw usageError('--out is missing', 'choose a folder for the export, e.g. --out export, or pass --push');
  }
  return { kind: 'files', out: resolve(folder, out) };
}

/** Platforms are asked like the source: with the same proxies, certificates, timeouts and retries. */
async function openConnect(
  { source, tls }: Pick<ResolvedConfig, 'source' | 'tls'>,
  folder: string,
  signal: AbortSignal,
): Promise<Connect> {
  const { createHttp } = await import('../../core/net/http.ts');
  const { networkOf } = await import('../../core/config/source-settings.ts');
  const { trustedCertificates } = await import('../../core/net/trusted-certificates.ts');
  const ca = await trustedCertificates(tls, folder);
  return (settings) => createHttp({ ...networkOf(source), ca, insecureLoopback: true, signal, ...settings });
}

function pushSummaryOf(
  { seq, isDryRun, resumed, upserts, updates, deletes, destination, problems }: PushReport,
  { product }: Target,
): string {
  const counts = [countOf(upserts, 'upsert'), countOf(updates, 'update'), countOf(deletes, 'delete')];
  const found = countProblems(countSeverities(problems));
  return [
    ...(resumed ? [`${isDryRun ? 'Would continue' : 'Continued'} a push that was interrupted`] : []),
    `${product}, ${destination}`,
    `${isDryRun ? 'Would push' : 'Pushed'} run ${seq}: ${counts.join(', ')}`,
    ...(found === '' ? [] : [found]),
  ].join('\n');
}

function summaryOf({ seq, upserts, problems }: ExportReport, { product }: Target): string {
  const found = countProblems(countSeverities(problems));
  return [`${product}, run ${seq}: ${countOf(upserts, 'item')}`, ...(found === '' ? [] : [found])].join('\n');
}
