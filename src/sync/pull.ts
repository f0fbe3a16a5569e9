import { basename } from 'node:path';
import type { ArticleRecord } from '../core/api/article.ts';
import type { CategoryRecord } from '../core/api/category.ts';
import { LecternError } from '../core/errors.ts';
import { isSameLanguage, languageKey } from '../core/language.ts';
import { refuseInvalidFiles } from '../source/folder/folder-read.ts';
import { type FolderContent, type ListOrder, writeListOrder } from '../source/folder/read-folder.ts';
import type { RecordKind } from '../source/folder/record-ids.ts';
import {
  checkLanguageFile,
  formatArticleFiles,
  formatCategoryFiles,
  recordFolderName,
  removeRecord,
  withComments,
  writeRecordFiles,
} from '../source/folder/write-record.ts';
import { type Comparable, comparableOf, copyMissingSlugs } from './comparable.ts';
import { accountOf, byKind, idOf, readFolderOrNothing, type Sides, spellAsService } from './compare-sides.ts';
import { forFolder, type SyncEntry } from './plan-sync.ts';
import { noteAgreed, recordsOf, type SyncState, writeState } from './state-file.ts';

/** Number of bodies that a pull wrote, by form. */
export interface PulledForms {
  readonly markdown: number;
  /** Number of bodies that stay HTML, by reason. */
  readonly html: ReadonlyMap<string, number>;
  /** Files of others in subfolders of deleted records, which stay; relative to the folder. */
  readonly kept: readonly string[];
}

/**
 * Writes the changes of the service into the folder. Records that changed only in the folder, and records with a conflict, do not change.
 */
export function applyPull(sides: Sides): PulledForms {
  checkPull(sides);
  const { entries } = sides;
  const forms = { markdown: 0, html: new Map<string, number>(), kept: [] as string[] };
  noteRemovals(sides);
  const nameFolder = createFolderNames(sides);
  for (const entry of entries) {
    const { folder } = entry;
    if (entry.outcome === 'remote-deleted' && folder !== null)
      forms.kept.push(...removeFiles(sides, entry, folder).map((name) => `${folder}/${name}`));
    if (isWritten(entry, sides)) writeEntry(entry, sides, forms, nameFolder);
  }
  const { root, defaultLanguage } = sides.target;
  const folder = spellAsService(readFolderOrNothing(root, defaultLanguage), sides);
  writeListOrder(root, orderOf(sides, folder));
  writeState(root, stateAfter(sides, folder));
  return forms;
}

type NameFolder = (kind: 'articles' | 'categories', id: string, slug: string) => string;

/** Names the subfolders of new records: each gets its own, also on disks that do not tell `a` from `A`. */
function createFolderNames({ local }: Sides): NameFolder {
  const taken = new Set([...local.article.keys(), ...local.category.keys()].map((one) => one.toLowerCase()));
  return (kind, id, slug) => {
    const name = `${kind}/${recordFolderName(id, slug)}`;
    let folder = name;
    for (let number = 2; taken.has(folder.toLowerCase()); number += 1) folder = `${name}-${number}`;
    taken.add(folder.toLowerCase());
    return folder;
  };
}

function removeFiles(sides: Sides, { kind }: SyncEntry, folder: string): readonly string[] {
  const names = filesOf(sides, kind, folder).map(({ name }) => name);
  return removeRecord(sides.target.root, folder, names);
}

function filesOf({ local }: Sides, kind: RecordKind, folder: string) {
  return local[kind].get(folder)?.files ?? [];
}

/** Notes the folders of deleted records before their files are removed, so that the next sync does not take the rest for a lost record. */
function noteRemovals({ target, state, entries }: Sides): void {
  const removed = entries.flatMap(({ outcome, folder }) =>
    outcome === 'remote-deleted' && folder !== null ? folder : [],
  );
  if (removed.length === 0) return;
  writeState(target.root, { ...state, withoutPages: [...(state.withoutPages ?? []), ...removed] });
}

/** The state after a pull: what folder and service have in common now. */
function stateAfter({ state, target, entries, records }: Sides, folder: FolderContent): SyncState {
  const accountId = accountOf(records) || state.accountId;
  const { withoutPages } = folder;
  const after: SyncState = { ...state, accountId, articles: {}, categories: {}, withoutPages };
  const found = byKind(folder);
  const comparables = (kind: RecordKind) =>
    new Map(
      found[kind].map(({ record }) => [
        idOf(kind, record),
        comparableOf(kind, record, target.defaultLanguage),
      ]),
    );
  const written = { article: comparables('article'), category: comparables('category') };
  for (const entry of entries) {
    const { kind, id, outcome, remote } = entry;
    if (id === null || outcome === 'remote-deleted') continue;
    const before = recordsOf(state, kind)[id];
    if (before !== undefined) recordsOf(after, kind)[id] = before;
    const local = written[kind].get(id);
    if (remote === null || local === undefined || outcome === 'conflict') continue;
    noteAgreed(after, entry, 'service', { written: copyMissingSlugs(local, remote), remote });
  }
  return after;
}

