import type { ArticleUpdate } from '../api/article.ts';
import type { CategoryCreate, CategoryUpdate } from '../api/category.ts';
import { adoptId } from '../folder/adopt-id.ts';
import type { FolderEntry } from '../folder/read-folder.ts';
import { LecternError } from '../foundation/errors.ts';
import type { Client } from '../source/client-types.ts';
import { comparableArticle, comparableCategory, fingerprint } from './comparable.ts';
import { compareSides, type Sides } from './compare-sides.ts';
import { createArticle, createCategory } from './create-records.ts';
import { listChanges } from './list-changes.ts';
import { listPushes, type PushOptions } from './list-pushes.ts';
import type { SyncEntry } from './plan-sync.ts';
import { agreedState, type SyncState, writeState } from './state-file.ts';
import { toUpdate } from './to-update.ts';

/** Id of a category in its file → the id the service gave it, where that is another one. */
type NewIds = Map<string, string>;

/**
 * Carries the folder's changes over to the service, one record after another; each is looked at once more right
 * before, so that an edit made since the comparison is not overwritten. What is done stays done when a later one fails.
 * Throws CONFLICT and what the client throws.
 */
export async function applyPush(client: Client, sides: Sides, options: PushOptions): Promise<void> {
  const newIds: NewIds = new Map();
  await pushAll(sides, options, 'category', (entry, state) =>
    pushCategory(client, sides, entry, state, newIds),
  );
  if (newIds.size > 0) adoptReferences(sides, newIds);
  const current = newIds.size > 0 ? await compareSides(client, sides.place) : sides;
  await pushAll(current, options, 'article', (entry, state) => pushArticle(client, current, entry, state));
}

/** Pushes the records of one kind, and leaves in the folder what was agreed on, however far it came. */
async function pushAll(
  sides: Sides,
  options: PushOptions,
  kind: SyncEntry['kind'],
  pushOne: (entry: SyncEntry, state: SyncState) => Promise<void>,
): Promise<void> {
  const state = agreedState(sides.state, sides.entries);
  try {
    for (const entry of listPushes(sides.entries, options)) {
      options.signal?.throwIfAborted();
      if (entry.kind === kind) await pushOne(entry, state);
    }
  } finally {
    Object.assign(sides.state, state);
    writeState(sides.place.root, state);
  }
}

async function pushCategory(
  client: Client,
  sides: Sides,
  entry: SyncEntry,
  state: SyncState,
  newIds: NewIds,
) {
  const { root, defaultLanguage } = sides.place;
  const local = sides.localCategories.get(entry.folder ?? '');
  if (!local || !entry.local) return;
  if (entry.remote === null) {
    const category = await createCategory(client, withNewParent(local.record, newIds), defaultLanguage);
    const { category_id } = category;
    if (entry.id !== null && entry.id !== category_id) newIds.set(entry.id, category_id);
    if (entry.id !== category_id) adoptId(root, local.folder, sourceFile(local), 'category_id', category_id);
    state.categories[category_id] = fingerprint(comparableCategory(category, defaultLanguage));
    state.accountId ||= category.account_id;
    return;
  }
  const id = entry.id ?? '';
  checkUnmoved(entry, fingerprint(comparableCategory(await client.readCategory(id), defaultLanguage)));
  const update = toUpdate(listChanges(entry.remote, entry.local), entry.local) as CategoryUpdate;
  const category = await client.updateCategory(id, update);
  state.categories[id] = fingerprint(comparableCategory(category, defaultLanguage));
}

async function pushArticle(client: Client, sides: Sides, entry: SyncEntry, state: SyncState) {
  const { root, defaultLanguage } = sides.place;
  const local = sides.localArticles.get(entry.folder ?? '');
  if (entry.remote === null) {
    if (!local) return;
    const article = await createArticle(client, local.record, defaultLanguage);
    const { article_id } = article;
    if (entry.id !== article_id) adoptId(root, local.folder, sourceFile(local), 'article_id', article_id);
    state.articles[article_id] = fingerprint(comparableArticle(article, defaultLanguage));
    state.accountId ||= article.account_id;
    return;
  }
  const id = entry.id ?? '';
  checkUnmoved(entry, fingerprint(comparableArticle(await client.readArticle(id), defaultLanguage)));
  if (entry.local === null) {
    await client.deleteArticle(id);
    delete state.articles[id];
    return;
  }
  const update = toUpdate(listChanges(entry.remote, entry.local), entry.local) as ArticleUpdate;
  const article = await client.updateArticle(id, update);
  state.articles[id] = fingerprint(comparableArticle(article, defaultLanguage));
}

function checkUnmoved({ kind, id, remote }: SyncEntry, current: string): void {
  if (remote !== null && fingerprint(remote) === current) return;
  const what = `${kind} ${id} was changed at the service while the push ran; it was not overwritten`;
  throw new LecternError('CONFLICT', what, { hint: 'run the push again; it compares both sides anew' });
}

function withNewParent(record: CategoryCreate, newIds: NewIds): CategoryCreate {
  const parent = newIds.get(record.parent_category_id ?? '');
  return parent === undefined ? record : { ...record, parent_category_id: parent };
}

/** A service may give its own ids: the files that name a category by its old one follow. */
function adoptReferences({ place, localArticles, localCategories }: Sides, newIds: NewIds): void {
  for (const entry of localCategories.values()) {
    const id = newIds.get(entry.record.parent_category_id ?? '');
    if (id !== undefined) adoptId(place.root, entry.folder, sourceFile(entry), 'parent_category_id', id);
  }
  for (const entry of localArticles.values()) {
    const id = newIds.get(entry.record.category_id ?? '');
    if (id !== undefined) adoptId(place.root, entry.folder, sourceFile(entry), 'category_id', id);
  }
}

function sourceFile({ files, language }: Pick<FolderEntry<unknown>, 'files' | 'language'>): string {
  return files.find((file) => file.language === language)?.name ?? '';
}
