import { randomUUID } from 'node:crypto';
import type { ArticleCreate, ArticleRecord, ArticleUpdate } from '../api/article.ts';
import type { CategoryCreate, CategoryRecord, CategoryUpdate } from '../api/category.ts';
import { deriveId } from '../folder/folder-read.ts';
import type { FolderEntry } from '../folder/read-folder.ts';
import { adoptId } from '../folder/write-record.ts';
import { LecternError, messageOf } from '../foundation/errors.ts';
import type { Client } from '../source/client-types.ts';
import { type Comparable, comparableArticle, comparableCategory, takeOverSlugs } from './comparable.ts';
import { compareSides, type Sides } from './compare-sides.ts';
import { listChanges, toUpdate } from './format-plan.ts';
import { forService, listPushes, type PushOptions, type SyncEntry } from './plan-sync.ts';
import { agreedState, noteAgreed, recordsOf, type SyncState, writeState } from './state-file.ts';

/** Id of a category in its file → the id that the service assigned, if it differs. */
type NewIds = Map<string, string>;

/**
 * Applies the folder's changes to the service, one record after another. Each record is read again immediately before and changed only if
 * it still has that ETag, so that an edit made since the comparison is not overwritten. Changes made before a failure stay. A record that
 * was edited meanwhile is skipped, and the push continues; CONFLICT is thrown at the end. Throws what the client throws.
 */
export async function applyPush(client: Client, sides: Sides, options: PushOptions): Promise<void> {
  const newIds: NewIds = new Map();
  const late: LecternError[] = [];
  await pushAll(sides, options, 'category', late, (entry, state) =>
    pushCategory(client, sides, entry, state, newIds),
  );
  if (newIds.size > 0) adoptReferences(sides, newIds);
  const current = newIds.size > 0 ? await compareSides(client, sides.target) : sides;
  await pushAll(current, options, 'article', late, (entry, state) =>
    pushArticle(client, current, entry, state),
  );
  const [conflict] = late;
  if (conflict !== undefined) throw conflict;
}

/** Pushes the records of one kind, and writes the sync state even if one fails; adds conflicts to `late`. */
async function pushAll(
  sides: Sides,
  options: PushOptions,
  kind: SyncEntry['kind'],
  late: LecternError[],
  pushOne: (entry: SyncEntry, state: SyncState) => Promise<void>,
): Promise<void> {
  const state = agreedState(sides.state, sides.entries);
  try {
    for (const entry of listPushes(sides.entries, options)) {
      options.signal?.throwIfAborted();
      if (entry.kind !== kind) continue;
      try {
        await pushOne(entry, state);
      } catch (error) {
        // An edit made meanwhile only skips its own record.
        if (!(error instanceof LecternError) || error.code !== 'CONFLICT') throw error;
        late.push(error);
      }
    }
  } finally {
    Object.assign(sides.state, state);
    writeState(sides.target.root, state);
  }
}

async function pushCategory(
  client: Client,
  sides: Sides,
  entry: SyncEntry,
  state: SyncState,
  newIds: NewIds,
) {
  const { root, defaultLanguage } = sides.target;
  const local = sides.localCategories.get(entry.folder ?? '');
  if (!local || !entry.local) return;
  if (entry.remote === null) {
    const id = entry.id ?? giveId(root, local, 'category');
    const record = { ...withNewParent(local.record, newIds), category_id: id };
    const category = await createRemoteCategory(client, record, defaultLanguage);
    const { category_id } = category;
    if (entry.id !== null && id !== category_id) newIds.set(id, category_id);
    if (id !== category_id) adoptId(root, local.folder, sourceFile(local), 'category_id', category_id);
    notePushed(
      state,
      { ...entry, id: category_id },
      entry.local,
      comparableCategory(category, defaultLanguage),
    );
    state.accountId ||= category.account_id;
    return;
  }
  const category = await updateRemoteCategory(client, entry, defaultLanguage);
  notePushed(state, entry, entry.local, comparableCategory(category, defaultLanguage));
}

