import { randomUUID } from 'node:crypto';
import type { ArticleCreate } from '../core/api/article.ts';
import type { CategoryCreate } from '../core/api/category.ts';
import { deriveId } from '../source/folder/folder-read.ts';
import type { FolderEntry } from '../source/folder/read-folder.ts';
import { adoptId } from '../source/folder/write-record.ts';
import type { RecordKind } from './comparable.ts';
import { compareFolder, readFolderOrNothing, type Sides } from './compare-sides.ts';
import type { SyncEntry } from './plan-sync.ts';
import type { PushSides } from './push.ts';
import { writeState } from './state-file.ts';

/** The sides of a push from a folder, in whose files the ids of its records stand. */
export function openFolderSides(compared: Sides): PushSides {
  const { target, state, records } = compared;
  const { root, defaultLanguage } = target;
  let now: Pick<Sides, 'local' | 'entries'> = compared;
  /** Id of a category in its file → the id that the service assigned, if it differs. */
  const newIds = new Map<string, string>();
  let isCurrent = true;
  const localOf = ({ kind, folder }: SyncEntry) => now.local[kind].get(folder ?? '') as LocalEntry;
  return {
    defaultLanguage,
    state,
    records,
    plan() {
      if (!isCurrent) {
        adoptReferences(root, now, newIds);
        now = compareFolder(readFolderOrNothing(root), compared);
        isCurrent = true;
      }
      return now.entries;
    },
    announce: () => {},
    recordOf(entry) {
      const local = localOf(entry);
      const id = entry.id ?? giveId(root, local, entry.kind);
      if (entry.kind === 'article') return { ...(local.record as ArticleCreate), article_id: id };
      const record = local.record as CategoryCreate;
      const parent = newIds.get(record.parent_category_id ?? '') ?? record.parent_category_id;
      return { ...record, category_id: id, ...(parent === undefined ? {} : { parent_category_id: parent }) };
    },
    noteId(entry, id, wanted) {
      if (id === wanted) return;
      const local = localOf(entry);
      adoptId(root, local.folder, sourceFile(local), `${entry.kind}_id`, id);
      if (entry.kind === 'article' || entry.id === null) return;
      newIds.set(entry.id, id);
      isCurrent = false;
    },
    save: () => writeState(root, state),
  };
}

type LocalEntry = FolderEntry<ArticleCreate | CategoryCreate>;

/**
 * Writes an id into the file before the record is created: a push that ends in between, or cannot write afterwards, would
 * create the record again the next time.
 */
function giveId(root: string, local: LocalEntry, kind: RecordKind): string {
  const id = deriveId(kind, randomUUID());
  adoptId(root, local.folder, sourceFile(local), `${kind}_id`, id);
  return id;
}

/** A service may assign its own ids. Updates the files that name a category by its old id. */
function adoptReferences(
  root: string,
  { local }: Pick<Sides, 'local'>,
  newIds: ReadonlyMap<string, string>,
): void {
  for (const entry of local.category.values()) {
    const id = newIds.get(entry.record.parent_category_id ?? '');
    if (id !== undefined) adoptId(root, entry.folder, sourceFile(entry), 'parent_category_id', id);
  }
  for (const entry of local.article.values()) {
    const id = newIds.get(entry.record.category_id ?? '');
    if (id !== undefined) adoptId(root, entry.folder, sourceFile(entry), 'category_id', id);
  }
}

function sourceFile({ files, language }: Pick<FolderEntry<unknown>, 'files' | 'language'>): string {
  return files.find((file) => file.language === language)?.name ?? '';
}
