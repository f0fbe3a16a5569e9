import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { LecternError } from '../../core/errors.ts';
import { makeFolder } from '../../core/file-system.ts';
import { guardLoss } from '../../core/guard-loss.ts';
import type { Problem } from '../../core/problems.ts';
import { z } from '../../core/schema.ts';
import { formatStable } from '../../core/stable-json.ts';
import type { ToBodyForm } from '../../source/folder/body-markdown.ts';
import { readStateFile } from '../../source/folder/list-folder.ts';
import { readFolder } from '../../source/folder/read-folder.ts';
import { type NewIds, type RecordKind, replaceIds } from '../../source/folder/record-ids.ts';
import {
  checkLanguageFile,
  formatArticleFiles,
  formatCategoryFiles,
  type RecordFiles,
  readRecordFiles,
  recordFolderName,
  removeRecord,
  writeFile,
  writeRecordFiles,
} from '../../source/folder/write-record.ts';
import { createArticleWriter, type PublicContent, toCategoryRecords } from './public-records.ts';

/** What a pull from a source leaves in the folder: which files it wrote, so that it never overwrites an edit. */
const stateName = '.lectern-source.json';

const stateSchema = z.object({
  version: z.literal(1),
  /** Identity of the source. */
  from: z.string(),
  /** By kind and id in the source: `article 4fq8d7s2ka`. */
  records: z.record(
    z.string(),
    z.object({
      folder: z.string(),
      /** Of the files that were written, with the ids of the source. */
      hash: z.string(),
      /** A pull began to write the files, and perhaps did not end. */
      isUnfinished: z.literal(true).optional(),
    }),
  ),
});

type PullState = z.infer<typeof stateSchema>;

/** What a pull does with a record. */
type PullOutcome =
  | 'same'
  /** Written. */
  | 'new'
  | 'changed'
  /** It is no longer public in the source, and is removed. */
  | 'gone'
  /** Only the folder changed or deleted it: it stays as it is. */
  | 'edited'
  | 'deleted'
  /** Folder and source both changed it: it stays as it is. */
  | 'conflict';

export interface PulledRecord {
  readonly kind: RecordKind;
  /** In the source. */
  readonly id: string;
  readonly title: string;
  /** Relative to the folder, `/`-separated. */
  readonly folder: string;
  readonly outcome: PullOutcome;
  /** Of the source; `null` if the record is no longer public. */
  readonly files: RecordFiles | null;
}

/** A pull that was planned and not applied. */
interface SourcePull {
  readonly root: string;
  readonly state: PullState;
  /** Categories before articles. */
  readonly records: readonly PulledRecord[];
  /** Ids that a push to a service replaced in the files, by the id in the source. */
  readonly newIds: NewIds;
  readonly problems: readonly Problem[];
}

/**
 * Compares the public content of a source with a folder that was pulled from it, or is new.
 * @param from identity of the source
 * @param theirs whether the source decides conflicts
 * @throws SYNC_STATE_FOREIGN (exit 2) if the folder was pulled from another source; PATH_UNUSABLE, CONFIG_INVALID
 */
export function planSourcePull(
  root: string,
  from: string,
  content: PublicContent,
  toForm: ToBodyForm,
  theirs: boolean,
): SourcePull {
  const state = readState(root, from);
  const newIds = findNewIds(root, state);
  const oldIds = reverse(newIds);
  const problems: Problem[] = [];
  const { defaultLanguage } = content;
  const write = createArticleWriter(content);
  const wanted = [
    ...toCategoryRecords(content).map((record) => ({
      kind: 'category' as const,
      id: record.category_id,
      title: record.title,
      slug: record.slug,
      files: formatCategoryFiles(record, defaultLanguage),
    })),
    ...content.articles.map((one) => {
      const { record, problems: own } = write(one);
      problems.push(...own);
      const { article_id: id, title, slug } = record;
      const { files } = formatArticleFiles(record, defaultLanguage, [], toForm);
      return { kind: 'article' as const, id, title, slug, files };
    }),
  ];
  const records = wanted.map(({ kind, id, title, slug, files }): PulledRecord => {
    const known = state.records[`${kind} ${id}`];
    const folder = known?.folder ?? `${folderOfKind[kind]}/${recordFolderName(id, slug ?? '')}`;
    for (const [name, text] of files) if (typeof text === 'string') checkLanguageFile(folder, name);
    const current = readRecordFiles(root, folder);
    const outcome = compare(hashFiles(files), current && hashFiles(current, oldIds), known);
    return {
      ...{ kind, id, title, folder, files },
      outcome: theirs && outcome === 'conflict' ? 'changed' : outcome,
    };
  });
  const isWanted = new Set(wanted.map(({ kind, id }) => `${kind} ${id}`));
  for (const [key, known] of Object.entries(state.records)) {
    if (isWanted.has(key)) continue;
    const [kind = '', id = ''] = key.split(' ');
    const { folder } = known;
    const current = readRecordFiles(root, folder);
    if (current === null) continue;
    const isOurs = known.isUnfinished === true || hashFiles(current, oldIds) === known.hash;
    const outcome = isOurs || theirs ? 'gone' : 'conflict';
    records.push({ kind: kind as RecordKind, id, title: '', folder, outcome, files: null });
  }
  return { root, state, records, newIds, problems };
}

