import type { ArticleCreate, ArticleRecord, ArticleUpdate } from '../api/article.ts';
import type { CategoryCreate, CategoryRecord, CategoryUpdate } from '../api/category.ts';
import { LecternError, messageOf } from '../foundation/errors.ts';
import type { UnknownRecord } from '../foundation/unknown-record.ts';
import type { Client } from '../source/client-types.ts';
import { type Comparable, comparableArticle, comparableCategory, takeOverSlugs } from './comparable.ts';
import { listChanges, toUpdate } from './format-plan.ts';
import { forService, listPushes, type PushOptions, type RecordKind, type SyncEntry } from './plan-sync.ts';
import { agreedState, noteAgreed, recordsOf, type SyncState } from './state-file.ts';

/** What a push sends, and the service it sends it to. The other side is a folder, or the public content of a source. */
export interface PushSides {
  /** Language of the records' own title and body. */
  readonly defaultLanguage: string;
  /** What both sides agreed on; the push changes it. */
  readonly state: SyncState;
  /** Records of the service by id; the push adds those it creates. */
  readonly articles: Map<string, ArticleRecord>;
  readonly categories: Map<string, CategoryRecord>;
  /** Compares both sides, with all ids that are known by now. Categories come before articles. */
  plan(): readonly SyncEntry[];
  /** Notes records before the first of them is created, so that a push after a kill finds them again. */
  announce(entries: readonly SyncEntry[]): void;
  /**
   * The record to create, with the id to ask for. A record that links to others without an id is a draft, which a later update publishes.
   * Called directly before the creation.
   */
  recordOf(entry: SyncEntry): ArticleCreate | CategoryCreate;
  /** Notes the id that the service gave. @param wanted the id that it was asked for */
  noteId(entry: SyncEntry, id: string, wanted: string | undefined): void;
  /** Writes the state. */
  save(): void;
}

/** A record that the service refused, or that was edited there meanwhile. It was not changed. */
export interface RefusedRecord {
  readonly entry: SyncEntry;
  readonly error: LecternError;
}

interface PushResult {
  readonly created: readonly SyncEntry[];
  /** Number of updated or deleted records. */
  readonly changed: number;
  readonly refused: readonly RefusedRecord[];
}

/** After how many writes the state is saved. A push after a kill finds records created since then by id, text or title. */
const writesPerSave = 20;

/**
 * Applies the changes of one side to the service, one record after another: creates categories, then articles, then updates and deletes.
 * Each record is read again immediately before it is changed, and changed only if it still has that ETag, so that an edit made since the
 * comparison is not overwritten. A record that was edited meanwhile or is refused is skipped, and the push continues. Throws what the client
 * throws; completed records stay, and the next push continues there.
 */
