import type { Plan, PlannedLanguage } from '../plan/plan.ts';

/** An article and when it was last updated (ISO 8601, UTC). */
export interface RecentArticle {
  readonly id: string;
  readonly updatedAt: string;
}

/** The most recently updated articles of a language, newest first, ties by id; undated ones are left out. */
export function recentIds(plan: Plan, language: PlannedLanguage, count: number): readonly RecentArticle[] {
  return language.articleIds
    .flatMap((id) => {
      const updatedAt = plan.articles.get(id)?.updatedAt ?? null;
      return updatedAt === null ? [] : [{ id, updatedAt }];
    })
    .sort((a, b) => {
      if (a.updatedAt !== b.updatedAt) return a.updatedAt < b.updatedAt ? 1 : -1;
      return a.id < b.id ? -1 : 1;
    })
    .slice(0, count);
}
