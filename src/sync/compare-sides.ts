import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ArticleCreate, ArticleRecord } from '../core/api/article.ts';
import type { CategoryCreate, CategoryRecord } from '../core/api/category.ts';

import { listSome } from '../core/count-of.ts';

import { LecternError } from '../core/errors.ts';
import { guardLoss } from '../core/guard-loss.ts';
import { isSameLanguage } from '../core/language.ts';
import type { UnknownRecord } from '../core/unknown-record.ts';
import type { Client } from '../source/api/client-types.ts';
import type { ToBodyForm } from '../source/folder/body-markdown.ts';
import { refuseInvalidFiles } from '../source/folder/folder-read.ts';
import { hasConflict } from '../source/folder/markdown/leftovers.ts';
import {
  type FolderContent,
  type FolderEntry,
  readFolder,
  spellLanguages,
} from '../source/folder/read-folder.ts';
import type { RecordKind } from '../source/folder/record-ids.ts';
import { hasDamagedText } from '../source/normalise/fields.ts';
import { adoptCreated } from './adopt-created.ts';
import { type Comparable, comparableOf, completeTexts, type ServiceRecords } from './comparable.ts';
import { forFolder, forService, planSync, type SyncEntry } from './plan-sync.ts';
import { readState, recordsOf, type SyncState } from './state-file.ts';

/** The folder and the service of a synchronisation. */
interface SyncTarget {
  readonly root: string;
  readonly baseUrl: string;
  /** Language of the records' own title and body. */
  readonly defaultLanguage: string;
  /** Converts a body to its form in the folder. */
  readonly toForm: ToBodyForm;
}

/** A record of the folder. */
type LocalEntry = FolderEntry<ArticleCreate | CategoryCreate>;

/** Content of folder and service with the result of their comparison. */
export interface Sides {
  readonly target: SyncTarget;
  readonly state: SyncState;
  readonly records: ServiceRecords;
  /** Records of the folder, by subfolder. */
  readonly local: Readonly<Record<RecordKind, ReadonlyMap<string, LocalEntry>>>;
  /** Records of the service with damaged text, e.g. `article 4fq8d7s2ka`. */
  readonly damaged: readonly string[];
  /** Pages of the folder that belong to no record. */
  readonly loose: readonly string[];
  /** Categories before articles. */
  readonly entries: readonly SyncEntry[];
}

/**
 * Reads the folder and the whole service, and compares them with the state of the last sync. Finishes what a killed push began: the ids of
 * records that it created are written into the files.
 * Throws PATH_UNUSABLE, DEFAULT_LANGUAGE_DIFFERS (exit 2), and what the client throws; an incomplete list is an error.
 */
export async function compareSides(client: Client, target: SyncTarget): Promise<Sides> {
  const { root, baseUrl, defaultLanguage } = target;
  const found = readFolderOrNothing(root, defaultLanguage);
  for (const entry of [...found.categories, ...found.articles]) checkLanguage(entry, defaultLanguage);
  const records = await readService(client);
  const { withoutPages } = found;
  const state = { ...readState(root, baseUrl, accountOf(records) ?? ''), withoutPages };
  const sides = { target, state, records };
  const first = compareFolder(found, sides);
  const isChanged = adoptCreated(root, found, first.entries);
  return {
    target,
    state,
    records,
    damaged: kinds.flatMap((kind) =>
      [...records[kind]].filter(([, record]) => hasDamagedText(record)).map(([id]) => `${kind} ${id}`),
    ),
    ...(isChanged ? compareFolder(readFolderOrNothing(root, defaultLanguage), sides) : first),
  };
}

/** A category comes before its articles. */
const kinds = ['category', 'article'] as const satisfies readonly RecordKind[];

/** The account that any of the records names; `undefined` without records. */
export function accountOf({ article, category }: ServiceRecords): string | undefined {
  const [someone] = [...article.values(), ...category.values()];
  return someone?.account_id;
}

/** Reads the whole service. Throws what the client throws; an incomplete list is an error. */
export async function readService(client: Client): Promise<ServiceRecords> {
  const category = new Map((await client.listCategories()).map((one) => [one.category_id, one]));
  const article = new Map<string, ArticleRecord>();
  await client.readEveryArticle({
    restart: () => article.clear(),
    take: (one) => article.set(one.article_id, one),
  });
  return { article, category };
}

