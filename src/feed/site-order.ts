import type { CategoryNode, PlannedLanguage } from '../site/plan/plan.ts';

/** Name of the articles without a category. */
export const unassigned = 'More articles';

/**
 * Ids of all articles of a language as the site shows them: by category, in display order, then those without a category, and then those that no
 * list of the site shows (`nav_exclude`): their pages are public as well. Pure.
 */
export function inSiteOrder({ categories, unassignedIds, articleIds }: PlannedLanguage): readonly string[] {
  const listed = categories.flatMap(withDescendants).flatMap((category) => category.articleIds);
  return [...new Set([...listed, ...unassignedIds, ...articleIds])];
}

function withDescendants(node: CategoryNode): readonly CategoryNode[] {
  return [node, ...node.children.flatMap(withDescendants)];
}
