import { LecternError } from '../../../core/errors.ts';
import { problem } from '../../../core/problems.ts';
import { type ReportedProblem, reportProblems } from '../../../core/report.ts';
import type { PublishedSite } from '../../../feed/read/feed-reader.ts';
import { recordUuid } from '../../../feed/records/record-schemas.ts';
import { type ExportReport, type ExportSettings, exportFeed, forgetItems } from '../export-feed.ts';
import { openPushState, type PushState, readPlanned } from './push-state.ts';
import type { Connect, PushConnection, PushVendor, Refusal } from './vendor.ts';

export interface PushSettings extends Omit<ExportSettings, 'out' | 'cursor'> {
  readonly vendor: PushVendor;
  /** Absolute path of the folder with the state of the push (see {@link PushState}). */
  readonly state: string;
  /** Only plans: nothing is sent and no state is changed. */
  readonly dryRun: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly connect: Connect;
  readonly sleep: (ms: number) => Promise<void>;
  /** Called after each file of the plan. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Result of a push, or with `dryRun` what it would do. */
export interface PushReport extends Pick<ExportReport, 'target' | 'collection' | 'seq' | 'full'> {
  readonly schema: 'lectern/push/1';
  readonly destination: string;
  readonly isDryRun: boolean;
  /** Run of an interrupted push that is completed first; `null` if there is none. */
  readonly resumed: number | null;
  readonly upserts: number;
  readonly updates: number;
  readonly deletes: number;
  /** At least: without retries, and without requests that wait for the platform. */
  readonly requests: number;
  readonly problems: readonly ReportedProblem[];
}

/**
 * Sends the changes of a feed to a platform: completes an interrupted push, plans the changes since then as an export, and sends its files
 * in order. A run that is killed is continued by the next one. Items that the platform refuses are reported, and sent again by the next push.
 * @throws VARIABLE_MISSING, CURSOR_OF_ANOTHER, CURSOR_DAMAGED, CACHE_LOCKED, PUSH_REFUSED, those of `exportFeed` and of HTTP
 */
export async function pushFeed(site: PublishedSite, settings: PushSettings): Promise<PushReport> {
  const { target, collection, vendor, environment, connect, sleep } = settings;
  const variables = readVariables(vendor, environment);
  const state = await openPushState(settings.state, settings.signal);
  try {
    const connection = vendor.open({
      variable: (name) => variables.get(name) ?? '',
      collection,
      connect,
      sleep,
      ids: state.ids,
      read: (path) => readPlanned(state.plan, path),
    });
    try {
      const { destination } = connection;
      if (!settings.dryRun) state.claim(destination);
      const shared = { schema: 'lectern/push/1' as const, target, collection, destination };
      const result = settings.dryRun
        ? await planPush(site, settings, state, connection)
        : await applyPush(site, settings, state, connection);
      return { ...shared, isDryRun: settings.dryRun, ...result };
    } finally {
      await connection.close();
    }
  } finally {
    state.release();
  }
}

type Pushed = Omit<PushReport, 'schema' | 'target' | 'collection' | 'destination' | 'isDryRun'>;

/** What a push would do. */
async function planPush(
  site: PublishedSite,
  settings: PushSettings,
  state: PushState,
  connection: PushConnection,
): Promise<Pushed> {
  const before = state.unfinished();
  const trial = state.startTrial();
  try {
    const report = await exportFeed(site, { ...settings, out: trial.plan, cursor: trial.planCursor });
    const rest = before?.files.filter((path) => !state.isSent(path)) ?? [];
    const requests =
      countRequests(connection, rest, state.plan) +
      (isEmpty(report) ? 0 : countRequests(connection, report.files, trial.plan));
    const resumed = before?.seq ?? null;
    return { ...countsOf(report), resumed, requests, problems: report.problems };
  } finally {
    state.discardTrial();
  }
}

async function applyPush(
  site: PublishedSite,
  settings: PushSettings,
  state: PushState,
  connection: PushConnection,
): Promise<Pushed> {
  const before = state.unfinished();
  const resumed = before === null ? null : await sendPlan(before, settings, state, connection);
  state.start();
  const report = await exportFeed(site, { ...settings, out: state.plan, cursor: state.planCursor });
  const sent = await sendPlan(report, settings, state, connection);
  const refusals = [...(resumed?.refusals ?? []), ...sent.refusals];
  return {
    ...countsOf(report),
    resumed: before?.seq ?? null,
    requests: sent.requests + (resumed?.requests ?? 0),
    problems: [
      ...report.problems,
      ...reportProblems(
        refusals.map(({ id, reason }) => problem('PUSH_ITEM_REFUSED', `${id} was refused: ${reason}`)),
      ),
    ],
  };
}

interface SentPlan {
  readonly requests: number;
  readonly refusals: readonly Refusal[];
}

/** Sends the files of a plan that are not sent yet, then makes its cursor the cursor of the push. */
async function sendPlan(
  plan: Pick<ExportReport, 'upserts' | 'updates' | 'deletes' | 'files'>,
  settings: PushSettings,
  state: PushState,
  connection: PushConnection,
): Promise<SentPlan> {
  const files = isEmpty(plan) ? [] : plan.files;
  const refusals: Refusal[] = [];
  let requests = 0;
  for (const [at, path] of files.entries()) {
    settings.signal?.throwIfAborted();
    if (!state.isSent(path)) {
      const file = { path, text: readPlanned(state.plan, path) };
      requests += connection.requests(file);
      const refused = await connection.send(file);
      refusals.push(...refused);
      state.markSent(
        path,
        refused.map(({ id }) => id),
      );
    }
    settings.onProgress?.(at + 1, files.length);
  }
  forgetRefused(settings, state);
  state.finish();
  return { requests, refusals };
}

/** The next push sends refused items again. */
function forgetRefused(settings: PushSettings, state: PushState): void {
  const refused = new Set(state.refused());
  if (refused.size === 0) return;
  forgetItems(
    { ...settings, cursor: state.planCursor },
    (id) => refused.has(id) || refused.has(recordUuid(id)),
  );
}

function isEmpty({
  upserts,
  updates,
  deletes,
}: Pick<ExportReport, 'upserts' | 'updates' | 'deletes'>): boolean {
  return upserts + updates + deletes === 0;
}

function countsOf({ seq, full, upserts, updates, deletes }: ExportReport) {
  return { seq, full, upserts, updates, deletes };
}

function countRequests(connection: PushConnection, paths: readonly string[], folder: string): number {
  return paths.reduce((sum, path) => sum + connection.requests({ path, text: readPlanned(folder, path) }), 0);
}

/** @throws VARIABLE_MISSING (exit 2) */
function readVariables(
  { variables }: PushVendor,
  environment: PushSettings['environment'],
): ReadonlyMap<string, string> {
  const values = new Map(variables.map(({ name }) => [name, environment[name]?.trim() ?? '']));
  const missing = variables.find(({ name, isOptional }) => isOptional !== true && values.get(name) === '');
  if (missing === undefined) return values;
  throw new LecternError('VARIABLE_MISSING', `the environment variable ${missing.name} is not set`, {
    hint: `set it to ${missing.meaning}`,
    exitCode: 2,
  });
}