const folderOfKind = { article: 'articles', category: 'categories' } as const;

/**
 * @param source hash of the source's files
 * @param folder hash of the folder's files; `null` if there are none
 */
function compare(
  source: string,
  folder: string | null,
  known: PullState['records'][string] | undefined,
): PullOutcome {
  if (folder === source) return 'same';
  if (known?.isUnfinished === true) return 'changed';
  if (folder === null) return known === undefined ? 'new' : 'deleted';
  if (known?.hash === source) return 'edited';
  return known?.hash === folder ? 'changed' : 'conflict';
}

/** Stops a pull that would remove a large part of the articles. @throws MASS_DELETE */
export function guardSourceRemovals({ records }: SourcePull): void {
  const articles = records.filter(({ kind, outcome }) => kind === 'article' && outcome !== 'new');
  const gone = articles.filter(({ outcome }) => outcome === 'gone').map(({ folder }) => folder);
  guardPullRemovals('article', articles.length - gone.length, gone, 'the source, its key and languages');
}

/**
 * @param gone paths of the articles, or pages, that would be removed
 * @param suspects what may be wrong, for the hint
 * @throws MASS_DELETE
 */
export function guardPullRemovals(
  noun: 'article' | 'page',
  kept: number,
  gone: readonly string[],
  suspects: string,
): void {
  guardLoss(
    { total: kept + gone.length },
    { total: kept },
    {
      noun,
      when: 'in the folder',
      lost: () => gone,
      hint: `nothing was written; if this is intended, pass --allow-mass-delete once, else check ${suspects}`,
    },
  );
}

/** Writes and removes records. A pull that is killed can be repeated. */
export function applySourcePull({ root, state, records, newIds }: SourcePull): void {
  makeFolder(root);
  const acting = records.filter(({ outcome }) => ['new', 'changed', 'gone'].includes(outcome));
  const begun = { ...state.records };
  for (const { kind, id, folder } of acting)
    begun[`${kind} ${id}`] = { folder, hash: '', ...begun[`${kind} ${id}`], isUnfinished: true };
  if (acting.length > 0) writeState(root, { ...state, records: begun });
  for (const { folder, files } of acting) {
    if (files !== null) {
      const named = [...files].map(
        ([name, content]) =>
          [name, typeof content === 'string' ? replaceIds(content, newIds) : content] as const,
      );
      writeRecordFiles(root, folder, new Map(named));
    } else removeRecord(root, folder, [...(readRecordFiles(root, folder) ?? new Map()).keys()]);
  }
  const after: PullState['records'] = {};
  for (const { kind, id, folder, outcome, files } of records) {
    const key = `${kind} ${id}`;
    const known = state.records[key];
    const isWritten = outcome === 'same' || outcome === 'new' || outcome === 'changed';
    if (isWritten && files !== null) after[key] = { folder, hash: hashFiles(files) };
    else if (known !== undefined && outcome !== 'gone') after[key] = known;
  }
  writeState(root, { ...state, records: after });
}

/** @param ids that replace those in the files first */
function hashFiles(files: RecordFiles, ids: NewIds = new Map()): string {
  const entries = [...files]
    .map(([name, content]) => [
      name,
      typeof content === 'string' ? replaceIds(content, ids) : hash('sha256', content),
    ])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify(entries)).slice(0, 32);
}

/** The ids of pulled records that a push replaced in the files, because the service gave others. @throws PATH_UNUSABLE */
function findNewIds(root: string, { records }: PullState): NewIds {
  const hasRecords = ['articles', 'categories'].some((name) => existsSync(join(root, name)));
  if (!hasRecords || Object.keys(records).length === 0) return new Map();
  const { articles, categories } = readFolder(root);
  const byFolder = new Map([
    ...articles.map(({ folder, record }) => [toPath(folder), record.article_id] as const),
    ...categories.map(({ folder, record }) => [toPath(folder), record.category_id] as const),
  ]);
  return new Map(
    Object.entries(records).flatMap(([key, { folder }]) => {
      const id = byFolder.get(folder);
      return id === undefined || key.endsWith(` ${id}`) ? [] : [[key, id]];
    }),
  );
}

function toPath(folder: string): string {
  return folder.split(sep).join('/');
}

function reverse(newIds: NewIds): NewIds {
  return new Map(
    [...newIds].map(([key, id]) => {
      const [kind = '', old = ''] = key.split(' ');
      return [`${kind} ${id}`, old];
    }),
  );
}

function readState(root: string, from: string): PullState {
  const state = stateSchema.safeParse(readStateFile(join(root, stateName))).data;
  if (state === undefined) return { version: 1, from, records: {} };
  if (state.from === from) return state;
  throw new LecternError('SYNC_STATE_FOREIGN', `${root} was pulled from ${state.from}, not from ${from}`, {
    hint: 'pull into another folder',
  });
}

function writeState(root: string, state: PullState): void {
  writeFile(join(root, stateName), formatStable(state));
}
