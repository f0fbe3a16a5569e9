import { join } from 'node:path';
import { formatArticleFiles, formatCategoryFiles } from '../folder/format-record.ts';
import { checkLanguageFile, removeRecord, writeRecord } from '../folder/write-record.ts';
import { hashComparable } from './comparable.ts';
import type { Sides } from './compare-sides.ts';
import type { SyncEntry } from './plan-sync.ts';
import { type SyncState, writeState } from './state-file.ts';

/**
 * Writes the changes of the service into the folder; records changed only in the folder are not touched.
 * The caller has refused conflicts.
 */
export function applyPull(sides: Sides): void {
  checkPull(sides);
  const { state, entries } = sides;
  for (const entry of entries) {
    if (entry.outcome === 'remote-deleted' && entry.folder !== null)
      removeRecord(sides.target.root, entry.folder);
    if (isTakenOver(entry, sides)) writeEntry(entry, sides);
  }
  writeState(sides.target.root, {
    ...state,
    accountId: accountOf(sides),
    articles: agreed('article', state.articles, entries),
    categories: agreed('category', state.categories, entries),
  });
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
): void {
  const { root, defaultLanguage } = target;
  const article = kind === 'article' ? articles.get(id ?? '') : undefined;
  if (article) {
    const files = localArticles.get(folder ?? '')?.files ?? [];
    const recordFolder = folder ?? join('articles', folderName(article.article_id, article.slug));
    writeRecord(root, recordFolder, formatArticleFiles(article, defaultLanguage, files));
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
