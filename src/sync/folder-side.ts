import { randomUUID } from 'node:crypto';
import type { ArticleCreate } from '../core/api/article.ts';
import type { CategoryCreate } from '../core/api/category.ts';
import { deriveId } from '../source/folder/folder-read.ts';
import type { FolderEntry } from '../source/folder/read-folder.ts';
import type { RecordKind } from '../source/folder/record-ids.ts';
import { listLinkedIds, replaceLinkIds } from '../source/folder/record-ids.ts';
import { adoptId } from '../source/folder/write-record.ts';
import { compareFolder, readFolderOrNothing, type Sides } from './compare-sides.ts';
import { createFileIds, type FileIds, sourceFile } from './file-ids.ts';
import type { SyncEntry } from './plan-sync.ts';
import type { PushSides } from './push.ts';
import { writeState } from './state-file.ts';

/** The sides of a push from a folder, in whose files the ids of its records stand. */
export function openFolderSides(compared: Sides): PushSides {
  const { target, state, records } = compared;
  const { root, defaultLanguage } = target;
  let now: Pick<Sides, 'local' | 'entries'> = compared;
  let isCurrent = true;
  let ids: FileIds | null = null;
  /** Ids of records that had none, by subfolder. */
  const given = new Map<string, string>();
  /**
   * Whether the service creates articles with the ids that it is asked for; `null` until the first was created. One that kept the id of a
   * category is expected to; if it does not, the update after the creations corrects the links of the first article.
   */
  let keepsIds: boolean | null = null;
  const localOf = ({ kind, folder }: Pick<SyncEntry, 'kind' | 'folder'>) =>
    now.local[kind].get(folder ?? '') as LocalEntry;
  const idOf = ({ id, folder }: Pick<SyncEntry, 'id' | 'folder'>): string =>
    id ?? given.get(folder ?? '') ?? '';
  /** Whether an article links to others that the service does not have yet, and that may get other ids there. */
  const isWaiting = (record: ArticleCreate, newIds: FileIds['newIds']): boolean => {
    if (keepsIds === true) return false;
    const linked = listLinkedIds(bodiesOf(record).join('\n'));
    return [...now.local.article.values()].some(({ record: { article_id: id = '' } }) => {
      const isUnknown = !records.article.has(id) && !newIds.has(`article ${id}`);
      return isUnknown && id !== record.article_id && linked.has(`article ${id}`);
    });
  };
  const newIdsOf = (): FileIds['newIds'] => ids?.newIds ?? new Map();
  return {
    defaultLanguage,
    state,
    records,
    plan() {
      if (!isCurrent) {
        now = compareFolder(readFolderOrNothing(root), compared);
        isCurrent = true;
      }
      const { entries } = now;
      if (keepsIds !== null) return entries;
      // The first article shows whether the service keeps ids, so it is one that is complete without them. It moves to the front of the
      // service's list, so this is done only if no category has shown it.
      const first = entries.find(
        (entry) =>
          entry.kind === 'article' &&
          entry.outcome === 'local-new' &&
          !isWaiting(localOf(entry).record as ArticleCreate, newIdsOf()),
      );
      return first === undefined ? entries : [first, ...entries.filter((entry) => entry !== first)];
    },
    announce(entries) {
      const creating = entries.map((entry) => {
        const id = entry.id ?? giveId(root, localOf(entry), entry.kind);
        given.set(entry.folder ?? '', id);
        return { kind: entry.kind, id };
      });
      state.creating = [...(state.creating ?? []), ...creating];
      state.existing = { article: [...records.article.keys()], category: [...records.category.keys()] };
      writeState(root, state);
    },
    recordOf(entry) {
      const local = localOf(entry);
      const id = idOf(entry);
      const newIds = newIdsOf();
      if (entry.kind === 'category') {
        const record = local.record as CategoryCreate;
        const parent = newIds.get(`category ${record.parent_category_id}`) ?? record.parent_category_id;
        return {
          ...record,
          category_id: id,
          ...(parent === undefined ? {} : { parent_category_id: parent }),
        };
      }
      const record = local.record as ArticleCreate;
      const linked = withLinks(record, newIds);
      if (!record.is_published || !isWaiting(record, newIds)) return { ...linked, article_id: id };
      isCurrent = false;
      return { ...linked, article_id: id, is_published: false };
    },
    noteId(entry, id, wanted) {
      state.creating = state.creating?.filter((one) => one.kind !== entry.kind || one.id !== idOf(entry));
      if (entry.kind === 'article') keepsIds = id === wanted && keepsIds !== false;
      else if (id === wanted) keepsIds ??= true;
      if (id === wanted) return;
      ids ??= createFileIds(root, {
        articles: [...compared.local.article.values()],
        categories: [...compared.local.category.values()],
      });
      ids.replace(entry.kind, localOf(entry), idOf(entry), id);
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

function bodiesOf({ body, multilingual = [] }: ArticleCreate): readonly string[] {
  return [body ?? '', ...multilingual.map((one) => one.body ?? '')];
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
