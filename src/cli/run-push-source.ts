import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseSource } from '../core/config/load-config.ts';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { networkOf } from '../core/config/source-settings.ts';
import { countOf, countProblems } from '../core/count-of.ts';
import { LecternError } from '../core/errors.ts';
import { readVersion } from '../core/file-system.ts';
import { trustedCertificates } from '../core/net/trusted-certificates.ts';
import { countSeverities, type Problem } from '../core/problems.ts';
import { reportProblems } from '../core/report.ts';
import { splitList } from '../core/split-list.ts';
import { lockCache } from '../output/lock-cache.ts';
import { openFiles } from '../pipeline/open-media.ts';
import { openSource, sourceIdentity } from '../pipeline/open-source.ts';
import { createClient } from '../source/api/client.ts';
import { refuseConflicts } from '../sync/compare-sides.ts';
import { formatPlan } from '../sync/format-plan.ts';
import { listPushes, type SyncEntry } from '../sync/plan-sync.ts';
import { applyPush } from '../sync/push.ts';
import { readSourceContent } from '../sync/read-source-content.ts';
import { listPushProblems, listSourceProblems, openSourceSides } from '../sync/source-side.ts';
import { formatSkipped } from './format-report.ts';
import { interruptible } from './interrupt.ts';
import { printProblems } from './print-problems.ts';
import { readConfig } from './read-config.ts';
import { escapeControls, writeError, writeOutput } from './terminal.ts';

/** Flags of `lectern push --from`. */
interface SourceFlags {
  readonly from: string;
  readonly to: string | undefined;
  readonly 'dry-run': boolean;
  readonly ours: boolean;
  readonly 'embed-images': boolean;
  readonly state: string;
  readonly report: string | undefined;
  readonly config: string | undefined;
  readonly 'base-url': string | undefined;
  readonly 'default-language': string | undefined;
  readonly languages: string | undefined;
  readonly cache: string | undefined;
  readonly 'insecure-loopback': boolean | undefined;
}

/**
 * Runs `lectern push --from`: sends the public content of a source to the service.
 * @throws SYNC_TARGET_MISSING, SYNC_TARGET_SAME (exit 2), CONFLICT, SYNC_INCOMPLETE, and errors of reading and writing
 */
export function runPushSource(flags: SourceFlags): Promise<void> {
  return interruptible((signal) => runUntil(signal, flags));
}

async function runUntil(signal: AbortSignal, flags: SourceFlags): Promise<void> {
  const folder = process.cwd();
  const config = await loadSourceConfig(flags);
  const to = readTarget(flags.to, config);
  const from = sourceIdentity(config, folder) ?? '';
  const insecureLoopback = flags['insecure-loopback'] ?? false;
  const client = createClient({
    baseUrl: to,
    apiKey: readTargetKey(),
    ca: await trustedCertificates(config.tls, folder),
    insecureLoopback,
    network: networkOf(config.source),
  });
  const lock = await lockCache(resolve(folder, config.cache), resolve(folder, config.out), { signal });
  try {
    const { content, problems, skipped } = await readContent(config, flags, folder);
    const stateFile = resolve(folder, flags.state);
    const sides = await openSourceSides(client, content, { stateFile, from, baseUrl: to }).catch(
      nameTargetKey,
    );
    const entries = sides.plan();
    const options = { deletes: false, ours: flags.ours, signal };
    const planned = listPushes(entries, options);
    const conflicts = flags.ours ? [] : entries.filter(({ outcome }) => outcome === 'conflict');
    writeOutput(formatPlan([...planned, ...conflicts], 'service'));
    sayKept(entries);
    if (flags['dry-run']) {
      await report({ skipped, problems: [...problems, ...listSourceProblems(sides)] }, flags, folder);
      say(`${countOf(planned.length, 'record')} would be created or changed`);
      return refuseConflicts(conflicts, sourceAndService);
    }
    const done = await applyPush(client, sides, options);
    const found = [...problems, ...listSourceProblems(sides), ...listPushProblems(sides, done)];
    await report({ skipped, problems: found }, flags, folder);
    say(`${countOf(done.created.length, 'record')} created, ${countOf(done.changed, 'record')} changed`);
    if (done.refused.length > 0) {
      throw new LecternError(
        'SYNC_INCOMPLETE',
        `the service refused ${countOf(done.refused.length, 'record')}`,
        {
          hint: 'correct them in the source, and run the command again',
        },
      );
    }
    refuseConflicts(conflicts, sourceAndService);
  } finally {
    lock?.release();
    await client.close();
  }
}

const sourceAndService = {
  sides: 'the source and the service',
  hint: 'pass --ours to send the whole fields of the source, or edit one side to match the other',
};