export async function applyPush(client: Client, sides: PushSides, options: PushOptions): Promise<PushResult> {
  const created: SyncEntry[] = [];
  const refused: RefusedRecord[] = [];
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
  for (const entry of first)
    if (entry.outcome === 'same' && entry.id !== null) sides.noteId(entry, entry.id, entry.id);
  try {
    for (const kind of ['category', 'article'] as const) {
      const isNew = (entry: SyncEntry): boolean => entry.kind === kind && entry.remote === null;
      const entries = listPushes(kind === 'category' ? first : sides.plan(), options).filter(isNew);
      if (entries.length > 0) sides.announce(entries);
      for (const entry of entries) {
        await attempt(entry, async () => {
          await createRecord(client, sides, entry);
          created.push(entry);
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
  return { created, changed, refused };
}

function keyOf({ kind, folder, id }: SyncEntry): string {
  return `${kind} ${folder ?? id}`;
}

async function createRecord(client: Client, sides: PushSides, entry: SyncEntry): Promise<void> {
  const { defaultLanguage, state } = sides;
  const record = sides.recordOf(entry);
  if (entry.kind === 'category') {
    const wanted = record as CategoryCreate;
    const category = await createRemoteCategory(client, wanted, defaultLanguage);
    sides.categories.set(category.category_id, category);
    sides.noteId(entry, category.category_id, wanted.category_id);
    state.accountId ||= category.account_id;
    const remote = comparableCategory(category, defaultLanguage);
    notePushed(
      sides,
      { ...entry, id: category.category_id },
      comparableCategory(wanted, defaultLanguage),
      remote,
    );
    return;
  }
  const wanted = record as ArticleCreate;
  const article = await createRemoteArticle(client, wanted, defaultLanguage);
  sides.articles.set(article.article_id, article);
  sides.noteId(entry, article.article_id, wanted.article_id);
  state.accountId ||= article.account_id;
  const remote = comparableArticle(article, defaultLanguage);
  notePushed(sides, { ...entry, id: article.article_id }, comparableArticle(wanted, defaultLanguage), remote);
}

/** Updates or deletes a record. */
async function changeRecord(client: Client, sides: PushSides, entry: SyncEntry): Promise<void> {
  const { defaultLanguage, state } = sides;
  const id = entry.id ?? '';
  if (entry.local === null) {
    const current = await readUnchanged(client, entry, defaultLanguage);
    await client.deleteArticle(id, { ifMatch: client.etagOf(current) });
    sides.articles.delete(id);
    delete recordsOf(state, 'article')[id];
    return;
  }
  if (entry.kind === 'category') {
    const category = await updateRemoteCategory(client, entry, defaultLanguage);
    sides.categories.set(id, category);
    notePushed(sides, entry, entry.local, comparableCategory(category, defaultLanguage));
    return;
  }
  const article = await updateRemoteArticle(client, entry, defaultLanguage);
  sides.articles.set(id, article);
  notePushed(sides, entry, entry.local, comparableArticle(article, defaultLanguage));
}

/** Sends the fields of an article that its side changed, if the remote article still equals `entry.remote`. */
async function updateRemoteArticle(
  client: Client,
  entry: SyncEntry,
  ownLanguage: string,
): Promise<ArticleRecord> {
  const current = await readUnchanged(client, entry, ownLanguage);
  const update = updateOf(entry) as ArticleUpdate;
  return client.updateArticle(current.article_id, update, { ifMatch: client.etagOf(current) });
}

async function updateRemoteCategory(
  client: Client,
  entry: SyncEntry,
  ownLanguage: string,
): Promise<CategoryRecord> {
  const current = await client.readCategory(entry.id ?? '');
  checkUnchanged(entry, comparableCategory(current, ownLanguage));
  const update = updateOf(entry) as CategoryUpdate;
  return client.updateCategory(current.category_id, update, { ifMatch: client.etagOf(current) });
}

async function readUnchanged(client: Client, entry: SyncEntry, ownLanguage: string): Promise<ArticleRecord> {
  const current = await client.readArticle(entry.id ?? '');
  checkUnchanged(entry, comparableArticle(current, ownLanguage));
  return current;
}

/** Fields that the pushed side changed. */
function updateOf(entry: SyncEntry): UnknownRecord {
  const wanted = forService(entry) as Comparable;
  return toUpdate(listChanges(entry.remote, wanted), wanted);
}

function notePushed({ state }: PushSides, entry: SyncEntry, local: Comparable, remote: Comparable): void {
  noteAgreed(state, entry, 'folder', { written: takeOverSlugs(local, remote), remote });
}

function checkUnchanged({ kind, id, remote }: SyncEntry, current: Comparable): void {
  if (listChanges(remote, current).length === 0) return;
  const what = `${kind} ${id} was changed in the service during the push. It was not overwritten.`;
  throw new LecternError('CONFLICT', what, { hint: 'run lectern push again' });
}

/** A record of the API as it is compared. */
export function comparableOf(
  kind: RecordKind,
  record: ArticleRecord | ArticleCreate | CategoryRecord | CategoryCreate,
  ownLanguage: string,
): Comparable {
  return kind === 'article'
    ? comparableArticle(record as ArticleRecord, ownLanguage)
    : comparableCategory(record as CategoryRecord, ownLanguage);
}

/** Creates an article, then updates the fields that the service ignored on creation. */
async function createRemoteArticle(
  client: Client,
  record: ArticleCreate,
  ownLanguage: string,
): Promise<ArticleRecord> {
  const article = await createAsGiven(client.createArticle, record, 'article_id');
  const rest = findRest(comparableArticle(article, ownLanguage), comparableArticle(record, ownLanguage));
  return rest === null ? article : client.updateArticle(article.article_id, rest as ArticleUpdate);
}

/** Creates a category. The interface document promises only title and description on creation, so other fields may need an update. */
async function createRemoteCategory(
  client: Client,
  record: CategoryCreate,
  ownLanguage: string,
): Promise<CategoryRecord> {
  const category = await createAsGiven(client.createCategory, record, 'category_id');
  const rest = findRest(comparableCategory(category, ownLanguage), comparableCategory(record, ownLanguage));
  return rest === null ? category : client.updateCategory(category.category_id, rest as CategoryUpdate);
}

/** How services say that a field must not be there. An id that is taken must not be created again under another id. */
const fieldRefusal =
  /unknown|unexpected|unrecogni[sz]ed|additional|extra|forbidden|read.?only|not (?:allowed|permitted|supported)/i;

/** Creates a record with its id, or without if the service says that it refuses the id: to choose one is an extension of the API. */
async function createAsGiven<T extends object, R>(
  create: (record: T) => Promise<R>,
  record: T,
  idField: string & keyof T,
): Promise<R> {
  try {
    return await create(record);
  } catch (error) {
    const message = messageOf(error);
    const isRefused =
      /answered 4(?:00|22): /.test(message) && message.includes(idField) && fieldRefusal.test(message);
    if (!isRefused || record[idField] === undefined) throw error;
    return create({ ...record, [idField]: undefined });
  }
}

function findRest(created: Comparable, record: Comparable): UnknownRecord | null {
  const wanted = takeOverSlugs(record, created);
  const changes = listChanges(created, wanted);
  return changes.length === 0 ? null : toUpdate(changes, wanted);
}
