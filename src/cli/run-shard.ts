import { relative } from 'node:path';
import type { ShardNumber, ShardReport } from '../build/build-shard.ts';
import type { FetchReport } from '../build/fetch-snapshot.ts';
import { readVersion } from '../build/read-version.ts';
import { loadConfig } from '../config/load-config.ts';
import { countOf } from '../foundation/count-of.ts';
import { LecternError } from '../foundation/errors.ts';
import { reportProblems } from '../foundation/report.ts';
import { formatProblems } from './format-problems.ts';
import { interruptible } from './interrupt.ts';
import { usageError } from './parser/command.ts';
import { reportFailure } from './reports/report-failure.ts';
import { type BuildCommandLine, formatWait, startProgress } from './run-build.ts';
import { textWidth, writeError, writeOutput, writePainted } from './terminal.ts';

/** Flags of `lectern build` that matter to a shard. */
interface ShardFlags {
  readonly shard: string | undefined;
  readonly previous: string | undefined;
  readonly since: string | undefined;
  readonly offline: boolean | undefined;
}

/**
 * Runs `lectern build --shard`: renders one shard and prints what it holds.
 * @throws USAGE, FLAG_INCOMPLETE (exit 2), and whatever stopped the run
 */
export async function runShard(commandLine: BuildCommandLine, flags: ShardFlags): Promise<void> {
  const shard = parseShard(flags.shard);
  if (flags.offline !== true) {
    throw new LecternError('FLAG_INCOMPLETE', '--shard is given without --offline', {
      hint: 'run lectern fetch once, and build all shards from that snapshot with --offline',
      exitCode: 2,
    });
  }
  if (Object.values(commandLine.files).some((file) => file !== undefined)) {
    throw usageError('--shard writes no report', 'pass the report flags to lectern merge');
  }
  const { since, previous } = flags;
  const report = await run(commandLine, async (context) => {
    const { buildShard } = await import('../build/build-shard.ts');
    return buildShard(context.config, {
      ...context.options,
      shard,
      ...(since === undefined ? {} : { since }),
      ...(previous === undefined ? {} : { previous }),
    });
  });
  if (commandLine.json) writeOutput(`${JSON.stringify(report)}\n`);
  else if (!commandLine.quiet) writeOutput(formatShard(report));
}

/** Runs `lectern fetch`: writes the snapshot and prints what it holds. @throws whatever stopped the run */
export async function runFetch(
  commandLine: BuildCommandLine,
  switches: { readonly allowMassDelete: boolean; readonly insecureLoopback: boolean },
): Promise<void> {
  const apiKey = process.env.LECTERN_API_KEY || null;
  const report = await run(commandLine, async ({ config, options }) => {
    const { fetchSnapshot } = await import('../build/fetch-snapshot.ts');
    return fetchSnapshot(config, { ...options, ...switches, apiKey });
  });
  const problems = reportProblems(report.problems, apiKey);
  if (commandLine.json) writeOutput(`${JSON.stringify({ ...report, problems })}\n`);
  if (commandLine.json || commandLine.quiet) return;
  const width = textWidth();
  if (problems.length > 0)
    writePainted('stdout', (paint) => `${formatProblems(problems, width, paint).join('\n')}\n`);
  writeOutput(formatFetch(report));
}

type Run = Awaited<ReturnType<typeof openRun>>;

/** Runs something with configuration and progress; a failure is printed as JSON where the flags say so. */
async function run<T>(commandLine: BuildCommandLine, act: (run: Run) => Promise<T>): Promise<T> {
  const { json, files } = commandLine;
  const progress = startProgress(commandLine);
  try {
    return await interruptible(async (signal) => act(await openRun(commandLine, signal, progress.update)));
  } catch (error) {
    progress.end();
    const { env: environment } = process;
    const context = { files, folder: process.cwd(), json, environment, writeOutput, writeError };
    await reportFailure({ error, out: null, problems: [] }, context);
    throw error;
  } finally {
    progress.end();
  }
}

async function openRun(
  commandLine: BuildCommandLine,
  signal: AbortSignal,
  onProgress: ReturnType<typeof startProgress>['update'],
) {
  const folder = process.cwd();
  const { config: file, settings: flags } = commandLine;
  return {
    config: await loadConfig({ file, environment: process.env, flags, folder }),
    options: {
      folder,
      signal,
      onProgress,
      generator: `lectern ${await readVersion()}`,
      onWait: (message: string) => writeError(formatWait(message, commandLine)),
    },
  };
}

/** `3/8`. */
function parseShard(text: string | undefined): ShardNumber {
  if (text === undefined)
    throw usageError('--previous is given without --shard', 'pass both, or use --since');
  const [, number = '0', count = '0'] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const shard = { number: Number(number), count: Number(count) };
  if (shard.number >= 1 && shard.number <= shard.count) return shard;
  throw usageError(
    `--shard must be NUMBER/TOTAL with NUMBER from 1 to TOTAL, not ${JSON.stringify(text)}`,
    'for example --shard 3/8: the third of eight',
  );
}

function formatShard({
  shard,
  shards,
  out,
  partitions,
  renderedPartitions,
  renderedPages,
}: ShardReport): string {
  const reused = partitions - renderedPartitions;
  const rest = reused === 0 ? '' : `, ${countOf(reused, 'partition')} up to date`;
  return `shard ${shard} of ${shards}: ${countOf(renderedPages, 'page')} in ${countOf(renderedPartitions, 'partition')}${rest}\nShard     ${shownPath(out)}\n`;
}

function formatFetch({ folder, articles, languages, skipped }: FetchReport): string {
  const perLanguage = Object.entries(languages)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([language, count]) => `${language} ${count}`);
  const reasons = Object.entries(skipped).map(([reason, count]) => `${count} ${reason}`);
  return [
    `${countOf(articles, 'public article')}: ${perLanguage.join(', ')}`,
    ...(reasons.length === 0 ? [] : [`Skipped: ${reasons.join(', ')}`]),
    `Snapshot  ${shownPath(folder)}`,
    '',
  ].join('\n');
}

function shownPath(path: string): string {
  return relative(process.cwd(), path) || '.';
}