/** Compares the content of a folder with the service and the state of the last sync. @throws PATH_UNUSABLE */
export function compareFolder(
  found: FolderContent,
  sides: Pick<Sides, 'target' | 'state' | 'records'>,
): Pick<Sides, 'local' | 'loose' | 'entries'> {
  const { target, state, records } = sides;
  const { defaultLanguage } = target;
  const folder = spellAsService(found, sides);
  const local = byKind(folder);
  const listed: Readonly<Record<RecordKind, ReadonlyMap<string, ArticleRecord | CategoryRecord>>> = records;
  const byFolder = (kind: RecordKind) => new Map(local[kind].map((entry) => [entry.folder, entry]));
  return {
    local: { article: byFolder('article'), category: byFolder('category') },
    loose: folder.loose,
    entries: kinds.flatMap((kind) =>
      planSync({
        kind,
        agreed: recordsOf(state, kind),
        local: local[kind].map((entry) => {
          const written = comparableOf(kind, entry.record, defaultLanguage);
          const withServiceBodies = (remote: Comparable) =>
            useServiceBodies(written, remote, entry, target.toForm);
          return { id: idOf(kind, entry.record), folder: entry.folder, written, withServiceBodies };
        }),
        remote: new Map(
          Array.from(listed[kind], ([id, record]) => [id, comparableOf(kind, record, defaultLanguage)]),
        ),
      }),
    ),
  };
}

/** The records of a folder, in its order. */
export function byKind({ articles, categories }: FolderContent): Record<RecordKind, readonly LocalEntry[]> {
  return { article: articles, category: categories };
}

/** The id of a record; `null` if it has none yet. */
export function idOf(kind: RecordKind, record: UnknownRecord): string | null {
  return (record[`${kind}_id`] as string | undefined) ?? null;
}

const conflictHint =
  'use the values of the service with lectern pull --theirs, or edit the files and run lectern push --ours; both replace whole fields, such as a body';

/** Throws CONFLICT with the records that changed on both sides; the command did not change them. */
export function refuseConflicts(entries: readonly SyncEntry[]): void {
  const conflicts = entries.filter((entry) => entry.outcome === 'conflict');
  if (conflicts.length === 0) return;
  throw conflictError(
    conflicts.map(({ kind, id, folder }) => `${kind} ${id ?? folder}`),
    'service',
    conflictHint,
  );
}

/** CONFLICT. @param names what the folder and the other side both changed */
export function conflictError(
  names: readonly string[],
  other: 'service' | 'source',
  hint: string,
): LecternError {
  const left = names.length === 1 ? 'it was not changed' : 'they were not changed';
  const what = `the folder and the ${other} both changed ${listSome(names, 5)}; ${left}`;
  return new LecternError('CONFLICT', what, { hint });
}

/**
 * Stops a push that would delete a large part of the articles, in total or in a language.
 * @param pushed entries that the push changes
 * @throws MASS_DELETE
 */
export function guardDeletions({ entries }: Pick<Sides, 'entries'>, pushed: readonly SyncEntry[]): void {
  guardSide(
    articlesOf(entries, 'remote'),
    pushed.map((entry) => ({ ...entry, before: entry.remote, after: forService(entry) })),
    'at the service',
    'check the folder',
  );
}

/** Stops a push of files with a merge conflict, of which readers would see both sides. @throws PATH_UNUSABLE */
export function refuseUnmerged({ local }: Pick<Sides, 'local'>, pushed: readonly SyncEntry[]): void {
  const unmerged = pushed.flatMap(({ kind, folder }) =>
    (local[kind].get(folder ?? '')?.files ?? []).flatMap(({ name, text }) =>
      hasConflict(text) ? `${folder}/${name}: a line begins with <<<<<<<: resolve the merge conflict` : [],
    ),
  );
  refuseInvalidFiles(unmerged, 'nothing was sent; correct these files');
}

/**
 * Stops a pull that would remove a large part of the articles, in total or in a language: the service may have lost its data.
 * @param pulled entries that the pull changes
 * @throws MASS_DELETE
 */
export function guardFolderLoss({ entries }: Pick<Sides, 'entries'>, pulled: readonly SyncEntry[]): void {
  guardSide(
    articlesOf(entries, 'local'),
    pulled.map((entry) => ({ ...entry, before: entry.local, after: forFolder(entry) })),
    'in the folder',
    'check the service and its data',
  );
}

function articlesOf(entries: readonly SyncEntry[], side: 'local' | 'remote'): readonly Comparable[] {
  return entries.flatMap((entry) => (entry.kind === 'article' ? (entry[side] ?? []) : []));
}

