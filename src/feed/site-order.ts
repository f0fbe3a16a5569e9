import type { CategoryNode, Plan, PlannedLanguage } from '../site/plan/plan.ts';

/** Name of the articles without a category. */
export const unassigned = 'More articles';

/**
 * Ids of all articles of a language as the site shows them: by category, in display order, and then those without a category. Those that no list of
 * the site shows (`nav_exclude`) follow the others of their category: their pages are public as well. Pure.
 */
export function inSiteOrder(
  { articles }: Pick<Plan, 'articles'>,
  { categories, unassignedIds, articleIds }: PlannedLanguage,
): readonly string[] {
  const groups = [...categories.flatMap(withDescendants), { id: null, articleIds: unassignedIds }];
  const listed = new Set(groups.flatMap((group) => group.articleIds));
  const unlisted = articleIds.filter((id) => !listed.has(id));
  const ordered = groups.flatMap((group) => [
    ...group.articleIds,
    ...unlisted.filter((id) => articles.get(id)?.categoryId === group.id),
  ]);
  // A category without listed articles is in no list, either.
  return [...new Set([...ordered, ...unlisted])];
}

function withDescendants(node: CategoryNode): readonly CategoryNode[] {
  return [node, ...node.children.flatMap(withDescendants)];
}
