import type { CategoryNode, Plan, PlannedLanguage } from '../site/plan/plan.ts';
import { categoryPath } from './records/document-meta.ts';

/** Articles of one category. */
interface OrderedCategory {
  /** Titles of the category and those above it, outermost first. */
  readonly path: readonly string[];
  readonly articleIds: readonly string[];
}

/** A top-level category with those below it; only categories with articles. */
interface OrderedGroup {
  /** Id of the top-level category; `null` for the articles without one. */
  readonly categoryId: string | null;
  readonly title: string;
  readonly categories: readonly OrderedCategory[];
}

/** Name of the articles without a category. */
export const unassigned = 'More articles';

/** All articles of a language as the site shows them: by category, in display order. Pure. */
export function inSiteOrder(plan: Plan, language: PlannedLanguage): readonly OrderedGroup[] {
  const pathOf = (node: CategoryNode): readonly string[] => {
    const path = categoryPath(plan, language.tag, node.id);
    // An untranslated category is named by its page, because its title is in another language.
    return path.length === 0 ? [node.page.title] : path;
  };
  const groups = language.categories.map((top) => ({
    categoryId: top.id as string | null,
    title: pathOf(top).join(' / '),
    categories: withDescendants(top).map((node) => ({ path: pathOf(node), articleIds: node.articleIds })),
  }));
  const rest = { path: [unassigned], articleIds: language.unassignedIds };
  return [...groups, { categoryId: null, title: unassigned, categories: [rest] }]
    .map((group) => ({
      ...group,
      categories: group.categories.filter(({ articleIds }) => articleIds.length > 0),
    }))
    .filter(({ categories }) => categories.length > 0);
}

function withDescendants(node: CategoryNode): readonly CategoryNode[] {
  return [node, ...node.children.flatMap(withDescendants)];
}
