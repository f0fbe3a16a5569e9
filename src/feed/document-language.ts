import type { LanguageTag } from '../model.ts';
import type { Plan } from '../plan/plan.ts';

/**
 * In which language readers of `readerLanguage` get an article: theirs, where it has it, or else the one it was written in.
 * `null`: it is not planned.
 */
export function documentLanguage(
  { articles }: Pick<Plan, 'articles'>,
  articleId: string,
  readerLanguage: LanguageTag,
): LanguageTag | null {
  const article = articles.get(articleId);
  if (article === undefined) return null;
  return article.pages.has(readerLanguage) ? readerLanguage : article.sourceLanguage;
}
