import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { loadConfig, parseSource } from '../config/load-config.ts';
import type { ResolvedConfig } from '../config/schema.ts';
import { networkOf } from '../config/source-settings.ts';
import { applyCopy, openCopy } from '../copy/apply-copy.ts';
import { openCopyJournal } from '../copy/copy-journal.ts';
import { type CopyOptions, listCopies, listCopyProblems, planCopy } from '../copy/plan-copy.ts';
import { readCopyContent } from '../copy/read-copy-content.ts';
import { countOf, countProblems } from '../foundation/count-of.ts';
import { LecternError } from '../foundation/errors.ts';
import { readVersion } from '../foundation/file-system.ts';
import { countSeverities, type Problem } from '../foundation/problems.ts';
import { reportProblems } from '../foundation/report.ts';
import { lockCache } from '../output/lock-cache.ts';
import { openFiles } from '../pipeline/open-media.ts';
import { openSource, sourceIdentity } from '../pipeline/open-source.ts';
import { createClient } from '../source/client.ts';
import { trustedCertificates } from '../source/trusted-certificates.ts';
import { refuseConflicts } from '../sync/compare-sides.ts';
import { formatPlan } from '../sync/format-plan.ts';
import type { SyncEntry } from '../sync/plan-sync.ts';
import { formatProblems, formatSkipped } from './format-report.ts';
import { interruptible } from './interrupt.ts';
import { escapeControls, textWidth, writeError, writeOutput, writePainted } from './terminal.ts';

