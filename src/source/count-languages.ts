import type { Article, LanguageTag } from '../foundation/model.ts';

/** Articles per language, sorted by tag in code-unit order. */
export function countLanguages(articles: Iterable<Article>): ReadonlyMap<LanguageTag, number> {
  const counts = new Map<LanguageTag, number>();
  for (const { translations } of articles) {
    for (const { language } of translations) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
