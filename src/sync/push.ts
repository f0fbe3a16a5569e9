import type { ArticleCreate, ArticleRecord } from '../core/api/article.ts';
import type { CategoryCreate, CategoryRecord } from '../core/api/category.ts';
import { LecternError, messageOf } from '../core/errors.ts';
import type { Client } from '../source/api/client-types.ts';
import type { RecordKind } from '../source/folder/record-ids.ts';
import { type Comparable, comparableOf, copyMissingSlugs } from './comparable.ts';
import { idOf, type Sides } from './compare-sides.ts';
import { openFolderSides } from './folder-side.ts';
import { listChanges, toUpdate } from './format-plan.ts';
import { forService, listPushes, type PushOptions, type SyncEntry } from './plan-sync.ts';
import { agreedState, noteAgreed, recordsOf } from './state-file.ts';

type PushSides = ReturnType<typeof openFolderSides>;

/** A record that the service refused, or that was edited there meanwhile. It was not changed. */
interface RefusedRecord {
  readonly entry: SyncEntry;
  readonly error: LecternError;
}

interface PushResult {
  readonly created: readonly SyncEntry[];
  /** Number of updated or deleted records. */
  readonly changed: number;
  readonly refused: readonly RefusedRecord[];
  /** Created records whose dates in the service differ from those in the files. */
  readonly redated: readonly SyncEntry[];
}

/** After how many writes the state is saved. A push after a kill finds that records written since then are equal on both sides. */
const writesPerSave = 20;

/**
 * Applies the changes of the folder to the service, one record after another: creates categories, then articles, then updates and deletes.
 * Each record is read again immediately before it is changed, and changed only if it still has that ETag, so that an edit made since the
 * comparison is not overwritten. A record that was edited meanwhile or is refused is skipped, and the push continues. Throws what the client
 * throws; completed records stay, and the next push continues there.
 */
export async function applyPush(client: Client, compared: Sides, options: PushOptions): Promise<PushResult> {
  const sides = openFolderSides(compared);
  const created: SyncEntry[] = [];
  const refused: RefusedRecord[] = [];
  const redated: SyncEntry[] = [];
  const done = new Set<string>();
  let changed = 0;
  const attempt = async (entry: SyncEntry, work: () => Promise<void>): Promise<void> => {
    options.signal?.throwIfAborted();
    done.add(keyOf(entry));
    try {
      await work();
    } catch (error) {
      const isOfRecord =
        error instanceof LecternError && ['REQUEST_REFUSED', 'CONFLICT'].includes(error.code);
      if (!isOfRecord) throw error;
      refused.push({ entry, error });
    }
    if (done.size % writesPerSave === 0) sides.save();
  };
  const first = sides.plan();
  Object.assign(sides.state, agreedState(sides.state, first));
  try {
    for (const kind of ['category', 'article'] as const) {
      const isNew = (entry: SyncEntry): boolean => entry.kind === kind && entry.remote === null;
      const entries = listPushes(kind === 'category' ? first : sides.plan(), options).filter(isNew);
      for (const entry of entries) {
        await attempt(entry, async () => {
          const keepsDates = await createRecord(client, sides, entry);
          created.push(entry);
          if (!keepsDates) redated.push(entry);
        });
      }
    }
    const wasCreated = new Set(created.map(keyOf));
    for (const entry of listPushes(sides.plan(), options)) {
      if (entry.remote === null) continue;
      if (done.has(keyOf(entry)) && !wasCreated.has(keyOf(entry))) continue;
      await attempt(entry, async () => {
        await changeRecord(client, sides, entry);
        changed += 1;
      });
    }
  } finally {
    sides.save();
  }
  return { created, changed, refused, redated };
}

function keyOf({ kind, folder, id }: SyncEntry): string {
  return `${kind} ${folder ?? id}`;
}

/** The operations of the API on each kind of record. */
const operations = {
  article: { read: 'readArticle', create: 'createArticle', update: 'updateArticle' },
  category: { read: 'readCategory', create: 'createCategory', update: 'updateCategory' },
} as const;

