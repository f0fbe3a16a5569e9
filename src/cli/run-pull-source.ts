import { join, resolve } from 'node:path';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { isLocal, networkOf } from '../core/config/source-settings.ts';
import { countOf, countProblems } from '../core/count-of.ts';
import { LecternError } from '../core/errors.ts';
import { describeExclusions } from '../core/exclusions.ts';
import { readVersion } from '../core/file-system.ts';
import { countSeverities, type Problem } from '../core/problems.ts';
import { reportProblems } from '../core/report.ts';
import { isWithin } from '../core/user-folder.ts';
import { lockCache } from '../output/lock-cache.ts';
import { openFiles } from '../pipeline/open-media.ts';
import { openSource, sourceIdentity } from '../pipeline/open-source.ts';
import { readPublicContent } from '../pipeline/pull-source/public-content.ts';
import {
  applySourcePull,
  guardSourceRemovals,
  type PulledRecord,
  planSourcePull,
} from '../pipeline/pull-source/pull-source.ts';
import { bodyToMarkdown, type ToBodyForm } from '../source/folder/body-markdown.ts';
import type { Source } from '../source/source.ts';
import { conflictError } from '../sync/compare-sides.ts';
import { changeSigns } from '../sync/format-plan.ts';
import type { FlagValues } from './command.ts';
import { type pullFlags, settingsFromFlags } from './flags.ts';
import { formatCoverage } from './format-report.ts';
import { interruptible } from './interrupt.ts';
import { printProblems } from './print-problems.ts';
import { readConfig } from './read-config.ts';
import { writeReportFile } from './reports/write-report.ts';
import { escapeControls, say, writeOutput } from './terminal.ts';

/** Flags of `lectern pull --source`. */
type PullSourceFlags = FlagValues<typeof pullFlags> & { readonly dir: string; readonly source: string };

/**
 * Runs `lectern pull --source`: writes the public content of a source into a folder.
 * @throws CONFLICT, MASS_DELETE, SYNC_STATE_FOREIGN (exit 2), and errors of reading and writing
 */
export function runPullSource(flags: PullSourceFlags): Promise<void> {
  return interruptible((signal) => runUntil(signal, flags));
}

async function runUntil(signal: AbortSignal, flags: PullSourceFlags): Promise<void> {
  const folder = process.cwd();
  const config = await readConfig(flags.config, await settingsFromFlags(flags));
  const root = resolve(folder, flags.dir);
  if (isLocal(config.source)) refuseInside(resolve(folder, config.source.path), root);
  const lock = await lockCache(resolve(folder, config.cache), resolve(folder, config.out), { signal });
  try {
    const source = await openOwnSource(config, flags, folder, signal);
    try {
      const run = { source, config, flags, folder, root };
      if (config.source.kind === 'site') await pullSite(run, resolve(folder, config.source.path));
      else await pullRecords(run);
    } finally {
      await source.close();
    }
  } finally {
    lock?.release();
  }
}

interface PullRun {
  readonly source: Source;
  readonly config: ResolvedConfig;
  readonly flags: PullSourceFlags;
  /** Of the configuration. */
  readonly folder: string;
  /** The folder to write. */
  readonly root: string;
}

/** @throws PATH_UNUSABLE (exit 2) */
function refuseInside(source: string, root: string): void {
  if (!isWithin(source, root)) return;
  throw new LecternError('PATH_UNUSABLE', `${root} is in the folder of the source, ${source}`, {
    hint: 'choose another folder, because the next pull would read what this one writes',
    exitCode: 2,
  });
}

async function pullRecords(run: PullRun): Promise<void> {
  const { source, config, flags, folder, root } = run;
  const insecureLoopback = flags['insecure-loopback'];
  const { fetcher } = await openFiles(config, { folder, offline: false, insecureLoopback });
  try {
    const isZendesk = config.source.kind === 'zendesk' && config.baseUrl !== undefined;
    const { content, problems, skipped } = await readPublicContent(source, {
      origins: {
        hosts: [...config.content.hosts, ...(isZendesk ? [new URL(config.baseUrl ?? '').origin] : [])],
        siteUrl: config.siteUrl ?? null,
        apiUrl: config.baseUrl ?? null,
      },
      embedImages: flags['embed-images'],
      files: fetcher,
      concurrency: networkOf().concurrency,
    });
    const toForm: ToBodyForm = (body, language) => bodyToMarkdown(body, config.content, language);
    const from = sourceIdentity(config, folder) ?? '';
    const pull = planSourcePull(root, from, content, toForm, flags.theirs);
    await carryOut(run, {
      noun: 'record',
      changes: pull.records.flatMap(changeOf),
      kept: pull.records.filter(({ outcome }) => outcome === 'edited' || outcome === 'deleted').length,
      skipped,
      problems: [...problems, ...pull.problems],
      guard: () => guardSourceRemovals(pull),
      apply: () => applySourcePull(pull),
    });
  } finally {
    await fetcher?.close();
  }
}