async function pushArticle(client: Client, sides: Sides, entry: SyncEntry, state: SyncState) {
  const { root, defaultLanguage } = sides.target;
  const local = sides.localArticles.get(entry.folder ?? '');
  if (entry.remote === null) {
    if (!local) return;
    const id = entry.id ?? giveId(root, local, 'article');
    const article = await createRemoteArticle(client, { ...local.record, article_id: id }, defaultLanguage);
    const { article_id } = article;
    if (id !== article_id) adoptId(root, local.folder, sourceFile(local), 'article_id', article_id);
    const written = comparableArticle(local.record, defaultLanguage);
    notePushed(state, { ...entry, id: article_id }, written, comparableArticle(article, defaultLanguage));
    state.accountId ||= article.account_id;
    return;
  }
  const id = entry.id ?? '';
  if (entry.local === null) {
    const current = await readUnchanged(client, entry, defaultLanguage);
    await client.deleteArticle(id, { ifMatch: client.etagOf(current) });
    delete recordsOf(state, 'article')[id];
    return;
  }
  const article = await updateRemoteArticle(client, entry, defaultLanguage);
  notePushed(state, entry, entry.local, comparableArticle(article, defaultLanguage));
}

/**
 * Sends the fields of an article that its side changed, if the remote article still equals `entry.remote`.
 * @throws CONFLICT, and what the client throws
 */
export async function updateRemoteArticle(
  client: Client,
  entry: SyncEntry,
  ownLanguage: string,
): Promise<ArticleRecord> {
  const current = await readUnchanged(client, entry, ownLanguage);
  const update = updateOf(entry) as ArticleUpdate;
  return client.updateArticle(current.article_id, update, { ifMatch: client.etagOf(current) });
}

/** The same for a category. */
export async function updateRemoteCategory(
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

/** Fields that the folder changed. */
function updateOf(entry: SyncEntry): Readonly<Record<string, unknown>> {
  const wanted = forService(entry) as Comparable;
  return toUpdate(listChanges(entry.remote, wanted), wanted);
}

function notePushed(state: SyncState, entry: SyncEntry, local: Comparable, remote: Comparable): void {
  noteAgreed(state, entry, 'folder', { written: takeOverSlugs(local, remote), remote });
}

function checkUnchanged({ kind, id, remote }: SyncEntry, current: Comparable): void {
  if (listChanges(remote, current).length === 0) return;
  const what = `${kind} ${id} was changed in the service during the push. It was not overwritten.`;
  throw new LecternError('CONFLICT', what, { hint: 'run lectern push again' });
}

/**
 * Writes an id into the file before the record is created: a push that ends in between, or cannot write afterwards, would
 * create the record again the next time.
 */
function giveId(
  root: string,
  local: FolderEntry<ArticleCreate | CategoryCreate>,
  kind: SyncEntry['kind'],
): string {
  const id = deriveId(kind, randomUUID());
  adoptId(root, local.folder, sourceFile(local), `${kind}_id`, id);
  return id;
}

function withNewParent(record: CategoryCreate, newIds: NewIds): CategoryCreate {
  const parent = newIds.get(record.parent_category_id ?? '');
  return parent === undefined ? record : { ...record, parent_category_id: parent };
}

/** A service may assign its own ids. Updates the files that name a category by its old id. */
function adoptReferences({ target, localArticles, localCategories }: Sides, newIds: NewIds): void {
  for (const entry of localCategories.values()) {
    const id = newIds.get(entry.record.parent_category_id ?? '');
    if (id !== undefined) adoptId(target.root, entry.folder, sourceFile(entry), 'parent_category_id', id);
  }
  for (const entry of localArticles.values()) {
    const id = newIds.get(entry.record.category_id ?? '');
    if (id !== undefined) adoptId(target.root, entry.folder, sourceFile(entry), 'category_id', id);
  }
}

function sourceFile({ files, language }: Pick<FolderEntry<unknown>, 'files' | 'language'>): string {
  return files.find((file) => file.language === language)?.name ?? '';
}

/** Creates an article, then updates the fields that the service ignored on creation. */
export async function createRemoteArticle(
  client: Client,
  record: ArticleCreate,
  ownLanguage: string,
): Promise<ArticleRecord> {
  const article = await createAsGiven(client.createArticle, record, 'article_id');
  const rest = findRest(comparableArticle(article, ownLanguage), comparableArticle(record, ownLanguage));
  return rest === null ? article : client.updateArticle(article.article_id, rest as ArticleUpdate);
}

/** Creates a category. The interface document promises only title and description on creation, so other fields may need an update. */
export async function createRemoteCategory(
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

function findRest(created: Comparable, record: Comparable): Readonly<Record<string, unknown>> | null {
  const wanted = takeOverSlugs(record, created);
  const changes = listChanges(created, wanted);
  return changes.length === 0 ? null : toUpdate(changes, wanted);
}
