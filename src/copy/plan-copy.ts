import type { ArticleCreate, ArticleRecord } from '../api/article.ts';
import type { CategoryCreate, CategoryRecord } from '../api/category.ts';
import type { Problem } from '../foundation/problems.ts';
import { type Comparable, comparableArticle, comparableCategory } from '../sync/comparable.ts';
import { decideConflicts, planSync, type RecordKind, type SyncEntry } from '../sync/plan-sync.ts';
import type { CopyJournal } from './copy-journal.ts';
import { type CopyContent, type CopyIds, copyCategories, createArticleCopier } from './copy-records.ts';

/** Content of source and target. */
export interface CopySides {
  readonly content: CopyContent;
  readonly journal: CopyJournal;
  /** Articles of the target by id; created ones are added. */
  readonly articles: Map<string, ArticleRecord>;
  readonly categories: Map<string, CategoryRecord>;
}

export interface CopyOptions {
  /** Resolves conflicts in favour of the source, whose values replace whole fields. */
  readonly ours: boolean;
  /** Stops the copy after the current record; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** A record of the target that is a copy, although the journal does not contain it. */
export interface FoundCopy {
  readonly kind: RecordKind;
  /** Id in the source. */
  readonly source: string;
  /** Id in the target. */
  readonly id: string;
  /** The record to send and the record of the target. */
  readonly written: Comparable;
  readonly remote: Comparable;
}

/** Plans a copy: categories before articles; ids assigned by the target are not known yet. */
export function planCopy({ content, journal, articles, categories }: CopySides): readonly SyncEntry[] {
  const { defaultLanguage } = content;
  const ids = idsOf(journal);
  const copyArticle = createArticleCopier(content, ids);
  const plan = (
    kind: RecordKind,
    records: readonly (readonly [source: string, record: ArticleCreate | CategoryCreate])[],
    remote: ReadonlyMap<string, ArticleRecord | CategoryRecord>,
  ) => {
    const copied = [...journal.copied[kind].values()];
    const taken = new Set(copied.map(({ id }) => id));
    return planSync({
      kind,
      agreed: Object.fromEntries(copied.map(({ id, agreed }) => [id, agreed])),
      local: records.map(([source, record]) => {
        const known = journal.copied[kind].get(source)?.id;
        // If another record already has the requested id: an equal one is the copy; any other is not overwritten.
        const id = known ?? (remote.has(source) && !taken.has(source) ? source : null);
        const written = comparable(kind, record, defaultLanguage);
        return { id, folder: source, written, takeOver: () => written };
      }),
      remote: new Map(Array.from(remote, ([id, record]) => [id, comparable(kind, record, defaultLanguage)])),
    }).map((entry): SyncEntry => {
      // A copy never deletes a record, nor creates a deleted one again.
      if (entry.local === null && entry.outcome === 'conflict') return { ...entry, outcome: 'local-deleted' };
      const isDeletedThere = entry.id !== null && entry.local !== null && entry.remote === null;
      return isDeletedThere ? { ...entry, outcome: 'remote-deleted' } : entry;
    });
  };
  return [
    ...plan(
      'category',
      copyCategories(content, ids).map((record) => [record.category_id ?? '', record]),
      categories,
    ),
    ...plan(
      'article',
      content.articles.map((one) => [one.article.id, copyArticle(one).record]),
      articles,
    ),
  ];
}

/** The entries of a plan that change the target. */
export function listCopies(
  entries: readonly SyncEntry[],
  { ours }: Pick<CopyOptions, 'ours'>,
): readonly SyncEntry[] {
  return (ours ? decideConflicts(entries, 'ours') : entries).filter(
    ({ outcome }) => outcome === 'local-new' || outcome === 'local-changed' || outcome === 'merged',
  );
}

/** Problems of the records themselves: broken links, missing languages. */
export function listCopyProblems({ content, journal }: CopySides): readonly Problem[] {
  const copyArticle = createArticleCopier(content, idsOf(journal));
  return content.articles.flatMap((one) => copyArticle(one).problems);
}

/** Ids in the source of the records to create, in the order they are created. */
export function listNewRecords(sides: CopySides, kind: RecordKind, options: CopyOptions): readonly string[] {
  const sources = listCopies(planCopy(sides), options).flatMap(({ kind: one, outcome, folder }) =>
    one === kind && outcome === 'local-new' && folder !== null ? [folder] : [],
  );
  return kind === 'article' ? startWithoutLinks(sources, sides) : sources;
}

/**
 * Finds records whose creation the last copy did not see finished: it was killed, or the response was lost. A target record is the copy if
 * it has the same id, or is new with the same title, and is not the copy of another record.
 */
export function findUnfinished({ content, journal, articles, categories }: CopySides): readonly FoundCopy[] {
  const { defaultLanguage } = content;
  const titles = {
    category: copyCategories(content, idsOf(journal)).map(
      ({ category_id = '', title }) => [category_id, title] as const,
    ),
    article: content.articles.map(({ article: { id, translations } }) => {
      const own = translations.find(({ language }) => language === defaultLanguage) ?? translations[0];
      return [id, own?.title ?? id] as const;
    }),
  };
  return (['category', 'article'] as const).flatMap((kind) => {
    const remote = kind === 'article' ? articles : categories;
    const taken = new Set([...journal.copied[kind].values()].map(({ id }) => id));
    return titles[kind].flatMap(([source, title]) => {
      const before = journal.creating[kind].get(source);
      if (before === undefined) return [];
      const isNew = (id: string): boolean => !taken.has(id) && !before.includes(id);
      const [id, record] =
        [...remote].find(([one, other]) => isNew(one) && (one === source || other.title === title)) ?? [];
      if (id === undefined) return [];
      taken.add(id);
      // The sent values are no longer known, so those of the target count as agreed.
      const found = comparable(kind, record, defaultLanguage);
      return [{ kind, source, id, written: found, remote: found }];
    });
  });
}

/** Finds target records equal to what a copy would create: they count as copies. */
export function findEqual(sides: CopySides): readonly FoundCopy[] {
  return planCopy(sides).flatMap(({ kind, outcome, id, folder: source, local: written, remote }) => {
    if (outcome !== 'same' || id === null || source === null || written === null || remote === null)
      return [];
    return sides.journal.copied[kind].has(source) ? [] : [{ kind, source, id, written, remote }];
  });
}

/** Starts with an article without links: only the first created article shows whether the target accepts requested ids. */
function startWithoutLinks(sources: readonly string[], { content, journal }: CopySides): readonly string[] {
  if (journal.copied.article.size > 0) return sources;
  const copyArticle = createArticleCopier(content, idsOf(journal));
  const first = content.articles.find(
    (one) => sources.includes(one.article.id) && !copyArticle(one).isWaiting,
  );
  return first === undefined
    ? sources
    : [first.article.id, ...sources.filter((id) => id !== first.article.id)];
}

/** Ids of the existing copies. */
export function idsOf({ copied }: Pick<CopyJournal, 'copied'>): CopyIds {
  return {
    article: (source) => copied.article.get(source)?.id ?? null,
    category: (source) => copied.category.get(source)?.id ?? null,
  };
}

/** Like {@link idsOf}, and also ids of future copies as long as the target has accepted every requested id. */
export function expectedIds(journal: CopyJournal): CopyIds {
  const ids = idsOf(journal);
  let checked = 0;
  let isTaken = true;
  const takesIds = (): boolean => {
    const { article } = journal.copied;
    // Copies are only added, so each one is checked once.
    if (article.size > checked) {
      for (const [source, { id }] of [...article].slice(checked)) isTaken &&= source === id;
      checked = article.size;
    }
    return checked > 0 && isTaken;
  };
  return { ...ids, article: (source) => ids.article(source) ?? (takesIds() ? source : null) };
}

/** A record of either side, for comparison. */
export function comparable(
  kind: RecordKind,
  record: ArticleRecord | ArticleCreate | CategoryRecord | CategoryCreate | undefined,
  defaultLanguage: string,
): Comparable {
  return kind === 'article'
    ? comparableArticle(record as ArticleRecord, defaultLanguage)
    : comparableCategory(record as CategoryRecord, defaultLanguage);
}
