import type { Article, ArticleCreate } from '../api/article.ts';
import type { Category, CategoryCreate } from '../api/category.ts';
import { LecternError } from '../foundation/errors.ts';
import { type Problem, problem } from '../foundation/problems.ts';
import type { Client } from '../source/client-types.ts';
import { type Comparable, comparableArticle, comparableCategory, takeOverSlugs } from '../sync/comparable.ts';
import { agreeOn, type MergedField } from '../sync/merge-fields.ts';
import { decideConflicts, planSync, type SyncEntry } from '../sync/plan-sync.ts';
import {
  createRemoteArticle,
  createRemoteCategory,
  updateRemoteArticle,
  updateRemoteCategory,
} from '../sync/push.ts';
import type { CopyJournal } from './copy-journal.ts';
import { type CopyContent, type CopyIds, copyCategories, createArticleCopier } from './copy-records.ts';

/** Source and target side by side. */
export interface CopySides {
  readonly content: CopyContent;
  readonly journal: CopyJournal;
  /** What the target holds, by id; what a copy makes is added. */
  readonly articles: Map<string, Article>;
  readonly categories: Map<string, Category>;
}

export interface CopyOptions {
  /** Where both sides have changed since the last copy, send what the source has. */
  readonly ours: boolean;
  /** Ends the copy after the record it is at; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** What a copy has done. */
export interface CopyResult {
  readonly created: number;
  readonly updated: number;
  readonly problems: readonly Problem[];
}

type Kind = SyncEntry['kind'];

/** Reads the whole target. Throws what the client throws; an incomplete list is an error. */
export async function openCopy(
  client: Client,
  content: CopyContent,
  journal: CopyJournal,
): Promise<CopySides> {
  const categories = new Map((await client.listCategories()).map((one) => [one.category_id, one]));
  const articles = new Map<string, Article>();
  await client.readEveryArticle({
    restart: () => articles.clear(),
    take: (article) => articles.set(article.article_id, article),
  });
  const sides = { content, journal, articles, categories };
  findCreated(sides);
  return sides;
}

/**
 * What the last copy began to create and did not see created: it ended, or the answer was lost. The copy is there if the target
 * has a record of the same id, or a new one of the same title, that is no other record's copy.
 */
function findCreated({ content, journal, articles, categories }: CopySides): void {
  const { defaultLanguage } = content;
  const wanted = {
    category: copyCategories(content, idsOf(journal)).map(({ category_id = '', title }) => ({
      source: category_id,
      title,
    })),
    article: content.articles.map(({ article: { id, translations } }) => ({
      source: id,
      title:
        (translations.find(({ language }) => language === defaultLanguage) ?? translations[0])?.title ?? id,
    })),
  };
  for (const kind of ['category', 'article'] as const) {
    const remote = kind === 'article' ? articles : categories;
    for (const { source, title } of wanted[kind]) {
      const before = journal.creating[kind].get(source);
      if (before === undefined) continue;
      const others = new Set([...journal.copied[kind].values()].map(({ id }) => id));
      const isNew = (id: string): boolean => !others.has(id) && !before.includes(id);
      const id = [...remote].find(
        ([one, record]) => isNew(one) && (one === source || record.title === title),
      )?.[0];
      if (id === undefined) continue;
      const found = comparable(kind, remote.get(id), defaultLanguage);
      journal.noteCopied(kind, source, {
        id,
        agreed: agreeOn(null, [], 'folder', { written: found, remote: found }),
      });
    }
  }
}

/** What a copy does, categories before articles; ids that the target gives are not known yet. */
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
      // Whatever else was edited, a copy neither deletes nor creates again.
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

/** Problems of the records themselves: links that lead nowhere, languages that are not there. */
export function listCopyProblems({ content, journal }: CopySides): readonly Problem[] {
  const copyArticle = createArticleCopier(content, idsOf(journal));
  return content.articles.flatMap((one) => copyArticle(one).problems);
}

/**
 * Creates and updates records of the target: categories, then articles, then the articles that link to what had no id yet, which
 * are drafts until then. Each creation is noted before and after. A record the target refuses is reported, and the others are
 * copied. Throws what the client throws; what was done before stays, and the next copy goes on there.
 */
export async function applyCopy(client: Client, sides: CopySides, options: CopyOptions): Promise<CopyResult> {
  const { content, journal } = sides;
  const { defaultLanguage } = content;
  const problems: Problem[] = [];
  const refused = new Set<string>();
  const counts = { created: 0, updated: 0 };
  journal.begin();
  const note = (
    kind: Kind,
    source: string,
    record: Article | Category,
    sent: Comparable,
    fields: readonly MergedField[] = [],
  ): void => {
    const id = kind === 'article' ? (record as Article).article_id : (record as Category).category_id;
    const all: Map<string, Article | Category> = kind === 'article' ? sides.articles : sides.categories;
    all.set(id, record);
    const remote = comparable(kind, record, defaultLanguage);
    const before = journal.copied[kind].get(source)?.agreed ?? null;
    const agreed = agreeOn(before, fields, 'folder', { written: takeOverSlugs(sent, remote), remote });
    journal.noteCopied(kind, source, { id, agreed });
  };
  const attempt = async (kind: Kind, source: string, work: () => Promise<void>): Promise<void> => {
    options.signal?.throwIfAborted();
    try {
      await work();
    } catch (error) {
      const isOfRecord =
        error instanceof LecternError && ['REQUEST_REFUSED', 'CONFLICT'].includes(error.code);
      if (!isOfRecord) throw error;
      refused.add(`${kind} ${source}`);
      const where = kind === 'article' ? { articleId: source } : { categoryId: source };
      problems.push(problem('COPY_REFUSED', `the target refused ${source}: ${error.message}`, where));
    }
  };
  const before = (remote: ReadonlyMap<string, Article | Category>, title: string): readonly string[] =>
    [...remote].flatMap(([id, record]) => (record.title === title ? [id] : []));

  noteEqual(sides);
  for (const source of newRecords(sides, 'category', options)) {
    await attempt('category', source, async () => {
      const record = copyCategories(content, idsOf(journal)).find((one) => one.category_id === source);
      if (record === undefined) return;
      journal.noteCreating('category', source, before(sides.categories, record.title));
      const created = await createRemoteCategory(client, record, defaultLanguage);
      note('category', source, created, comparableCategory(record, defaultLanguage));
      counts.created += 1;
    });
  }
  const copyArticle = createArticleCopier(content, expectedIds(journal));
  const byId = new Map(content.articles.map((one) => [one.article.id, one]));
  for (const source of startWithoutLinks(newRecords(sides, 'article', options), sides)) {
    await attempt('article', source, async () => {
      const one = byId.get(source);
      if (one === undefined) return;
      const { record: final, isWaiting } = copyArticle(one);
      const record = isWaiting ? { ...final, is_published: false } : final;
      journal.noteCreating('article', source, before(sides.articles, record.title));
      const created = await createRemoteArticle(client, record, defaultLanguage);
      note('article', source, created, comparableArticle(record, defaultLanguage));
      counts.created += 1;
    });
  }
  for (const entry of listCopies(planCopy(sides), options)) {
    const source = entry.folder ?? '';
    if (entry.outcome === 'local-new' || entry.local === null || refused.has(`${entry.kind} ${source}`))
      continue;
    const { local } = entry;
    await attempt(entry.kind, source, async () => {
      const update = entry.kind === 'article' ? updateRemoteArticle : updateRemoteCategory;
      note(entry.kind, source, await update(client, entry, defaultLanguage), local, entry.fields);
      counts.updated += 1;
    });
  }
  return { ...counts, problems };
}

/** A record of the target that is what a copy would make is the copy. */
function noteEqual(sides: CopySides): void {
  const { journal } = sides;
  for (const { kind, outcome, id, folder, local, remote } of planCopy(sides)) {
    const isEqual = outcome === 'same' && local !== null && remote !== null;
    if (!isEqual || id === null || folder === null || journal.copied[kind].has(folder)) continue;
    journal.noteCopied(kind, folder, { id, agreed: agreeOn(null, [], 'folder', { written: local, remote }) });
  }
}

function newRecords(sides: CopySides, kind: Kind, options: CopyOptions): readonly string[] {
  return listCopies(planCopy(sides), options).flatMap(({ kind: one, outcome, folder }) =>
    one === kind && outcome === 'local-new' && folder !== null ? [folder] : [],
  );
}

/** Whether the target takes the ids it is asked for shows at the first article; one that needs to know none goes first. */
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
function idsOf({ copied }: Pick<CopyJournal, 'copied'>): CopyIds {
  return {
    article: (source) => copied.article.get(source)?.id ?? null,
    category: (source) => copied.category.get(source)?.id ?? null,
  };
}

/** The same, and of those to come as long as the target has taken every id it was asked for. */
function expectedIds(journal: CopyJournal): CopyIds {
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

function comparable(
  kind: Kind,
  record: Article | ArticleCreate | Category | CategoryCreate | undefined,
  defaultLanguage: string,
): Comparable {
  return kind === 'article'
    ? comparableArticle(record as Article, defaultLanguage)
    : comparableCategory(record as Category, defaultLanguage);
}
