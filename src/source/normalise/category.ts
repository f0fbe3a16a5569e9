import { countOf } from '../../core/count-of.ts';
import { groupBy } from '../../core/group-by.ts';
import type { Category, CategoryTranslation, LanguageTag } from '../../core/model.ts';
import { type Problem, type ProblemCode, problem } from '../../core/problems.ts';
import { isRecord, type UnknownRecord } from '../../core/unknown-record.ts';
import { hasDamagedText, type Report, readNumber, readString, readText, readTime } from './fields.ts';
import { type ReportIn, readLanguages } from './translations.ts';
import { findHidingField, readLive } from './visibility.ts';

/** A category before it is in the tree: the id of its parent is as in the record, and may not exist. */
export interface LooseCategory extends Category {
  /** Whether a field says that it is not public, or may say so. */
  readonly isHidden: boolean;
  readonly sortOrder: number | null;
}

interface NormalisedCategory {
  /** `null` for a category without a usable id. */
  readonly category: LooseCategory | null;
  readonly problems: readonly Problem[];
}

/** Whether a text is an id that can be part of a URL, as a category's id does. */
export function isCategoryId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id);
}

/** Reads one category record leniently. */
export function normaliseCategory(value: unknown, defaultLanguage: LanguageTag): NormalisedCategory {
  if (!isRecord(value)) {
    return {
      category: null,
      problems: [problem('ID_INVALID', 'an entry of the list of categories is not an object')],
    };
  }
  const problems: Problem[] = [];
  const id = readString(value, 'category_id', () => {})?.trim() ?? '';
  if (!isCategoryId(id)) {
    const message = `${JSON.stringify(value.category_id)?.slice(0, 80) ?? 'a missing value'} is not a valid category id`;
    return { category: null, problems: [problem('ID_INVALID', message)] };
  }
  const report: ReportIn = (code: ProblemCode, message: string, language = null) => {
    problems.push(problem(code, message, { categoryId: id, language }));
  };
  if (hasDamagedText(value)) {
    report('TEXT_DAMAGED', 'the record contains U+FFFD, which stands for bytes that were not UTF-8');
  }
  const isHidden = readLive(value) !== 'live';
  if (isHidden) {
    const why = findHidingField(value) ?? 'is_published, is_private, is_live or permission_groups';
    report('VISIBILITY_UNKNOWN', `${why} may say that the category is not public`);
  }
  const translations = readCategoryTranslations(value, defaultLanguage, report);
  if (translations.length === 0) {
    report('CATEGORY_UNTITLED', 'the category has no title in any language');
    translations.push({ language: defaultLanguage, title: id, slug: null, description: null });
  }
  const category: LooseCategory = {
    id,
    isHidden,
    parentId: readString(value, 'parent_category_id', report)?.trim() ?? null,
    sortOrder: readNumber(value, ['sort_order', 'order'], report),
    icon: readText(value, 'icon', report),
    updatedAt: readTime(value, 'updated_at', report),
    translations,
  };
  return { category, problems };
}

/** The languages in which a category has a title. A translation without a slug gets the record's slug. */
function readCategoryTranslations(
  record: UnknownRecord,
  defaultLanguage: LanguageTag,
  report: ReportIn,
): CategoryTranslation[] {
  const read = (part: UnknownRecord, reportHere: Report) => ({
    title: readText(part, 'title', reportHere),
    slug: readText(part, 'slug', reportHere),
    // In one official example of the service, the description of a translation is called `body`.
    description: readText(part, 'description', reportHere) ?? readText(part, 'body', reportHere),
  });
  const languages = readLanguages(record, defaultLanguage, report, read, ({ title }) => title !== null);
  const [{ slug: ownSlug }] = languages;
  return languages.flatMap(({ language, title, slug, description }) =>
    title === null ? [] : [{ language, title, slug: slug ?? ownSlug, description }],
  );
}