async function loadSourceConfig(flags: SourceFlags): Promise<ResolvedConfig> {
  const config = await readConfig(flags.config, {
    source: parseSource(flags.from),
    baseUrl: flags['base-url'],
    defaultLanguage: flags['default-language'],
    languages: flags.languages === undefined ? undefined : splitList(flags.languages),
    cache: flags.cache,
  });
  // Articles that are missing in the source stay in the service, so a large loss does no harm.
  const source = { ...config.source, maxDropPercent: 100 };
  return { ...config, source };
}

function readTarget(to: string | undefined, config: ResolvedConfig): string {
  if (to === undefined) {
    throw new LecternError('SYNC_TARGET_MISSING', '--to is missing', {
      hint: 'pass --to with the URL of a knowledge-base API, ending in /v1',
      exitCode: 2,
    });
  }
  const target = to.replace(/\/+$/, '');
  if (config.source.kind === 'api' && config.baseUrl?.replace(/\/+$/, '') === target) {
    throw new LecternError('SYNC_TARGET_SAME', `${target} is both the source and the service to push to`, {
      hint: 'choose another service with --to or --base-url',
      exitCode: 2,
    });
  }
  return target;
}

function readTargetKey(): string {
  const key = process.env.LECTERN_TO_API_KEY ?? '';
  if (key !== '') return key;
  throw new LecternError('API_KEY_MISSING', 'LECTERN_TO_API_KEY is not set', {
    hint: 'set it to a key with write access to the service; LECTERN_API_KEY is the key of the source',
    exitCode: 2,
  });
}

/** Adds which of the two keys was refused; the client does not know. */
function nameTargetKey(error: unknown): never {
  if (!(error instanceof LecternError) || error.code !== 'UNAUTHORIZED') throw error;
  throw new LecternError('UNAUTHORIZED', error.message, {
    hint: 'check LECTERN_TO_API_KEY: the service rejects it',
    cause: error,
  });
}

async function readContent(config: ResolvedConfig, flags: SourceFlags, folder: string) {
  const insecureLoopback = flags['insecure-loopback'] ?? false;
  // Separate from the snapshot of builds, which may have another source.
  const own = { ...config, cache: join(config.cache, 'push') };
  const source = await openSource(own, {
    apiKey: process.env.LECTERN_API_KEY || null,
    folder,
    offline: false,
    allowMassDelete: false,
    insecureLoopback,
    generator: `lectern ${readVersion()}`,
  });
  const { fetcher } = await openFiles(config, { folder, offline: false, insecureLoopback });
  try {
    const isZendesk = config.source.kind === 'zendesk' && config.baseUrl !== undefined;
    return await readSourceContent(source, {
      origins: {
        hosts: [...config.content.hosts, ...(isZendesk ? [new URL(config.baseUrl ?? '').origin] : [])],
        siteUrl: config.siteUrl ?? null,
        apiUrl: config.baseUrl ?? null,
      },
      embedImages: flags['embed-images'],
      files: fetcher,
      concurrency: networkOf(config.source).concurrency,
    });
  } finally {
    await fetcher?.close();
    await source.close();
  }
}

/** Prints the records that the push does not change. */
function sayKept(entries: readonly SyncEntry[]): void {
  const kept = [
    ['remote-changed', 'changed in the service since the last push (not overwritten)'],
    ['remote-deleted', 'deleted in the service since the last push (not created again)'],
    ['local-deleted', 'no longer in the source (not deleted in the service)'],
  ] as const;
  for (const [outcome, what] of kept) {
    const count = entries.filter((entry) => entry.outcome === outcome).length;
    if (count > 0) say(`${countOf(count, 'record')} ${what}`);
  }
}

interface SourceFindings {
  /** Articles and translations that are not pushed, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly problems: readonly Problem[];
}

async function report(
  { skipped, problems }: SourceFindings,
  flags: SourceFlags,
  folder: string,
): Promise<void> {
  const key = process.env.LECTERN_API_KEY || null;
  const reported = reportProblems(problems, key);
  printProblems('stderr', reported);
  const { error, warning } = countSeverities(reported);
  if (error + warning > 0) say(countProblems({ error, warning, info: 0 }));
  const counts = formatSkipped(skipped);
  if (counts !== '') say(`Skipped: ${counts}`);
  if (flags.report === undefined) return;
  const json = JSON.stringify({ schema: 'lectern.sync-report/1', skipped, problems: reported }, null, 2);
  try {
    await writeFile(resolve(folder, flags.report), `${escapeControls(json)}\n`);
  } catch (cause) {
    throw new LecternError('REPORT_UNWRITABLE', `the report ${flags.report} cannot be written`, {
      hint: 'choose another file with --report',
      cause,
    });
  }
}

function say(sentence: string): void {
  writeError(`${sentence}\n`);
}
