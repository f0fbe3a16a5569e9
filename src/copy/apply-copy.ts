import type { ArticleRecord } from '../api/article.ts';
import type { CategoryRecord } from '../api/category.ts';
import { LecternError } from '../foundation/errors.ts';
import { type Problem, problem } from '../foundation/problems.ts';
import type { Client } from '../source/client-types.ts';
import { type Comparable, comparableArticle, comparableCategory, takeOverSlugs } from '../sync/comparable.ts';
import { agreeOn, type MergedField } from '../sync/merge-fields.ts';
import type { SyncEntry } from '../sync/plan-sync.ts';
import {
  createRemoteArticle,
  createRemoteCategory,
  updateRemoteArticle,
  updateRemoteCategory,
} from '../sync/push.ts';
import type { CopyJournal } from './copy-journal.ts';
import { type CopyContent, copyCategories, createArticleCopier } from './copy-records.ts';
import {
  type CopyOptions,
  type CopySides,
  comparable,
  expectedIds,
  type FoundCopy,
  findEqual,
  findUnfinished,
  idsOf,
  listCopies,
  listNewRecords,
  planCopy,
} from './plan-copy.ts';

/** Result of a copy. */
interface CopyResult {
  readonly created: number;
  readonly updated: number;
  readonly problems: readonly Problem[];
}

/** Reads the whole target. Throws what the client throws, also if the list is incomplete. */
export async function openCopy(
  client: Client,
  content: CopyContent,
  journal: CopyJournal,
): Promise<CopySides> {
  const categories = new Map((await client.listCategories()).map((one) => [one.category_id, one]));
  const articles = new Map<string, ArticleRecord>();
  await client.readEveryArticle({
    restart: () => articles.clear(),
    take: (article) => articles.set(article.article_id, article),
  });
  const sides = { content, journal, articles, categories };
  noteFound(sides, findUnfinished(sides));
  return sides;
}

/**
 * Creates and updates records of the target: categories, then articles, then articles with links to records that had no id yet, which are
 * drafts until then. Each creation is logged before and after. A record that the target refuses is reported, and the copy continues. Throws
 * what the client throws; completed records stay, and the next copy continues there.
 */
export async function applyCopy(client: Client, sides: CopySides, options: CopyOptions): Promise<CopyResult> {
  const { content, journal } = sides;
  const { defaultLanguage } = content;
  const problems: Problem[] = [];
  const refused = new Set<string>();
  const created = new Set<string>();
  const counts = { created: 0, updated: 0 };
  journal.begin();
  const note = (
    kind: SyncEntry['kind'],
    source: string,
    record: ArticleRecord | CategoryRecord,
    sent: Comparable,
    fields: readonly MergedField[] = [],
  ): void => {
    const id =
      kind === 'article' ? (record as ArticleRecord).article_id : (record as CategoryRecord).category_id;
    const all: Map<string, ArticleRecord | CategoryRecord> =
      kind === 'article' ? sides.articles : sides.categories;
    all.set(id, record);
    const remote = comparable(kind, record, defaultLanguage);
    const before = journal.copied[kind].get(source)?.agreed ?? null;
    const agreed = agreeOn(before, fields, 'folder', { written: takeOverSlugs(sent, remote), remote });
    journal.noteCopied(kind, source, { id, agreed });
  };
  const attempt = async (
    kind: SyncEntry['kind'],
    source: string,
    work: () => Promise<void>,
  ): Promise<void> => {
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
  const before = (
    remote: ReadonlyMap<string, ArticleRecord | CategoryRecord>,
    title: string,
  ): readonly string[] => [...remote].flatMap(([id, record]) => (record.title === title ? [id] : []));

  noteFound(sides, findEqual(sides));
  for (const source of listNewRecords(sides, 'category', options)) {
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
  for (const source of listNewRecords(sides, 'article', options)) {
    await attempt('article', source, async () => {
      const one = byId.get(source);
      if (one === undefined) return;
      const { record: final, isWaiting } = copyArticle(one);
      const record = isWaiting ? { ...final, is_published: false } : final;
      journal.noteCreating('article', source, before(sides.articles, record.title));
      const made = await createRemoteArticle(client, record, defaultLanguage);
      note('article', source, made, comparableArticle(record, defaultLanguage));
      created.add(source);
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
  problems.push(...reportNewDates(sides, created));
  return { ...counts, problems };
}

/** Reports created records whose dates differ from the source: a target need not accept dates, and an update changes one. */
function reportNewDates(
  { content, journal, articles }: CopySides,
  created: ReadonlySet<string>,
): readonly Problem[] {
  return content.articles.flatMap(({ article: { id, createdAt, updatedAt } }) => {
    const copy = created.has(id) ? articles.get(journal.copied.article.get(id)?.id ?? '') : undefined;
    if (copy === undefined) return [];
    const isSame = (sent: string | null, got: string): boolean =>
      sent === null || Date.parse(sent) === Date.parse(got);
    if (isSame(createdAt, copy.created_at) && isSame(updatedAt, copy.updated_at)) return [];
    const message = `the target, or a second write by the copy, set other dates: created ${copy.created_at}, edited ${copy.updated_at}`;
    return [problem('COPY_DATES_LOST', message, { articleId: id })];
  });
}

function noteFound({ journal }: CopySides, found: readonly FoundCopy[]): void {
  for (const { kind, source, id, written, remote } of found)
    journal.noteCopied(kind, source, { id, agreed: agreeOn(null, [], 'folder', { written, remote }) });
}
