import type { CategoryNode, PlannedLanguage } from '../site/plan/plan.ts';

/** Name of the articles without a category. */
export const unassigned = 'More articles';

/** Ids of all articles of a language as the site shows them: by category, in display order, and then those without a category. Pure. */
export function inSiteOrder({ categories, unassignedIds }: PlannedLanguage): readonly string[] {
  return [...categories.flatMap(withDescendants).flatMap(({ articleIds }) => articleIds), ...unassignedIds];
}

function withDescendants(node: CategoryNode): readonly CategoryNode[] {
  return [node, ...node.children.flatMap(withDescendants)];
}
