import type { Article, Category, LanguageTag } from '../foundation/model.ts';
import type { CategoryNode, CategoryPage, PlannedArticle } from './plan.ts';
import type { CategoryPages } from './plan-categories.ts';

/** What one language of the site shows, in display order. */
export interface Navigation {
  readonly categories: readonly CategoryNode[];
  readonly categoryById: ReadonlyMap<string, CategoryNode>;
  readonly unassignedIds: readonly string[];
  readonly untranslatedUnassignedIds: readonly string[];
}

interface Shelf {
  readonly here: string[];
  readonly untranslated: string[];
}

/** Builds one language's category forest with its articles; iterative, so that a 500-deep tree is no danger. */
export function planNavigation(
  language: LanguageTag,
  articles: readonly Article[],
  planned: ReadonlyMap<string, PlannedArticle>,
  categories: readonly Category[],
  categoryPages: CategoryPages,
): Navigation {
  const shelves = shelveArticles(language, articles, planned, categoryPages);
  const nodes = new Map<string, CategoryNode & { children: CategoryNode[]; articleCount: number }>();
  const top: CategoryNode[] = [];
  for (const category of categories) {
    const page = pageFor(language, categoryPages.get(category.id));
    if (page === undefined) continue;
    const shelf = shelves.get(category.id);
    const parent = category.parentId === null ? undefined : nodes.get(category.parentId);
    const node = {
      id: category.id,
      parentId: parent === undefined ? null : category.parentId,
      icon: category.icon,
      depth: parent === undefined ? 0 : parent.depth + 1,
      page,
      children: [],
      articleIds: shelf?.here ?? [],
      untranslatedIds: shelf?.untranslated ?? [],
      articleCount: shelf?.here.length ?? 0,
    };
    nodes.set(category.id, node);
    (parent?.children ?? top).push(node);
  }
  for (const node of [...nodes.values()].reverse()) {
    const parent = node.parentId === null ? undefined : nodes.get(node.parentId);
    if (parent !== undefined) parent.articleCount += node.articleCount;
  }
  const unassigned = shelves.get(null);
  return {
    categories: top,
    categoryById: nodes,
    unassignedIds: unassigned?.here ?? [],
    untranslatedUnassignedIds: unassigned?.untranslated ?? [],
  };
}

function pageFor(
  language: LanguageTag,
  pages: ReadonlyMap<LanguageTag, CategoryPage> | undefined,
): CategoryPage | undefined {
  return pages?.get(language) ?? pages?.values().next().value;
}

/** Articles by category id (`null`: unassigned), each shelf sorted by sort order, title as the language sorts, id. */
function shelveArticles(
  language: LanguageTag,
  articles: readonly Article[],
  planned: ReadonlyMap<string, PlannedArticle>,
  categoryPages: CategoryPages,
): ReadonlyMap<string | null, Shelf> {
  const rows = [];
  for (const article of articles) {
    const plan = planned.get(article.id);
    if (plan === undefined) continue;
    const page = plan.pages.get(language);
    const title = (page ?? plan.pages.get(plan.sourceLanguage))?.title ?? article.id;
    rows.push({ article, title, isTranslated: page !== undefined });
  }
  const collator = new Intl.Collator(language, { numeric: true });
  rows.sort(
    (a, b) =>
      (a.article.sortOrder ?? Number.MAX_SAFE_INTEGER) - (b.article.sortOrder ?? Number.MAX_SAFE_INTEGER) ||
      collator.compare(a.title, b.title) ||
      (a.article.id < b.article.id ? -1 : 1),
  );
  const shelves = new Map<string | null, Shelf>();
  for (const { article, isTranslated } of rows) {
    const categoryId =
      article.categoryId !== null && categoryPages.has(article.categoryId) ? article.categoryId : null;
    const shelf = shelves.get(categoryId) ?? { here: [], untranslated: [] };
    (isTranslated ? shelf.here : shelf.untranslated).push(article.id);
    shelves.set(categoryId, shelf);
  }
  return shelves;
}