/** Subfolders in the order of the service; unknown ones come last. */
function orderOf({ records }: Sides, folder: FolderContent): ListOrder {
  const found = byKind(folder);
  const namesOf = (kind: RecordKind): string[] => {
    const position = new Map([...records[kind].keys()].map((id, index) => [id, index]));
    const positionOf = ({ record }: (typeof found)[RecordKind][number]): number =>
      position.get(idOf(kind, record) ?? '') ?? position.size;
    return found[kind].toSorted((a, b) => positionOf(a) - positionOf(b)).map((one) => basename(one.folder));
  };
  return { articles: namesOf('article'), categories: namesOf('category') };
}

/**
 * Checks that every record can be written or removed, before anything is written.
 * @throws LANGUAGE_UNUSABLE, PATH_UNUSABLE
 */
export function checkPull(sides: Sides): void {
  refuseInvalidFiles(sides.entries.flatMap((entry) => listUnknownPages(entry, sides)));
  for (const entry of sides.entries) {
    if (!isWritten(entry, sides) || entry.id === null) continue;
    const record = sides.records[entry.kind].get(entry.id);
    const place = entry.folder ?? `${entry.kind} ${entry.id}`;
    const spellings = new Map<string, string>();
    for (const { language_code: language } of record?.multilingual ?? []) {
      checkLanguageFile(place, `${language}.md`);
      const key = languageKey(language);
      const other = spellings.get(key);
      if (other !== undefined && key !== languageKey(sides.target.defaultLanguage)) {
        const what = `${place}: ${other} and ${language} are the same language`;
        throw new LecternError('LANGUAGE_UNUSABLE', what, {
          hint: 'remove one of the two translations in the knowledge base',
        });
      }
      spellings.set(key, language);
    }
  }
}

/** Sentences on pages of a deleted record that it never had: notes such as `faq.md`, which could be a language. */
function listUnknownPages({ kind, id, outcome, folder }: SyncEntry, sides: Sides): readonly string[] {
  if (outcome !== 'remote-deleted' || folder === null || id === null) return [];
  const agreed = recordsOf(sides.state, kind)[id];
  const known = [sides.target.defaultLanguage, ...Object.keys({ ...agreed?.service, ...agreed?.files })];
  return filesOf(sides, kind, folder)
    .filter(({ language }) => !known.some((tag) => isSameLanguage(tag, language)))
    .map(({ name }) => `${folder}/${name}: its ${kind} was deleted and never had it; move or delete it`);
}

/** Whether to write a record: it is new or changed, or its file has another date. */
function isWritten({ kind, outcome, id, folder }: SyncEntry, sides: Sides): boolean {
  if (outcome === 'remote-new' || outcome === 'remote-changed' || outcome === 'merged') return true;
  if (outcome !== 'same' || id === null) return false;
  const local = sides.local[kind].get(folder ?? '')?.record;
  const remote = sides.records[kind].get(id);
  return local?.updated_at !== undefined && isRedated(local.updated_at, remote?.updated_at);
}

function isRedated(local: string, remote: string | undefined): boolean {
  return remote !== undefined && Date.parse(local) !== Date.parse(remote);
}

function writeEntry(
  entry: SyncEntry,
  { target, records, local }: Sides,
  forms: { markdown: number; readonly html: Map<string, number> },
  nameFolder: NameFolder,
): void {
  const { root, defaultLanguage, toForm } = target;
  const { kind, id, folder } = entry;
  const wanted = forFolder(entry);
  const article = kind === 'article' ? records.article.get(id ?? '') : undefined;
  if (article && wanted) {
    const current = local.article.get(folder ?? '')?.files ?? [];
    const recordFolder = folder ?? nameFolder('articles', article.article_id, article.slug);
    const merged = withFields(article, wanted);
    const { files, reasons } = formatArticleFiles(merged, defaultLanguage, current, toForm);
    writeRecordFiles(root, recordFolder, withComments(root, recordFolder, files));
    forms.markdown += [...files.keys()].filter((name) => name.endsWith('.md')).length;
    for (const reason of reasons) forms.html.set(reason, (forms.html.get(reason) ?? 0) + 1);
  }
  const category = kind === 'category' ? records.category.get(id ?? '') : undefined;
  if (category && wanted) {
    const target = folder ?? nameFolder('categories', category.category_id, category.slug);
    const files = formatCategoryFiles(withFields(category, wanted), defaultLanguage);
    writeRecordFiles(root, target, withComments(root, target, files));
  }
}

/** The service's record with the fields and translations of a comparable. */
function withFields<T extends ArticleRecord | CategoryRecord>(
  record: T,
  { fields, translations }: Comparable,
): T {
  const multilingual = Object.entries(translations).map(([language_code, own]) => ({
    language_code,
    ...own,
    slug: own.slug ?? null,
  }));
  return { ...record, ...fields, slug: fields.slug ?? record.slug, multilingual };
}