export interface CategoryForest {
  /** Parents before children, siblings in display order. */
  readonly categories: readonly Category[];
  /** Ids of the categories that may not be public, and of those below them; they are not in `categories`. */
  readonly hidden: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

/**
 * The tree of categories whose records an adapter made itself. Records of a server must not get here, because it could put any value into `path`
 * and `aliases`.
 * @param records as `normaliseCategory` reads them; those of files may have the `path` and `aliases` of their page
 */
export function readForest(records: readonly unknown[], defaultLanguage: LanguageTag): CategoryForest {
  const loose: LooseCategory[] = [];
  const problems: Problem[] = [];
  for (const record of records) {
    const normalised = normaliseCategory(record, defaultLanguage);
    problems.push(...normalised.problems);
    const { path, aliases } = record as Pick<Category, 'path' | 'aliases'>;
    if (normalised.category !== null)
      loose.push({
        ...normalised.category,
        ...(path === undefined ? {} : { path }),
        ...(aliases === undefined ? {} : { aliases }),
      });
  }
  const forest = buildForest(loose);
  return { ...forest, problems: [...problems, ...forest.problems] };
}

/**
 * Builds a forest of categories. Of two with the same id, the newer is used, or the hidden one if none is newer; a category without its parent
 * moves to the top level; a loop is cut at its smallest id. Siblings are sorted by `sort_order`; those without one follow in the order of the
 * list. Not recursive, because a tree may be as deep as it is large.
 */
export function buildForest(listed: readonly LooseCategory[]): CategoryForest {
  const problems: Problem[] = [];
  const byId = keepNewest(listed, problems);
  const parents = findParents(byId, problems);
  const children = groupBy(byId.values(), ({ id }) => parents.get(id) ?? null);
  for (const siblings of children.values()) {
    siblings.sort((a, b) => compareOrder(a.sortOrder, b.sortOrder));
  }
  return { ...flatten(children, parents), problems };
}

function keepNewest(listed: readonly LooseCategory[], problems: Problem[]): Map<string, LooseCategory> {
  const byId = new Map<string, LooseCategory>();
  for (const category of listed) {
    const { id } = category;
    const other = byId.get(id);
    if (other === undefined) byId.set(id, category);
    else {
      problems.push(
        problem('DUPLICATE_RECORD', `the category ${id} is listed more than once`, { categoryId: id }),
      );
      const [time, before] = [category.updatedAt ?? '', other.updatedAt ?? ''];
      if (time > before || (time === before && category.isHidden)) byId.set(id, category);
    }
  }
  return byId;
}

function findParents(
  byId: ReadonlyMap<string, LooseCategory>,
  problems: Problem[],
): Map<string, string | null> {
  const parents = new Map<string, string | null>();
  for (const { id, parentId } of byId.values()) {
    const isOrphan = parentId !== null && !byId.has(parentId);
    if (isOrphan) {
      problems.push(
        problem(
          'CATEGORY_UNKNOWN',
          `the parent ${JSON.stringify(parentId.slice(0, 80))} of ${id} does not exist or is not public`,
          {
            categoryId: id,
          },
        ),
      );
    }
    parents.set(id, isOrphan ? null : parentId);
  }
  for (const loop of findLoops(parents)) {
    const cut = loop.toSorted()[0] as string;
    parents.set(cut, null);
    problems.push(
      problem(
        'CATEGORY_UNKNOWN',
        `${cut} is its own ancestor, through ${countOf(loop.length, 'category', 'categories')}`,
        {
          categoryId: cut,
        },
      ),
    );
  }
  return parents;
}

function findLoops(parents: ReadonlyMap<string, string | null>): readonly (readonly string[])[] {
  const loops: string[][] = [];
  const finished = new Set<string>();
  for (const start of parents.keys()) {
    const path: string[] = [];
    const onPath = new Map<string, number>();
    let id: string | null = start;
    while (id !== null && !finished.has(id) && !onPath.has(id)) {
      onPath.set(id, path.length);
      path.push(id);
      id = parents.get(id) ?? null;
    }
    const entry = id === null ? undefined : onPath.get(id);
    if (entry !== undefined) loops.push(path.slice(entry));
    for (const passed of path) finished.add(passed);
  }
  return loops;
}

function flatten(
  children: ReadonlyMap<string | null, readonly LooseCategory[]>,
  parents: ReadonlyMap<string, string | null>,
): Pick<CategoryForest, 'categories' | 'hidden'> {
  const categories: Category[] = [];
  const hidden = new Set<string>();
  const waiting = children.get(null)?.toReversed() ?? [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { sortOrder: _, isHidden, ...category } = next;
    const { id } = category;
    const parentId = parents.get(id) ?? null;
    if (isHidden || (parentId !== null && hidden.has(parentId))) hidden.add(id);
    else categories.push({ ...category, parentId });
    for (const child of children.get(id)?.toReversed() ?? []) waiting.push(child);
  }
  return { categories, hidden };
}

function compareOrder(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a - b;
}
