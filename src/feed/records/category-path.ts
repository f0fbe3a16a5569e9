import type { LanguageTag } from '../../foundation/model.ts';
import type { Plan } from '../../plan/plan.ts';

/**
 * Titles of a category and those above it, outermost first, in one language.
 * A category without a title in that language is passed over: a feed never fills a language with another one's text.
 */
export function categoryPath(
  plan: Plan,
  language: LanguageTag,
  categoryId: string | null,
): readonly string[] {
  const nodes = plan.languageByTag.get(language)?.categoryById;
  const titles: string[] = [];
  let node = categoryId === null ? undefined : nodes?.get(categoryId);
  while (node !== undefined) {
    if (node.page.titleLanguage === language) titles.unshift(node.page.title);
    node = node.parentId === null ? undefined : nodes?.get(node.parentId);
  }
  return titles;
}
