import type { ArticleCreate, ArticleRecord } from '../core/api/article.ts';
import type { CategoryCreate, CategoryRecord } from '../core/api/category.ts';
import { type Problem, problem } from '../core/problems.ts';
import type { Client } from '../source/api/client-types.ts';
import { type Comparable, comparableOf, type RecordKind } from './comparable.ts';
import { comparableRecords, readService, type ServiceRecords } from './compare-sides.ts';
import { planSync, type SyncEntry } from './plan-sync.ts';
import type { PushSides, RefusedRecord } from './push.ts';
import { articlesWriter, categoryRecords, type RecordIds, type SourceContent } from './source-records.ts';
import {
  noteAgreed,
  readSourceState,
  recordsOf,
  type SourceState,
  type SyncState,
  writeSourceState,
} from './state-file.ts';

/** The sides of a push from a source. */
interface SourceSides extends PushSides {
  readonly content: SourceContent;
}

/**
 * Reads the whole service, to push the public content of a source to it.
 * @param stateFile contains the ids of the records in the service
 * @param from identity of the source
 * @throws SYNC_STATE_FOREIGN, SYNC_STATE_INVALID, and what the client throws, also if the list is incomplete
 */
export async function openSourceSides(
  client: Client,
  content: SourceContent,
  {
    stateFile,
    from,
    baseUrl,
  }: { readonly stateFile: string; readonly from: string; readonly baseUrl: string },
): Promise<SourceSides> {
  const state = readSourceState(stateFile, from, baseUrl);
  const source = state.source as SourceState;
  const records = await readService(client);
  const { defaultLanguage } = content;
  noteUnfinished(content, state, source, records);
  const ids = knownIds(source);
  // Only while the service has accepted every id that it was asked for can links lead to records that are created later.
  let isAccepted = false;
  const writeNew = articlesWriter(content, {
    ...ids,
    article: (id) => ids.article(id) ?? (isAccepted ? id : null),
  });
  return {
    content,
    defaultLanguage,
    state,
    records,
    plan: () => planSource(content, state, source, records),
    announce(entries) {
      source.creating.push(...entries.map(({ kind, folder }) => ({ kind, source: folder ?? '' })));
      source.existing = { article: [...records.article.keys()], category: [...records.category.keys()] };
      writeSourceState(stateFile, state);
    },
    recordOf({ kind, folder }) {
      if (kind === 'category') {
        const record = categoryRecords(content, ids).find((one) => one.category_id === folder);
        return record as CategoryCreate;
      }
      const article = content.articles.find((one) => one.article.id === folder);
      const given = Object.entries(source.ids.article);
      isAccepted = given.length > 0 && given.every(([from, id]) => from === id);
      const { record, isWaiting } = writeNew(article as (typeof content.articles)[number]);
      return isWaiting ? { ...record, is_published: false } : record;
    },
    noteId: ({ kind, folder }, id) => noteId(source, kind, folder ?? '', id),
    save: () => writeSourceState(stateFile, state),
  };
}

/** Problems of the records themselves: broken links, missing languages. */
export function listSourceProblems({ content, state }: SourceSides): readonly Problem[] {
  const write = articlesWriter(content, knownIds(state.source as SourceState));
  return content.articles.flatMap((one) => write(one).problems);
}

/** Problems of what a push created, and of what the service refused. */
export function listPushProblems(
  { content, state, records }: SourceSides,
  {
    created,
    refused,
  }: { readonly created: readonly SyncEntry[]; readonly refused: readonly RefusedRecord[] },
): readonly Problem[] {
  const ids = (state.source as SourceState).ids.article;
  const isNew = new Set(created.map(({ kind, folder }) => `${kind} ${folder}`));
  return [
    ...refused.map(({ entry: { kind, folder }, error }) => {
      const id = folder ?? '';
      const where = kind === 'article' ? { articleId: id } : { categoryId: id };
      return problem('SYNC_REFUSED', `the service refused ${id}: ${error.message}`, where);
    }),
    // A service need not accept dates, and an update changes one.
    ...content.articles.flatMap(({ article: { id, createdAt, updatedAt } }) => {
      const made = isNew.has(`article ${id}`) ? records.article.get(ids[id] ?? '') : undefined;
      if (made === undefined) return [];
      const isSame = (sent: string | null, got: string): boolean =>
        sent === null || Date.parse(sent) === Date.parse(got);
      if (isSame(createdAt, made.created_at) && isSame(updatedAt, made.updated_at)) return [];
      const message = `the service, or a second write by the push, set other dates: created ${made.created_at}, edited ${made.updated_at}`;
      return [problem('SYNC_DATES_LOST', message, { articleId: id })];
    }),
  ];
}