interface ChangedSide extends Pick<SyncEntry, 'kind'> {
  readonly before: Comparable | null;
  readonly after: Comparable | null;
}

/** @param all the articles of a side that changes */
function guardSide(
  all: readonly Comparable[],
  changes: readonly ChangedSide[],
  when: string,
  advice: string,
): void {
  const lost = new Map<string, number>();
  const removed: string[] = [];
  for (const { kind, before, after } of changes) {
    if (kind !== 'article' || before === null) continue;
    const gone = Object.keys(before.translations).filter((code) => after?.translations[code] === undefined);
    for (const code of gone) lost.set(code, (lost.get(code) ?? 0) + 1);
    const title = String(before.fields.title);
    if (after === null) removed.push(title);
    else if (gone.length > 0) removed.push(`${title} (${gone.join(', ')})`);
  }
  // One text may always go, also the only one of its language.
  const counts = [...lost]
    .filter(([, count]) => count > 1)
    .map(
      ([code, count]) =>
        [code, all.filter((one) => one.translations[code] !== undefined).length, count] as const,
    );
  const deleted = changes.filter(
    ({ kind, before, after }) => kind === 'article' && before !== null && after === null,
  );
  guardLoss(
    { total: all.length, languages: new Map(counts.map(([code, count]) => [code, count])) },
    {
      total: all.length - deleted.length,
      languages: new Map(counts.map(([code, count, gone]) => [code, count - gone])),
    },
    {
      noun: 'article',
      when,
      lost: () => removed,
      hint: `nothing was changed; if this is intended, pass --allow-mass-delete once, else ${advice}`,
    },
  );
}

/** Reads the folder; returns empty content before the first pull. */
export function readFolderOrNothing(root: string, defaultLanguage: string): FolderContent {
  const isThere = existsSync(join(root, 'articles')) || existsSync(join(root, 'categories'));
  return isThere
    ? readFolder(root, defaultLanguage)
    : { articles: [], categories: [], loose: [], withoutPages: [] };
}

/** The folder with the spelling that the service has of each language. @throws PATH_UNUSABLE */
export function spellAsService(
  folder: FolderContent,
  { target, state, records }: Pick<Sides, 'target' | 'state' | 'records'>,
): FolderContent {
  const tagsOf = (record: ArticleRecord | CategoryRecord | undefined) =>
    (record?.multilingual ?? []).map(({ language_code: code }) => code);
  // A record that was deleted in the service has the tags of the last sync.
  const agreedTags = (kind: RecordKind, id = '') =>
    Object.keys(recordsOf(state, kind)[id]?.service ?? {}).filter((tag) => tag !== '');
  const tagsOfKind = (kind: RecordKind) => (id?: string) => [
    target.defaultLanguage,
    ...tagsOf(records[kind].get(id ?? '')),
    ...agreedTags(kind, id),
  ];
  return spellLanguages(folder, {
    article: tagsOfKind('article'),
    category: tagsOfKind('category'),
    all: new Set(kinds.flatMap((kind) => [...records[kind].values()].flatMap(tagsOf))),
  });
}

function checkLanguage({ folder, language }: LocalEntry, expected: string): void {
  if (isSameLanguage(language, expected)) return;
  throw new LecternError(
    'DEFAULT_LANGUAGE_DIFFERS',
    `the main file in ${folder} is in ${language}, but the default language is ${expected}`,
    {
      hint: 'set defaultLanguage (LECTERN_DEFAULT_LANGUAGE) to the language of the files with ids or fields such as is_published',
    },
  );
}

/**
 * The local record, with the service's body in every language whose Markdown equals what a pull makes of that body, even if rendering the
 * Markdown gives other HTML.
 */
function useServiceBodies(
  local: Comparable,
  remote: Comparable,
  { files, language }: Pick<LocalEntry, 'files' | 'language'>,
  toForm: ToBodyForm,
): Comparable {
  return completeTexts(local, remote, (own, other, translation) => {
    const code = translation ?? language;
    const file = files.find((one) => one.language === code && one.name.endsWith('.md'));
    const body = other?.body;
    if (file === undefined || typeof body !== 'string' || own.body === body || own.body !== file.body)
      return own;
    const form = toForm(body, code);
    return form.kind === 'markdown' && form.markdown === file.text ? { ...own, body } : own;
  });
}
