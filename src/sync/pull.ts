import { basename, join } from 'node:path';
import { formatArticleFiles, formatCategoryFiles } from '../folder/format-record.ts';
import { type ListOrder, writeListOrder } from '../folder/list-order.ts';
import type { FolderContent } from '../folder/read-folder.ts';
import { checkLanguageFile, removeRecord, writeRecord } from '../folder/write-record.ts';
import { comparableArticle, hashComparable, takeOverSlugs } from './comparable.ts';
import { readFolderOrNothing, type Sides } from './compare-sides.ts';
import type { SyncEntry } from './plan-sync.ts';
import { noteWritten, type SyncState, writeState } from './state-file.ts';

/** The forms of the bodies a pull has written. */
export interface PulledForms {
  readonly markdown: number;
  /** Why bodies stay HTML: reason → how many. */
  readonly html: ReadonlyMap<string, number>;
}

/**
 * Writes the changes of the service into the folder; records changed only in the folder are not touched.
 * The caller has refused conflicts.
 */
export function applyPull(sides: Sides): PulledForms {
  checkPull(sides);
  const { state, entries } = sides;
  const forms = { markdown: 0, html: new Map<string, number>() };
  for (const entry of entries) {
    if (entry.outcome === 'remote-deleted' && entry.folder !== null)
      removeRecord(sides.target.root, entry.folder);
    if (isTakenOver(entry, sides)) writeEntry(entry, sides, forms);
  }
  const after: SyncState = {
    ...state,
    accountId: accountOf(sides),
    articles: agreed('article', state.articles, entries),
    categories: agreed('category', state.categories, entries),
    written: { ...state.written },
  };
  const folder = readFolderOrNothing(sides.target.root);
  noteAllWritten(sides, folder, after);
  writeListOrder(sides.target.root, orderOf(sides, folder));
  writeState(sides.target.root, after);
  return forms;
}

/** Notes what the files of every article say that both sides agree on. */
function noteAllWritten({ target, entries }: Sides, folder: FolderContent, after: SyncState): void {
  const remote = new Map(entries.flatMap((entry) => (entry.kind === 'article' ? [[entry.id, entry]] : [])));
  for (const id of Object.keys(after.written)) if (after.articles[id] === undefined) delete after.written[id];
  for (const { record } of folder.articles) {
    const { article_id: id = '' } = record;
    const entry = remote.get(id);
    if (entry?.remote == null || entry.outcome === 'local-changed') continue;
    if (after.articles[id] !== hashComparable(entry.remote)) continue;
    const written = takeOverSlugs(comparableArticle(record, target.defaultLanguage), entry.remote);
    noteWritten(after, id, hashComparable(written));
  }
}

/** Sub-folders in the order of the service; those it does not know come last. */
function orderOf({ articles, categories }: Sides, folder: FolderContent): ListOrder {
  const sort = (
    ids: Iterable<string>,
    named: readonly (readonly [string | undefined, string])[],
  ): string[] => {
    const position = new Map([...ids].map((id, index) => [id, index]));
    const of = (id: string | undefined): number => position.get(id ?? '') ?? position.size;
    return [...named].sort(([a], [b]) => of(a) - of(b)).map(([, name]) => basename(name));
  };
  return {
    articles: sort(
      articles.keys(),
      folder.articles.map((entry) => [entry.record.article_id, entry.folder]),
    ),
    categories: sort(
      categories.keys(),
      folder.categories.map((entry) => [entry.record.category_id, entry.folder]),
    ),
  };
}

/**
 * Checks that every record can be written, before the first one is.
 * @throws LANGUAGE_UNUSABLE
 */
export function checkPull(sides: Sides): void {
  for (const entry of sides.entries) {
    if (!isTakenOver(entry, sides) || entry.id === null) continue;
    const record = entry.kind === 'article' ? sides.articles.get(entry.id) : sides.categories.get(entry.id);
    for (const { language_code: language } of record?.multilingual ?? []) {
      checkLanguageFile(entry.folder ?? `${entry.kind} ${entry.id}`, `${language}.md`);
    }
  }
}

/** New and changed records, and those whose file has another date. */
function isTakenOver({ kind, outcome, id, folder }: SyncEntry, sides: Sides): boolean {
  if (outcome === 'remote-new' || outcome === 'remote-changed') return true;
  if (outcome !== 'same' || id === null) return false;
  const records = kind === 'article' ? sides.localArticles : sides.localCategories;
  const local = records.get(folder ?? '')?.record;
  const remote = kind === 'article' ? sides.articles.get(id) : sides.categories.get(id);
  return local?.updated_at !== undefined && isRedated(local.updated_at, remote?.updated_at);
}

function isRedated(local: string, remote: string | undefined): boolean {
  return remote !== undefined && Date.parse(local) !== Date.parse(remote);
}

function writeEntry(
  { kind, id, folder }: SyncEntry,
  { target, articles, categories, localArticles }: Sides,
  forms: { markdown: number; readonly html: Map<string, number> },
): void {
  const { root, defaultLanguage, toForm } = target;
  const article = kind === 'article' ? articles.get(id ?? '') : undefined;
  if (article) {
    const current = localArticles.get(folder ?? '')?.files ?? [];
    const recordFolder = folder ?? join('articles', folderName(article.article_id, article.slug));
    const { files, reasons } = formatArticleFiles(article, defaultLanguage, current, toForm);
    writeRecord(root, recordFolder, files);
    forms.markdown += [...files.keys()].filter((name) => name.endsWith('.md')).length;
    for (const reason of reasons) forms.html.set(reason, (forms.html.get(reason) ?? 0) + 1);
  }
  const category = kind === 'category' ? categories.get(id ?? '') : undefined;
  if (category) {
    const target = folder ?? join('categories', folderName(category.category_id, category.slug));
    writeRecord(root, target, formatCategoryFiles(category, defaultLanguage));
  }
}

/** `<id>-<slug>`, of characters that are safe in a file name everywhere. */
function folderName(id: string, slug: string): string {
  const safe = (text: string) => text.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '');
  return [safe(id), [...safe(slug)].slice(0, 60).join('')].filter(Boolean).join('-');
}

/** The hashes after a pull: of equal records and of those written to the folder. */
function agreed(
  kind: SyncEntry['kind'],
  before: SyncState['articles'],
  entries: readonly SyncEntry[],
): SyncState['articles'] {
  const after: Record<string, string> = {};
  for (const { kind: entryKind, id, outcome, remote } of entries) {
    if (entryKind !== kind || id === null) continue;
    const isAgreed = outcome === 'same' || outcome === 'remote-new' || outcome === 'remote-changed';
    const known = before[id];
    if (isAgreed && remote !== null) after[id] = hashComparable(remote);
    else if (known !== undefined && outcome !== 'remote-deleted') after[id] = known;
  }
  return after;
}

function accountOf({ articles, categories, state }: Sides): string {
  const [someone] = [...articles.values(), ...categories.values()];
  return someone?.account_id || state.accountId;
}
