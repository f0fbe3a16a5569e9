import type { ArticleCreate, ArticleRecord } from '../core/api/article.ts';
import type { CategoryCreate, CategoryRecord } from '../core/api/category.ts';
import type { FolderContent } from '../source/folder/read-folder.ts';
import type { RecordKind } from '../source/folder/record-ids.ts';
import { type Comparable, comparableOf, type ServiceRecords } from './comparable.ts';
import { createFileIds, type RecordOnDisk } from './file-ids.ts';
import { noteAgreed, recordsOf, type SyncState } from './state-file.ts';

/** A record of the folder, and its id in the files. */
interface WithId {
  readonly id: string;
  readonly entry: RecordOnDisk;
  readonly record: ArticleCreate | CategoryCreate;
}

/**
 * Finds records whose creation the last push did not see finished: it was killed, or the response was lost. A record of the service is the
 * one if it is new since the announcement, is not that of another file, and has the same id, or the same text, or the same title. Writes
 * its id into the files, and notes the values of the service as agreed, because what was sent is no longer known.
 * @returns whether files changed, so that the folder has to be read again
 */
export function finishCreations(
  root: string,
  folder: FolderContent,
  state: SyncState,
  records: ServiceRecords,
  defaultLanguage: string,
): boolean {
  const { creating = [], existing } = state;
  if (creating.length === 0 || existing === undefined) return false;
  const ids = createFileIds(root, folder);
  const local: Readonly<Record<RecordKind, readonly WithId[]>> = {
    category: folder.categories.map((entry) => ({
      id: entry.record.category_id ?? '',
      entry,
      record: entry.record,
    })),
    article: folder.articles.map((entry) => ({
      id: entry.record.article_id ?? '',
      entry,
      record: entry.record,
    })),
  };
  for (const kind of ['category', 'article'] as const) {
    const isOld = new Set(existing[kind]);
    const ofService: ReadonlyMap<string, ArticleRecord | CategoryRecord> = records[kind];
    const created = [...ofService].flatMap(([id, record]) =>
      isOld.has(id) ? [] : [{ id, title: record.title, remote: comparableOf(kind, record, defaultLanguage) }],
    );
    const agree = (id: string, remote: Comparable): void => {
      if (recordsOf(state, kind)[id] === undefined)
        noteAgreed(state, { kind, id, fields: [] }, 'folder', { written: remote, remote });
    };
    const inFolder = new Set(local[kind].map(({ id }) => id));
    for (const { id, remote } of created) if (inFolder.has(id)) agree(id, remote);

    const isAnnounced = new Set(creating.flatMap((one) => (one.kind === kind ? [one.id] : [])));
    let unfinished = local[kind].filter(({ id }) => isAnnounced.has(id) && !ofService.has(id));
    let others = created.filter(({ id }) => !inFolder.has(id));
    const isSame: readonly ((one: WithId, other: (typeof others)[number]) => boolean)[] = [
      ({ record }, { remote }) => isSameText(comparableOf(kind, record, defaultLanguage), remote),
      ({ record }, { title }) => record.title === title,
    ];
    for (const matches of isSame) {
      for (const one of unfinished) {
        const other = others.find((candidate) => matches(one, candidate));
        if (other === undefined) continue;
        others = others.filter((candidate) => candidate !== other);
        unfinished = unfinished.filter((candidate) => candidate !== one);
        ids.replace(kind, one.entry, one.id, other.id);
        agree(other.id, other.remote);
      }
    }
  }
  return ids.newIds.size > 0;
}

/** Whether titles and bodies are the same in the default language, which tells records of one title apart. */
function isSameText({ fields: own }: Comparable, { fields: other }: Comparable): boolean {
  return own.title === other.title && own.body === other.body;
}