/**
 * Creates a record, then updates the fields that the service ignored: the interface document promises few of a new category.
 * @returns whether it has the dates that were sent
 */
async function createRecord(client: Client, sides: PushSides, entry: SyncEntry): Promise<boolean> {
  const { defaultLanguage, state, records } = sides;
  const { kind } = entry;
  const wanted = sides.recordOf(entry);
  const local = comparableOf(kind, wanted, defaultLanguage);
  const created = await createAsGiven(client, kind, wanted);
  const id = idOf(kind, created) ?? '';
  const given = comparableOf(kind, created, defaultLanguage);
  const rest = toUpdate(given, copyMissingSlugs(local, given));
  const record = rest === null ? created : await client[operations[kind].update](id, rest as never);
  (records[kind] as Map<string, unknown>).set(id, record);
  sides.noteId(entry, id);
  state.accountId ||= record.account_id;
  notePushed(sides, { ...entry, id }, local, comparableOf(kind, record, defaultLanguage));
  return isSameTime(wanted.created_at, record.created_at) && isSameTime(wanted.updated_at, record.updated_at);
}

function isSameTime(sent: string | undefined, got: string): boolean {
  return sent === undefined || Date.parse(sent) === Date.parse(got);
}

/** Updates or deletes a record, if that of the service still equals `entry.remote`. */
async function changeRecord(client: Client, sides: PushSides, entry: SyncEntry): Promise<void> {
  const { defaultLanguage, state, records } = sides;
  const { kind } = entry;
  const id = entry.id ?? '';
  const { read, update } = operations[kind];
  const current = await client[read](id);
  checkUnchanged(entry, comparableOf(kind, current, defaultLanguage));
  const condition = { ifMatch: client.etagOf(current) };
  if (entry.local === null) {
    // It is an article, because the API cannot delete categories.
    await client.deleteArticle(id, condition);
    records.article.delete(id);
    delete recordsOf(state, 'article')[id];
    return;
  }
  const wanted = forService(entry) as Comparable;
  const change = toUpdate(entry.remote, wanted) as never;
  const record = await client[update](id, change, condition).catch(async (error) => {
    // A change that is repeated because the answer to it was lost finds itself.
    const isConflict = error instanceof LecternError && error.code === 'CONFLICT';
    const found = isConflict ? await client[read](id) : null;
    const isDone = found !== null && toUpdate(comparableOf(kind, found, defaultLanguage), wanted) === null;
    if (!isDone) throw error;
    return found;
  });
  (records[kind] as Map<string, unknown>).set(id, record);
  notePushed(sides, entry, entry.local, comparableOf(kind, record, defaultLanguage));
}

function notePushed({ state }: PushSides, entry: SyncEntry, local: Comparable, remote: Comparable): void {
  noteAgreed(state, entry, 'folder', { written: copyMissingSlugs(local, remote), remote });
}

function checkUnchanged({ kind, id, remote }: SyncEntry, current: Comparable): void {
  if (listChanges(remote, current).length === 0) return;
  const what = `${kind} ${id} was changed in the service during the push. It was not overwritten.`;
  throw new LecternError('CONFLICT', what, { hint: 'run lectern push again' });
}

/** How services say that a field must not be there. An id that is taken must not be created again under another id. */
const fieldRefusal =
  /unknown|unexpected|unrecogni[sz]ed|additional|extra|forbidden|read.?only|not (?:allowed|permitted|supported)/i;

/** Creates a record with its id, or without if the service says that it refuses the id: to choose one is an extension of the API. */
async function createAsGiven(
  client: Client,
  kind: RecordKind,
  record: ArticleCreate | CategoryCreate,
): Promise<ArticleRecord | CategoryRecord> {
  const { create } = operations[kind];
  const idField = `${kind}_id`;
  try {
    return await client[create](record as never);
  } catch (error) {
    const message = messageOf(error);
    const isRefused =
      /answered 4(?:00|22): /.test(message) && message.includes(idField) && fieldRefusal.test(message);
    if (!isRefused || idOf(kind, record) === null) throw error;
    return client[create]({ ...record, [idField]: undefined } as never);
  }
}