/** Flags of `lectern copy`. */
interface CopyFlags {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly yes: boolean;
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
 * Runs `lectern copy`: shows what would be created and changed in the target; with `--yes`, does it.
 * @throws COPY_TARGET_MISSING, COPY_TARGET_SAME (exit 2), CONFLICT, COPY_INCOMPLETE, and errors of reading and writing
 */
export function runCopy(flags: CopyFlags): Promise<void> {
  return interruptible((signal) => runUntil(signal, flags));
}

async function runUntil(signal: AbortSignal, flags: CopyFlags): Promise<void> {
  const folder = process.cwd();
  const config = await loadCopyConfig(flags, folder);
  const to = readTarget(flags.to, config);
  const from = sourceIdentity(config, folder) ?? '';
  const journal = openCopyJournal(resolve(folder, flags.state), from, to);
  const insecureLoopback = flags['insecure-loopback'] ?? false;
  const client = createClient({
    baseUrl: to,
    apiKey: readTargetKey(),
    ca: await trustedCertificates(config.tls.ca === undefined ? null : resolve(folder, config.tls.ca)),
    insecureLoopback,
    network: networkOf(config.source),
  });
  const lock = await lockCache(resolve(folder, config.cache), resolve(folder, config.out), { signal });
  try {
    const { content, problems, skipped } = await readContent(config, flags, folder);
    const sides = await openCopy(client, content, journal).catch(nameTargetKey);
    const entries = planCopy(sides);
    const options: CopyOptions = { ours: flags.ours, signal };
    const planned = listCopies(entries, options);
    const conflicts = flags.ours ? [] : entries.filter(({ outcome }) => outcome === 'conflict');
    writeOutput(formatPlan([...planned, ...conflicts], 'service'));
    sayKept(entries);
    if (flags['dry-run'] || !flags.yes) {
      await report({ skipped, problems: [...problems, ...listCopyProblems(sides)] }, flags, folder);
      say(`${countOf(planned.length, 'record')} would be created or changed; pass --yes to apply the plan`);
      return refuseConflicts(conflicts, sourceAndTarget);
    }
    const done = await applyCopy(client, sides, options);
    const found = [...problems, ...listCopyProblems(sides), ...done.problems];
    await report({ skipped, problems: found }, flags, folder);
    say(`${countOf(done.created, 'record')} created, ${countOf(done.updated, 'record')} changed`);
    const refused = done.problems.filter(({ code }) => code === 'COPY_REFUSED');
    if (refused.length > 0) {
      throw new LecternError('COPY_INCOMPLETE', `the target refused ${countOf(refused.length, 'record')}`, {
        hint: 'correct them in the source, and run lectern copy again',
      });
    }
    refuseConflicts(conflicts, sourceAndTarget);
  } finally {
    journal.close();
    lock?.release();
    await client.close();
  }
}

const sourceAndTarget = {
  sides: 'the source and the target',
  hint: 'run lectern copy --ours to send the whole fields of the source, or edit one side to match the other',
};

async function loadCopyConfig(flags: CopyFlags, folder: string): Promise<ResolvedConfig> {
  const config = await loadConfig({
    file: flags.config,
    environment: process.env,
    flags: {
      ...(flags.from === undefined ? {} : { source: parseSource(flags.from) }),
      baseUrl: flags['base-url'],
      defaultLanguage: flags['default-language'],
      languages: flags.languages?.split(',').map((language) => language.trim()),
      cache: flags.cache,
    },
    folder,
  });
  // Articles that are missing in the source stay in the target, so a large loss does no harm.
  const source = { ...config.source, maxDropPercent: 100 };
  return { ...config, source };
}

function readTarget(to: string | undefined, config: ResolvedConfig): string {
  if (to === undefined) {
    throw new LecternError('COPY_TARGET_MISSING', '--to is missing', {
      hint: 'pass --to with the URL of a knowledge-base API, ending in /v1',
      exitCode: 2,
    });
  }
  const target = to.replace(/\/+$/, '');
  if (config.source.kind === 'api' && config.baseUrl?.replace(/\/+$/, '') === target) {
    throw new LecternError('COPY_TARGET_SAME', `${target} is both source and target`, {
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
    hint: 'set it to a key with write access to the target; LECTERN_API_KEY is the key of the source',
    exitCode: 2,
  });
}

/** Adds which of the two keys was refused; the client does not know. */
function nameTargetKey(error: unknown): never {
  if (!(error instanceof LecternError) || error.code !== 'UNAUTHORIZED') throw error;
  throw new LecternError('UNAUTHORIZED', error.message, {
    hint: 'check LECTERN_TO_API_KEY: the target rejects it',
    cause: error,
  });
}

async function readContent(config: ResolvedConfig, flags: CopyFlags, folder: string) {
  const insecureLoopback = flags['insecure-loopback'] ?? false;
  // Separate from the snapshot of builds, which may have another source.
  const copied = { ...config, cache: join(config.cache, 'copy') };
  const source = await openSource(copied, {
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
    return await readCopyContent(source, {
      origins: {
        hosts: [...config.content.hosts, ...(isZendesk ? [new URL(config.baseUrl ?? '').origin] : [])],
        siteUrl: config.siteUrl ?? null,
        apiUrl: config.baseUrl ?? null,
      },
      embedImages: flags['embed-images'],
      files: fetcher,
      concurrency: config.media.concurrency,
    });
  } finally {
    await fetcher?.close();
    await source.close();
  }
}

/** Prints the records that a copy does not change. */
function sayKept(entries: readonly SyncEntry[]): void {
  const kept = [
    ['remote-changed', 'changed in the target since the last copy (not overwritten)'],
    ['remote-deleted', 'deleted in the target since the last copy (not created again)'],
    ['local-deleted', 'no longer in the source (not deleted in the target)'],
  ] as const;
  for (const [outcome, what] of kept) {
    const count = entries.filter((entry) => entry.outcome === outcome).length;
    if (count > 0) say(`${countOf(count, 'record')} ${what}`);
  }
}

interface CopyFindings {
  /** Articles and translations that are not copied, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly problems: readonly Problem[];
}

async function report({ skipped, problems }: CopyFindings, flags: CopyFlags, folder: string): Promise<void> {
  const key = process.env.LECTERN_API_KEY || null;
  const reported = reportProblems(problems, key);
  writePainted('stderr', (paint) =>
    formatProblems(reported, textWidth(), paint)
      .map((line) => `${line}\n`)
      .join(''),
  );
  const { error, warning } = countSeverities(reported);
  if (error + warning > 0) say(countProblems({ error, warning, info: 0 }));
  const counts = formatSkipped(skipped);
  if (counts !== '') say(`Skipped: ${counts}`);
  if (flags.report === undefined) return;
  const json = JSON.stringify({ schema: 'lectern.copy-report/1', skipped, problems: reported }, null, 2);
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