/** Writes a built site as plain Markdown, at the paths of its pages: nothing else would keep its links and images. */
async function pullSite(run: PullRun, site: string): Promise<void> {
  const { source, config, flags, folder, root } = run;
  const { withSitePull, guardPageRemovals } = await import('../pipeline/pull-source/pull-site.ts');
  const folders = { base: folder, site, root, cache: resolve(folder, pullCache(config)) };
  await withSitePull(source, config, folders, flags.theirs, (pull) => {
    const { added, changed, removed, conflicts } = pull;
    const files = Object.entries({ added, changed, removed, conflict: conflicts });
    return carryOut(run, {
      noun: 'file',
      changes: files.flatMap(([change, paths]) =>
        paths.map((file) => ({ change: change as Change['change'], file })),
      ),
      kept: pull.edited.length,
      skipped: source.stats.excluded,
      problems: [...source.problems, ...pull.problems],
      guard: () => guardPageRemovals(pull, source.knowledgeBase.articles.length),
      apply: pull.apply,
    });
  });
}

/** What a pull would do with the records, or with the files, of the folder. */
interface PullPlan {
  readonly noun: 'record' | 'file';
  readonly changes: readonly Change[];
  /** Number of those that only the folder changed or removed: they stay as they are. */
  readonly kept: number;
  /** Articles and translations that are not public, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly problems: readonly Problem[];
  /** @throws MASS_DELETE */
  readonly guard: () => void;
  readonly apply: () => void;
}

/** Prints a plan, and carries it out unless it is only asked for. @throws MASS_DELETE, CONFLICT, REPORT_UNWRITABLE */
async function carryOut(run: PullRun, plan: PullPlan): Promise<void> {
  const { flags } = run;
  const { noun, changes, kept } = plan;
  writeOutput(flags.json ? `${JSON.stringify(changes)}\n` : changes.map(formatChange).join(''));
  await report(run, plan);
  if (kept > 0) say(`${countOf(kept, noun)} edited or removed in the folder (not written again)`);
  if (!flags['allow-mass-delete']) plan.guard();
  if (!flags['dry-run']) plan.apply();
  const conflicts = changes.filter(({ change }) => change === 'conflict');
  const count = countOf(changes.length - conflicts.length, noun);
  say(`${count} ${flags['dry-run'] ? 'would be written or removed' : `written or removed in ${flags.dir}`}`);
  refuseConflicts(conflicts.map((one) => ('file' in one ? one.file : one.folder)));
}

/** Reads the source into a snapshot of its own, because builds may have another source. */
function openOwnSource(
  config: ResolvedConfig,
  flags: PullSourceFlags,
  folder: string,
  signal: AbortSignal,
): Promise<Source> {
  const own = { ...config, cache: pullCache(config) };
  return openSource(own, {
    apiKey: process.env.LECTERN_API_KEY || null,
    folder,
    offline: false,
    allowMassDelete: flags['allow-mass-delete'],
    // The pull compares with the folder, which says what was there before.
    maxDropPercent: 100,
    insecureLoopback: flags['insecure-loopback'],
    generator: `lectern ${readVersion()}`,
    signal,
  });
}

function pullCache({ cache }: ResolvedConfig): string {
  return join(cache, 'pull');
}

/** What happens to a record, or to a file, of the folder. */
type Change = { readonly change: keyof typeof changeSigns } & (
  | Pick<PulledRecord, 'kind' | 'id' | 'folder' | 'title'>
  | { readonly file: string }
);

/** `null`: the folder stays as it is. */
const changeNames: Readonly<Record<PulledRecord['outcome'], Change['change'] | null>> = {
  ...{ new: 'added', changed: 'changed', gone: 'removed', conflict: 'conflict' },
  ...{ same: null, edited: null, deleted: null },
};

function changeOf({ kind, id, folder, title, outcome }: PulledRecord): Change[] {
  const change = changeNames[outcome];
  return change === null ? [] : [{ change, kind, id, folder, title }];
}

function formatChange(one: Change): string {
  const words =
    'file' in one
      ? [one.file]
      : [one.kind, one.id, one.folder, ...(one.title === '' ? [] : [JSON.stringify(one.title)])];
  return `${[changeSigns[one.change], ...words].join(' ')}\n`;
}

function refuseConflicts(folders: readonly string[]): void {
  if (folders.length === 0) return;
  const hint = 'write what the source has with --theirs, which replaces your files; git diff then shows both';
  throw conflictError(folders, 'source', hint);
}

async function report({ source, flags, folder }: PullRun, { skipped, problems }: PullPlan): Promise<void> {
  const { listed, unread } = source.stats;
  const coverage = { seen: listed, articles: source.knowledgeBase.articles.length, unread };
  const key = process.env.LECTERN_API_KEY || null;
  const reported = reportProblems(problems, key);
  printProblems('stderr', reported, 'lectern pull --report FILE writes all of them to a file.');
  const { error, warning } = countSeverities(reported);
  if (error + warning > 0) say(countProblems({ error, warning, info: 0 }));
  say(`Source: ${formatCoverage(coverage)}`);
  const counts = describeExclusions(skipped);
  if (counts !== '') say(`Skipped: ${counts}`);
  if (flags.report === undefined) return;
  const json = JSON.stringify(
    { schema: 'lectern.pull-report/1', ...coverage, skipped, problems: reported },
    null,
    2,
  );
  await writeReportFile(resolve(folder, flags.report), `${escapeControls(json)}\n`);
}