function planSource(
  content: SourceContent,
  state: SyncState,
  source: SourceState,
  records: ServiceRecords,
): readonly SyncEntry[] {
  const { defaultLanguage } = content;
  const ids = knownIds(source);
  const write = articlesWriter(content, ids);
  const plan = (
    kind: RecordKind,
    own: readonly (readonly [source: string, record: ArticleCreate | CategoryCreate])[],
  ): readonly SyncEntry[] => {
    const known = source.ids[kind];
    const taken = new Set(Object.values(known));
    const remote = comparableRecords(kind, records, defaultLanguage);
    return planSync({
      kind,
      agreed: recordsOf(state, kind),
      local: own.map(([from, record]) => {
        // If another record already has the id of the source: an equal one is the same, any other is not overwritten.
        const id = known[from] ?? (remote.has(from) && !taken.has(from) ? from : null);
        const written = comparableOf(kind, record, defaultLanguage);
        return { id, folder: from, written, takeOver: () => written };
      }),
      remote,
    }).map((entry): SyncEntry => {
      // A push from a source never deletes a record, nor creates a deleted one again.
      if (entry.local === null && entry.outcome === 'conflict') return { ...entry, outcome: 'local-deleted' };
      const isDeletedThere = entry.id !== null && entry.local !== null && entry.remote === null;
      return isDeletedThere ? { ...entry, outcome: 'remote-deleted' } : entry;
    });
  };
  // Only the first created article shows whether the service accepts the ids that it is asked for, so it is one without links.
  const isFirst = Object.keys(source.ids.article).length === 0;
  const written = content.articles.map((one) => ({ id: one.article.id, ...write(one) }));
  const start = isFirst ? written.find(({ isWaiting }) => !isWaiting) : undefined;
  const inOrder = start === undefined ? written : [start, ...written.filter((one) => one !== start)];
  return [
    ...plan(
      'category',
      categoryRecords(content, ids).map((record) => [record.category_id ?? '', record]),
    ),
    ...plan(
      'article',
      inOrder.map(({ id, record }) => [id, record]),
    ),
  ];
}

/**
 * Finds records whose creation the last push did not see finished: it was killed, or the response was lost. A record of the service is the
 * one if it is new since the announcement, is not that of another record, and has the same id, or the same content, or the same title.
 */
function noteUnfinished(
  content: SourceContent,
  state: SyncState,
  source: SourceState,
  records: ServiceRecords,
): void {
  const { defaultLanguage } = content;
  const write = articlesWriter(content, knownIds(source));
  const wanted = {
    category: categoryRecords(content, knownIds(source)).map(
      (record) => [record.category_id ?? '', record] as const,
    ),
    article: content.articles.map((one) => [one.article.id, write(one).record] as const),
  };
  for (const kind of ['category', 'article'] as const) {
    const existing = new Set(source.existing[kind]);
    const ids = source.ids[kind];
    const taken = new Set(Object.values(ids));
    const isAnnounced = new Set(source.creating.flatMap((one) => (one.kind === kind ? [one.source] : [])));
    const others: ReadonlyMap<string, ArticleRecord | CategoryRecord> = records[kind];
    const found = [...others]
      .filter(([id]) => !existing.has(id) && !taken.has(id))
      .map(([id, record]) => ({
        id,
        title: record.title,
        remote: comparableOf(kind, record, defaultLanguage),
      }));
    const unfinished = wanted[kind]
      .filter(([from]) => isAnnounced.has(from) && ids[from] === undefined)
      .map(([from, record]) => ({ from, record, written: comparableOf(kind, record, defaultLanguage) }));
    const isOne: readonly ((one: (typeof unfinished)[number], other: (typeof found)[number]) => boolean)[] = [
      ({ from }, { id }) => id === from,
      ({ written }, { remote }) => isSameText(written, remote),
      ({ record }, { title }) => record.title === title,
    ];
    for (const matches of isOne) {
      for (const one of unfinished) {
        if (ids[one.from] !== undefined) continue;
        const match = found.find((other) => !taken.has(other.id) && matches(one, other));
        if (match === undefined) continue;
        taken.add(match.id);
        noteId(source, kind, one.from, match.id);
        // What was sent is no longer known, so the values of the service count as agreed.
        const { id, remote } = match;
        noteAgreed(state, { kind, id, fields: [] }, 'folder', { written: remote, remote });
      }
    }
  }
}

/** Whether titles and bodies are the same in the default language, which tells records of one title apart. */
function isSameText({ fields: own }: Comparable, { fields: other }: Comparable): boolean {
  return own.title === other.title && own.body === other.body;
}

function noteId(source: SourceState, kind: RecordKind, from: string, id: string): void {
  source.ids[kind][from] = id;
  source.creating = source.creating.filter((one) => one.kind !== kind || one.source !== from);
}

/** Ids of the records that the service has. */
function knownIds({ ids }: SourceState): RecordIds {
  return { article: (from) => ids.article[from] ?? null, category: (from) => ids.category[from] ?? null };
}
