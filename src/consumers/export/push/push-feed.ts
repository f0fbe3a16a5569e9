import { LecternError } from '../../../core/errors.ts';
import { type Problem, problem } from '../../../core/problems.ts';
import { type ReportedProblem, reportProblems } from '../../../core/report.ts';
import type { PublishedSite } from '../../../feed/read/feed-reader.ts';
import type { FolderLock } from '../../../output/lock.ts';
import { lockCursor, openFeedCursor } from '../../follow/feed-cursor.ts';
import { createBatches } from '../batches.ts';
import { type ExportReport, type ExportSettings, followWanted, refuseProblems } from '../export-feed.ts';
import { createItemMaker } from '../make-item.ts';
import type { Target } from '../target.ts';
import { targets } from '../targets.ts';
import { openPushCursor, type PushCursor } from './push-cursor.ts';
import type { Connect, PushConnection, PushItem, PushVendor } from './vendor.ts';

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
      const planned = await push(site, settings, openPushCursor(openFeedCursor(file, owner)), null);
      if (settings.strict) refuseProblems(planned.problems);
      if (dryRun) return { ...head, isDryRun: true, ...planned };
    }
    const lock = await lockCursor(file, settings.signal);
    try {
      const cursor = openPushCursor(openFeedCursor(file, owner, lock));
      const pushed = await push(site, settings, cursor, { ...connection, assertHeld: lock.assertHeld });
      return { ...head, isDryRun: false, ...pushed };
    } finally {
      lock.release();
    }
  } finally {
    await connection.close();
  }
}

type Pushed = Omit<PushReport, 'schema' | 'target' | 'collection' | 'destination' | 'isDryRun'>;

/** An item, with the document whose state is noted. */
interface OwnedItem extends PushItem {
  readonly documentId: string;
}

/** @param connection with the test whether this process may still use it; `null`: nothing is sent */
async function push(
  site: PublishedSite,
  settings: PushSettings,
  cursor: PushCursor,
  connection: (PushConnection & Pick<FolderLock, 'assertHeld'>) | null,
): Promise<Pushed> {
  const { collection } = settings;
  const target: Target = targets[settings.target];
  const isEmpty = [...cursor.all()].length === 0;
  const resumed = cursor.run === null ? !isEmpty : cursor.run.applying !== undefined;
  const counts = { upserts: 0, updates: 0, deletes: 0 };
  const problems: Problem[] = [];
  const makeItem = createItemMaker(target, collection, (found) => problems.push(found));
  const format = target.format(collection);
  let isPrepared = false;
  let isProven = [...cursor.all()].some(({ hash }) => hash !== '');

  async function send(kind: 'upsert' | 'update' | 'delete', items: readonly OwnedItem[]): Promise<void> {
    counts[`${kind}s`] += items.length;
    if (connection === null) return;
    const batches = createBatches<OwnedItem>(format, async (batch) => {
      settings.signal?.throwIfAborted();
      connection.assertHeld();
      if (!isPrepared) await connection.prepare?.();
      isPrepared = true;
      const refusals = (await connection[kind]?.(batch, { ids: cursor.ids, isProven })) ?? [];
      if (kind !== 'delete') isProven ||= refusals.length < batch.length;
      for (const { id, reason } of refusals) {
        problems.push(problem('PUSH_ITEM_REFUSED', `${id} was refused: ${reason}`));
        for (const item of batch) if (item.id === id) cursor.refuse(item.documentId, id);
      }
    });
    for (const item of items) await batches.add(item);
    await batches.close();
  }

  const toDelete = (documentId: string, ids: readonly string[]): readonly OwnedItem[] =>
    ids.map((id) => ({ id, documentId, entry: '' }));
  const seq = await followWanted(
    site,
    cursor,
    {
      async upsert(documents) {
        const upserts: OwnedItem[] = [];
        const updates: OwnedItem[] = [];
        const deletes: OwnedItem[] = [];
        for (const { document, chunks, removedChunks } of documents) {
          const documentId = document.id;
          for (const { chunk, embed } of chunks) {
            const { id } = chunk;
            const item = makeItem(document, chunk);
            if (item === null) deletes.push(...toDelete(documentId, [id]));
            else if (embed || item.update === undefined) upserts.push({ ...item, id, documentId });
            else updates.push({ id, documentId, entry: item.update });
          }
          deletes.push(...toDelete(documentId, removedChunks));
        }
        await send('upsert', upserts);
        await send('update', updates);
        // The platform has nothing yet.
        if (!isEmpty) await send('delete', deletes);
      },
      delete: (documents) =>
        send(
          'delete',
          documents.flatMap(({ id, chunkIds }) => toDelete(id, chunkIds)),
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
  });
}
