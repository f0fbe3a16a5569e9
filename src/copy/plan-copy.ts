import type { Article, ArticleCreate } from '../api/article.ts';
import type { Category, CategoryCreate } from '../api/category.ts';
import type { Problem } from '../foundation/problems.ts';
import { type Comparable, comparableArticle, comparableCategory } from '../sync/comparable.ts';
import { decideConflicts, planSync, type SyncEntry } from '../sync/plan-sync.ts';
import type { CopyJournal } from './copy-journal.ts';
import { type CopyContent, type CopyIds, copyCategories, createArticleCopier } from './copy-records.ts';

/** Source and target side by side. */
export interface CopySides {
  readonly content: CopyContent;
  readonly journal: CopyJournal;
  /** Articles of the target by id; created ones are added. */
  readonly articles: Map<string, Article>;
  readonly categories: Map<string, Category>;
}

export interface CopyOptions {
  /** Where both sides have changed since the last copy, send what the source has. */
  readonly ours: boolean;
  /** Ends the copy after the record it is at; its reason is thrown. */
  readonly signal?: AbortSignal;
}

type Kind = SyncEntry['kind'];

/** A record of the target that is a copy, although the journal does not say so. */
export interface FoundCopy {
  readonly kind: Kind;
  /** Id in the source. */
  readonly source: string;
  /** Id in the target. */
  readonly id: string;
  /** The record to send, and the record of the target. */
  readonly written: Comparable;
  readonly remote: Comparable;
}

/** Plans a copy: categories before articles; ids assigned by the target are not known yet. */
export function planCopy({ content, journal, articles, categories }: CopySides): readonly SyncEntry[] {
  const { defaultLanguage } = content;
  const ids = idsOf(journal);
  const copyArticle = createArticleCopier(content, ids);
  const plan = (
    kind: Kind,
    records: readonly (readonly [source: string, record: ArticleCreate | CategoryCreate])[],
    remote: ReadonlyMap<string, Article | Category>,
  ) => {
    const copied = [...journal.copied[kind].values()];
    const taken = new Set(copied.map(({ id }) => id));
    return planSync({
      kind,
      agreed: Object.fromEntries(copied.map(({ id, agreed }) => [id, agreed])),
      local: records.map(([source, record]) => {
        const known = journal.copied[kind].get(source)?.id;
        // Another record with the id that is asked for: equal, it is the copy; else it is not overwritten.
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
export function listNewRecords(sides: CopySides, kind: Kind, options: CopyOptions): readonly string[] {
  const sources = listCopies(planCopy(sides), options).flatMap(({ kind: one, outcome, folder }) =>
    one === kind && outcome === 'local-new' && folder !== null ? [folder] : [],
  );
  return kind === 'article' ? startWithoutLinks(sources, sides) : sources;
}

/**
 * Finds what the last copy began to create and did not see created: it ended, or the answer was lost. The copy is there
 * if the target has a record of the same id, or a new one of the same title, that is no other record's copy.
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
      // What was sent is not known any more: what the target has counts as agreed.
      const found = comparable(kind, record, defaultLanguage);
      return [{ kind, source, id, written: found, remote: found }];
    });
  });
}

/** Finds records of the target that are what a copy would make: they are the copies. */
export function findEqual(sides: CopySides): readonly FoundCopy[] {
  return planCopy(sides).flatMap(({ kind, outcome, id, folder: source, local: written, remote }) => {
    if (outcome !== 'same' || id === null || source === null || written === null || remote === null)
      return [];
    return sides.journal.copied[kind].has(source) ? [] : [{ kind, source, id, written, remote }];
  });
}

/**
 * Whether the target takes the ids it is asked for shows at the first article; one that needs to know none goes first.
 */
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

/** Ids of the copies there are. */
export function idsOf({ copied }: Pick<CopyJournal, 'copied'>): CopyIds {
  return {
    article: (source) => copied.article.get(source)?.id ?? null,
    category: (source) => copied.category.get(source)?.id ?? null,
  };
}

/** The same, and of those to come as long as the target has taken every id it was asked for. */
export function expectedIds(journal: CopyJournal): CopyIds {
  const ids = idsOf(journal);
  let checked = 0;
  let isTaken = true;
  const takesIds = (): boolean => {
    const { article } = journal.copied;
    // Copies are only added, so each is read once.
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
  kind: Kind,
  record: Article | ArticleCreate | Category | CategoryCreate | undefined,
  defaultLanguage: string,
): Comparable {
  return kind === 'article'
    ? comparableArticle(record as Article, defaultLanguage)
    : comparableCategory(record as Category, defaultLanguage);
}
