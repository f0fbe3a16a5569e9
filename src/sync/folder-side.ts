import type { ArticleCreate } from '../core/api/article.ts';
import type { CategoryCreate } from '../core/api/category.ts';
import type { FolderEntry } from '../source/folder/read-folder.ts';
import { replaceLinkIds } from '../source/folder/record-ids.ts';
import { compareFolder, readFolderOrNothing, type Sides } from './compare-sides.ts';
import { createFileIds, type FileIds } from './file-ids.ts';
import type { SyncEntry } from './plan-sync.ts';
import { writeState } from './state-file.ts';

/** The sides of a push. The files of the folder have the ids of its records, which the service may replace. */
export function openFolderSides(compared: Sides) {
  const { target, state, records } = compared;
  const { root, defaultLanguage } = target;
  let now: Pick<Sides, 'local' | 'entries'> = compared;
  let isCurrent = true;
  const { article, category } = compared.local;
  const ids = createFileIds(root, [...category.values(), ...article.values()]);
  const localOf = ({ kind, folder }: Pick<SyncEntry, 'kind' | 'folder'>) =>
    now.local[kind].get(folder ?? '') as FolderEntry<ArticleCreate | CategoryCreate>;
  return {
    defaultLanguage,
    state,
    records,
    /** Compares both sides, with all ids that are known by now. Categories come before articles. */
    plan(): readonly SyncEntry[] {
      if (!isCurrent) {
        now = compareFolder(readFolderOrNothing(root, defaultLanguage), compared);
        isCurrent = true;
      }
      return now.entries;
    },
    /** The record to create, with the id to ask for if its files have one. Called directly before the creation. */
    recordOf(entry: SyncEntry): ArticleCreate | CategoryCreate {
      const { record } = localOf(entry);
      if (entry.kind === 'article') return withLinks(record as ArticleCreate, ids.newIds);
      const { parent_category_id: parent } = record as CategoryCreate;
      const created = ids.newIds.get(`category ${parent}`);
      return created === undefined ? record : { ...record, parent_category_id: created };
    },
    /** Notes the id that the service gave to a created record. */
    noteId(entry: SyncEntry, id: string): void {
      if (entry.id === id) return;
      ids.replace(entry.kind, localOf(entry), entry.id, id);
      isCurrent = false;
    },
    save: () => writeState(root, state),
  };
}

function withLinks(record: ArticleCreate, newIds: FileIds['newIds']): ArticleCreate {
  if (newIds.size === 0) return record;
  const { body, multilingual } = record;
  return {
    ...record,
    ...(body === undefined ? {} : { body: replaceLinkIds(body, newIds) }),
    ...(multilingual === undefined
      ? {}
      : {
          multilingual: multilingual.map((one) =>
            typeof one.body === 'string' ? { ...one, body: replaceLinkIds(one.body, newIds) } : one,
          ),
        }),
  };
}
