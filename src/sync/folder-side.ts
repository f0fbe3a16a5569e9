import type { ArticleCreate } from '../core/api/article.ts';
import type { CategoryCreate } from '../core/api/category.ts';
import type { FolderEntry } from '../source/folder/read-folder.ts';
import { replaceLinkIds } from '../source/folder/record-ids.ts';
import { compareFolder, readFolderOrNothing, type Sides } from './compare-sides.ts';
import { createFileIds, type FileIds } from './file-ids.ts';
import type { SyncEntry } from './plan-sync.ts';
import type { PushSides } from './push.ts';
import { writeState } from './state-file.ts';

/** The sides of a push from a folder, in whose files the ids of its records stand. */
export function openFolderSides(compared: Sides): PushSides {
  const { target, state, records } = compared;
  const { root, defaultLanguage } = target;
  let now: Pick<Sides, 'local' | 'entries'> = compared;
  let isCurrent = true;
  const ids = createFileIds(root, {
    articles: [...compared.local.article.values()],
    categories: [...compared.local.category.values()],
  });
  const localOf = ({ kind, folder }: Pick<SyncEntry, 'kind' | 'folder'>) =>
    now.local[kind].get(folder ?? '') as FolderEntry<ArticleCreate | CategoryCreate>;
  return {
    defaultLanguage,
    state,
    records,
    plan() {
      if (!isCurrent) {
        now = compareFolder(readFolderOrNothing(root), compared);
        isCurrent = true;
      }
      return now.entries;
    },
    recordOf(entry) {
      const { record } = localOf(entry);
      if (entry.kind === 'article') return withLinks(record as ArticleCreate, ids.newIds);
      const { parent_category_id: parent } = record as CategoryCreate;
      const created = ids.newIds.get(`category ${parent}`);
      return created === undefined ? record : { ...record, parent_category_id: created };
    },
    noteId(entry, id) {
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
