import { dirname } from 'node:path';
import { LecternError } from '../../../core/errors.ts';
import { makeFolder } from '../../../core/file-system.ts';
import { type Problem, problem } from '../../../core/problems.ts';
import { type ReportedProblem, reportProblems } from '../../../core/report.ts';
import type { PublishedSite } from '../../../feed/read/feed-reader.ts';
import { recordUuid } from '../../../feed/records/record-schemas.ts';
import { acquireLock } from '../../../output/lock.ts';
import { openFeedCursor } from '../../follow/feed-cursor.ts';
import type { FeedFollower } from '../../follow/feed-follower.ts';
import { type ExportReport, type ExportSettings, followWanted, refuseProblems } from '../export-feed.ts';
import { openItemWriter } from '../item-writer.ts';
import type { ItemFiles, Target } from '../target.ts';
import { targets } from '../targets.ts';
import { openPushCursor, type PushCursor } from './push-cursor.ts';
import type { Connect, PushConnection, PushVendor, Refusal } from './vendor.ts';

export interface PushSettings extends Omit<ExportSettings, 'out'> {
  readonly vendor: PushVendor;
  /** Absolute path of the file that records what the platform has. */
  readonly cursor: string;
  /** Name and version of the program. After a change, all items are compared again. */
  readonly generator: string;
  /** Push any loss of documents; else at most 20% since the last push. */
  readonly allowMassDelete: boolean;
  /** Only plans: nothing is sent and the cursor is unchanged. */
  readonly dryRun: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly connect: Connect;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Result of a push, or with `dryRun` what it would do. */
export interface PushReport extends Pick<ExportReport, 'target' | 'collection' | 'seq' | 'upserts'> {
  readonly schema: 'lectern/push/1';
  /** Whether the platform had nothing before. */
  readonly full: boolean;
  /** Number of items whose searched text is unchanged. */
  readonly updates: number;
  readonly deletes: number;
  readonly destination: string;
  readonly isDryRun: boolean;
  /** Whether it continues a push that was interrupted. */
  readonly resumed: boolean;
  readonly problems: readonly ReportedProblem[];
}

/** Documents that are sent before the cursor notes that the platform has them: after a kill, they are sent again. */
const batchSize = 100;

/**
 * Sends the changes of a feed to a platform, in batches; the cursor notes each one. A run that is killed is continued by the next one, which
 * repeats the last batch. Items that the platform refuses are reported, and sent again by the next push.
 * @throws KEY_UNUSABLE, CURSOR_UNUSABLE, LOCKED, PUSH_REFUSED, STRICT, those of `followWanted` and of HTTP
 */
export async function pushFeed(site: PublishedSite, settings: PushSettings): Promise<PushReport> {
  const { target, collection, vendor, environment, connect, sleep, cursor: file, dryRun } = settings;
  const variables = readVariables(vendor, environment);
  const connection = vendor.open({
    variable: (name) => variables.get(name) ?? '',
    ...{ collection, connect, sleep },
  });
  const { destination } = connection;
  const owner = { owner: `${target} at ${destination}`, variant: settings.generator };
  const head = { schema: 'lectern/push/1' as const, target, collection, destination };
  try {
    if (dryRun || settings.strict) {
      const planned = await push(site, settings, openPushCursor(openFeedCursor(file, owner, false)), null);
      if (settings.strict) refuseProblems(planned.problems);
      if (dryRun) return { ...head, isDryRun: true, ...planned };
    }
    makeFolder(dirname(file));
    const { signal } = settings;
    const lock = await acquireLock(`${file}.lock`, { folder: file, waitMs: 0, signal });
    try {
      const pushed = await push(
        site,
        settings,
        openPushCursor(openFeedCursor(file, owner)),
        async (...batch) => {
          lock.assertHeld();
          return connection.send(...batch);
        },
      );
      return { ...head, isDryRun: false, ...pushed };
    } finally {
      lock.release();
    }
  } finally {
    await connection.close();
  }
}

type Pushed = Omit<PushReport, 'schema' | 'target' | 'collection' | 'destination' | 'isDryRun'>;

/** @param send `null`: nothing is sent */
async function push(
  site: PublishedSite,
  settings: PushSettings,
  cursor: PushCursor,
  send: PushConnection['send'] | null,
): Promise<Pushed> {
  const target: Target = targets[settings.target];
  const isEmpty = [...cursor.all()].length === 0;
  const resumed = cursor.run === null ? !isEmpty : cursor.run.applying !== undefined;
  const counts = { upserts: 0, updates: 0, deletes: 0 };
  const problems: Problem[] = [];
  const options = { ...settings, isFirst: isEmpty, onProblem: (found: Problem) => problems.push(found) };
  let definitions = target.definitions(settings);
  let isProven = [...cursor.all()].some(({ hash }) => hash !== '');

  /** Sends what `write` writes. @param items the ids of all its items, by the id of their document */
  async function sendBatch(
    write: (writer: FeedFollower) => Promise<void> | void,
    items: readonly (readonly [documentId: string, chunkIds: readonly string[]])[],
  ): Promise<void> {
    const files = new Map<string, string>();
    const writer = await openItemWriter(target, options, memoryFiles(files));
    await write(writer);
    const paths = await writer.close();
    for (const name of ['upserts', 'updates', 'deletes'] as const) counts[name] += writer.counts[name];
    if (paths.length === 0) return;
    let refused = 0;
    const written = paths.map((path) => [path, files.get(path) ?? ''] as const);
    for (const [path, text] of [...definitions, ...written]) {
      settings.signal?.throwIfAborted();
      const batch = { ids: cursor.ids, read: (other: string) => files.get(other) ?? '', isProven };
      const refusals = (await send?.({ path, text }, batch)) ?? [];
      refused += refusals.length;
      if (refusals.length > 0) noteRefusals(refusals, items);
    }
    isProven ||= refused < writer.counts.upserts;
    // The same in every batch.
    definitions = [];
  }

  function noteRefusals(refusals: readonly Refusal[], items: Parameters<typeof sendBatch>[1]): void {
    const owners = new Map(
      items.flatMap(([documentId, ids]) =>
        ids.flatMap((id) => [id, recordUuid(id)].map((name) => [name, [documentId, id] as const] as const)),
      ),
    );
    for (const { id, reason } of refusals) {
      problems.push(problem('PUSH_ITEM_REFUSED', `${id} was refused: ${reason}`));
      const owner = owners.get(id);
      if (owner !== undefined) cursor.refuse(...owner);
    }
  }

  const seq = await followWanted(
    site,
    cursor,
    {
      upsert: (documents) =>
        sendBatch(
          (writer) => writer.upsert(documents),
          documents.map(({ document, chunks, removedChunks }) => [
            document.id,
            [...chunks.map(({ chunk }) => chunk.id), ...removedChunks],
          ]),
        ),
      delete: (documents) =>
        sendBatch(
          (writer) => writer.delete(documents),
          documents.map(({ id, chunkIds }) => [id, chunkIds]),
        ),
    },
    { ...settings, batchSize },
  );
  return {
    seq,
    full: isEmpty,
    ...counts,
    resumed,
    problems: reportProblems(problems),
  };
}

/** The files of one batch, by path. */
function memoryFiles(files: Map<string, string>): ItemFiles {
  return {
    write: async (path, content) => files.set(path, content),
    async open(path) {
      const pieces: string[] = [];
      return {
        write: async (piece) => void pieces.push(typeof piece === 'string' ? piece : piece.toString()),
        close: async () => files.set(path, pieces.join('')),
      };
    },
  };
}

/** @throws KEY_UNUSABLE (exit 2) */
function readVariables(
  { variables }: PushVendor,
  environment: PushSettings['environment'],
): ReadonlyMap<string, string> {
  const values = new Map(variables.map(({ name }) => [name, environment[name]?.trim() ?? '']));
  const missing = variables.find(({ name, isOptional }) => isOptional !== true && values.get(name) === '');
  if (missing === undefined) return values;
  throw new LecternError('KEY_UNUSABLE', `the environment variable ${missing.name} is not set`, {
    hint: `set it to ${missing.meaning}`,
    exitCode: 2,
  });
}
